"""Searches that find tasks by what they mean as well, where the person named a model for it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from learnloop.errors import LearnloopError
from learnloop.models.memory import Memory
from learnloop.models.task import Task
from learnloop.recall import fusion
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.vectors import model_folder, near, opening

if TYPE_CHECKING:
    from learnloop.vectors.row_search import Hit

LOOKED_AT, MOST_ADDED = 60, 20
Row = TypeVar("Row", Task, Memory)


class SearchPage(NamedTuple):
    """The tasks or memories that a list shows."""

    rows: tuple[Task | Memory, ...]
    similar: frozenset[str]
    """The ids of those that are near to the line's words in meaning."""
    behind: int
    """How many days with tasks are not read yet; the background ingest reads them."""


def nearest(ws: Workspace, text: str, count: int, project: str | None = None) -> "list[Hit]":
    """The tasks nearest to a text in meaning; none where no model is named, or it cannot be used."""
    folder = ws.settings.vectors.model if text else ""
    try:
        return near.nearest(ws.root, model_folder.read(folder), text, count, project) if folder else []
    except (LearnloopError, OSError, ValueError):
        return []


def obstacle(ws: Workspace) -> tuple[str, str]:
    """Why tasks are not found by what they mean though a person asked for it, and the way out; or nothing."""
    folder = ws.settings.vectors.model
    try:
        if not folder:
            return "", ""
        model = model_folder.read(folder)
        opening.embedder(model)
        total, read, _ = near.counts(ws.root, model)
    except LearnloopError as error:
        return error.message, error.hint
    if not total and Store(ws.root).turn_days():
        return "no task has a vector yet", "learn prime --memories rebuild --vectors"
    if read < total:
        return (
            f"{total - read:,} of {total:,} tasks have no vector of this model",
            "learn prime --memories rebuild --vectors",
        )
    return "", ""


def places(ws: Workspace, text: str) -> dict[str, int]:
    """The tasks nearest to a text in meaning, with their places."""
    return {task.id: place for place, task in enumerate(nearest(ws, text, LOOKED_AT))}


def joined(exact: Sequence[Row], similar: Sequence[Row]) -> list[Row]:
    """What matches and what is near in meaning, the best of both first."""
    by_id = _by_id(exact, similar)
    order = fusion.fused([row.id for row in exact], [row.id for row in similar])
    return [by_id[name] for name in order] if similar else list(exact)


def page(exact: Sequence[Row], similar: Sequence[Row], behind: int = 0) -> SearchPage:
    """What matches and what is near in meaning, the newest first."""
    every = _by_id(exact, similar).values()
    rows = sorted(every, key=lambda row: row.started if isinstance(row, Task) else row.ts, reverse=True)
    return SearchPage(tuple(rows), frozenset(row.id for row in similar), behind)


def _by_id(exact: Sequence[Row], similar: Sequence[Row]) -> dict[str, Row]:
    by_id: dict[str, Row] = {row.id: row for row in similar}
    by_id.update((row.id, row) for row in exact)
    return by_id
