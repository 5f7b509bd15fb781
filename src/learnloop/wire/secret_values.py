"""Whether what stands where a secret would stand is one, or a place for one, a word, or code."""

from learnloop.wire import secret_tokens

_LOOKED_AT = 200
_LONGEST_NAME = 24
_TECHNICAL = ("argon", "sha", "md5", "oauth", "base", "bcrypt", "pbkdf", "scrypt", "utf", "http", "ipv", "x509", "ed25519",
              "aes", "rsa", "scram", "ecdsa", "python", "java", "gpt", "claude", "version", "field")  # fmt: skip
_OF_DATES = "0123456789:-.,/TZ+%$#x"
_LEAST_SPELLED, _LEAST_LITERAL = 8, 5
_NO_LITERAL = frozenset(" \t\n(){}[]<>;,|\\")
_LEAST_WORDS = 3
_LEAST_RANDOM, _LEAST_RANDOM_WORD, _LONG_PART = 16, 10, 7
_STAND_INS = ("your", "test-", "test_", "dummy", "fake", "example", "sample", "insert", "some-", "some_")
_REFERENCES = ("env:", "file:", "vault:")
_OBJECTS = ("self.", "this.", "config.", "settings.", "process.env", "os.environ", "args.", "options.")
_TELLING = frozenset("0123456789!#$%^*+~@&=?")
_WORDS = frozenset((
    "none", "null", "nil", "undefined", "true", "false", "yes", "no", "on", "off", "required", "optional", "string",
    "str", "text", "bytes", "bool", "int", "object", "missing", "invalid", "wrong", "empty", "expired", "hidden",
    "changed", "stored", "value", "secret", "token", "password", "passwd", "default", "unset", "redacted", "removed",
    "example", "placeholder", "masked", "pass", "pwd", "include", "same-origin", "omit",
))  # fmt: skip


def given(secret: str, _group: str) -> bool:
    """Whether a value is more than a place for one."""
    return not _is_placeholder(secret)


def telling(secret: str, _group: str) -> bool:
    """Whether a value in a sentence is more than a word."""
    if _is_placeholder(secret) or _is_code(secret):
        return False
    word = secret[:_LOOKED_AT].strip(".,:;!?*_")
    return not _TELLING.isdisjoint(word) or (
        len(word) >= _LEAST_RANDOM_WORD and secret_tokens.looks_random(word) and not _is_named(word)
    )


def spelled(secret: str, group: str) -> bool:
    """Whether a word beside a name, with nothing that ties them, looks like nothing but a password."""
    word = secret[:_LOOKED_AT].strip(".,:;")
    if group == "closed":
        return telling(secret, group)
    if word.lower().startswith(_TECHNICAL):
        return False
    has_both = any(map(str.isdigit, word)) and any(map(str.isalpha, word))
    return len(word) >= _LEAST_SPELLED and has_both and telling(secret, group)


def strong(secret: str, group: str) -> bool:
    """Whether a word that merely stands near a name is neither a name, an address nor a number."""
    if group == "behind" or not telling(secret, group):
        return telling(secret, group)
    word = secret[:_LOOKED_AT].strip(".,:;!?*")
    user, _, host = word.partition("@")
    if not word.strip(_OF_DATES) or word.lower().startswith(_TECHNICAL):
        return False
    is_address = bool(user and host) and ("." in host or host[0].isdigit())
    if (
        is_address
        or "::" in word
        or word.count("=") == 1
        or ("." in word and all(map(str.isidentifier, word.split("."))))
    ):
        return False
    if not word.strip(secret_tokens.DOTTED):
        parts = [part for part in word.replace("-", "_").split("_") if len(part) >= _LONG_PART]
        return any(_is_mixed(part) and part != part.upper() and not _is_named(part) for part in parts)
    return _is_mixed(word)


def literal(secret: str, group: str) -> bool:
    """Whether a text among the arguments of a call is more than a name, an address, a number or a format."""
    if len(secret) < _LEAST_LITERAL or not _NO_LITERAL.isdisjoint(secret) or not telling(secret, group):
        return False
    user, _, host = secret.partition("@")
    is_place = secret.count(".") > 1 or secret.rpartition(":")[2].isdigit() or (user and "." in host)
    is_technical = (
        secret[0] in "/$-"
        or secret[1:].isalpha()
        or secret.lower().startswith(_TECHNICAL)
        or secret.count("=") == 1
    )
    is_constant = (
        secret.isupper()
        and secret.replace("-", "").replace("_", "").isalnum()
        and len(secret) < _LEAST_RANDOM
    )
    return not is_place and not is_technical and not is_constant and bool(secret.strip(_OF_DATES))


def keyed(secret: str, group: str) -> bool:
    """Whether a text among the arguments of a call that takes nothing but secrets is one."""
    return literal(secret, group) or long_key(secret, group)


def long_key(secret: str, group: str) -> bool:
    """Whether a text among the arguments of a call was made by a machine, and is no address."""
    return "://" not in secret and random(secret, group)


def _is_named(word: str) -> bool:
    """Whether a word is little else than words with capitals, and a number of two digits or less."""
    spoken = run = 0
    for before, sign in zip(" " + word, word, strict=False):  # itertools costs a hook more
        is_within = sign.islower() and before.isalpha()
        spoken += is_within * (3 if run == 1 else run > 1)
        run = run + 1 if is_within else 0
    return 10 * spoken >= 7 * len(word)


def assigned(secret: str, group: str) -> bool:
    """Whether an assigned value is a secret: any word where a quote or an equals sign ties it to the name."""
    if group == "quoted":
        return not _is_placeholder(secret)
    if group == "equal" or (group == "ticked" and secret.islower() and secret.isalpha()):
        return not _is_placeholder(secret) and not _is_code(secret)
    return telling(secret, group) or _is_phrase(secret)


def _is_phrase(secret: str) -> bool:
    """Whether a value is several words with a sign between them, as generators of passwords make them."""
    for sign in "-_.":
        words = secret.split(sign)
        if len(words) > _LEAST_WORDS and all(map(str.isalpha, words)) and len(set(words)) == len(words):
            return not _is_placeholder(secret) and not _is_code(secret)
    return False


def uncounted(secret: str, group: str) -> bool:
    """Like `assigned`, for names that often have a number beside them."""
    return any(map(str.isalpha, secret[:_LOOKED_AT])) and assigned(secret, group)


def random(secret: str, _group: str) -> bool:
    """Whether a value beside a name that says little was made by a machine."""
    word = secret[:_LOOKED_AT]
    if len(word) < _LEAST_RANDOM or word.strip(secret_tokens.PATH):
        return False
    if [*map(len, word.split("-"))] == [8, 4, 4, 4, 12] or _is_placeholder(secret):  # the former: a UUID
        return False
    for sign in "/.-_":
        word = word.replace(sign, " ")
    parts = word.split()
    is_hashed = len(parts) > 1 and len(parts[-1]) in (40, 64) and not parts[-1].strip(secret_tokens.HEX)
    return any(len(part) > _LONG_PART and _is_mixed(part) for part in parts[: -1 if is_hashed else None])


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
    for sign in ("::", "?.", ".", "_"):
        head = head.replace(sign, "")
    if ("(" in secret or "[" in secret) and head.isalnum() and not head[0].isdigit():
        return True
    name, _, rest = secret.partition("=")
    if (
        "://" in secret
        or secret.startswith(_OBJECTS)
        or secret.lower().startswith(_REFERENCES)
        or (rest.strip("=") and name.isupper() and name.isidentifier())
    ):
        return True
    if "%s" in secret:
        return True
    if secret.startswith(("/", "./", "~/", "--")):
        return "/" in secret[1:] or secret.startswith("--")
    parts = secret.strip(".,:;!?").split(".")
    if len(parts) > 1 and all(part.replace("_", "a").isalpha() for part in parts):
        return True
    name, _, version = secret.partition(":")
    if name and version.count(".") > 1 and not version.strip("0123456789."):
        return True
    name, ending = parts if len(parts) == 2 else ("", "")
    return 0 < len(name) < _LONGEST_NAME and ending.isalpha() and ending.islower() and len(ending) < 5
