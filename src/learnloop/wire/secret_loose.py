"""What secrets are called, and rows of those that people tell in words; read as `secret_rows` says."""

from learnloop.wire.secret_values import given, random, spelled, strong, telling, uncounted

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Names: TypeAlias = tuple[str, ...]
    Row: TypeAlias = tuple[str, Names, Names, Callable[[str, str], bool], str, int]

PASSWORDS = (
    "pass", "pw", "psw", "p@ss", "pasw", "mdp", "kennwort", "contrase", "clave", "senha", "wachtwoord", "heslo",
    "sifre", "adgangskod", "salasana", "sandi", "has\u0142o", "l\xf6sen", "\u015fifre", "passord", "parol", "parool", "jelsz\xf3",
    "laluan", "slapta\u017eod", "lozink", "geslo", "nenosiri", "lykilor\xf0", "pasahitz", "fjal\xebkalim",
    "\u043f\u0430\u0440\u043e\u043b", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u30d1\u30b9\u30ef\u30fc\u30c9",
    "\u6697\u8a3c", "\ube44\ubc00\ubc88\ud638", "\ube44\ubc88", "\uc554\ud638", "\u03ba\u03c9\u03b4\u03b9\u03ba",
    "\u043b\u043e\u0437\u0438\u043d\u043a", "\u0631\u0645\u0632", "\u05e1\u05d9\u05e1\u05de", "\u0643\u0644\u0645\u0629", "\u092a\u093e\u0938", "\u0e23\u0e2b\u0e31\u0e2a",
    "kh\u1ea9u",
)  # fmt: skip
TOKENS = (
    "secret", "token", "cred", "psk", "key", "geheim", "schl\xfcssel", "jeton",
    "chave", "chiave", "segret", "segred", "klucz", "sleutel", "\u043a\u043b\u044e\u0447", "\u0441\u0435\u043a\u0440\u0435\u0442",
    "\u0442\u043e\u043a\u0435\u043d", "\u5bc6\u94a5", "\u79d8\u94a5", "\u4ee4\u724c", "\u30c8\u30fc\u30af\u30f3", "\ud1a0\ud070",
    "\u30ad\u30fc", "\U0001f511", "\U0001f510",
)  # fmt: skip
_KINDS = (
    "api", "access", "private", "account", "encryption", "signing", "auth", "client", "master", "shared",
    "app", "admin", "service", "subscription", "consumer", "deploy", "storage", "license", "licence", "crypt",
    "cryption", "write", "hmac", "jwt", "webhook", "product", "activation", "recovery", "unseal", "vault", "bot",
    "root", "aes", "rsa", "fernet", "session", "pass", "cookie",
)  # fmt: skip
_NO_VALUE = (
    r"(?:(?=\s\w{1,24}=\")|(?!s?[_. -]?(?i:count|limit|length|len|min|max|name|type|field|url|uri|path|file|dir|ttl|expir|usage|budget"
    r"|policy|encryption|encoder|reset|rule|valid|label|text|hint|placeholder|strength|manager|store|provider|class|error|ref|ids?\b"
    r"|arn|input|form|prompt|require|check|change|less|s_per|fingerprint|algo|version|rotat|bucket|header|prefix|scheme|timeout|endpoint|column|table|pattern)))"
)


def _abroad(words: "tuple[str, ...]") -> str:
    """Any of some words, with the endings that a script with letters gives them."""
    endings = "[A-Za-z\\u00c0-\\u1fff]{0,8}"
    return "(?u:" + "|".join(word + endings * (word < "\u2e80") for word in words) + ")"


_REST = r"(?![a-z])" + _NO_VALUE + r"[\w.-]{0,40}"
PASSWORD = (
    r"(?:(?<!by)(?<!com)(?<!sur)(?<!tres)(?<!over)(?<!under)(?!(?<!\w)PASS[:\s|])"
    r"(?>(?i:p[a@]ss(?:w[o0]?r?[dt]s?|ord(?:et)?|w[ds]{0,2}|phrases?|codes?|keys?|e)?|pasw[o0]?r?[dt]s?|psw(?:r?ds?)?|pw[drs]{0,2}"
    r"|contrase\S{1,2}a|kh\u1ea9u|\u0643\u0644\u0645\u0629 \S{4,8}|"
    + _abroad(PASSWORDS[5:]) + ")))" + _REST
)  # fmt: skip
TOKEN = (
    r"(?:(?<!\d:)(?<![Pp]ublicKey)(?>(?i:secret(?:access)?(?:key)?|tokens?|credentials?|creds?|psk|"
    + _abroad(TOKENS[5:])
    + r"))|(?i:"
    + "|".join(rf"(?<={kind})|(?<={kind}[_ .-])" for kind in _KINDS)
    + r")(?i:key))"
    + _REST
)

SPOKEN = (
    r"[\"'`*(\u201c\u201e\u2018\u00ab]{0,2}(?P<loose>(?=\S{0,60}?[0-9!#$%^*+~@&=?])[^\s\"'`,;)<>\]]{5,80})"
)
"""A value in a sentence."""
SIGNS = (
    "=", ":", "|", ">", '",', "',", "\uff1a", "\u2192", "\u21d2", "\u279c", "%3d", "%3a", "\\u003", '("', "('", "\n", " - ", "\u2013", "\u2014",
)  # fmt: skip
DIGITS = ("0", "!")
"""Near a row is any digit, and further away than another sign."""
ALONE = ("!", "0")
"""Near a row is any digit as well, and its trigger is no part of a path or a longer name."""
ADDRESS = ("@",)
"""Near a row is the sign before a host, however far away in the same word."""

_CLOSE = r"(?:[\\\"'`\])*\u00bb\u201d\u2019\u3011]|&quot;|&#\d\d;|%22){0,5}"
SIGN = (
    r"(?:\s\([^)\n]{1,24}\)|\s[\w:]{1,24}=\"[^\"\n<>]{0,80}\"(?=>))?"
    + _CLOSE
    + r"(?:</key>\s{0,24}<string(?=>)|\s?[:?]\s?[\w\[\], |.]{1,40}(?=\s=\s))?\s{0,24}"
    r"(?:=>|:=|[?|+~]{1,2}=|={1,3}(?:3D)?|::?|[\uff1a\uff1d]|>(?=\S)|(?<=\s)\|(?=\s)|%3[adAD]|\\u003[adAD]|&(?:gt|#61|#58);|[-=~\u2013\u2014]{1,3}>"
    r"|[\u2192\u21d2\u279c\u2794\u27a1\u00bb]|(?<=\S[ \t])[-\u2013\u2014]{1,2}(?=[ \t]))[\s*]{0,24}(?:[|>][+-]?\s{1,24}|&quot;|&#\d\d;|%22)?"
)
_COPULA = (
    r"(?:'s|\s(?:is|was|are|were|be|to|equals|remains|becomes|stays|reads|says|ist|war|lautet|bleibt|wird|hei\S{1,2}t|es|era|ser\S"
    r"|est|sera|reste|\xe8|\xe9|este|jest|to|\xe4r|er|dir)(?=\s|:)|\s?[:=](?=\s)|\s?[\u662f\u4e3a\u70ba\u306f\u304c\uc740\ub294\uc774\uac00])"
    r"(?:\s(?:now|set to|still|just|actually|simply|currently|set|changed to|probably|again)){0,2}:?\s?"
)

_ACCOUNTS = ("admin", "administrator", "root", "sa", "postgres", "guest", "demo", "system", "neo4j", "elastic")  # fmt: skip
_WORDS = r"(?:[ \t][^\s,;:!?{}]{1,24}){0,6}?"
_STRONG = r"(?P<strong>(?=\S{0,40}\d)(?=\S{0,40}[A-Z!#$%^*~&?@])(?=\S{0,40}[A-Za-z])[^\s\"'`,;()<>\[\]{}/\\.*|-][^\s\"'`,;()<>\]/\\|]{5,80})"
_NO_VERB = r"(?!(?<![\w(])(?i:pass|passes|pwd)[\s.,)])"
_NAMES = (*PASSWORDS, *TOKENS)
_NAME = f"(?:{PASSWORD}|{TOKEN})"
_CODE = r"(?=[a-z-]{0,11}\d)[a-z0-9-]{6,12}"
_LOGINS = ("account", "cred", "login", "log in", "sign in", "zugangsdaten", "identifiant")

ROWS: "tuple[Row, ...]" = (
    # In words
    ("secret", PASSWORDS, DIGITS, telling, PASSWORD + _WORDS + _COPULA + SPOKEN, 0),
    ("secret", TOKENS, DIGITS, uncounted, TOKEN + _WORDS + _COPULA + SPOKEN, 0),
    ("secret", PASSWORDS, DIGITS, spelled, _NO_VERB + PASSWORD + r"(?:(?:[ \t]{0,2}[\"'`\u201c\xab]|[ \t]{1,2}[(\[])(?P<closed>[^\s\"'`()\[\]\u201d\xbb]{5,80})[\"'`)\]\u201d\xbb]"
        r"|,?(?:[ \t][^\s:=]{1,24}){0,6}?[ \t]{1,2}(?P<loose2>(?=\S{0,40}\d)[^\s\"'`,;:()<>\[\]{}/\\=]{8,40})[ \t]?(?=\n|\Z)"
        r"|[ \t]{1,2}(?:[\u2013\u2014\xab]\s?)?" + SPOKEN + ")", 0),
    ("secret", (*TOKENS, "auth", "login", "unseal"), DIGITS, random,
        r"(?:" + TOKEN + r"|(?i:auth\w{0,8}|login|unseal))\s{1,3}[\"'`]?(?P<loose>[\w.+/=-]{16,200})", 0),
    ("secret", _NAMES, DIGITS, strong,
        _NO_VERB + _NAME + r"\S{0,3}(?:[ \t]{1,3}\S{1,24}){0,9}?[ \t]{1,3}[\"'`(*\xab\u201c\u2018]{0,2}" + _STRONG, 0),
    ("secret", _NAMES, DIGITS, strong,
        r"(?<!\S)[\"'`*(]{0,2}(?:(?P<behind>[^\s\"'`*|]{5,80})[\"'`*)]{0,2} (?:is|as) (?:the |my |our |a )?(?:[\w-]{1,16} ){0,2}"
        r"(?i:password|passphrase|passcode|passwort|api key|token|secret)\b"
        r"|" + _STRONG + r"[\"'`*)]{0,2}[,:]?\s(?:[\w'(\u2013\u2014=-]{1,16}\s){0,5}(?i:password|passphrase|passcode|passwort|kennwort|api key|token|secret|credentials)\b)", 90),
    # Names of people and their passwords
    ("secret", _LOGINS, DIGITS, telling,
        r"(?i)(?:cred\w{0,9}|identifiants?|logins?|log in|sign in|account|zugangsdaten)\b(?![./-])(?:\s(?:with|as|are|is|for \w{1,20} (?:is|are)))?"
        r"\s{0,2}[:=]?\s{0,2}[\"'`]?[\w.@+-]{2,40}[\"'`]?\s?[/:|]\s?" + SPOKEN, 0),
    ("secret", (*_LOGINS, "user", "admin", "root"), (" pass", " pw "), telling,
        r"(?i)(?:credentials?|creds|logins?|log in|sign in|user(?:name)?|admin|root|account)\b(?:\s(?:with|as|are|is))?\s{0,2}[:=]?"
        r"\s{0,2}[\"'`]?[\w.@+-]{0,40}[\"'`]?,?\s(?:and\s|with\s)?(?:the\s)?(?:password|passwd|pass|pw|pwd)[:=\s]{1,3}"
        + SPOKEN, 0),
    ("secret", _LOGINS, DIGITS, spelled,
        r"(?i)(?:(?:log ?in|sign in|connect) (?:as|with)|creds:|credentials:|login:?)\s[\w.@+-]{2,40},?\s(?:with\s|and\s|using\s)?" + SPOKEN, 0),
    ("secret", tuple([name + sign for name in _ACCOUNTS for sign in ("/", ":", " / ")]), ALONE, strong,
        r"(?:" + "|".join(_ACCOUNTS) + r")\s?[/:]\s?" + _STRONG, 0),
    ("secret", ("passphrase",), ("\"", "'", "`", "\u201c"), given,
        r"passphrase[^\n\"'`\u201c]{0,40}?(?:it's\s)?[\"'`\u201c](?P<quoted>[a-z]{2,12}(?:\s[a-z\d]{1,12}){2,9})[\"'`\u201d]", 0),
    ("secret", TOKENS, DIGITS, given,
        TOKEN + r"(?:[^\S\n]{1,3}(?!\S{0,4}(?:commit|sha|md5|hash|digest|rev|id\b))\S{1,24}){0,4}?[^\S\n]{1,3}[\"'`(]{0,2}(?P<hex>[0-9a-f]{32,128})(?![\w-])", 0),
    ("secret", _LOGINS, DIGITS, strong, r"(?<!\S)[\w.@+-]{2,40}\s?[/:|]\s?" + _STRONG, 90),
    # In other places
    ("secret", ("akia",), ("/", ":", ",", "|"), given,
        r"AKIA[A-Z0-9]{16}\s{0,3}[/:,|]\s{0,3}(?P<equal>[A-Za-z0-9+/]{40})", 0),
    ("secret", ("assword",), ("send",), given, r"assword[^\n]{0,40}?\s{0,8}\bsend\w{0,5}\s(?:-\S{1,4}\s)?[\"'](?P<quoted>[^\"'\\$]{4,80})", 0),
    ("secret", ('"d"', '"k"'), (":",), given, r"\"[dk]\"\s?:\s?\"(?P<quoted>[\w-]{40,600})", 0),
    ("backup code", ("backup code", "recovery code"), (), given,
        r"(?i)(?:backup|recovery) codes?(?:\s[a-z]{1,12}){0,3}?(?:\s(?:are|is)|\s?[:=])\s{1,3}"
        r"(?P<codes>" + _CODE + r"(?:[\s,]{1,3}" + _CODE + r"){0,15})", 0),
    ("cookie", ("\ttrue\t", "\tfalse\t"), (), given,
        r"\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,64}\t(?P<loose>[^\s]{8,200})", 0),
)  # fmt: skip
"""Each form of such a secret."""
