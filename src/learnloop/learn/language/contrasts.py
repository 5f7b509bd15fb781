"""Pairs of orders in one sentence: `don't rewrite the file, edit the lines`. Both halves are kept."""

import re

from learnloop.learn.language import clauses, lexicon, orders, verbs

_SPLIT = re.compile(
    r"\s*[,;:]\s*(?:and\s|but\s|so\s|then\s)?|\s(?:and|but)\s(?=(?:do\snot|don't|never|always|only|use|just)\b)",
    re.I,
)
_NOT = re.compile(
    r"^(?:(?:please|just|also)\s)*(?:you\s(?:must|should)\s)?(?:(?:don't|do\snot|never|not)\s(?:ever\s|just\s)?(?P<verb>[a-z-]+)"
    r"|(?:stop|quit)\s(?P<doing>[a-z-]+ing)|avoid\s[a-z-]+|(?:no\sneed\sto|you\sdon't\s(?:need|have)\sto)\s[a-z-]+)\b",
    re.I,
)
_DO = re.compile(
    r"^(?:(?:please|instead|rather|then)\s)*(?P<adverb>(?:just|only|always)\s)?(?P<verb>[a-z-]+)(?:\s\S|$)",
    re.I,
)
_NOT_MADE = re.compile(
    r"^(?:please\s)?(?:don't|do\snot|never)\s(?:create|add|make|introduce|install)\s", re.I
)
_JUST = re.compile(r"(?:please\s)?just\s", re.I)
_INSTEAD = re.compile(r"\s(?:instead|rather)$", re.I)


def is_joined(text: str) -> bool:
    """Whether a clause holds an order to do something and one not to."""
    parts = _parts(text)
    return len(parts) > 1 and any(_is_not(part) for part in parts)


def joined(text: str) -> str | None:
    """`The file is not rewritten; the lines are edited instead`; None where half of it would be lost."""
    parts = _parts(text)
    statements = [order(part, back=at > 0 and not _NOT_MADE.match(parts[0])) for at, part in enumerate(parts)]
    if len(parts) != 2 or not statements[0] or not statements[1]:
        return None
    is_swapped = _is_not(parts[0]) and not _is_not(parts[1])
    return f"{statements[0]}; {statements[1]}" + (" instead" if is_swapped and _is_plain(parts[1]) else "")


def over_two(first: str, second: str) -> str | None:
    """Two sentences, one that rules something out and one that says what to do."""
    if not _is_not(first) or _is_not(second) or not _is_order(second):
        return None
    return orders.swap(f"{first}, {second}") or joined(f"{first}, {second}")


def follow(first: str, second: str) -> bool:
    """Whether a second sentence is the other half of a first one that rules something out."""
    is_next = _is_order(second) and not re.match(r"(?:please\s|then\s)*go\s", second, re.I)
    return _is_not(first) and is_next and not _is_not(second)


def order(part: str, back: bool = False) -> str | None:
    """The statement of one order."""
    bare = _INSTEAD.sub("", clauses.strip_lead_in(part))
    if _JUST.match(part):
        statement = orders.ordered(bare, back=back)
        return (
            f"only {statement}"
            if statement and " instead of " not in statement and not statement.startswith("only")
            else statement
        )
    return (
        orders.standing(bare, back=back)
        or orders.only(bare)
        or orders.needless(bare)
        or orders.ruled_out(bare, back=back)
        or orders.avoided(bare)
        or orders.ordered(bare, back=back)
    )


def _parts(text: str) -> list[str]:
    """The orders of a clause; a part that is no order is joined to the order before it."""
    orders_found: list[str] = []
    start = 0
    for cut in [*_SPLIT.finditer(text), None]:
        piece = text[start : cut.start() if cut else len(text)]
        if not orders_found or _is_order(piece):
            orders_found.append(piece)
        else:
            orders_found[-1] = text[text.rindex(orders_found[-1]) : cut.start() if cut else len(text)]
        start = cut.end() if cut else len(text)
    return orders_found if len(orders_found) > 1 and _is_order(orders_found[0]) else []


def _is_order(part: str) -> bool:
    if _is_not(part):
        return True
    match = _DO.match(part)
    if match is None or not verbs.is_verb(match["verb"]):
        return False
    return bool(match["adverb"]) or match["verb"].lower() in lexicon.PLAIN_ORDERS


def _is_not(part: str) -> bool:
    match = _NOT.match(part)
    return match is not None and (not match["verb"] or verbs.is_verb(match["verb"]))


def _is_plain(part: str) -> bool:
    """Whether an order says neither always nor only."""
    return re.match(r"^(?:please\s)?(?:always|only|just)\b|^[a-z-]+\sonly\b", part, re.I) is None
