"""What the console shows, as frozen values, and the pure functions that change it.

Nothing here imports Textual or the store: a view is made from rows, a step gives the next view.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.service.lessons.row import Row as Row

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from learnloop.models import Lesson
    from learnloop.service.health.health_report import Health
    from learnloop.service.lessons.filters import Query
    from learnloop.service.review.rule_muting import RuleStats

STRONGEST = 20

STATES = ("all", "active", "paused", "archived", "rejected", "draft")
"""What the state filter of the lessons offers, in the order of its key."""


PROPOSED = "proposed"
"""Among the states of a view: lessons that are proposed for archiving, whatever their state."""


class Fold(NamedTuple):
    """The row behind which the weaker drafts are folded."""

    hidden: int
    open: bool


class Head(NamedTuple):
    """The row over a group."""

    name: str
    held: int
    """How many rows it stands over."""
    open: bool


Item = Row | Fold | Head

ORDERS: Mapping[str, tuple[Callable[[Row], Any], bool]] = MappingProxyType({
    "lesson": (lambda row: row.statement.lower(), False),
    "seen": (lambda row: row.seen, True),
    "told": (lambda row: row.recalled, True),
    "from": (lambda row: row.origin, False),
    "where": (lambda row: (row.scope == "global", row.folder.lower()), False),
    "strength": (lambda row: row.strength, True),
    "use": (lambda row: -1 if row.use is None else row.use, True),
    "new": (lambda row: row.created, True),
})  # fmt: skip
"""What a list can be sorted by, and whether the highest comes first."""

GROUPS: Mapping[str, Callable[[Row], str]] = MappingProxyType({
    "project": lambda row: "everywhere" if row.scope == "global" else row.folder or "one project",
    "category": lambda row: row.category or "no category",
    "agent": lambda row: row.agents[0] if row.agents else "no agent",
    "origin": lambda row: row.origin or "no origin",
})  # fmt: skip
"""What a list can be grouped by."""
_NAMELESS = ("one project", "no category", "no agent", "no origin")
"""Groups of what has no name: they come last."""


class Verdict(NamedTuple):
    """What a person decided, on its way to the journal."""

    action: str
    """`promote`, `reject`, `archive`, `restore`, `edit`, `scope`, `pause`, `resume`, `gate`, `rate`, `keep`
    or `merge`."""
    ids: tuple[str, ...]
    args: Mapping[str, Any] = MappingProxyType({})


class Past(NamedTuple):
    """One decision about a lesson, in words."""

    ts: str
    sentence: str
    undone: bool


class Fact(NamedTuple):
    """One line of a section of the details: what it is, and how it looks."""

    label: str
    value: str
    look: str = "text"


class Section(NamedTuple):
    """A part of the details that was worked out besides the lesson."""

    title: str
    facts: tuple[Fact, ...]
    explained: tuple[Fact, ...] = ()
    """The parts of its numbers, shown where they are explained."""
    place: str = "top"
    """`top`: before everything else; `told`: after when the lesson is told."""


class Beside(NamedTuple):
    """What is worked out about a lesson after its details stand there."""

    sections: tuple[Section, ...] = ()
    near: tuple[str, ...] = ()
    """Ids of lessons that say nearly the same, the nearest first."""
    contradicts: tuple[str, str] | None = None
    """The id of a lesson that cannot hold beside it, and why."""


class Detail(NamedTuple):
    """Everything there is to read about one lesson."""

    lesson: Lesson
    strength: str
    """How the strength comes about."""
    usefulness: str
    """How the usefulness comes about."""
    past: tuple[Past, ...] = ()
    promise: tuple[str, ...] = ()
    """What the promise in the strength is made of."""


class Snapshot(NamedTuple):
    """What was read in one go."""

    rows: tuple[Row, ...] = ()
    """Drafts strongest first, then the others newest first."""
    strongest: int = STRONGEST
    """So many drafts stand open when the queue is long; the weaker ones are folded."""
    theme: str = ""
    """The theme that the settings name."""
    keys: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The keys of commands that have others than the table's."""
    wrong_keys: tuple[str, ...] = ()
    """What of the keys in the settings cannot be."""


class Pulse(NamedTuple):
    """How things stand, read now and then."""

    health: Health
    hooked: bool
    """Some agent reports to this store."""
    rules: tuple[RuleStats, ...] = ()
    """The rules that draft lessons, and the verdicts over their drafts."""
    threshold: float = 0.0
    """How sure a draft has to be to stand among the strongest."""


class Happening(NamedTuple):
    """One event as the live line tells it."""

    ms: int
    kind: str
    project: str
    words: str


class Step(NamedTuple):
    """An undo or a redo: which verdict, and which lessons it is about."""

    words: str
    ids: tuple[str, ...]


class TranscriptChoice(NamedTuple):
    """A project whose old sessions can be learned from."""

    path: str
    name: str
    sessions: int
    last: str


class Change(NamedTuple):
    """What installing would write."""

    path: str
    changed: bool
    diff: str
    messages: tuple[str, ...] = ()


class Pending(NamedTuple):
    """A verdict that is shown already and not confirmed yet."""

    ticket: int
    changes: Mapping[str, Mapping[str, Any]]
    """By lesson: the fields of its row that the verdict changes."""
    settled: bool = False
    """Written down: the next load has it."""


def overlay(rows: Sequence[Row], pending: Sequence[Pending]) -> tuple[Row, ...]:
    """The rows as they will be once what is pending is confirmed."""
    changes = {row_id: change for verdict in pending for row_id, change in verdict.changes.items()}
    if not changes:
        return tuple(rows)
    return tuple(row._replace(**changes[row.id]) if row.id in changes else row for row in rows)


@dataclass(frozen=True)
class View:
    """One list: its rows, what is filtered, marked and folded, and where the cursor stands."""

    rows: tuple[Row, ...] = ()
    states: tuple[str, ...] = ()
    """Only rows in one of these states; empty: all."""
    query: str = ""
    marks: frozenset[str] = frozenset()
    weak: frozenset[str] = frozenset()
    """Ids of the drafts behind the fold."""
    unfolded: bool = False
    fresh: frozenset[str] = frozenset()
    """Ids of rows that came while the console was open."""
    cursor: int = 0
    loaded: bool = False
    asked_ms: int = 0
    """When the query was typed: what it says of ages counts from there."""
    order: str = ""
    """One of ORDERS; empty: drafts strongest first, others newest first."""
    flipped: bool = False
    """Sorted the other way round."""
    group: str = ""
    """One of GROUPS; empty: none."""
    closed: frozenset[str] = frozenset()
    """The groups of which only the head is shown."""

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of all rows."""
        return frozenset(row.id for row in self.rows)

    @cached_property
    def whole(self) -> tuple[Row, ...]:
        """The rows before filter and fold."""
        if not self.states:
            return self.rows
        proposed = PROPOSED in self.states
        return tuple(row for row in self.rows if row.state in self.states or (proposed and row.proposal))

    @property
    def total(self) -> int:
        """How many rows there are before filter and fold."""
        return len(self.whole)

    @cached_property
    def proposed(self) -> int:
        """How many lessons are proposed for archiving, in whatever state."""
        return sum(1 for row in self.rows if row.proposal)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """What the list shows, in order."""
        rows = self.whole
        if self.query.strip():
            rows = self.parsed.select(rows)
        if self.order:
            key, highest_first = ORDERS[self.order]
            rows = tuple(sorted(rows, key=key, reverse=highest_first != self.flipped))
        elif self.query.strip() and all(row.rank is not None for row in rows):
            rows = tuple(sorted(rows, key=lambda row: -(row.rank or 0)))  # discoveries, most useful first
        if self.group:
            return tuple(self._grouped(rows))
        return rows if self.order or self.query.strip() else self._with_fold(rows)

    @cached_property
    def parsed(self) -> Query:
        """What the query asks, and what of it was not understood."""
        from learnloop.service.lessons import filters

        return filters.parse(self.query, self.asked_ms)

    def _grouped(self, rows: Sequence[Row]) -> Iterable[Item]:
        """By name, so that no group changes its place while verdicts empty it; of a closed one the head."""
        found: dict[str, list[Row]] = {}
        for row in rows:
            found.setdefault(GROUPS[self.group](row), []).append(row)
        for name, held in sorted(found.items(), key=lambda one: (one[0] in _NAMELESS, one[0].lower())):
            yield Head(name, len(held), name not in self.closed)
            yield from () if name in self.closed else held

    def _with_fold(self, rows: tuple[Row, ...]) -> tuple[Item, ...]:
        count = sum(1 for row in rows if row.id in self.weak) if self.weak else 0
        if not count:
            return rows
        open_rows = [row for row in rows if row.id not in self.weak]
        weak_rows = [row for row in rows if row.id in self.weak] if self.unfolded else []
        return (*open_rows, Fold(count, self.unfolded), *weak_rows)

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each shown lesson stands."""
        return {item.id: at for at, item in enumerate(self.items) if isinstance(item, Row)}

    @property
    def current(self) -> Row | None:
        """The row under the cursor, None on the fold or in an empty list."""
        item = self.item
        return item if isinstance(item, Row) else None

    @property
    def item(self) -> Item | None:
        """What is under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    @cached_property
    def targets(self) -> tuple[Row, ...]:
        """What a verdict acts on: the marked rows, else the one under the cursor."""
        if self.marks:
            return tuple(row for row in self.whole if row.id in self.marks)
        return (self.current,) if self.current else ()


def with_rows(view: View, rows: Sequence[Row]) -> View:
    """New rows: cursor and marks stay on the lessons they were on.

    The first rows of a long queue are folded below the strongest; rows that come later stand open.
    """
    rows = tuple(rows)
    ids = frozenset(row.id for row in rows)
    changed = replace(
        view,
        rows=rows,
        loaded=True,
        marks=view.marks & ids,
        fresh=(view.fresh | (ids - view.ids)) & ids if view.loaded else frozenset(),
    )
    return _follow(view, changed)


def folded(view: View, strongest: int = STRONGEST) -> View:
    """The view with its weaker drafts folded, all beyond the strongest."""
    drafts = [row for row in view.whole if not row.proposal]
    weak = frozenset(row.id for row in drafts[strongest:])
    return _follow(view, replace(view, weak=weak, unfolded=False, fresh=frozenset()))


def moved(view: View, cursor: int) -> View:
    """The cursor on that row, or the nearest there is."""
    return _same_items(view, cursor=max(0, min(cursor, len(view.items) - 1)))


def marked(view: View) -> View:
    """The current row's mark toggled, the cursor on the next row."""
    if view.current is None:
        return view
    return advanced(_same_items(view, marks=view.marks ^ {view.current.id}))


def advanced(view: View) -> View:
    """The cursor on the next lesson, past heads; where none follows on the next item."""
    here = view.cursor + 1
    rest = enumerate(view.items[here:], here)
    return moved(view, next((at for at, item in rest if isinstance(item, Row)), here))


def all_marked(view: View) -> View:
    """All shown rows marked, or none where all of them are."""
    shown = frozenset(item.id for item in view.items if isinstance(item, Row))
    return _same_items(view, marks=view.marks - shown if shown <= view.marks else view.marks | shown)


def unmarked(view: View) -> View:
    """No marks."""
    return _same_items(view, marks=frozenset())


def filtered(view: View, query: str, now_ms: int = 0) -> View:
    """Only rows that fit the query."""
    return _follow(view, _same_rows(view, query=query, asked_ms=now_ms))


def ordered(view: View, order: str, *, flipped: bool = False) -> View:
    """Sorted by a column, or with no name as it was at first; the cursor stays on its row."""
    return _follow(view, _same_rows(view, order=order, flipped=flipped))


def grouped(view: View, group: str) -> View:
    """Grouped, or with no name not any more."""
    return _follow(view, _same_rows(view, group=group, closed=frozenset()))


def toggled(view: View, group: str) -> View:
    """A group closed, or opened again."""
    return _follow(view, replace(view, closed=view.closed ^ {group}))


def in_states(view: View, states: Collection[str]) -> View:
    """Only rows in one of the states."""
    return _follow(view, replace(view, states=tuple(states), marks=frozenset()))


def unfolded(view: View) -> View:
    """The weaker drafts shown, or hidden again."""
    return _follow(view, replace(view, unfolded=not view.unfolded))


def revealed(view: View, row_id: str) -> View:
    """The cursor on a lesson; what hides it (a folded group, the fold, the filter) goes."""
    steps: tuple[dict[str, Any], ...] = ({"closed": frozenset()}, {"unfolded": True}, {"query": ""})
    for changes in steps:
        if row_id not in view.positions:
            view = replace(view, **changes)
    return moved(view, view.positions.get(row_id, view.cursor))


def _same_items(view: View, **changes: Any) -> View:
    """A changed view that keeps what was computed of its items: a key press must not cost 10,000 rows."""
    return _kept(view, replace(view, **changes), "ids", "whole", "proposed", "parsed", "items", "positions")


def _same_rows(view: View, **changes: Any) -> View:
    """A view of the same rows in the same states, otherwise shown."""
    return _kept(view, replace(view, **changes), "ids", "whole", "proposed")


def _kept(view: View, made: View, *names: str) -> View:
    """What was computed before, where it still holds."""
    for name in names:
        if name in view.__dict__:
            made.__dict__[name] = view.__dict__[name]
    return made


def _follow(before: View, after: View) -> View:
    """The cursor of the view before carried over: to the same lesson, else to what follows it, else near.

    From a lesson it goes to a lesson, past heads, so that one verdict can follow the other.
    """
    here, on_lesson = before.cursor, before.current is not None
    for item in before.items[here : here + 50]:
        at = None if on_lesson and not isinstance(item, Row) else position(after, item)
        if at is not None:
            return _same_items(after, cursor=at)
    return moved(after, here)


def position(view: View, item: Item) -> int | None:
    """Where an item of another view stands in this one."""
    if isinstance(item, Row):
        return view.positions.get(item.id)
    same = (at for at, other in enumerate(view.items) if _is_same(item, other))
    return next(same, None)


def _is_same(item: Item, other: Item) -> bool:
    if isinstance(item, Head) and isinstance(other, Head):
        return item.name == other.name
    return isinstance(item, Fold) and isinstance(other, Fold)
