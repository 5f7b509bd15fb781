"""Rows of secrets that no sign ties to the name beside them; read as `secret_rows` says."""

from learnloop.wire.secret_values import given, random, spelled

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Names: TypeAlias = tuple[str, ...]
    Row: TypeAlias = tuple[str, Names, Names, Callable[[str, str], bool], str, int, Names, Names]

SPOKEN = r"[\"'`*]{0,2}(?P<loose>[^\s\"'`,;)<>\]]{5,80})"
"""A value in a sentence."""
OPTION = r"[\"']?(?P<equal>[^\s\"'`$<>-][^\s\"'`;|]{2,80})"
"""A value behind an option."""
_DIGITS = tuple("0123456789")
_CODE = r"(?=[a-z-]{0,11}\d)[a-z0-9-]{6,12}"

ROWS: "tuple[Row, ...]" = (
    (
        "secret", ("auth token ", "authtoken ", "api key ", "_token ", "_key ", "_secret "), _DIGITS, random,
        r"(?i)(?:auth ?token|api key|_token|_key|_secret)\s{1,3}[\"'`]?(?P<loose>[\w.-]{20,200})", 0,
        ("auth token <h32>", "CF_API_TOKEN <w40>", "DD_APP_KEY <h40>", "ngrok config add-authtoken <w40>"),
        ("the auth token tests/wire/test_secret_rows2.py", "api key 3f2a1b4c-0000-4000-8000-123456789abc"),
    ),
    (
        "secret", ("akia",), ("/", ":", ",", "|"), given,
        r"AKIA[A-Z0-9]{16}\s{0,3}[/:,|]\s{0,3}(?P<equal>[A-Za-z0-9+/]{40})", 0,
        ("AKIA<U16> / <B40>",), ("AKIA / others",),
    ),
    (
        "secret", (" password", " passwort", "mot de passe", " kennwort", "contrase", " psk ", " clave "), _DIGITS, spelled,
        r"(?i)\s?(?:password|passwort|mot de passe|kennwort|contrase\S{1,2}a|psk|clave)\s{1,2}(?:[\u2013\u2014\xab]\s?)?"
        + SPOKEN, 0,
        ("ssid lab, psk <w12>7-X", "mit dem Passwort <w9>8-X an", "usa la clave <w9>8-X ya", "the password \u2013 <w9>8-X"),
        ("set the password field2", "the password reset-form", "the password hash SHA256"),
    ),
    (
        "secret", ("login as ", "log in as ", "sign in as ", "creds: ", "credentials: "), _DIGITS, spelled,
        r"(?i)(?:login as|log in as|sign in as|creds:|credentials:)\s[\w.@+-]{2,40}\s(?:with\s)?" + SPOKEN, 0,
        ("login as admin with <w9>8-X and look", "creds: admin <w9>8-X"), ("login as admin with firefox",),
    ),
    (
        "backup code", ("backup code", "recovery code"), (), given,
        r"(?i)(?:backup|recovery) codes?(?:\s[a-z]{1,12}){0,3}?(?:\s(?:are|is)|\s?[:=])\s{1,3}"
        r"(?P<codes>" + _CODE + r"(?:[\s,]{1,3}" + _CODE + r"){0,15})", 0,
        ("backup codes for MFA: 7<w8> 1<w8>", "recovery code is 4<w9>"), ("backup codes: print them",),
    ),
    (
        "cookie", ("\ttrue\t", "\tfalse\t"), (), given,
        r"\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,64}\t(?P<loose>[^\s]{8,200})", 0,
        (".x.io\tTRUE\t/\tTRUE\t1799999999\tsid\t<w32>",), ("a\tTRUE\t12\tb",),
    ),
    (
        "secret", ("secret set ",), (" -b", "--body"), given,
        r"secret set\s[^\n;|&]{1,80}?\s(?:-b|--body)[ =]" + OPTION, 0,
        ("gh secret set NPM_TOKEN --body <w36>",), ("gh secret set NPM_TOKEN --body $TOKEN",),
    ),
)  # fmt: skip
"""Each form of such a secret."""
