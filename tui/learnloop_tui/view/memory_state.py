"""What the memory pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from learnloop.faces.beliefs import folder
from learnloop.models.memory import Memory
from learnloop.models.task import Task
from learnloop_tui.view import list_view
from learnloop_tui.view.list_view import ListView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from learnloop.service.lessons.filters import FilterField
    from learnloop.service.tasks.daily import PastDay

    MemoryRow: TypeAlias = Task | Memory | PastDay

Shown: TypeAlias = str
"""`tasks`, `memories` or `days`."""
_GROUPS = {"tasks": ("", "outcome", "kind", "project"), "memories": ("", "type", "project"), "days": ("",)}


class MemoryRows(NamedTuple):
    """What was read for one of the lists."""

    shown: Shown
    rows: tuple[MemoryRow, ...] = ()
    priming: Mapping[str, bool] = {}
    """What was decided of priming, by project; "" is everywhere else."""
    behind: int = 0
    """How many days with tasks wait to be read for their memories."""
    query: str = ""
    """The filter for which they were read."""
    similar: frozenset[str] = frozenset()
    """The rows that are near to the filter's words in meaning."""


class GroupHead(NamedTuple):
    """The heading over rows of one group."""

    name: str
    held: int

    @property
    def id(self) -> str:
        """An id that no row has."""
        return f"\0group {self.name}"


@dataclass(frozen=True, kw_only=True)
class MemoryView(ListView[Any]):
    """One of the three lists, in groups where a person wants them."""

    PLACE: ClassVar[str] = "memory"

    shown: Shown = "tasks"
    grouped: str = ""
    """The field by which rows are grouped."""
    similar: frozenset[str] = frozenset()
    similar_to: str = ""
    """The filter to which these rows are near in meaning."""

    @property
    def fields(self) -> Sequence[FilterField]:
        from learnloop_tui.view import filter_fields

        return filter_fields.MEMORY[self.shown]

    @staticmethod
    def haystack(row: Any) -> str:
        from learnloop.service.memory import memory_list
        from learnloop.service.tasks import task_list

        match row:
            case Task():
                return task_list.words(row)
            case Memory():
                return memory_list.words(row)
        return str(row.id)

    def fitting(self, rows: tuple[Any, ...]) -> tuple[Any, ...]:
        similar = self.similar if self.similar_to == self.query else frozenset()
        if not similar:
            return super().fitting(rows)
        return tuple(row for row in rows if row.id in similar or self.parsed.matches(row))

    @cached_property
    def items(self) -> tuple[Any, ...]:
        shown = self.fitting(self.rows)
        if not self.grouped:
            return shown
        groups: dict[str, list[Any]] = {}
        for row in shown:
            groups.setdefault(group_name(row, self.grouped), []).append(row)
        return tuple(item for name, rows in groups.items() for item in (GroupHead(name, len(rows)), *rows))

    @property
    def shown_count(self) -> int:
        return sum(map(self.is_row, self.items))

    @staticmethod
    def is_row(item: Any) -> bool:
        return not isinstance(item, GroupHead)


def group_name(row: MemoryRow, field: str) -> str:
    """The group of a row; projects go by their last folder."""
    value = str(getattr(row, field))
    return folder(value) or value or "no project" if field == "project" else value


def turned(view: MemoryView, shown: Shown) -> MemoryView:
    """Another list, empty until it is read."""
    return MemoryView(shown=shown, query=view.query, asked_ms=view.asked_ms)


def regrouped(view: MemoryView) -> MemoryView:
    """Grouped by the next field that rows of this list have."""
    ways = _GROUPS[view.shown]
    grouped = ways[(ways.index(view.grouped) + 1) % len(ways)]
    return list_view.keep_cursor(view, list_view.changed(view, (), grouped=grouped))
