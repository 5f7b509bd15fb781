"""What the preferences' pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from learnloop.faces.beliefs import GROUPS, Believed, Group
from learnloop_tui.view.list_view import ListView


class BeliefHead(NamedTuple):
    """The heading over beliefs of one kind."""

    group: Group
    held: int

    @property
    def id(self) -> str:
        """An id that no belief has."""
        return f"\0part {self.group}"


@dataclass(frozen=True, kw_only=True)
class BeliefsView(ListView[Believed | BeliefHead]):
    """The list of beliefs, by what they are."""

    PLACE: ClassVar[str] = "preferences"

    rows: tuple[Believed, ...] = ()

    @cached_property
    def items(self) -> tuple[Believed | BeliefHead, ...]:
        shown = self.fitting(self.rows)
        if self.query.strip():
            return shown
        items: list[Believed | BeliefHead] = []
        for group in GROUPS:
            rows = [row for row in shown if row.group == group]
            items += [BeliefHead(group, len(rows)), *rows] if rows else []
        return tuple(items)

    @property
    def shown_count(self) -> int:
        return sum(map(self.is_row, self.items))

    @staticmethod
    def is_row(item: Believed | BeliefHead) -> bool:
        return isinstance(item, Believed)

    @property
    def current(self) -> Believed | None:
        return self.item if isinstance(self.item, Believed) else None

    @staticmethod
    def haystack(row: Believed) -> str:
        return f"{row.statement} {row.where} {GROUPS[row.group]} {row.state}".lower()
