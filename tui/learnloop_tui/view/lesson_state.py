"""The lists of lessons as a frozen value: groups, folds, sorting, and the steps that change them. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from learnloop.service.lessons.row import Row, fold_words
from learnloop_tui.view import list_view
from learnloop_tui.view.list_view import ListView, changed, keep_cursor, moved
from learnloop_tui.view.state import STRONGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from learnloop.service.lessons.filters import Query

PROPOSED = "proposed"
"""Among the states of a view: lessons that are proposed for archiving, whatever their state."""


class Fold(NamedTuple):
    """The item behind which drafts are folded."""

    words: str
    """How many, and which: `14 more: 9 weak, 5 need words`."""
    open: bool

    @property
    def id(self) -> str:
        """An id that no lesson has."""
        return "\0fold"


class Head(NamedTuple):
    """The heading over a group."""

    name: str
    held: int
    open: bool

    @property
    def id(self) -> str:
        return f"\0group {self.name}"


Item = Row | Fold | Head

ORDERS: Mapping[str, tuple[Callable[[Row], Any], bool]] = MappingProxyType({
    "lesson": (lambda row: row.statement.lower(), False),
    "seen": (lambda row: row.seen, True),
    "where": (lambda row: (row.scope == "global", row.folder.lower()), False),
    "effect": (lambda row: (-1 if row.use is None else row.use, row.recalled), True),
    "new": (lambda row: row.created, True),
})  # fmt: skip
"""What a list can be sorted by, and whether the highest comes first."""


def _prompt(row: Row) -> str:
    """The prompt that a draft comes from, by its time: the lines of one pasted list stand together."""
    return f"said {datetime.fromisoformat(row.created).astimezone():%Y-%m-%d %H:%M:%S}"


GROUPS: Mapping[str, Callable[[Row], str]] = MappingProxyType({
    "project": lambda row: "everywhere" if row.scope == "global" else row.folder or "one project",
    "category": lambda row: row.category or "no category",
    "agent": lambda row: row.agents[0] if row.agents else "no agent",
    "origin": lambda row: row.origin or "no origin",
    "prompt": lambda row: _prompt(row) if row.origin == "prompt" else "no prompt",
})  # fmt: skip
"""What a list can be grouped by."""
_NAMELESS = ("one project", "no category", "no agent", "no origin", "no prompt")
"""Groups of what has no name: they come last."""


@dataclass(frozen=True, kw_only=True)
class LessonsView(ListView[Item]):
    """One list of lessons: what of it is filtered, sorted, grouped, marked and folded."""

    PLACE: ClassVar[str] = "lessons"
    OF_ROWS: ClassVar[tuple[str, ...]] = ("ids", "whole", "many_projects", "proposed", "asked_about")
    STEADY: ClassVar[tuple[str, ...]] = (*ListView.STEADY, *OF_ROWS)

    rows: tuple[Row, ...] = ()
    states: tuple[str, ...] = ()
    """Only rows in one of these states; empty: all."""
    fits: Callable[[Row], bool] | None = None
    """Only rows that this lets through."""
    weak: frozenset[str] = frozenset()
    """Ids of the drafts behind the fold."""
    unfolded: bool = False
    order: str = ""
    """One of ORDERS; empty: drafts strongest first, others newest first."""
    flipped: bool = False
    group: str = ""
    """One of GROUPS; empty: none."""
    closed: frozenset[str] = frozenset()
    """The groups of which only the heading is shown."""

    @cached_property
    def ids(self) -> frozenset[str]:
        return frozenset(row.id for row in self.rows)

    @cached_property
    def whole(self) -> tuple[Row, ...]:
        """The rows before filter and fold."""
        if not self.states:
            return self.rows
        if self.fits is not None:
            return tuple(row for row in self.rows if row.state in self.states and self.fits(row))
        proposed = PROPOSED in self.states
        return tuple(
            row for row in self.rows
            if row.state in self.states or (proposed and (row.proposal or row.claimed))
        )  # fmt: skip

    @property
    def total(self) -> int:
        return len(self.whole)

    @cached_property
    def many_projects(self) -> bool:
        """Whether the lessons are of several projects, or some of them of none."""
        places = ((row.scope == "global", row.project) for row in self.whole)
        first = next(places, None)
        return any(place != first for place in places)

    @cached_property
    def proposed(self) -> int:
        """How many lessons are to be looked at: proposed for archiving, or decided about by an agent."""
        return sum(1 for row in self.rows if row.proposal or row.claimed)

    @cached_property
    def asked_about(self) -> int:
        """How many drafts and proposals a person is asked about: all but those behind the fold."""
        return sum(row.id not in self.weak for row in self.whole)

    @cached_property
    def parsed(self) -> Query:
        from learnloop.service.lessons import filters

        return filters.parse(self.query, self.asked_ms)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        rows = self.fitting(self.whole)
        if self.order:
            key, highest_first = ORDERS[self.order]
            rows = tuple(sorted(rows, key=key, reverse=highest_first != self.flipped))
        elif self.query.strip() and all(row.rank is not None for row in rows):
            rows = tuple(sorted(rows, key=lambda row: -(row.rank or 0)))  # discoveries, most useful first
        if self.group:
            return tuple(self._grouped(rows))
        return rows if self.order or self.query.strip() else self._with_fold(rows)

    def _grouped(self, rows: Sequence[Row]) -> Iterable[Item]:
        """By name, so that no group moves while verdicts empty it; of a closed one only the heading."""
        groups: dict[str, list[Row]] = {}
        for row in rows:
            groups.setdefault(GROUPS[self.group](row), []).append(row)
        for name in sorted(groups, key=lambda name: (name in _NAMELESS, name.lower())):
            yield Head(name, len(groups[name]), name not in self.closed)
            yield from () if name in self.closed else groups[name]

    def _with_fold(self, rows: tuple[Row, ...]) -> tuple[Item, ...]:
        folded_rows = [row for row in rows if row.id in self.weak] if self.weak else []
        if not folded_rows:
            return rows
        open_rows = [row for row in rows if row.id not in self.weak]
        fold = Fold(fold_words(folded_rows), self.unfolded)
        return (*open_rows, fold, *(folded_rows if self.unfolded else ()))

    @property
    def shown_count(self) -> int:
        """How many lessons fit, those in closed groups among them."""
        shown = sum(isinstance(item, Row) for item in self.items)
        return shown + sum(item.held for item in self.items if isinstance(item, Head) and not item.open)

    @staticmethod
    def is_row(item: Item) -> bool:
        return isinstance(item, Row)

    @property
    def current(self) -> Row | None:
        return self.item if isinstance(self.item, Row) else None

    @cached_property
    def targets(self) -> tuple[Row, ...]:
        if self.marks:
            return tuple(row for row in self.whole if row.id in self.marks)
        return (self.current,) if self.current else ()


def with_rows(view: LessonsView, rows: Sequence[Row]) -> LessonsView:
    """New rows: cursor and marks stay on the lessons they were on; rows that came later are fresh."""
    ids = frozenset(row.id for row in rows)
    fresh = (view.fresh | (ids - view.ids)) & ids if view.loaded else frozenset()
    return list_view.with_rows(view, rows, fresh=fresh)


def folded(view: LessonsView, strongest: int = STRONGEST) -> LessonsView:
    """The view with all drafts folded beyond the strongest."""
    drafts = [row for row in view.whole if not (row.proposal or row.claimed)]
    weak = frozenset(row.id for row in drafts[strongest:])
    return keep_cursor(view, replace(view, weak=weak, unfolded=False, fresh=frozenset()))


def refolded(before: LessonsView, view: LessonsView, strongest: int = STRONGEST) -> LessonsView:
    """The view with the drafts folded that new rows say are.

    What was beyond the strongest stays folded until all of those are decided; then the next ones open.
    """
    old, new = (frozenset(row.id for row in rows if row.folded) for rows in (before.rows, view.rows))
    weak = (view.weak - old) | new
    if all(row.id in weak or row.proposal or row.claimed for row in view.whole) and weak != new:
        return replace(folded(view, strongest), unfolded=view.unfolded)
    return view if old == new else keep_cursor(view, replace(view, weak=weak))


def ordered(view: LessonsView, order: str, *, flipped: bool = False) -> LessonsView:
    """Sorted by a column, or with no name as it was at first; the cursor stays on its row."""
    return keep_cursor(view, changed(view, view.OF_ROWS, order=order, flipped=flipped))


def grouped(view: LessonsView, group: str) -> LessonsView:
    """Grouped, or with no name not any more."""
    return keep_cursor(view, changed(view, view.OF_ROWS, group=group, closed=frozenset()))


def toggled(view: LessonsView, group: str) -> LessonsView:
    """A group closed, or opened again."""
    return keep_cursor(view, replace(view, closed=view.closed ^ {group}))


def in_states(
    view: LessonsView, states: Collection[str], fits: Callable[[Row], bool] | None = None
) -> LessonsView:
    """Only rows in one of the states, and of those only such as fit."""
    return keep_cursor(view, replace(view, states=tuple(states), fits=fits, marks=frozenset()))


def unfolded(view: LessonsView) -> LessonsView:
    """The folded drafts shown, or hidden again."""
    return keep_cursor(view, replace(view, unfolded=not view.unfolded))


def revealed(view: LessonsView, row_id: str) -> LessonsView:
    """The cursor on a lesson; what hides it (a closed group, the fold, the filter) goes."""
    steps: tuple[dict[str, Any], ...] = ({"closed": frozenset()}, {"unfolded": True}, {"query": ""})
    for changes in steps:
        if row_id not in view.positions:
            view = replace(view, **changes)
    return moved(view, view.positions.get(row_id, view.cursor))
