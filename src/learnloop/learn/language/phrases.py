"""Regular expressions written as lists of phrases. Pure."""

import re

_LIST = re.compile("«([^»]*)»")


def either(text: str) -> str:
    """An alternation of the phrases in a text. Blanks separate phrases; `_` is a blank within one."""
    return "|".join(text.replace("_", r"\s").split())


def pattern(source: str) -> re.Pattern[str]:
    """A pattern that ignores case, and blanks in its source; `«a b_c»` means `(?:a|b c)`."""
    return re.compile(_LIST.sub(lambda match: f"(?:{either(match[1])})", source), re.I | re.X)
