"""Lessons that fit a line of the filter language, outside the console."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from learnloop.errors import Refused
from learnloop.learn import filters, origins
from learnloop.service import rows
from learnloop.service.rows import QueueRow

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


@dataclass(frozen=True)
class Subject:
    """A row as the fields of the language ask it."""

    row: QueueRow
    proposal: str

    def __getattr__(self, name: str) -> object:
        return getattr(self.row, name)

    @property
    def state(self) -> str:
        """The status, or `paused` for an active lesson that is not told."""
        return "paused" if self.row.paused and self.row.status == "active" else self.row.status

    @property
    def project(self) -> str:
        """The project's folder."""
        return self.row.project.rstrip("/").rpartition("/")[2]

    @property
    def origin(self) -> str:
        """Where it comes from in one word."""
        return origins.origin_of(self.row.source)

    @property
    def seen(self) -> int:
        """How often it was seen."""
        return self.row.seen_count

    @property
    def usefulness(self) -> int | None:
        """0–100, None before the first recall."""
        return round(self.row.usefulness * 100) if self.row.recalled else None

    @property
    def haystack(self) -> str:
        """What words are looked for in, in lower case."""
        row = self.row
        return f"{row.short} {row.statement} {self.project} {row.words}".lower()


def fitting(ws: "Workspace", line: str, status: str | None = None) -> list[QueueRow]:
    """The rows of a state, or of all, that fit the line, in the order of lists.

    Raises Refused with what the line does not say rightly: a script must not go on with other lessons than
    it asked for.
    """
    from learnloop.service import upkeep
    from learnloop.wire import clock

    query = filters.parse(line, clock.now_ms())
    if query.problems:
        raise Refused(
            f"the filter is not understood: {query.problems[0]}", "docs/filter.md lists what it knows"
        )
    why = {one.lesson_id: one.words for one in upkeep.proposals(ws)}
    return [row for row in rows.rows(ws, status) if query.matches(Subject(row, why.get(row.id, "")))]
