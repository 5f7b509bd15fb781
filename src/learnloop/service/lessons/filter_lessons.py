"""Filter lessons by a line of the filter language, outside the console."""

from typing import TYPE_CHECKING

from learnloop.errors import Refused
from learnloop.service.lessons import filters, rows
from learnloop.service.lessons.row import Row

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


def matching_rows(ws: "Workspace", line: str, status: str | None = None) -> list[Row]:
    """The rows of a state, or of all, that match the line, in the order of lists.

    Raises Refused with the first part that is not understood: a script must not go on with other lessons than
    it asked for.
    """
    from learnloop.service.lessons import upkeep
    from learnloop.wire import clock

    query = filters.parse(line, clock.now_ms())
    if query.problems:
        raise Refused(
            f"the filter is not understood: {query.problems[0]}", "docs/filter.md lists what it knows"
        )
    why = {proposal.lesson_id: proposal.words for proposal in upkeep.proposals(ws)}
    every = (row._replace(proposal=why.get(row.id, "")) for row in rows.rows(ws, status))
    return [row for row in every if query.matches(row)]
