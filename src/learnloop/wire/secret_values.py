"""Whether what stands where a secret would stand is one, or a place for one, a word, or code."""

from learnloop.wire import secret_tokens

_LOOKED_AT = 200
_LONGEST_NAME = 24
_LEAST_SPELLED = 8
_LEAST_RANDOM, _LEAST_RANDOM_WORD, _LONG_PART = 16, 12, 7
_STAND_INS = ("your", "test-", "test_", "dummy", "fake", "example", "sample", "insert", "some-", "some_")
_OBJECTS = ("self.", "this.", "config.", "settings.", "process.env", "os.environ", "args.", "options.")
_TELLING = frozenset("0123456789!#$%^*+~@&=?")
_WORDS = frozenset((
    "none", "null", "nil", "undefined", "true", "false", "yes", "no", "on", "off", "required", "optional", "string",
    "str", "text", "bytes", "bool", "int", "object", "missing", "invalid", "wrong", "empty", "expired", "hidden",
    "changed", "stored", "value", "secret", "token", "password", "passwd", "default", "unset", "redacted", "removed",
    "example", "placeholder", "masked",
))  # fmt: skip


def given(secret: str, _group: str) -> bool:
    """Whether a value is more than a place for one."""
    return not _is_placeholder(secret)


def telling(secret: str, _group: str) -> bool:
    """Whether a value in a sentence is more than a word."""
    if _is_placeholder(secret) or _is_code(secret):
        return False
    word = secret[:_LOOKED_AT].strip(".,:;!?")
    return not _TELLING.isdisjoint(word) or (
        len(word) >= _LEAST_RANDOM_WORD and secret_tokens.looks_random(word)
    )


def spelled(secret: str, group: str) -> bool:
    """Whether a word beside a name, with nothing that ties them, looks like nothing but a password."""
    word = secret[:_LOOKED_AT].strip(".,:;")
    is_mixed = not word.isalnum() or not word[1:].islower()
    has_both = any(map(str.isdigit, word)) and any(map(str.isalpha, word))
    return len(word) >= _LEAST_SPELLED and is_mixed and has_both and telling(secret, group)


def assigned(secret: str, group: str) -> bool:
    """Whether an assigned value is a secret: any word where a quote or an equals sign ties it to the name."""
    if group == "quoted":
        return not _is_placeholder(secret)
    if group == "equal":
        return not _is_placeholder(secret) and not _is_code(secret)
    return telling(secret, group)


def uncounted(secret: str, group: str) -> bool:
    """Like `assigned`, for names that often have a number beside them."""
    return not secret.isdigit() and assigned(secret, group)


def random(secret: str, _group: str) -> bool:
    """Whether a value beside a name that says little was made by a machine."""
    word = secret[:_LOOKED_AT]
    if len(word) < _LEAST_RANDOM or word.strip(secret_tokens.PATH):
        return False
    if _is_uuid(word) or _is_placeholder(secret):
        return False
    for sign in "/.-_":
        word = word.replace(sign, " ")
    return any(len(part) > _LONG_PART and _is_mixed(part) for part in word.split())


def _is_uuid(word: str) -> bool:
    return [len(part) for part in word.split("-")] == [8, 4, 4, 4, 12]


def _is_mixed(part: str) -> bool:
    """Whether a part of a name has letters and digits, as no word has."""
    return not part.isalpha() and not part.isdigit() and secret_tokens.looks_random(part)


def _is_placeholder(secret: str) -> bool:
    word = secret.strip().strip("\"'`\\")
    lowered = word.lower()
    if not word.strip("*x.X\u2022\u2026_-#?") or lowered in _WORDS or word[0] in "<[{":
        return True
    if word[0] == "#" and len(word) in (4, 7, 9) and not word[1:].strip("0123456789abcdefABCDEF"):  # a colour
        return True
    if lowered.startswith(_STAND_INS) or "xxx" in lowered or word.endswith(("...", "\u2026", "***")):
        return not any(map(str.isdigit, word))
    return word[0] in "$%" and _is_variable(word)


def _is_variable(word: str) -> bool:
    name = word.strip("${}()%").replace("_", "")
    return word[1:2] in ("{", "(") or word == "%s" or name.isupper() or name.isalpha()


def _is_code(secret: str) -> bool:
    """Whether a value is a call, an index, a path or an option."""
    head = secret.partition("(")[0].partition("[")[0]
    if head != secret and head.replace(".", "").replace("_", "").isalnum() and not head[0].isdigit():
        return True
    if "://" in secret or secret.startswith(_OBJECTS):
        return True
    if secret.startswith(("/", "./", "~/", "--")):
        return "/" in secret[1:] or secret.startswith("--")
    parts = secret.strip(".,:;!?").split(".")
    if len(parts) > 1 and all(part.replace("_", "a").isalpha() for part in parts):
        return True
    name, ending = parts if len(parts) == 2 else ("", "")
    return 0 < len(name) < _LONGEST_NAME and ending.isalpha() and ending.islower() and len(ending) < 5
