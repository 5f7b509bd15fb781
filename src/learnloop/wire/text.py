"""What captured text goes through before it is kept: nothing in it may steer a terminal or hide."""

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_KEPT = "\n\t\N{ZERO WIDTH JOINER}"


def clean(text: str) -> str:
    """The text with control characters, bidi overrides, invisible characters and lone surrogates replaced.

    Newlines and tabs stay, carriage returns become newlines, every other space becomes a plain one.
    The zero-width joiner stays, because emoji are built with it.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(map(_safe, text))


def _safe(character: str) -> str:
    if character.isprintable() or character in _KEPT:
        return character
    if character.isspace() and character > "\x85":
        return " "
    return REPLACEMENT


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of a text, the last of them an ellipsis where something was cut off."""
    return text if len(text) <= limit else text[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"
