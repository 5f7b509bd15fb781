"""The vectors of earlier tasks, kept beside the parts of their index.

A row is used again as long as model, task and text stay the same. In the background only so much time goes to
new ones. What the model of before made is made anew when a person asks for it.
"""

import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from learnloop.ingest import stored_tasks
from learnloop.models.task import Task
from learnloop.recall import task_index
from learnloop.store import files, locks
from learnloop.store.store import Store
from learnloop.vectors import model_folder, near, opening, row_file
from learnloop.vectors.model_folder import ModelFolder
from learnloop.vectors.row_file import KeyedRow, RowFile
from learnloop.wire import earlier, paths

LOCK = "vectors.lock"
BACKGROUND_S = 5.0
MOST_IN_BACKGROUND = 5_000
"""With more tasks to read, a part waits for a person: to read it again and again would cost too much."""
_AT_ONCE, _SAVED_AFTER = 128, 8_192
Progress = Callable[[int, int], object]
"""Called with what is done of a part's new tasks or of the parts, and how many there are."""
Vectors = dict[bytes, bytes | memoryview]


def remove(root: str) -> None:
    """Remove all rows: nobody asks for them any more."""
    shutil.rmtree(paths.task_vectors(root), ignore_errors=True)


def refresh(root: str, folder: str, read: Mapping[str, list[Task]]) -> None:
    """Give new tasks their vectors; raises Busy, and Refused where the model cannot be used.

    `read`: the tasks of some parts, which were read for the index.
    """
    names = earlier.part_names(root)
    with locks.held(Path(root, LOCK), wait_s=0.0, what="the vectors of tasks"):
        due = [name for name in names if _is_due(root, name)]
        _bring(root, folder, due, lambda *_: None, BACKGROUND_S, read)


def rebuild(root: str, folder: str, progress: Progress) -> int:
    """Give every task a vector of this model; how many have one then. Raises as `refresh` does."""
    names = earlier.part_names(root)
    with locks.held(Path(root, LOCK), wait_s=BACKGROUND_S, what="the vectors of tasks"):
        _bring(root, folder, names, progress)
    return sum(file.head.rows - file.head.odd for file in near.row_files(root, names).values())


def damaged(root: str) -> tuple[int, int]:
    """How many files are not as they were written, and for how many tasks the model gave no numbers."""
    opened = [row_file.opened(path) for path in files.listing(Path(paths.task_vectors(root)), "")]
    whole = [file for file in opened if file and file.is_whole()]
    return len(opened) - len(whole), sum(file.head.odd for file in whole)


def _is_due(root: str, name: str) -> bool:
    file = row_file.opened(Path(paths.task_vectors(root), name))
    return file is None or 0 < file.head.unread <= MOST_IN_BACKGROUND


def _bring(
    root: str, folder: str, names: list[str], progress: Progress,
    budget_s: float = float("inf"), read: Mapping[str, list[Task]] = MappingProxyType({}),
) -> None:  # fmt: skip
    """Write the rows of some parts, the newest first; then remove those of parts that are no more."""
    try:
        if names:
            work = _Work(root, model_folder.read(folder), time.monotonic() + budget_s, read)
            work.run(names, progress)
    finally:
        present = earlier.part_names(root)
        for path in files.listing(Path(paths.task_vectors(root)), ""):
            if path.name not in present:
                path.unlink(missing_ok=True)


class _Work:
    """The reading of tasks with one model, until a time."""

    def __init__(self, root: str, model: ModelFolder, until: float, read: Mapping[str, list[Task]]) -> None:
        self._root, self._model, self._until, self._read = root, model, until, read
        self._folder = Path(paths.task_vectors(root))
        self._embedder = opening.embedder(model)

    def run(self, names: list[str], progress: Progress) -> None:
        """Bring parts up to date."""
        for done, name in enumerate(reversed(names)):
            file = row_file.opened(self._folder / name)
            if not (file and self._is_usable(file) and not file.head.unread):
                self._write(name, progress)
            progress(done + 1, len(names))

    def _is_usable(self, file: RowFile) -> bool:
        """Whether this model made the rows, and they are as they were written."""
        return (file.head.digest, file.head.dim) == (
            self._model.digest,
            self._embedder.dim,
        ) and file.is_whole()

    def _write(self, name: str, progress: Progress) -> None:
        stored = self._read.get(name) or stored_tasks.tasks_of_utc_days(Store(self._root), _days(name))
        keyed = {project: _texts(tasks) for project, tasks in task_index.by_project(stored).items()}
        texts = {key: text for each in keyed.values() for key, text in each.items()}
        vectors = self._rows_of_before(name)
        unread = [key for key in reversed(texts) if key not in vectors]
        for first in range(0, len(unread), _AT_ONCE):
            if first % _SAVED_AFTER == _SAVED_AFTER - _AT_ONCE:
                self._save(name, keyed, vectors)
            if time.monotonic() > self._until:
                break
            chunk = unread[first : first + _AT_ONCE]
            rows = self._embedder.embed([texts[key] for key in chunk])
            vectors.update(zip(chunk, (row.tobytes() for row in rows), strict=True))
            progress(first + len(chunk), len(unread))
        self._save(name, keyed, vectors)

    def _rows_of_before(self, name: str) -> Vectors:
        """What is there already for the days of a part."""
        first, last = _days(name)
        vectors: Vectors = {}
        for path in files.listing(self._folder, ""):
            if _days(path.name)[0] <= last and first <= _days(path.name)[1]:
                file = row_file.opened(path)
                if file and self._is_usable(file):
                    vectors.update(file.rows())
        return vectors

    def _save(self, name: str, keyed: dict[str, dict[bytes, str]], vectors: Vectors) -> None:
        model = self._model.name, self._model.digest, self._embedder.dim
        rows = {
            project: [KeyedRow(key, vectors.get(key)) for key in texts] for project, texts in keyed.items()
        }
        row_file.write(self._folder / name, model, rows)


def _days(name: str) -> tuple[str, str]:
    """The first and the last day of a part."""
    return name[:10], name[11:21]


def _texts(tasks: list[Task]) -> dict[bytes, str]:
    """What each task means, by the key of its row."""
    texts = [task_index.asked_and_wrote(task) for task in tasks]
    return {row_file.key_of(task.id, text): text for task, text in zip(tasks, texts, strict=True)}
