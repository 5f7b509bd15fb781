"""Rows of secrets by form: assignments, headers, addresses, options, sentences.

A row is `(name, triggers, near, judge, pattern, back)`, as `secret_forms` reads it. Every part of a
pattern is bounded, so that a text costs what its length costs. Examples are in `tests/data/secret_examples.json`.
"""

from learnloop.wire import secret_loose
from learnloop.wire.secret_loose import DIGITS, PASSWORD, PASSWORDS, SIGN, SIGNS, TOKEN, TOKENS
from learnloop.wire.secret_values import assigned, given, random, telling, uncounted

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from learnloop.wire.secret_loose import Row as Row

_NAMED = (*SIGNS, "value", "default")

_QUOTED = (
    r"(?:(?:[bfruNL@$]{1,2}|[A-Z]\w{1,12}(?:::\w{1,8})?\(|ConvertTo-SecureString\s)(?=[\"']))?(?:(?:\"\"(?=\"))?\\{0,3}\"(?P<quoted>(?!\s)[^\"\n\\]{4,200})(?:\\{0,3}\"|\\n|$)|'(?P<quoted2>[^'\n]{4,200})'"
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
_HEADER = r"[\"'`]?\s{0,3}[:=,]\s{0,3}[\"'`]?"
ROWS: "tuple[Row, ...]" = (
    # Keys in blocks
    ("private key", ("-----begin", "---- begin"), (), given,
        r"-----?\s?BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|KEY BLOCK)-----?(?<!PUBLIC KEY BLOCK-----)"
        r".*?(?:-----?\s?END [A-Z0-9 ]{0,40}-----?|\Z)|---- BEGIN SSH2 ENCRYPTED.*?(?:---- END[^\n]{0,60}|\Z)", 0),
    ("private key", ("private-lines:",), (), given, r"(?i)private-lines: \d{1,4}\s{1,3}(.*?)(?:private-mac|\Z)", 0),
    # Addresses
    ("password", ("://",), secret_loose.ADDRESS, given,
        r"://(?:[^\s/:'\"<>\[\]]{0,256}:(?P<loose>[^\s/'\"<>]{1,4000})@(?=[\w\[{$*])|(?!\w:/)[^\s/:@'\"<>\[\]]{0,256}:"
        r"(?!(?i:\d{1,5}|port)[/?#;,]|[{$])(?P<loose2>[^\s'\"<>]{1,400}?)@(?<!/@)(?=[\w-]{1,63}[.:/]|localhost))", 0),
    ("token", ("://",), secret_loose.ADDRESS, random, r"://(?P<loose>[A-Za-z0-9_-]{16,128})@(?=[\w\[])", 0),
    ("password", ("jdbc:oracle", "sqlplus", "impdp", "expdp", "sqlldr", "rman "), ("/",), given,
        r"(?i)(?:jdbc:oracle:\w{1,8}:|(?:sqlplus|impdp|expdp|sqlldr|rman\starget)\s{1,4}(?:-\w{1,4}\s{1,4}){0,3}(?:userid=)?[\"']?)\w{1,40}/(?P<loose>[^\s@/\"']{2,80})(?=@|\s|[\"']|$)", 0),
    ("password", ("@tcp(", "@unix(", "@localhost", "@10.", "@127.", "@172.", "@192.", "@//"), (":", "/"), telling,
        r"(?<![^\s'\"(/=])[\w.\\-]{1,40}[:/]'?(?P<loose>[^\s'\"<>@/]{4,80})'?@(?=tcp\(|unix\(|localhost|\d{1,3}\.\d|//)", 90),
    # Headers
    ("authorization", ("authorization",), SIGNS, telling,
        r"(?i)authorization" + _HEADER + r"(?:digest\s(?P<digest>[^\n]{8,400})|(?:basic|bearer|token|api-?key|negotiate|oauth"
        r"|hawk|bot|key|ssws|aws4-hmac-sha256)[ =:]{1,3}(?P<loose>[^\s\"'`{}$<>][^\n\"'`{}<>]{5,200})"
        r"|(?:[\w-]{2,16}[ =]{1,3})?(?P<loose2>(?=\S{0,60}\d)[\w.~+/=:-]{12,200}))", 0),
    ("authorization", ("bearer ", "basic ", "apikey "), (), random,
        r"(?:(?i:bearer|apikey)\s{1,3}|(?i:basic)\s{1,3}(?=[a-z0-9+/]{0,12}[A-Z]))(?P<loose>[\w.~+/=-]{12,200})", 0),
    ("cookie", ("cookie", " -b "), ("=",), given,
        r"(?i)(?:cookies?(?:" + _HEADER + r"|\s[\"'])|\s-b\s[\"']?(?!(?:dc|ou|cn|o|uid)=))(?P<cookie>[\w.!#$%&*+^|~-]{1,64}=[^\n\"'`<>{]{8,1000})", 0),
    # Assignments
    ("secret", PASSWORDS, _NAMED, assigned, PASSWORD + _VALUE, 0),
    ("secret", TOKENS, _NAMED, uncounted, TOKEN + _VALUE, 0),
    ("secret", ("key", "auth", "sig", "salt", "session", "sid=", "hmac", "dsn", "cipher",
        "jwt", "appid", "seed", "?code", "&code"), SIGNS, random,
        r"(?i:(?<!public)(?<!public[_ -])key|auth|sig|signature|salt|sid|session(?:_?id)?|hmac|dsn|cipher|jwt|appid|seed|[?&]code)(?:[_-]?(?:data|base|v?\d))?" + _VALUE, 0),
    # Codes and phrases
    ("pin", (" pin ", " pin:", " pin=", "pin code", "otp", "cvv", "cvc", "2fa code", "verification code",
        "security code", "one-time code", "mfa code", "passcode", "sms code", "gate code", "door code"),
        ("is ", ":", "=", "was ", " "), given,
        r"(?i)\s?(?:pin(?: code)?|otp(?: code)?|cvv2?|cvc|passcode|(?:2fa|mfa|verification|security|one-time|sms|gate|door) code)"
        r"(?:\s[a-z]{1,12}){0,3}?(?:\s(?:is|was)|\s?[:=]|(?<=code)|(?<=otp))\s{1,3}[\"'`]?"
        r"(?P<pin>\d{3,4}|\d{6}|\d{8}|\d{3}[ -]\d{3})(?![\w.])", 0),
    ("seed phrase", ("seed phrase", "recovery phrase", "backup phrase", "secret phrase", "mnemonic", "seed words",
        "wallet words", "recovery words", "wallet phrase", "seed:", "seed=", "seed is", "wallet:"),
        (), given,
        r"(?i)(?:(?:seed|recovery|backup|secret|wallet) (?:phrase|words)|mnemonic|seed|wallet)(?:\s\w{1,12}){0,4}?[\"']?"
        r"\s?[:=\n-]{0,3}\s{0,4}[\"'`(\[]{0,3}(?-i:(?P<seed>(?:(?:\d{1,2}[.):]\s?)?[\"']?[a-z]{3,8}[\"']?[\s,]{1,4}){11,23}"
        r"(?:\d{1,2}[.):]\s?)?[\"']?[a-z]{3,8}))(?![a-z])", 0),
    # Commands
    ("secret", ("pass", "pw", "token", "secret", "key", "psk", "auth", "--pat", "cred"), (" -", "\n-", " /", "--pat"), assigned,
        r"(?<!\S)(?:--?|/)(?!\S{0,24}(?:file|path|name|-id|url|stdin|type|env)[ =])[A-Za-z-]{0,24}?"
        r"(?i:pass(?:word|wd|phrase|in|out)?|pwd?|token|secret|api-?key|key-?pass|secret-?key|access-?key|private-?key|auth|psk|pat|creds?)[a-z-]{0,12}"
        r"(?:[=:][\"']?(?P<equal>[^\s\"'`$<>-][^\s\"'`;|]{3,80})| pass:(?P<equal2>[^\s\"'`$<>;|]{4,80})| [\"']?(?P<loose>[^\s\"'`$<>-][^\s\"'`;|]{3,80}))", 24),
    ("secret", ("-u", "--user", "-a ", "--auth", "--proxy-user", "-user", "user = ", "user=", "auth = ", "auth="), (":", "%", ","), given,
        r"(?<!\S)(?:-[uUa]|--user|--auth|--proxy-user|-user|user\s?=|auth\s?=)[ =:]{0,2}[\"']?[A-Za-z](?:[\w.@+\\-]{0,63}[:%,]|[\w.@+\\/-]{0,63}%)"
        r"(?P<equal>(?!\d{1,5}(?:\s|$)|//)[^\s\"'`/$<>{][^\s\"'`/<>]{2,80})", 0),
    ("secret", ("sudo -s", "chpasswd", " passwd", "stdin", "passphrase-fd", "cryptsetup", "with-token", "login", "secret", "gpg ", "smbpasswd"),
        ("echo", "printf"), given,
        r"(?:echo|printf)\s{1,3}(?:-\w{1,2}\s|[\"']%s(?:\\n)?[\"']\s)?[\"']?(?:\w{1,32}:)?(?P<echoed>[^\s\"'`$<>|][^\s\"'`<>|]{3,80})[\"']?\s{0,3}\|"
        r"[^|\n]{0,60}?(?:sudo -S|passwd|stdin|passphrase-fd|cryptsetup|with-token|login(?![\w.])|secrets? (?:create|add|set|put|insert)|gpg )", 180),
    ("secret", ("<<<",), (), given,
        r"(?i)(?:login|su|createuser|passw\w{0,4}|pass insert|secrets?|token|auth|sudo -S|stdin|crypt\w{0,6}|kinit|gpg)\b[^\n;|&]{0,60}?<<<\s?[\"']?(?P<equal>[^\s\"'`$<>][^\s\"'`<>]{3,80})", 80),
    # Hashes and tokens whose mark stands within
    ("password hash", ("$1$", "$2", "$5$", "$6$", "$y$", "$argon2", "$apr1$", "pbkdf2", "scrypt", "{sha", "{ssha", "\"md5"), DIGITS, given,
        r"(?i)(?:\$(?:2[abxy]?|[1567y]|apr1|gy|md5|sha1|argon2\w{1,2}|s?crypt|bcrypt-sha256|pbkdf2[\w-]{0,10})\$[\w$./+=,-]{16,200}"
        r"|(?:pbkdf2|scrypt)[\w:-]{0,20}\$[\w$+/=.,-]{20,200}|\{s{1,2}ha\d{0,3}\}(?P<hash>[\w+/=]{20,120})|\"md5[\da-f]{32})", 0),
    ("bot token", (":aa",), (), given, r"(?<=\d{8}):AA[A-Za-z0-9_-]{30,64}", 0),
    ("Azure secret", ("q~",), (), given, r"Q~[\w~.-]{31,34}", 0),
    ("mail key", ("-us",), (), given, r"(?<![0-9a-f])[0-9a-f]{32}(?=-us\d)", 33),
    ("licence key", ("_mmk",), (), given, r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}(?=_mmk)", 36),
    *secret_loose.ROWS,
)  # fmt: skip
"""Each form of a secret."""
