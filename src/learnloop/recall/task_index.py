"""Earlier tasks become the bytes of an index, and the list of those near a session. Pure.

A record is {id, session, line, outcome, files, title, proof}: `line` is what agents are told, or
empty; `proof` is the test or build that passed after the last change.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from learnloop.learn.tasks import told_line
from learnloop.models.task import Task
from learnloop.recall import fusion, index_file
from learnloop.wire import earlier, nearness
from learnloop.wire.index import Index, RecordSection, checksum

Record = dict[str, Any]
NEAR = 10
"""Tasks in the list of a session."""
_AVERAGE, _MOST_TERMS = 120, 16
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


def is_near_list(data: bytes) -> bool:
    """Whether every task of a list is as it was written."""
    _, *tasks = data.split(b"\n")
    return all(nearness.is_whole(task) and task.count(b" ") > 4 for task in tasks)


def near_list(
    sections: Sequence[RecordSection], files: Sequence[str], session: str, in_meaning: Sequence[int] = ()
) -> bytes:
    """The tasks of other sessions nearest to the files that a session touched, as hooks read them.

    Each has its part of files and of age; the words of its line are in a table. `nearness.listed` reads it.
    Those near `in_meaning` to what the session does, by their numbers, make the list longer.
    """
    nearest = fusion.nearest(
        sections, "", files, in_meaning, NEAR,
        accept=lambda each: bool(each["line"]) and each["session"] != session,
    )  # fmt: skip
    total = sum(section.count for section in sections)
    evidence = cache(lambda term: earlier.evidence(sections, term, total))
    places: dict[str, list[str]] = {}
    for place, (each, _) in enumerate(nearest):
        for term in _telling(each, evidence):
            places.setdefault(term, []).append(str(place))
    words = [f"{term}={evidence(term)}@{','.join(at)}" for term, at in places.items()]
    tasks = [_written(each, shared, age) for each, (_, shared, age) in nearest]
    return b"\n".join([f" {' '.join(words)} ".encode(), *tasks])


def _written(each: Record, files: int, age: int) -> bytes:
    """A task as a list has it."""
    words = f" {each['id']} {files} {age}  {' '.join(each['line'].split())}".encode("utf-8", "replace")
    return b"%08x%b" % (checksum(words), words)


def _telling(each: Record, evidence: Callable[[str], int]) -> list[str]:
    """The words of a record that are rare enough to say something, the rarest first."""
    terms = {*nearness.terms(" ".join((each["line"], each.get("title", ""), *each["files"])))}
    telling = sorted(terms, key=lambda term: (-evidence(term), term))[:_MOST_TERMS]
    return [term for term in telling if evidence(term) > 0]
