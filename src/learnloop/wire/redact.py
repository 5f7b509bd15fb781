"""Secrets are taken out of captured text before it touches the disk.

Tokens with a mark of their own are seen without `re`, which costs a hook most of its start-up. Other forms
(assignments, headers, options, sentences) are looked for in `secret_forms`, only where a hint is in the text.
"""

from learnloop.wire import secret_tokens, text

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    Span: TypeAlias = tuple[int, int, str]  # start, end, the name of the rule

HINTS = (
    "key", "pass", "token", "auth", " code", "sig", "secret", "session", "login", "pw", "cred", "://", "seed",
    "psw", "p@ss", "pasw", "bearer ", "basic ", "cookie", "log in", "jdbc:", "sqlplus", "-----begin",
    "---- begin", "private-lines", " phrase", "mnemonic", "wallet", " pin", "otp", "cvv", "cvc", "salt",
    "sid=", "hmac", "dsn", "cipher", "jwt", "recovery w", "-p", "sudo -s", " -b ", "psk", "-u", "ldap",
    "identified by", "$1$", "$2", "$6$", "$5$", "$y$", "$argon2", "$apr1$", "pbkdf2", ":aa", "q~",
    "_mmk", "kennwort", "contrase", "clave", "senha", "wachtwoord", "heslo", "sifre", "adgangskod",
    "salasana", "sandi", "mdp", "geheim", "jeton", "chave", "chiave", "segre", "klucz", "sleutel", "akia",
    "	true	", "	false	", "<<<", "stdin", "gpg ", '"d"', '"k"', "assword", "unseal", "appid", "isql",
    "snmp", "/user:", "account", " -k ", " -x ", "connect", "mysqli", "redis", "bind", "_user", "createuser",
    "superuser", "wifi", "crypt", "stripe", "openai", "client", "twilio", "hash", "verify", "anthropic",
    "resend", "sendgrid", "algolia", "octokit", "/p", "/rp", "net us", "rclone", "community", ": eap",
    "l2tpd", "pppd", "securestring", "alias set", "{sha", "@tcp(", "@unix(", "@localhost", "@1", " -w",
    " -s ", " -c ", "zugang", "identifiant", "impdp", "expdp", "sqlldr", "rman ", '"md5', "admin", "laluan",
    "lozink", "geslo", "nenosiri", "pasahitz", "parool", "parol", "attach dat", "root", "sa:", "sa/",
    "sa /", "postgres", "guest", "demo", "system", "neo4j", "elastic", "user=", "user = ", "pusher", "@//",
    "?code", "&code", "{ssha", " -hp", " -n ", " --value", " --body", "logon", "log_in", "pdo", "fernet",
    "bot", "host add", " on ", "pap ", "-a ",
)  # fmt: skip
"""Every trigger and every name of `secret_forms` contains one of these or a letter that is not ASCII."""

_NO_DIGIT = str.maketrans("123456789", "000000000")
_CARDS = ("0000000000000", "0000 0000 0000", "0000-0000-0000", "0000 000000 00000", "0000-000000-00000")
_INVISIBLE = (text.REPLACEMENT, "\u200d", "\u034f", "\u115f", "\u1160", "\u3164", "\uffa0", "\u180b",
              *map(chr, range(0xFE00, 0xFE10)))  # fmt: skip
_JOINTS = ('" + "', "' + '", '" . "', "' . '")
"""How code joins the halves of a text."""
_LOOKS = {
    "a": 0x430, "e": 0x435, "o": 0x43E, "p": 0x440, "c": 0x441, "x": 0x445, "y": 0x443, "i": 0x456,
    "s": 0x455, "k": 0x43A, "t": 0x442, "A": 0x410, "E": 0x415, "O": 0x41E, "P": 0x420, "C": 0x421,
    "T": 0x422,
}  # fmt: skip
_ALIKE = {0xFEE0 + sign: sign for sign in range(33, 127)} | {look: ord(sign) for sign, look in _LOOKS.items()}
"""Signs of full width, and letters of other scripts that look like Latin ones."""
_PRIVATE = "<private"
_OF_NAMES = "abcdefghijklmnopqrstuvwxyz0123456789/_.-"
_MARK_AT_WILL, _SHORT_MARK = 6, 3  # a mark of so many characters is one wherever it stands
_PLAIN = "abcdefghijklmnopqrstuvwxyz!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_OF_UUIDS = "0123456789abcdef-"
_SHORTEST, _SHORT_WORD, _UUID = 14, 8, 36  # characters of a token, a word, a UUID
_LOOKED_AT = 256  # characters of a token
_COLONS = 3  # of a line of `.pgpass` or `shadow`, which nothing else marks
_LEAST_REST = 4  # characters of a token that a line break tore off


def cleaned(value: str, extras: "Sequence[str]" = ()) -> str:
    """The text as it may be written to disk: nothing in it steers a terminal, hides or is a secret."""
    return redact(text.clean(value), extras)


def redact(value: str, extras: "Sequence[str]" = ()) -> str:
    """The text without secrets; `extras` are the person's own texts and patterns."""
    spans = _spans(value)
    if not value.isascii():
        if (folded := value.translate(_ALIKE)) != value:
            spans += _spans(folded)
        if any(sign in value for sign in _INVISIBLE):
            spans += _hidden(value, _INVISIBLE)
    if (" + " in value or " . " in value) and any(map(value.__contains__, _JOINTS)):
        spans += _hidden(value, _JOINTS)
    if spans:
        value = _without(value, spans)
    if extras:
        from learnloop.wire import redact_extras

        value = redact_extras.without(value, extras)
    return value


def _spans(value: str) -> "list[Span]":
    lowered = value.lower()
    if len(lowered) != len(value):  # a few capitals have no small letter of their own
        lowered = "".join(small if len(small := sign.lower()) == 1 else sign for sign in value)
    digits = lowered.translate(_NO_DIGIT)
    spans = [*_tokens(value)]
    if _PRIVATE in lowered:
        spans += _private(lowered)
    if spans:
        digits = _blanked(digits, spans)
    if _may_have_form(lowered):
        from learnloop.wire import secret_forms

        spans += secret_forms.spans(value, lowered, digits)
    for shape in _CARDS:
        if shape in digits:
            from learnloop.wire import card_numbers

            spans += card_numbers.spans(value, digits)
            break
    return spans


def _blanked(digits: str, spans: "Sequence[Span]") -> str:
    """The text with blanks for each span."""
    parts, done = [], 0
    for start, end, _ in sorted(spans):
        first = max(start, done)
        parts += [digits[done:first], " " * (end - first)]
        done = max(end, done)
    return "".join([*parts, digits[done:]])


def _may_have_form(lowered: str) -> bool:
    """Whether a hint is in a text; ids and paths have no room for a form but at their end."""
    if not lowered.strip(_OF_NAMES):
        return "-us" in lowered or "_mmk" in lowered
    if not lowered.isascii() or lowered.count(":") > _COLONS:
        return True
    for hint in HINTS:  # noqa: SIM110  # two thirds of what `any` costs a hook
        if hint in lowered:
            return True
    return False


def _tokens(value: str) -> "Iterator[Span]":
    if len(value) < _SHORTEST:
        return
    words = " ".join([word for word in dict.fromkeys(value.split()) if _may_hold_token(word)])
    marks = [mark for mark in secret_tokens.MARKS if mark in words] if words else []
    if marks:
        for name, marks_of_row, alphabet, least in secret_tokens.ROWS:
            for mark in marks_of_row:
                if mark in marks:
                    yield from _marked(value, name, mark, alphabet, least)


def _may_hold_token(word: str) -> bool:
    """Whether a word has room for a token, and more than one sign that names and plain words do not have."""
    if len(word) <= _SHORT_WORD or not word.strip(_PLAIN)[1:]:
        return False
    is_id = len(word) <= _UUID and word.count("-") > 3 and not word.strip(_OF_UUIDS)
    return not is_id


def _marked(value: str, name: str, mark: str, alphabet: str, least: int) -> "Iterator[Span]":
    """The places where a mark has so many characters behind it that look random."""
    at = value.find(mark)
    while at >= 0:
        end, is_secret = _body(value, at + len(mark), alphabet, least, len(mark) > 2)
        if is_secret and _is_apart(value, at, mark):
            yield (at - _before(value, at) if mark[0] == "." else at), end, name
        at = value.find(mark, end)


def _is_apart(value: str, at: int, mark: str) -> bool:
    """Whether a mark begins a word; one that is long may stand within, and `\\n` in JSON is no letter."""
    if value[at - 7 : at] == "base64,":  # a document within an address
        return False
    if at == 0 or len(mark) >= _MARK_AT_WILL or (len(mark) > _SHORT_MARK and mark[-1] in "_-."):
        return True
    is_in_word = value[at - 1].isalnum() or value[at - 1] == "_"
    return not is_in_word or value[at - 2 : at] in ("\\n", "\\t", "\\r")


def _before(value: str, at: int) -> int:
    word = value[max(0, at - 64) : at]
    return len(word) - len(word.rstrip(secret_tokens.WORD))


def _body(value: str, start: int, alphabet: str, least: int, is_marked: bool) -> "tuple[int, bool]":
    """Where the run of an alphabet ends, also behind a line break; whether it is long and looks random."""
    end = secret_tokens.run_end(value, start, alphabet, _LOOKED_AT)
    body = value[start:end]
    while len(body) < _LOOKED_AT and value[end : end + 1] in ("\n", "\\"):
        after = _next_line(value, end)
        more = value[after : secret_tokens.run_end(value, after, alphabet, _LOOKED_AT)]
        is_rest = len(more) > least // 2 and secret_tokens.looks_random(more)
        if len(more) < _LEAST_REST or (len(body) >= least and not is_rest):
            break
        body, end = body + more, after + len(more)
    if len(body) < least or not (
        alphabet is secret_tokens.CAPITALS or secret_tokens.looks_random(body, is_marked)
    ):
        return end, False
    return secret_tokens.run_end(value, end, alphabet), True


def _next_line(value: str, end: int) -> int:
    """Where the words of the next line begin; the end of the text where no line follows."""
    is_break = value[end] == "\n" or value[end : end + 2] in ("\\\n", "\\n")
    if not is_break:
        return len(value)
    after = end + 1 + (value[end] == "\\")
    indent = value[after : after + 16]
    return after + len(indent) - len(indent.lstrip(" \t"))


def _private(lowered: str) -> "Iterator[Span]":
    """What stands between `<private>` and its end, or the end of the text."""
    at = lowered.find(_PRIVATE)
    while at >= 0:
        end = at + len(_PRIVATE)
        if lowered[end : end + 1] in (">", " ", "\n", "\t"):
            end = _private_end(lowered, end)
            yield at, end, "private"
        at = lowered.find(_PRIVATE, end)


def _private_end(lowered: str, start: int) -> int:
    depth = 1
    while depth:
        close = lowered.find("</private", start)
        if close < 0:
            return len(lowered)
        depth += lowered.count(_PRIVATE, start, close) - 1
        start = close + 9
    end = lowered.find(">", start, start + 16)
    return end + 1 if end >= 0 else len(lowered)


def _hidden(value: str, signs: "Sequence[str]") -> "list[Span]":
    """The secrets that are there once some signs are left out, which nobody sees or which join two halves."""
    places = [*range(len(value))]
    for sign in signs:
        if sign in value:
            parts, at = value.split(sign), 0
            places_of = []
            for part in parts:
                places_of += places[at : at + len(part)]
                at += len(part) + len(sign)
            value, places = "".join(parts), places_of
    return [(places[start], places[end - 1] + 1, name) for start, end, name in _spans(value) if start < end]


def _without(value: str, spans: "list[Span]") -> str:
    """The text with a name in place of each span; spans that touch are one."""
    parts, done = [], 0
    for start, end, name in sorted(spans):
        if start >= done and start < end:
            parts += [value[done:start], f"[{name} removed]"]
        done = max(done, end)
    return "".join([*parts, value[done:]])
