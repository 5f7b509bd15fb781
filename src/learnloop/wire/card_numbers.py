"""Numbers of payment cards: by length, first digits and check digit."""

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "card number"
_LENGTHS = {"4": (16,), "5": (16,), "2": (16,), "6": (16,), "3": (14, 15)}
_MOST = 19


def spans(value: str, digits: str) -> "Iterator[tuple[int, int, str]]":
    """The card numbers in a text; `digits` is the text with a 0 for every digit."""
    at = digits.find("0")
    while at >= 0:
        end = _end(digits, at)
        if _is_card(value[at:end]) and not _is_part(value, at, end):
            yield at, end, NAME
        at = digits.find("0", end)


def _end(digits: str, at: int) -> int:
    """Where a number ends; single blanks or hyphens may part it."""
    end = at
    while True:
        run = digits[end : end + 64]
        length = len(run) - len(run.lstrip("0"))
        end += length
        if length == 64:
            continue
        if digits[end : end + 1] not in (" ", "-") or digits[end + 1 : end + 2] != "0":
            return end
        end += 1


def _is_card(written: str) -> bool:
    number = written.replace(" ", "").replace("-", "")
    if len(number) > _MOST or not number.isascii() or len(number) not in _LENGTHS.get(number[:1], ()):
        return False
    parts = [len(part) for part in written.replace("-", " ").split(" ")]
    if parts[1:] and parts not in ([4, 4, 4, 4], [4, 6, 5], [4, 6, 4]):
        return False
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in number[-2::-2])
    return (doubled + sum(map(int, number[::-2]))) % 10 == 0 and len(set(number)) > 1


def _is_part(value: str, at: int, end: int) -> bool:
    """Whether the number is part of a word, a path or a longer number."""
    before, after = value[at - 1 : at] if at else "", value[end : end + 2]
    return (
        before.isalnum()
        or before in tuple("._-/#")
        or after[:1].isalnum()
        or (after[:1] in tuple("._-/") and after[1:].isalnum())
    )
