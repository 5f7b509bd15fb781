"""Earlier tasks become the bytes of an index. Pure.

A record is {id, session, line, outcome, files, title, proof}: `line` is what agents are told, or
empty; `proof` is the test or build that passed after the last change.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from learnloop.learn.tasks import told_line
from learnloop.models.task import Task
from learnloop.recall import index_file
from learnloop.wire import earlier, nearness
from learnloop.wire.index import Index

Record = dict[str, Any]
_AVERAGE = 120
_INPUT, _COMMANDS, _FILES, _NAMED, _MEANT = 3_000, 1_500, 30, 4, 600


def compile_tasks(tasks: Iterable[Task], on_record: Callable[[], object] = lambda: None) -> bytes:
    """The index of some tasks, a section a project; calls back for each task that is in it."""
    body, groups = bytearray(), by_project(tasks)
    places = {project: _section(body, group, on_record) for project, group in groups.items()}
    header = {"tasks": sum(map(len, groups.values())), "projects": index_file.project_table(body, places)}
    return index_file.whole({**header, "sum": zlib.crc32(body)}, body)


def by_project(tasks: Iterable[Task]) -> dict[str, list[Task]]:
    """The tasks of each project in the order in which they began; no subagents' runs."""
    groups: dict[str, list[Task]] = {}
    for task in sorted(tasks, key=lambda task: (task.project, task.started, task.id)):
        if task.project and task.parent is None and not task.continues:
            groups.setdefault(task.project, []).append(task)
    return groups


def _section(body: bytearray, group: Sequence[Task], on_record: Callable[[], object]) -> list[int]:
    every: dict[int, list[int]] = {}
    for number, task in enumerate(group):
        for key, counted in impacts(task).items():
            every.setdefault(key, []).append(counted << earlier.NUMBER_BITS | number)
    table = {key: [len(of), *sorted(of, reverse=True)[: earlier.MOST_POSTINGS]] for key, of in every.items()}
    return [len(group), *index_file.unfiltered(body, _records(group, on_record), table)]


def _records(group: Iterable[Task], on_record: Callable[[], object]) -> Iterator[Record]:
    for task in group:
        yield record(task)
        on_record()


def impacts(task: Task) -> dict[int, int]:
    """What each word and file counts in a task, by key."""
    counts = Counter(filter(None, map(_key, nearness.words(_words(task)))))
    length = sum(counts.values())
    by_key = {
        key: round(220 * count / (count + 0.3 + 0.9 * length / _AVERAGE)) for key, count in counts.items()
    }
    files = (told_line.file_name(file, task.project) for file in task.files)
    return by_key | {earlier.file_key(file): 100 for file in files}


@lru_cache(maxsize=1 << 16)  # tasks share most of their words
def _key(word: str) -> int:
    """Where the tasks with a word stand; 0 for an everyday word."""
    terms = nearness.terms(word)
    return earlier.term_key(terms[0]) if terms else 0


def asked_and_wrote(task: Task) -> str:
    """What a task means, in words for a model: what was asked for, and the names of files."""
    asked = task.input[:_MEANT] or task.title
    return " ".join([asked, *(told_line.file_name(file, task.project) for file in task.files[:_NAMED])])


def _words(task: Task) -> str:
    errors = (step.error_class for step in task.steps if step.error_class)
    files = (told_line.file_name(file, task.project) for file in task.files[:_FILES])
    commands = " ".join(task.commands)[:_COMMANDS]
    return " ".join([task.title, task.input[:_INPUT], *task.corrections, *files, commands, *errors])


def record(task: Task) -> Record:
    """What an index holds of a task."""
    return {
        "id": task.id, "session": task.session_id, "line": told_line.told_line(task), "outcome": task.outcome,
        "title": task.title, "proof": next(iter(told_line.proofs(task)), ""),
        "files": [told_line.file_name(file, task.project) for file in task.files[:_NAMED]],
    }  # fmt: skip


def is_index(opened: Index) -> bool:
    """Whether the file has what hooks expect: sections by project, and records as `record` makes them."""
    try:
        tables = [opened.segment(*bucket) for bucket in opened.header["projects"] if bucket]
        for project in {project for table in tables for project in table}:
            section = earlier.section_of(opened, project)
            if section is None or not _is_record(section.record(section.count - 1)):
                return False
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
        return False
    return True


def is_unchanged(opened: Index) -> bool:
    """Whether every byte is as it was compiled; reads the whole file."""
    try:
        return bool(zlib.crc32(opened.read(0, opened.header["body"])) == opened.header["sum"])
    except (ValueError, LookupError, TypeError):
        return False


def _is_record(value: Any) -> bool:
    fields = {"id": str, "session": str, "line": str, "outcome": str, "files": list}
    return isinstance(value, dict) and all(isinstance(value.get(name), kind) for name, kind in fields.items())
