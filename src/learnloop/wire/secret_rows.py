"""Rows of secrets by form: assignments, headers, addresses, options, sentences.

A row is `(name, triggers, near, judge, pattern, back, holds, lacks)`, as `secret_forms` reads it. `holds` and
`lacks` are the row's tests: texts with such a secret, and without, in which `<w36>` stands for random characters.
Every part of a pattern is bounded, so that a text costs what its length costs, whatever it says.
"""

from learnloop.wire import secret_loose
from learnloop.wire.secret_loose import DIGITS, PASSWORD, PASSWORDS, SIGN, SIGNS, TOKEN, TOKENS
from learnloop.wire.secret_values import assigned, given, random, telling, uncounted

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from learnloop.wire.secret_loose import Row as Row

_NAMED = (*SIGNS, "value", "default")

_QUOTED = (
    r"(?:(?:[bfruNL@$]{1,2}|[A-Z]\w{1,12}(?:::\w{1,8})?\(|ConvertTo-SecureString\s)(?=[\"']))?(?:\\{0,3}\"(?P<quoted>(?!\s)[^\"\n\\]{4,200})(?:\\{0,3}\"|\\n|$)|'(?P<quoted2>[^'\n]{4,200})'"
    r"|`(?P<ticked>[^`\n]{4,200})`|[\u201c\u201e\u00ab\u300c]\s?(?P<quoted3>[^\u201d\u201c\u00bb\u300d\n]{4,200}?)\s?[\u201d\u201c\u00bb\u300d]"
)
_VALUE = (
    r"(?:"
    + SIGN
    + r"(?:{\s{0,9}[\"'][\w-]{1,40}\.[\w.:/-]{1,40}[\"']\s?:\s?)?"
    + _QUOTED
    + r"|(?P<quoted4>(?:[a-z]{4} ){3}[a-z]{4}(?!\S))|(?<==)(?![A-Za-z_]{1,60}[,)])(?P<equal>(?:[^\s\"'`,;&)}\]<>]|&(?![\w-]{1,24}=|&|\s|$)){4,80})"
    r"|[\"'(\[{\u2018]?(?P<loose>[^\s\"'`,;&)}\]<>|]{5,80}))"
    r"|[\"']?\s{0,3}[,{\n]?\s{1,20}[\"']?(?i:value|default)[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?P<equal2>[^\s\"',;}<>]{4,80})"
    r"|[ \t]{0,3}\n\s{0,8}(?P<loose3>[^\s\"'`,;:&(){}\[\]<>|=]{5,80}={0,2})(?=\s{0,4}(?:\n|\Z))"
    r"|(?:[\"']\s?,|\()\s?[\"'](?:\\\")?(?P<beside>[^\"'\n\\]{5,200})\\?[\"'])"
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
        "password", ("://",), secret_loose.ADDRESS, given,
        r"://(?:[^\s/:'\"<>\[\]]{0,256}:(?P<loose>[^\s/'\"<>]{1,4000})@(?=[\w\[{$*])|(?!\w:/)[^\s/:@'\"<>\[\]]{0,256}:"
        r"(?!(?i:\d{1,5}|port)[/?#;,]|[{$])(?P<loose2>[^\s'\"<>]{1,400}?)@(?<!/@)(?=[\w-]{1,63}[.:/]|localhost))", 0,
        (
            "postgres://u:p<h64>@ec2-3-4.compute.example.com:5432/d", "mongodb://acme:<B86>==@acme.example.com:10255/",
            "smtp://bob%40example.com:<w24>@smtp.example.com", "smtp://bob@example.com:<p9>@smtp.example.com",
            "postgres://app:<p6>/<p6>@db.example.com/app", "pg://app:x%3A<w600>%26s%3D<h64>@db.example.com/app",
            "postgres://app:<p9>@db.internal/app", "git clone https://me:<p12>@host/r",
            "redis://:<w20>@cache:6379/0", "mongodb+srv://u:<p6>@<p6>@cluster0.mongodb.net",
        ),
        (
            "https://example.org:8080/@handle", "See https://example.org/a:b and mail me@example.org",
            "postgres://${USER}:${PASSWORD}@localhost", "git+ssh://git@github.com:a/b.git@v1.2",
            "http://localhost:3000/react@18.2.0/x.js", "http://localhost:PORT/@vite/client", "https://h:$PORT/a@1.0", "file://C:/bob/a@2x.png",
        ),
    ),
    (
        "token", ("://",), secret_loose.ADDRESS, random, r"://(?P<loose>[A-Za-z0-9_-]{16,128})@(?=[\w\[])", 0,
        ("https://<h32>@o1.ingest.example.io/1",), ("ssh://deploy-of-the-web-shop@example.com",),
    ),
    (
        "password", ("jdbc:oracle", "sqlplus", "impdp", "expdp", "sqlldr", "rman "), ("/",), given,
        r"(?i)(?:jdbc:oracle:\w{1,8}:|(?:sqlplus|impdp|expdp|sqlldr|rman\starget)\s{1,4}(?:-\w{1,4}\s{1,4}){0,3}(?:userid=)?[\"']?)\w{1,40}/(?P<loose>[^\s@/\"']{2,80})(?=@|\s|[\"']|$)", 0,
        ("jdbc:oracle:thin:scott/<p9>@db:1521", "sqlplus system/<p9>@//db/x"), ("jdbc:oracle:thin:@db:1521",),
    ),
    (
        "password", ("@tcp(", "@unix(", "@localhost", "@10.", "@127.", "@172.", "@192.", "@//"), (":", "/"), telling,
        r"(?<![^\s'\"(/=])[\w.\\-]{1,40}[:/]'?(?P<loose>[^\s'\"<>@/]{4,80})'?@(?=tcp\(|unix\(|localhost|\d{1,3}\.\d|//)", 90,
        ("root:<p9>@tcp(db:3306)/app", "secretsdump.py CORP/bob:<p9>@10.0.0.4", "scott/<p9>@//db:1521/XE"),
        ("scp a bob@10.0.0.4:/srv", "npm:x@127.0.0.1"),
    ),
    # Headers
    (
        "authorization", ("authorization",), SIGNS, telling,
        r"(?i)authorization" + _HEADER + r"(?:digest\s(?P<digest>[^\n]{8,400})|(?:basic|bearer|token|api-?key|negotiate|oauth"
        r"|hawk|bot|key|ssws|aws4-hmac-sha256)[ =:]{1,3}(?P<loose>[^\s\"'`{}$<>][^\n\"'`{}<>]{5,200})"
        r"|(?:[\w-]{2,16}[ =]{1,3})?(?P<loose2>(?=\S{0,60}\d)[\w.~+/=:-]{12,200}))", 0,
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
        "secret", PASSWORDS, _NAMED, assigned, PASSWORD + _VALUE, 0,
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
            "password: ${{ secrets.DB_1 }}", "password=None", "DB_PASSWORD=\nDB_HOST=localhost\n",
            "$user->password = Hash::make($request->input('a1'));", 'read -rsp "Password: " PW2 && echo',
        ),
    ),
    (
        "secret", TOKENS, _NAMED, uncounted, TOKEN + _VALUE, 0,
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
        "jwt", "appid", "seed", "?code", "&code"), SIGNS, random,
        r"(?i:(?<!public)(?<!public[_ -])key|auth|sig|signature|salt|sid|session(?:_?id)?|hmac|dsn|cipher|jwt|appid|seed|[?&]code)(?:[_-]?(?:data|base|v?\d))?" + _VALUE,
        0,
        ("client-key: <w32>", "sig=<w43>%3D", "salt = '<h32>'", '"auth": "<w36>=="', "key: <w32>"),
        (
            "key: the-next-page-of-the-list", "key=lambda item: item.name", "session: 3f2a", "auth: required",
            "signature: f(x, y) -> z1", "key: value2", "key: 123456789012345678",
        ),
    ),
    # Codes and phrases
    (
        "pin",
        (
            " pin ", " pin:", " pin=", "pin code", "otp", "cvv", "cvc", "2fa code", "verification code",
            "security code", "one-time code", "mfa code", "passcode", "sms code", "gate code", "door code",
        ),
        ("is ", ":", "=", "was ", " "), given,
        r"(?i)\s?(?:pin(?: code)?|otp(?: code)?|cvv2?|cvc|passcode|(?:2fa|mfa|verification|security|one-time|sms|gate|door) code)"
        r"(?:\s[a-z]{1,12}){0,3}?(?:\s(?:is|was)|\s?[:=]|(?<=code)|(?<=otp))\s{1,3}[\"'`]?"
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
        "secret", ("pass", "pw", "token", "secret", "key", "psk", "auth", "--pat", "cred"), (" -", "\n-", " /", "--pat"), assigned,
        r"(?<!\S)(?:--?|/)(?!\S{0,24}(?:file|path|name|-id|url|stdin|type|env)[ =])[A-Za-z-]{0,24}?"
        r"(?i:pass(?:word|wd|phrase|in|out)?|pwd?|token|secret|api-?key|key-?pass|secret-?key|access-?key|private-?key|auth|psk|pat|creds?)[a-z-]{0,12}"
        r"(?:[=:][\"']?(?P<equal>[^\s\"'`$<>-][^\s\"'`;|]{3,80})| (?:pass:)?[\"']?(?P<loose>[^\s\"'`$<>-][^\s\"'`;|]{3,80}))", 24,
        (
            "mysql --password <p8> app", "tool --api-key <w24>", "keytool -storepass <p8>",
            "plink -pw <p8> h", "openssl rsa -passin pass:<p8>", "gpg --passphrase <p8>", "cmdkey /pass:<p8>",
            "influx --admin-token <w24>",
        ),
        ("mysql --password $PASSWORD app", "act --secret-file .secrets", "--password --user bob",
        "--token <TOKEN>"),
    ),
    (
        "secret", ("-u", "--user", "-a ", "--auth", "--proxy-user", "-user", "user = ", "user=", "auth = ", "auth="), (":", "%", ","), given,
        r"(?<!\S)(?:-[uUa]|--user|--auth|--proxy-user|-user|user\s?=|auth\s?=)[ =:]{0,2}[\"']?[A-Za-z][\w.@+\\-]{0,63}[:%,]"
        r"(?P<equal>(?!\d{1,5}(?:\s|$)|//)[^\s\"'`/$<>{][^\s\"'`/<>]{2,80})", 0,
        (
            "curl -u admin:<p8> https://x", 'curl --user "bob:<p8>" x', "http -a bob:<p8> GET x",
            "lftp -u bob,<p8> h", "smbclient -U bob%<p8> //s/x",
        ),
        ("docker run -u 1000:1000 x", "curl -u $USER:$PASS x", "rsync -a host:/path x", "ls -a x:y"),
    ),
    (
        "secret",
        ("sudo -s", "chpasswd", " passwd", "stdin", "passphrase-fd", "cryptsetup", "with-token", "login", "secret", "gpg ", "smbpasswd"),
        ("echo", "printf"), given,
        r"(?:echo|printf)\s{1,3}(?:-\w{1,2}\s|[\"']%s(?:\\n)?[\"']\s)?[\"']?(?:\w{1,32}:)?(?P<echoed>[^\s\"'`$<>|][^\s\"'`<>|]{3,80})[\"']?\s{0,3}\|"
        r"[^|\n]{0,60}?(?:sudo -S|passwd|stdin|passphrase-fd|cryptsetup|with-token|login(?![\w.])|secrets? (?:create|add|set|put|insert)|gpg )", 180,
        ("echo <p8> | sudo -S ls", 'echo "root:<p8>" | chpasswd',
        "echo '<w24>' | docker login --password-stdin", "printf '%s' '<w24>' | gh auth login --with-token"),
        ("echo $PW | sudo -S ls", "echo done | tee login.txt"),
    ),
    (
        "secret", ("<<<",), (), given,
        r"(?i)(?:login|su|createuser|passw\w{0,4}|pass insert|secrets?|token|auth|sudo -S|stdin|crypt\w{0,6}|kinit|gpg)\b[^\n;|&]{0,60}?<<<\s?[\"']?(?P<equal>[^\s\"'`$<>][^\s\"'`<>]{3,80})", 80,
        ("gh auth login --with-token <<< <w24>", "kinit bob <<< '<p9>'"), ("grep token <<< $TEXT",),
    ),
    # Hashes and tokens whose mark stands within
    (
        "password hash",
        ("$1$", "$2", "$5$", "$6$", "$y$", "$argon2", "$apr1$", "pbkdf2", "scrypt", "{sha", "{ssha", "\"md5"), DIGITS, given,
        r"(?i)(?:\$(?:2[abxy]?|[1567y]|apr1|gy|md5|sha1|argon2\w{1,2}|s?crypt|bcrypt-sha256|pbkdf2[\w-]{0,10})\$[\w$./+=,-]{16,200}"
        r"|(?:pbkdf2|scrypt)[\w:-]{0,20}\$[\w$+/=.,-]{20,200}|\{s{1,2}ha\d{0,3}\}(?P<hash>[\w+/=]{20,120})|\"md5[\da-f]{32})", 0,
        ("root:$6$<w8>$<w86>:19000::", "bob:$2b$12$<w53>", "$apr1$<w8>$<w22>", "pbkdf2_sha256$600000$<w22>$<w43>=",
         "scrypt:32768:8:1$<w16>$<h128>"), ("costs $6$ each", "$2b$ or not"),
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
