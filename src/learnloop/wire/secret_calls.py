"""Secrets among the arguments of calls whose name says that they take one."""

from learnloop.wire.secret_values import keyed, literal, long_key

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WITH_USER = (
    "login",
    "logon",
    "log_in",
    "signin",
    "sign_in",
    "signup",
    "sign_up",
    "authenticat",
    "credential",
    "auth_",
    "basicauth",
    "basic_auth",
)
"""Parts of names of calls whose later arguments may be a password."""
_ENDS_WITH_USER = (
    "auth", "connect", "connection", "pdo", "mysqli", "simple_bind", "simple_bind_s", "ldap_bind", "create_user", "createuser",
    "superuser", "username_pw_set", "wifi.begin", "redis", "restclient.new", "changeuserpassword",
)  # fmt: skip
"""Ends of such names."""
_ANY = (
    "password",
    "passwd",
    "passphrase",
    "fernet",
    "encrypt",
    "decrypt",
    "bcrypt.",
    "jwt.",
    "cookieparser",
    "hashpw",
    "checkpw",
    ".auth",
    "hmac",
    "cipheriv",
    "keystore",
)
"""Parts of names of calls of which each argument may be one."""
_KEYED = (
    "client",
    "stripe",
    "openai",
    "anthropic",
    "twilio",
    "wallet",
    "key",
    "secret",
    "token",
    "sign",
    "verify",
    "cipher",
    "hash",
    "resend",
    "sendgrid",
    "algolia",
    "pusher",
    "octokit",
    "bot",
)
"""Parts of names of calls that may take a key that looks random."""
_TYPING = ("fill", "type", "keys", "value", "change", "text", "set", "input")
"""Ends of names of calls that put in what a name before them is called."""
_COLUMNS = ("pass", "pwd", "secret", "token", "api_key", "apikey", "pin")
_OF_NAMES = "abcdefghijklmnopqrstuvwxyz0123456789_.:>-$"
_MOST_CALLS, _MOST, _LONG_NAME, _ARGUMENTS, _BEFORE, _BEHIND = 3_000, 500, 60, 400, 60, 24


def spans(value: str, lowered: str) -> "Iterator[tuple[int, int]]":
    """Where the secrets are that calls get."""
    insert = lowered.find("insert into ")
    if insert >= 0:
        yield from _inserted(value, lowered, insert)
    at, count = lowered.find("("), 0
    for _ in range(_MOST_CALLS):
        if at < 0 or count > _MOST:
            return
        judge, least = _taken(lowered, at)
        if judge:
            count += 1
            for start, end, position in _literals(value, at + 1):
                if position >= least and judge(value[start:end], ""):
                    yield start, end
        at = lowered.find("(", at + 1)


def _inserted(value: str, lowered: str, at: int) -> "Iterator[tuple[int, int]]":
    """Where the values of an SQL statement are whose columns name a secret."""
    start = lowered.find("(", at, at + _ARGUMENTS)
    end = lowered.find(")", start, start + _ARGUMENTS)
    values = lowered.find("values", end, end + _LONG_NAME)
    if min(start, end, values) > 0:
        columns = [any(map(column.__contains__, _COLUMNS)) for column in lowered[start:end].split(",")]
        for first, last, position in _literals(value, lowered.find("(", values) + 1):
            if columns[position : position + 1] == [True]:
                yield first, last


def _taken(lowered: str, at: int) -> "tuple[Callable[[str, str], bool] | None, int]":
    """Who judges the arguments of a call, and from which on; None where none is a secret."""
    before = lowered[max(0, at - _LONG_NAME) : at].rstrip(" =")
    name = before[len(before.rstrip(_OF_NAMES)) :]
    if any(map(name.__contains__, _ANY)):
        return keyed, 0
    if name.endswith(_ENDS_WITH_USER) or any(map(name.__contains__, _WITH_USER)):
        return literal, 1
    if name.endswith(_TYPING) and "pass" in lowered[max(0, at - len(name) - _BEFORE) : at + _BEHIND]:
        return literal, 0
    return (long_key, 0) if any(map(name.__contains__, _KEYED)) else (None, 0)


def _literals(value: str, at: int) -> "Iterator[tuple[int, int, int]]":
    """Where the texts among the arguments of a call are, and how many arguments stand before each."""
    depth = position = 0
    end = at + _ARGUMENTS
    while at < end and depth >= 0:
        sign = value[at : at + 1]
        depth += (sign in "([{") - (sign in ")]}") if sign else -1
        position += sign == "," and depth == 0
        if sign in ("'", '"', "`"):
            close = value.find(sign, at + 1, end)
            if close < 0:
                return
            yield at + 1, close, position
            at = close
        at += 1
