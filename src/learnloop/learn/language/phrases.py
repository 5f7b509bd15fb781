"""Regular expressions written as lists of phrases. Pure."""

import re

_LIST = re.compile("«([^»]*)»")


def either(text: str) -> str:
    """An alternation of the phrases in a text. Blanks separate phrases; `_` is a blank within one."""
    phrases = text.replace("_", r"\s").split()
    broken = [phrase for phrase in phrases if phrase.count("(") != phrase.count(")")]
    if broken:  # a blank within a group would make it match anything
        raise ValueError(f"blank within a phrase: {broken}")
    return "|".join(phrases)


def pattern(source: str) -> re.Pattern[str]:
    """A pattern that ignores case, and blanks in its source; `«a b_c»` means `(?:a|b c)`."""
    return re.compile(_LIST.sub(lambda match: f"(?:{either(match[1])})", source), re.I | re.X)
