"""What a person wants removed besides: texts, and patterns after `re:` or as they are."""

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Sequence

PATTERN = "re:"
_SPECIAL = frozenset("\\.^$*+?{}[]|()")
_MASK = "[removed]"


def without(value: str, extras: "Sequence[str]") -> str:
    """The text without what an extra says or matches; one that does not compile counts as a text alone."""
    for extra in extras:
        pattern = extra.removeprefix(PATTERN)
        is_pattern = not _SPECIAL.isdisjoint(pattern)
        if pattern and not (is_pattern and extra.startswith(PATTERN)):
            value = value.replace(pattern, _MASK)
        if is_pattern and _may_match(pattern, value):
            value = _by_pattern(pattern, value)
    return value


def _may_match(pattern: str, value: str) -> bool:
    """Whether what every match begins with is in the text: `re` is not loaded where it is not."""
    if "|" in pattern or "(?" in pattern:
        return True
    head = next((pattern[:at] for at, sign in enumerate(pattern) if sign in _SPECIAL), pattern)
    optional = pattern[len(head) : len(head) + 1] in tuple("*?{")
    return (head[:-1] if optional else head) in value


def _by_pattern(pattern: str, value: str) -> str:
    import re

    try:
        return re.sub(pattern, lambda match: _MASK if match[0] else "", value)
    except re.error:
        return value
