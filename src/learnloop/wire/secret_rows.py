"""Rows of secrets by form: assignments, headers, addresses, options, sentences.

A row is `(name, triggers, near, judge, pattern, back, holds, lacks)`, as `secret_forms` reads it. `holds` and
`lacks` are the row's tests: texts with such a secret, and without, in which `<w36>` stands for random characters.
Every part of a pattern is bounded, so that a text costs what its length costs, whatever it says.
"""

from learnloop.wire import secret_loose
from learnloop.wire.secret_loose import OPTION, SPOKEN
from learnloop.wire.secret_values import assigned, given, random, telling, uncounted

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from learnloop.wire.secret_loose import Row as Row

_PASSWORDS = (
    "pass", "pwd", "psw", "kennwort", "contrase", "senha", "has\u0142o", "wachtwoord", "l\xf6senord",
    "parola", "\u015fifre", "\u043f\u0430\u0440\u043e\u043b", "\u5bc6\u7801", "\u5bc6\u78bc",
    "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\uc554\ud638",
)  # fmt: skip
_KINDS = (
    "api", "access", "private", "account", "encryption", "signing", "auth", "client", "master", "shared",
    "app", "admin", "service", "subscription", "consumer", "deploy", "storage", "license", "crypt", "write",
    "hmac", "jwt",
)  # fmt: skip
_TOKENS = ("secret", "token", "cred", "psk", "preshared", "pre-shared", "key")
_SIGNS = ("=", ":", "|", ">", '",', "',", "\uff1a", "\u2192", "%3d", "\\u003", '("', "('", "\n")
_NAMED = (*_SIGNS, "value", "default")
_SAID = ("is ", "was ", "to ", "are ", "ist ", "tet ", "es ", "est ", "from ", ":", "'s ")

_NO_VALUE = (
    r"(?!s?[_. -]?(?i:count|limit|length|len|min|max|name|type|field|url|uri|path|file|dir|ttl|expir|usage|budget"
    r"|policy|reset|rule|valid|label|text|hint|placeholder|strength|manager|store|provider|class|error|ref|ids?\b"
    r"|arn|input|form|prompt|require|check|change|less|s_per))"
)
_REST = r"(?![a-z])" + _NO_VALUE + r"[\w.-]{0,40}"
_PASSWORD = (
    r"(?:(?<!by)(?<!com)(?<!sur)(?<!tres)(?<!over)(?<!under)(?!PASS[:\s|])"
    r"(?i:pass(?:w(?:or)?ds?|w|phrases?|codes?|wort)?|pwd|psw|kennwort|contrase\S{1,2}a|senha|has\u0142o|wachtwoord"
    r"|l\xf6senord|parola|\u015fifre|[\u041f\u043f]\u0430\u0440\u043e\u043b\u044c?|\u5bc6[\u7801\u78bc]"
    r"|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\uc554\ud638))" + _REST
)
_TOKEN = (
    r"(?:(?i:secret(?:access)?(?:key)?|tokens?|credentials?|creds?|pre-?shared_?(?:key)?|psk)|(?i:"
    + "|".join(rf"(?<={kind})|(?<={kind}[_ -])" for kind in _KINDS)
    + r")(?i:key))"
    + _REST
)
_SIGN = (
    r"(?:\s\([^)\n]{1,24}\))?[\\\"'`\])*]{0,5}(?:\s?:\s?[\w\[\], |.]{1,40}(?=\s=\s))?\s{0,8}"
    r"(?:=>|:=|={1,3}|[:\uff1a>]|(?<=\s)\|(?=\s)|%3[dD]|\\u003[dD])[\s*]{0,24}(?:[|>][+-]?\s{1,24})?"
)
_QUOTED = (
    r"(?:(?:[bfru@$]{1,2}|String::from\(|ConvertTo-SecureString\s)(?=[\"']))?(?:\\{0,3}\"(?P<quoted>[^\"\n\\]{4,200})(?:\\{0,3}\"|\\n|$)|'(?P<quoted2>[^'\n]{4,200})'"
    r"|`(?P<quoted3>[^`\n]{4,200})`"
)
_VALUE = (
    r"(?:"
    + _SIGN
    + _QUOTED
    + r"|(?<==)(?![A-Za-z_]{1,60}[,)])(?P<equal>(?:[^\s\"'`,;&)}\]<>]|&(?![\w-]{1,24}=|&|\s|$)){4,80})"
    r"|[\"']?(?P<loose>[^\s\"'`,;&)}\]<>|]{5,80}))"
    r"|[\\\"'`\])*]{0,5}\s{0,8}(?:->|\u2192)\s{0,8}[\"'`]?(?P<loose2>[^\s\"'`,;&)}\]<>|]{5,80})"
    r"|[\"']?\s{0,3}[,{\n]?\s{1,20}[\"']?(?:value|default)[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?P<equal2>[^\s\"',;}<>]{4,80})"
    r"|[ \t]{0,3}\n\s{0,8}(?P<loose3>[^\s\"'`,;:&(){}\[\]<>|]{5,80})(?=\s{0,4}(?:\n|\Z))"
    r"|(?:[\"']\s?,|\()\s?[\"'](?P<beside>[^\"'\n]{5,200})[\"'])"
)
_SAYING = (
    r"(?:'s|(?:\s[^\s,;:!?]{1,24}){0,6}?(?:\s(?:is|was|are|to|ist|lautet|es|est|from)|\s?[:=]))"
    r"(?:\s(?:now|set to|still|just|actually|simply|currently|set|changed to)){0,2}:?\s"
)
_TO_OPTION = r"\b[^\n;|&]{0,100}?\s"
_HEADER = r"[\"'`]?\s{0,3}[:=,]\s{0,3}[\"'`]?"

ROWS: "tuple[Row, ...]" = (
    # Keys in blocks
    (
        "private key", ("-----begin", "---- begin"), (), given,
        r"-----?\s?BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|KEY BLOCK)-----?(?<!PUBLIC KEY BLOCK-----)"
        r".*?(?:-----?\s?END [A-Z0-9 ]{0,40}-----?|\Z)|---- BEGIN SSH2 ENCRYPTED.*?(?:---- END[^\n]{0,60}|\Z)", 0,
        (
            "-----BEGIN RSA PRIVATE KEY-----\n<w64>\n<w20>==\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN OPENSSH PRIVATE KEY-----\\n<w64>\\n<w64>\\n-----END OPENSSH PRIVATE KEY-----",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n<w64>\n=<w4>\n-----END PGP PRIVATE KEY BLOCK-----",
        ),
        ("-----BEGIN CERTIFICATE-----\nMIIEow\n-----END CERTIFICATE-----", "the file begins with -----BEGIN"),
    ),
    (
        "private key", ("private-lines:",),
        (), given, r"(?i)private-lines: \d{1,4}\s{1,3}(.*?)(?:private-mac|\Z)", 0,
        ("Private-Lines: 2\n<w64>\n<w40>\nPrivate-MAC: x",), ("private-lines: none",),
    ),
    # Addresses
    (
        "password", ("://",), ("@",), given,
        r"://[^\s/:@'\"<>\[\]]{0,64}:(?P<loose>[^\s/'\"<>]{1,192})@(?=[\w\[{$*])", 0,
        (
            "postgres://app:<p9>@db.internal/app", "git clone https://me:<p12>@host/r",
            "redis://:<w20>@cache:6379/0", "mongodb+srv://u:<p6>@<p6>@cluster0.mongodb.net",
        ),
        (
            "https://example.org:8080/@handle", "See https://example.org/a:b and mail me@example.org",
            "postgres://${USER}:${PASSWORD}@localhost",
        ),
    ),
    (
        "token", ("://",), ("@",), random, r"://(?P<loose>[A-Za-z0-9_-]{16,128})@(?=[\w\[])", 0,
        ("https://<h32>@o1.ingest.example.io/1",), ("ssh://deploy-of-the-web-shop@example.com",),
    ),
    (
        "password", ("jdbc:oracle", "sqlplus"), ("@",), given,
        r"(?i)(?:jdbc:oracle:\w{1,8}:|sqlplus\s{1,4}(?:-\w{1,4}\s{1,4})?)\w{1,40}/(?P<loose>[^\s@/]{2,80})@", 0,
        ("jdbc:oracle:thin:scott/<p9>@db:1521", "sqlplus system/<p9>@//db/x"), ("jdbc:oracle:thin:@db:1521",),
    ),
    (
        "password", ("5432:", "3306:"), (":",), given,
        r"\d{4}:[^:\s]{1,64}:[^:\s/]{1,64}:(?P<loose>[^\s:]{3,80})", 0,
        ("db.internal:5432:app:web:<p10>",), ("ports 5432:5432:tcp",),
    ),
    # Headers
    (
        "authorization", ("authorization",), _SIGNS, telling,
        r"(?i)authorization" + _HEADER + r"(?:digest\s(?P<digest>[^\n]{8,400})|(?:basic|bearer|token|api-?key|negotiate|oauth"
        r"|hawk|bot|key|ssws|aws4-hmac-sha256)[ =:]{1,3}(?P<loose>[^\s\"'`{}$<>][^\n\"'`{}<>]{5,200}))", 0,
        (
            "Authorization: Bearer <w24>", "curl -H 'Authorization: Basic <w20>=='",
            '"authorization": "Token <h40>"', 'Authorization: Digest username="a", response="<h32>"',
        ),
        ("authorization: bearer tokens", "Authorization: Bearer $TOKEN", "the authorization: basic"),
    ),
    (
        "authorization", ("bearer ", "basic ", "apikey "), (), random,
        r"(?:(?i:bearer|apikey)\s{1,3}|(?i:basic)\s{1,3}(?=[a-z0-9+/]{0,12}[A-Z]))(?P<loose>[\w.~+/=-]{12,200})", 0,
        ("send Bearer <w32>", "proxy with basic <B30>=="), ("the bearer of this letter",
        "basic understanding2024 of it"),
    ),
    (
        "cookie", ("cookie", " -b "), ("=",), given,
        r"(?i)(?:cookies?(?:" + _HEADER + r"|\s[\"'])|\s-b\s[\"']?)(?P<cookie>[\w.!#$%&*+^|~-]{1,64}=[^\n\"'`<>{]{8,1000})", 0,
        (
            "Cookie: session=<w32>; theme=dark", "Set-Cookie: sid=<h32>; HttpOnly",
            "document.cookie = 'a=<w24>'", "curl --cookie 'sid=<w24>' x",
        ),
        ("cookie: it is set", "git checkout -b x", "cookie = parse(x)", "Cookie: theme=dark"),
    ),
    # Assignments
    (
        "secret", _PASSWORDS, _NAMED, assigned, _PASSWORD + _VALUE, 0,
        (
            "DB_PASS=<p8>", "export MY_PWD='<p12>'", '{"password": "<p9>"}', "password: <p9>",
            "db_password => '<p9>'", "| password | <p9> |", 'curl -d "{\\"password\\": \\"<p9>\\"}" x',
            "passwd:\n  <p9>", "--password=<p9>", "<password><p9></password>", "https://h/?password=<p9>&x=1",
            "PGPASSWORD=correcthorse<d1> psql", "os.environ['DB_PASSWORD'] = '<p9>'", "**Password:** `<p9>`",
            "Passwort: <p9>", "pwd=Tr<p9>&<p3> && run", "\u043f\u0430\u0440\u043e\u043b\u044c: <p9>",
            "\u5bc6\u7801\uff1a<p9>", "password -> <p9>", "password: |\n  <p12>", '.setPassword("<p9>")',
            "Password\n<p9>", 'login_with("password", "<p9>")', "- name: DB_PASSWORD\n  value: <p9>",
            'let password = String::from("<p9>");', 'builder.Password = @"<p9>";',
            'variable "db_password" {\n  default = "<p9>"', '<add key="Password" value="<p9>"/>',
        ),
        (
            "password: required", "passed: 12 tests2", "--- PASS: TestOne2", "`oldPass` \u2192 `newPass2()`",
            "['pass', 'public', 'print']", "password:\n  value: ${X}", 'password" value=""', "bypass: x2y2z2",
            "password_field: input1", "pass: bool = x2", "password=$PASSWORD", "password = get_password(1)",
            "password: ${{ secrets.DB_1 }}", "password=None",
        ),
    ),
    (
        "secret", _TOKENS, _NAMED, uncounted, _TOKEN + _VALUE, 0,
        (
            "API_KEY=abc<d9>", "SECRET_KEY_BASE=<h64>", "ENCRYPTION_KEY=<w32>", '"SecretAccessKey": "<B40>"',
            "AccountKey=<B86>==;", "token: <w24>", "api key: <w20>", "X-Api-Key: <w20>",
            "private_key = <h64>", "https://h/?access_token=<w24>&x=1", "client_secret => <w24>",
            "api_key \u2192 <w24>", "x.cfg('auth_token', '<w24>')", '{"name": "API_TOKEN", "value": "<w24>"}',
        ),
        (
            "the token: use the new one", "use token=None here", "token=get_token(user)",
            "max_tokens=4096000", "token_count: 4096x", "secret: ${{ secrets.X1 }}",
            "renamed CountTokens \u2192 SumTokens", "token -> str", '["token", "code token"]',
            "monkey: x2y2z2", "secretary: Bob2000", "secret = os.environ['X1']", "author: Bob2000",
        ),
    ),
    (
        "secret", ("key", "auth", "sig", "salt", "session", "sid=", "hmac", "dsn", "cipher",
        "jwt"), _SIGNS, random,
        r"(?i:key|auth|sig|signature|salt|sid|session(?:_?id)?|hmac|dsn|cipher|jwt)(?:[_-]?(?:data|base|v?\d))?" + _VALUE,
        0,
        ("client-key: <w32>", "sig=<w43>%3D", "salt = '<h32>'", '"auth": "<w36>=="', "key: <w32>"),
        (
            "key: the-next-page-of-the-list", "key=lambda item: item.name", "session: 3f2a", "auth: required",
            "signature: f(x, y) -> z1", "key: value2", "key: 123456789012345678",
        ),
    ),
    # Sentences
    (
        "secret",
        (
            "password", "passwort", "passphrase", "passcode", "passwd", " pass ", " pw ", "contrase", "senha",
            "kennwort", "mot de passe",
        ),
        _SAID, telling,
        r"(?i)\s?(?:passwords?|passwort|passphrase|passcode|passwd|pass|pw|contrase\S{1,2}a|senha|kennwort|mot de passe)"
        + _SAYING + SPOKEN, 0,
        (
            "my password for staging is <p7>", "the password of the admin user was <p9>.",
            "change the password to <p8>", "the wifi password's <p8>", "password for the staging box: <p8>",
            "mon mot de passe est <p8>", "das Passwort der Datenbank lautet <p9>",
        ),
        ("the password is required", "password to reset", "the password is read by src/auth.py"),
    ),
    (
        "secret", ("secret", "token", "api key", "access key"), _SAID, uncounted,
        r"(?i)(?:secret|token|(?:api|access) key)" + _SAYING + SPOKEN, 0,
        ("the token is <w24>", "The API key for the test box is <w24>", "the secret was <h32>"),
        (
            "the token is read from env", "the token is in src/auth.py", "secret santa list: see the page",
            "token count: 22824", "the secret is in the vault",
        ),
    ),
    (
        "secret", (" is the ", " is my ", " is our ", " as the ", " as my ", " as "),
        ("password", "passphrase", "passcode", "api key", "token", "secret"), telling,
        r"(?<!\S)[\"'`*]{0,2}(?P<behind>[^\s\"'`]{5,80})[\"'`*]{0,2} (?:is|as) (?:the |my |our |a )?(?:[\w-]{1,16} ){0,2}"
        r"(?:password|passphrase|passcode|api key|token|secret)\b", 90,
        ("use <p8> as the password", "<p9> is the password", "use <p8> as my root password"),
        ("use it as the password", "choose a word as password", "env2 as in production, with all secrets"),
    ),
    (
        "secret", ("cred", "login", "log in", "sign in"), ("/", ":", "|"), telling,
        r"(?i)(?:credentials?|creds|logins?|log in|sign in)\b(?:\s(?:with|as|are|is|for \w{1,20} (?:is|are)))?"
        r"\s{0,2}[:=]?\s{0,2}[\"'`]?[\w.@+-]{2,40}[\"'`]?\s?[/:|]\s?" + SPOKEN, 0,
        ("credentials: admin/<p8>", "log in with admin / <p8>", "login as bob:<p8>"),
        ("login: see docs/setup2.md", "log in at 10:30"),
    ),
    (
        "secret", ("cred", "login", "log in", "sign in", "user", "admin", "root"), (" pass", " pw "), telling,
        r"(?i)(?:credentials?|creds|logins?|log in|sign in|user(?:name)?|admin|root)\b(?:\s(?:with|as|are|is))?\s{0,2}[:=]?"
        r"\s{0,2}[\"'`]?[\w.@+-]{0,40}[\"'`]?,?\s(?:and\s|with\s)?(?:the\s)?(?:password|passwd|pass|pw|pwd)[:=\s]{1,3}"
        + SPOKEN, 0,
        ("user admin, password <p8>", "username bob and pass <p8>", "log in as root with password <p8>"),
        ("user: bob, password required", "user bob passes tests2"),
    ),
    (
        "pin",
        (
            " pin ", " pin:", " pin=", "pin code", "otp", "cvv", "cvc", "2fa code", "verification code",
            "security code", "one-time code", "mfa code", "passcode",
        ),
        ("is ", ":", "=", "was ", " "), given,
        r"(?i)\s?(?:pin(?: code)?|otp(?: code)?|cvv2?|cvc|passcode|(?:2fa|mfa|verification|security|one-time) code)"
        r"(?:\s[a-z]{1,12}){0,3}?(?:\s(?:is|was)|\s?[:=])\s{1,3}[\"'`]?"
        r"(?P<pin>\d{3,4}|\d{6}|\d{8}|\d{3}[ -]\d{3})(?![\w.])", 0,
        ("my pin is <d4>", "OTP: <d6>", "the 2FA code is <d6>", "cvv: <d3>"),
        ("the pin: 3.11.2", "my pin is 13", "the pin code is wrong"),
    ),
    (
        "seed phrase",
        (
            "seed phrase", "recovery phrase", "backup phrase", "secret phrase", "mnemonic", "seed words",
            "wallet words", "recovery words", "wallet phrase", "seed:", "seed=", "seed is", "wallet:",
        ),
        (), given,
        r"(?i)(?:(?:seed|recovery|backup|secret|wallet) (?:phrase|words)|mnemonic|seed|wallet)(?:\s\w{1,12}){0,4}?[\"']?"
        r"\s?[:=\n-]{0,3}\s{0,4}[\"'`(\[]{0,3}(?-i:(?P<seed>(?:(?:\d{1,2}[.):]\s?)?[\"']?[a-z]{3,8}[\"']?[\s,]{1,4}){11,23}"
        r"(?:\d{1,2}[.):]\s?)?[\"']?[a-z]{3,8}))(?![a-z])", 0,
        (
            "seed phrase: <s12>", "my recovery phrase is <s24>", "mnemonic = '<s12>'",
            "wallet words: 1. <s1> 2. <s1> 3. <s1> 4. <s1> 5. <s1> 6. <s1> 7. <s1> 8. <s1> 9. <s1> 10. <s1> 11. <s1> 12. <s1>",
        ),
        ("the seed phrase that we use for it is not in the list of all words that are shown", "seed: 42"),
    ),
    # Commands
    (
        "secret", ("login ",), ("password",), telling,
        r"(?i)login\s{1,4}[^\s,]{1,128}\s{1,8}password\s{1,4}(?P<loose>\S{3,128})", 0,
        ("machine api.example.com\n  login bob\n  password <p9>",), ("login page, password field",),
    ),
    (
        "secret", ("password", "identified by", "passwd"), ("'",), given,
        r"(?i)(?:password|passwd|identified by)\s{1,3}'(?P<quoted>[^'\n]{4,80})'", 0,
        ("CREATE USER app WITH PASSWORD '<p9>'", "ALTER USER a IDENTIFIED BY '<p9>'"), ("the password 'x'",),
    ),
    (
        "secret", ("identified by", "env ", "arg ", "setx ", "set "),
        ("pass", "secret", "token", "key", "pwd", "by "), telling,
        r"(?i)(?:identified by|(?:env|arg|setx|set)\s{1,3}\S{0,60}(?:password|passwd|pass|pwd|secret|token|key)\w{0,20})"
        r"\s{1,3}(?P<loose>[^\s\"'`,;)<>=]{5,80})", 0,
        ("ENV DB_PASSWORD <p9>", "setx API_KEY <w24>", "npm config set //r.example.com/:_authToken <w32>"),
        ("set the password field2",),
    ),
    (
        "secret",
        (
            "--password", "--passwd", "--token", "--secret", "--api-key", "--apikey", "--pass", "--pw",
            "--access-token", "--auth-token", "--client-secret", "--psk", "--pat ", " -password",
            " -storepass", " -keypass", " -passin", " -passout", " -pw ", " -token",
        ),
        (), assigned, r"\s?--?(?!\S{0,20}(?:file|path|name|-id|url|stdin|type|env)[ =])[a-z-]{2,16}(?:=[\"']?(?P<equal>[^\s\"'`$<>-][^\s\"'`;|]{3,80})"
        r"| (?:pass:)?[\"']?(?P<loose>[^\s\"'`$<>-][^\s\"'`;|]{3,80}))", 0,
        (
            "mysql --password <p8> app", "tool --api-key <w24>", "keytool -storepass <p8>",
            "plink -pw <p8> h", "openssl rsa -passin pass:<p8>", "gpg --passphrase <p8>",
        ),
        ("mysql --password $PASSWORD app", "act --secret-file .secrets", "--password --user bob",
        "--token <TOKEN>"),
    ),
    (
        "secret", (" -u", " --user", " -a ", " --auth", " --proxy-user", " -user"), (":", "%", ","), given,
        r"\s(?:-[uUa]|--user|--auth|--proxy-user|-user)[ =:]{0,2}[\"']?[A-Za-z][\w.@+-]{0,63}[:%,]"
        r"(?P<equal>(?!\d{1,5}(?:\s|$)|//)[^\s\"'`/$<>{][^\s\"'`/<>]{2,80})", 0,
        (
            "curl -u admin:<p8> https://x", 'curl --user "bob:<p8>" x', "http -a bob:<p8> GET x",
            "lftp -u bob,<p8> h", "smbclient -U bob%<p8> //s/x",
        ),
        ("docker run -u 1000:1000 x", "curl -u $USER:$PASS x", "rsync -a host:/path x", "ls -a x:y"),
    ),
    (
        "secret", ("mysql", "mariadb", "7z", "rar "), (" -p",), given,
        r"(?:mysql\w{0,8}|mariadb[\w-]{0,8}|7za?|rar)" + _TO_OPTION + r"-p" + OPTION, 0,
        ("mysql -u root -p<p8> app", "mysqldump -uroot -p'<p8>' db", "7z x -p<p8> a.7z"),
        ("mysql -u root -p app -h db", "mysql --port 3306"),
    ),
    (
        "secret",
        (
            "sshpass", "docker login", "podman login", "registry login", "az login", "oc login", "mongo",
            "zip ", "sqlcmd", "ldap", "redis-cli", "htpasswd",
        ),
        ("-",), given,
        r"(?:(?:sshpass|(?:docker|podman|registry|az|oc) login|mongo\w{0,8}|zip|sqlcmd)" + _TO_OPTION + r"-[pP]\s?"
        r"|ldap\w{0,8}" + _TO_OPTION + r"-w\s|redis-cli" + _TO_OPTION + r"-a\s"
        r"|htpasswd\s-\w{0,4}b\w{0,4}\s\S{1,60}\s\S{1,40}\s)" + OPTION, 0,
        (
            "sshpass -p <p8> ssh x", "docker login -u bob -p <p8> r", "redis-cli -h x -a <p8> ping",
            "unzip -P <p8> a.zip", "ldapsearch -D cn=x -w <p8> -b y", "htpasswd -cb file bob <p8>",
            "sqlcmd -S h -U sa -P <p8>",
        ),
        ("docker run -p 80:80 x", "unzip -l a.zip", "mongo --port 3306"),
    ),
    (
        "secret", ("sudo -s", "chpasswd", "password-stdin", "passphrase-fd", "cryptsetup"), (), given,
        r"(?:echo|printf)\s{1,3}(?:-\w{1,2}\s)?[\"']?(?:\w{1,32}:)?(?P<echoed>[^\s\"'`$<>|]{4,80})[\"']?\s{0,3}\|"
        r"[^|\n]{0,60}(?:sudo -S|chpasswd|password-stdin|passphrase-fd|cryptsetup)", 180,
        ("echo <p8> | sudo -S ls", 'echo "root:<p8>" | chpasswd',
        "echo '<w24>' | docker login --password-stdin"),
        ("echo $PW | sudo -S ls",),
    ),
    # Hashes and tokens whose mark stands within
    (
        "password hash",
        ("$2a$", "$2b$", "$2y$", "$6$", "$5$", "$y$", "$argon2", "$apr1$", "pbkdf2_sha", "{ssha}"), (), given,
        r"(?i)(?:\$2[aby]\$\d\d\$[./\w]{40,60}|\$(?:[56y]|apr1)\$[./\w$=,]{20,160}|\$argon2\w{1,3}\$[\w$=,+/.-]{30,200}"
        r"|pbkdf2_sha\d{1,3}\$[\w$+/=]{30,200}|\{ssha\}[\w+/=]{20,80})", 0,
        ("root:$6$<w8>$<w86>:19000::", "bob:$2b$12$<w53>", "$apr1$<w8>$<w22>"), ("costs $6$ each",
        "$2b$ or not"),
    ),
    (
        "bot token", (":aa",), (), given, r"(?<=\d{8}):AA[A-Za-z0-9_-]{30,64}", 0,
        ("123456789:AA<b33>",), ("10:AA, 12345678:AAA batteries",),
    ),
    ("Azure secret", ("q~",), (), given, r"Q~[\w~.-]{31,34}", 0, ("abc8Q~<b34>",), ("Q~ is a sign",)),
    (
        "mail key", ("-us",), (), given, r"(?<![0-9a-f])[0-9a-f]{32}(?=-us\d)", 33,
        ("<h32>-us12",), ("in en-us1 only",),
    ),
    (
        "licence key", ("_mmk",), (), given, r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}(?=_mmk)", 36,
        ("<w6>_<w29>_mmk",), ("a_mmk",),
    ),
    *secret_loose.ROWS,
)  # fmt: skip
"""Each form of a secret."""
