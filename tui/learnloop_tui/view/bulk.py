"""What a verdict on several lessons will do, before it does it: pure functions from rows to a plan."""

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import NamedTuple

from learnloop_tui.view import text
from learnloop_tui.view.state import Row
from learnloop_tui.view.text import Line

Test = tuple[str, Callable[[Row], bool]]
"""Why a row is left out, and whether it is."""


MOST = 100
"""So many statements are listed of each part; the rest is counted."""


class Part(NamedTuple):
    """Some of the chosen things, and what becomes of them."""

    told: str
    statements: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.statements)


class Plan(NamedTuple):
    """What will be done to which lessons, and which are left as they are."""

    verb: str
    """What the title and the confirming key say: `Keep`."""
    rows: tuple[Row, ...]
    does: Part
    left: tuple[Part, ...] = ()
    hidden: int = 0
    """How many of those it acts on the filter hides."""
    nouns: tuple[str, str] = ("lesson", "lessons")
    """What one of them is called, and several."""
    warnings: Mapping[str, str] = MappingProxyType({})
    """By row id, what it does besides: which calls it stops, that it is told too often."""

    @property
    def title(self) -> str:
        many = self.does.size
        return f"{self.verb} {many:,} {self.nouns[many != 1]}"


def plan(verb: str, will: str, targets: Sequence[Row], *tests: Test, shown: frozenset[str]) -> Plan:
    """Each row is left for the first test that it meets; what meets none is acted on."""
    left: dict[str, list[str]] = {}
    done: list[Row] = []
    for row in targets:
        why = next((why for why, is_left in tests if is_left(row)), "")
        if why:
            left.setdefault(why, []).append(row.all_words)
        else:
            done.append(row)
    parts = tuple(Part(why, tuple(left[why])) for why, _ in tests if why in left)
    hidden = sum(row.id not in shown for row in done)
    return Plan(verb, tuple(done), Part(will, tuple(row.all_words for row in done)), parts, hidden)


def state_is(*states: str) -> Callable[[Row], bool]:
    """Whether a row is in none of those states."""
    return lambda row: row.state not in states


def lines(plan: Plan, width: int) -> list[Line]:
    """The preview: counts first, then the statements of each part."""
    shown: list[Line] = []
    for part, look in ((plan.does, "strong"), *((part, "warn") for part in plan.left)):
        glyph, colour = ("✓", "good") if part is plan.does else ("–", "warn")
        shown.append(((f" {glyph} ", colour), (f"{part.size:,} {part.told}", look)))
    if plan.hidden:
        shown.append((("   ", "text"), (f"{plan.hidden:,} of them the filter hides", "warn")))
    for part in (plan.does, *plan.left):
        if part.size:
            shown += [(), ((f" {text.cut(part.told, width - 2)}", "label"),)] if plan.left else [()]
            warned = [plan.warnings.get(row.id, "") for row in plan.rows] if part is plan.does else []
            listed = list(zip_longest(part.statements, warned, fillvalue=""))[:MOST]
            shown += [line for words, warning in listed for line in _item(words, warning, width)]
        if part.size > MOST:
            shown.append(((f"   and {part.size - MOST:,} more", "muted"),))
    return shown


def _item(words: str, warning: str, width: int) -> list[Line]:
    """All words of one of them, and what it does besides: what is not seen is not approved."""
    first, *more = text.wrap(text.line(words), width - 5)
    below = [(line, "text") for line in more]
    below += [(line, "warn") for line in text.wrap(text.line(warning), width - 5)] if warning else []
    return [((f"   {first}", "text"),), *(((f"     {line}", look),) for line, look in below)]
