"""A list with a filter, a cursor and marks as a frozen value, and the steps that change it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from learnloop.service.lessons.filters import FilterField, Query

_LOOK_AHEAD = 50
"""So many rows after a lost one may take its cursor."""


class Named(Protocol):
    """A row; no other row of its list has its id."""

    @property
    def id(self) -> str:
        """The id."""


T = TypeVar("T", bound=Named)
R = TypeVar("R", bound=Named)


@dataclass(frozen=True, kw_only=True)
class ListView(Generic[T]):
    """Rows, how they are filtered, and the cursor; a subclass may show other items than its rows."""

    PLACE: ClassVar[str] = ""
    """The pane whose fields the filter knows."""
    STEADY: ClassVar[tuple[str, ...]] = ("parsed", "items", "positions")
    """Computed properties that are the same wherever the cursor is: a key press must not compute them."""
    OF_ROWS: ClassVar[tuple[str, ...]] = ()
    """Those of them that do not depend on the filter either."""

    rows: tuple[T, ...] = ()
    query: str = ""
    asked_ms: int = 0
    """When the query was typed: ages in it count from there."""
    loaded: bool = False
    cursor: int = 0
    marks: frozenset[str] = frozenset()
    fresh: frozenset[str] = frozenset()

    @property
    def fields(self) -> Sequence[FilterField]:
        """The fields that a filter can name."""
        from learnloop_tui.view import filter_fields

        return filter_fields.PANES[self.PLACE]

    @staticmethod
    def haystack(row: Any) -> str:
        """The text of a row that words of a filter are looked for in, in lower case."""
        return str(row.haystack)

    @cached_property
    def parsed(self) -> Query:
        """The query as tests, and the parts of it that were not understood."""
        from learnloop.service.lessons import filters

        return filters.parse(self.query, self.asked_ms, self.fields, self.haystack)

    @cached_property
    def items(self) -> tuple[T, ...]:
        """The shown items, in order."""
        return self.fitting(self.rows)

    def fitting(self, rows: tuple[R, ...]) -> tuple[R, ...]:
        """Those of the rows that the filter lets through."""
        return tuple(filter(self.parsed.matches, rows)) if self.query.strip() else rows

    @property
    def total(self) -> int:
        """How many rows there are before the filter."""
        return len(self.rows)

    @property
    def shown_count(self) -> int:
        """How many rows fit the filter."""
        return len(self.items)

    @cached_property
    def positions(self) -> dict[str, int]:
        return {item.id: index for index, item in enumerate(self.items)}

    @property
    def item(self) -> T | None:
        """The item under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    @staticmethod
    def is_row(item: Any) -> bool:
        """Whether an item is a row, not a heading over rows."""
        del item
        return True

    @property
    def current(self) -> T | None:
        """The row under the cursor; None on a heading or in an empty list."""
        return self.item if self.item is not None and self.is_row(self.item) else None

    @cached_property
    def targets(self) -> tuple[T, ...]:
        """The rows that a verdict acts on: the marked ones, else the one under the cursor."""
        marked = tuple(item for item in self.items if item.id in self.marks) if self.marks else ()
        return marked or ((self.current,) if self.current is not None else ())


V = TypeVar("V", bound=ListView[Any])


def changed(view: V, steady: Iterable[str], **changes: Any) -> V:
    """The view with other fields; the computed properties of those names still hold and are taken over."""
    after = replace(view, **changes)
    for name in steady:
        if name in view.__dict__:
            after.__dict__[name] = view.__dict__[name]
    return after


def only_cursor_differs(before: ListView[Any], after: ListView[Any]) -> bool:
    """Whether two views are the same but for the cursor; compares identities, whatever the length."""
    names = (name for name in after.__dataclass_fields__ if name != "cursor")
    return all(getattr(before, name) is getattr(after, name) for name in names)


def moved(view: V, cursor: int, **changes: Any) -> V:
    """The cursor on that item, or the nearest there is."""
    nearest = max(0, min(cursor, len(view.items) - 1))
    return changed(view, view.STEADY, cursor=nearest, **changes)


def pointed(view: V, row_id: str) -> V:
    """The cursor on that row, where the list shows it."""
    return moved(view, view.positions.get(row_id, view.cursor))


def advanced(view: V) -> V:
    """The cursor on the next row, past headings; where none follows on the next item."""
    first = view.cursor + 1
    rows = (index for index in range(first, len(view.items)) if view.is_row(view.items[index]))
    return moved(view, next(rows, first))


def keep_cursor(before: V, after: V) -> V:
    """The cursor on the item it was on before, else on one of those that followed it, else near.

    From a row it goes to a row, past headings, so that one verdict can follow the other.
    """
    index, on_row = before.cursor, before.current is not None
    for item in before.items[index : index + _LOOK_AHEAD]:
        if item.id in after.positions and (before.is_row(item) or not on_row):
            return moved(after, after.positions[item.id])
    return moved(after, index)


def with_rows(view: V, rows: Iterable[Any], **changes: Any) -> V:
    """New rows; cursor and marks stay on the rows they were on."""
    rows = tuple(rows)
    marks = view.marks & {row.id for row in rows} if view.marks else view.marks
    return keep_cursor(view, replace(view, rows=rows, loaded=True, marks=marks, **changes))


def filtered(view: V, query: str, now_ms: int = 0) -> V:
    """Only rows that fit the query."""
    return keep_cursor(view, changed(view, view.OF_ROWS, query=query, asked_ms=now_ms))


def marked(view: V) -> V:
    """The current row's mark toggled, the cursor on the next row."""
    if view.current is None:
        return view
    return advanced(changed(view, view.STEADY, marks=view.marks ^ {view.current.id}))


def all_marked(view: V) -> V:
    """All shown rows marked, or none of them where all are."""
    shown = frozenset(item.id for item in view.items if view.is_row(item))
    marks = view.marks - shown if shown <= view.marks else view.marks | shown
    return changed(view, view.STEADY, marks=marks)


def unmarked(view: V) -> V:
    """No marks."""
    return changed(view, view.STEADY, marks=frozenset())
