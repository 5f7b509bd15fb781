"""The earlier tasks that are near to a text in meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.store import history
from learnloop.store.task_table import TaskTable
from learnloop.store.vector_table import Counts, VectorTable
from learnloop.vectors import opening
from learnloop.wire import earlier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnloop.vectors.model_folder import ModelFolder
    from learnloop.vectors.row_search import Hit
    from learnloop.wire.index import RecordSection


def counts(root: str, model: ModelFolder) -> Counts:
    """How many tasks of the index have a vector of a model; raises as `history.opened` does."""
    if not history.is_used(root):
        return Counts(0, 0, 0)
    with history.opened(root) as connection:
        return VectorTable(connection).counts(model.digest)


def nearest(root: str, model: ModelFolder, text: str, count: int, project: str | None = None) -> list[Hit]:
    """The tasks nearest to a text by the vectors of a model; of one project, with their numbers in its index.

    Raises Refused where the model cannot be used, as `history.opened` does, and ValueError and OSError for a
    damaged index.
    """
    if not (text.strip() and history.is_used(root)):
        return []
    with history.opened(root) as connection:
        table = VectorTable(connection)
        if not table.counts(model.digest).read:
            return []
        embedder = opening.embedder(model)
        from learnloop.vectors import row_search

        number = None if project is None else TaskTable(connection).project_number(project)
        hits = row_search.nearest(table.blocks(model.digest), embedder.embed([text])[0], count, number)
    sections = [] if project is None else earlier.sections(root, project)
    return [hit for hit in hits if project is None or _is_there(sections, hit)]


def _is_there(sections: Sequence[RecordSection], hit: Hit) -> bool:
    """Whether the index has the same task under this number."""
    is_held = hit.number < sum(section.count for section in sections)
    return is_held and earlier.record(sections, hit.number)["id"] == hit.id
