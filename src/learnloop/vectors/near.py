"""The earlier tasks that are near to a text in meaning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnloop.vectors import opening, row_file
from learnloop.wire import earlier, index, paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from learnloop.vectors.model_folder import ModelFolder
    from learnloop.vectors.row_file import RowFile
    from learnloop.vectors.row_search import Hit
    from learnloop.wire.index import RecordSection


class NearInMeaning(NamedTuple):
    """An earlier task with the cosine between its vector and the text's."""

    id: str
    project: str
    number: int
    """Its number among all tasks of the project."""
    similarity: float


def row_files(root: str, names: Iterable[str], *, is_searched: bool = False) -> dict[str, RowFile]:
    """The files of rows that can be read, by the parts of the index that they belong to."""
    folder = Path(paths.task_vectors(root))
    opened = ((name, row_file.opened(folder / name, is_searched=is_searched)) for name in names)
    return {name: file for name, file in opened if file}


def lacking(root: str, model: ModelFolder) -> tuple[int, int]:
    """How many tasks of the index have no row of a model, of how many; raises as `nearest` does."""
    names = earlier.part_names(root)
    headers = (index.read(f"{paths.earlier_tasks(root)}/{name}") for name in names)
    total = sum(opened.header["tasks"] for opened in headers if opened)
    heads = [file.head for file in row_files(root, names).values() if file.head.digest == model.digest]
    return max(0, total - sum(head.rows - head.unread for head in heads)), total


def nearest(
    root: str, model: ModelFolder, text: str, count: int, project: str | None = None
) -> list[NearInMeaning]:
    """The tasks nearest to a text by the rows of a model, in one project if named.

    Raises Refused where the model cannot be used, ValueError and OSError for a damaged index.
    """
    files = row_files(root, earlier.part_names(root), is_searched=True)
    by_part = {name: file for name, file in files.items() if file.head.digest == model.digest}
    if not by_part or not text.strip():
        return []
    embedder = opening.embedder(model)
    from learnloop.vectors import row_search

    hits = row_search.nearest(by_part, embedder.embed([text])[0], count, project)
    projects = {hit.project for hit in hits}
    by_project = {project: earlier.sections_by_part(root, project) for project in projects}
    return [task for hit in hits for task in _verified(by_project[hit.project], hit)]


def _verified(sections: dict[str, RecordSection], hit: Hit) -> Iterator[NearInMeaning]:
    """The task that a row belongs to; nothing where the index has another one there by now."""
    before = 0
    for name, section in sections.items():
        if name == hit.part and hit.number < section.count:
            task = section.record(hit.number)["id"]
            if hit.key.startswith(row_file.id_hash(task)):
                yield NearInMeaning(task, hit.project, before + hit.number, hit.similarity)
        before += section.count
