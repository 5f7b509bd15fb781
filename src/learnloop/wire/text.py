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
    if not text.isascii():
        text = visible(text)
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(map(_safe, text))


def visible(text: str) -> str:
    """The text with every character replaced that shows nothing and may carry hidden words.

    A joiner or a selector of an emoji stays where it is alone, and so do up to four marks of a letter.
    """
    text = text.translate(_HIDDEN)
    if not any(low <= character <= high for character in set(text) for low, high in _DEPENDENT):
        return text
    shown: list[str] = []
    run = 0
    for character in text:
        is_mark = any(low <= character <= high for low, high in _DEPENDENT)
        run = run + 1 if is_mark else 0
        most = 1 if character in _OF_EMOJI else _MOST_MARKS
        before = shown[-1] if shown else "a"
        is_astray = character in _OF_EMOJI and before.isascii() and before.isalpha()
        shown.append(REPLACEMENT if run > most or is_astray else character)
    return "".join(shown)


_HIDDEN = dict.fromkeys(
    [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810),
     *range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0)],
    REPLACEMENT,
)  # fmt: skip
"""Fillers, blanks and selectors that no ordinary text has."""
_OF_EMOJI = "\u200d\ufe0e\ufe0f"
_DEPENDENT = (
    ("\u0300", "\u036f"), ("\u0483", "\u0489"), ("\u1ab0", "\u1aff"), ("\u1dc0", "\u1dff"),
    ("\u20d0", "\u20ff"), ("\ufe20", "\ufe2f"), ("\u200d", "\u200d"), ("\ufe0e", "\ufe0f"),
)  # fmt: skip
"""Marks that join the character before them."""
_MOST_MARKS = 4


def _safe(character: str) -> str:
    if character.isprintable() or character in _KEPT:
        return character
    if character.isspace() and character > "\x85":
        return " "
    return REPLACEMENT


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of a text, the last of them an ellipsis where something was cut off."""
    return text if len(text) <= limit else text[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"
