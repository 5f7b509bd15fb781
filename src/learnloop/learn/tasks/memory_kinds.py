"""Memories of five types out of tasks; what says the same is one memory that was seen more often. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnloop.learn.tasks import error_classes, patterns, procedures, told_line
from learnloop.models.memory import LONGEST_TEXT, Memory, MemoryType
from learnloop.models.task import Task
from learnloop.wire import clock, nearness, relevance, text

_CONFIDENCE = {"said": 0.9, "inferred": 0.6, "none": 0.4}
_MOST_TASKS, _MOST_FILES, _MOST_TAGS, _MOST_NAMES = 20, 20, 12, 5
_FEWEST_SHARED, _SHARE, _MOST_CONCEPTS = 3, 0.6, 50
_IDENTIFIER = re.compile(r"\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[a-z]+_[a-z_]\w+)\b")
_DAY_MS = 86_400_000


class _Piece(NamedTuple):
    """What one task says: pieces with one key are one memory."""

    type: MemoryType
    key: object
    task: Task
    write: Callable[[Sequence[Task]], str]
    """The text of the memory, of its tasks, the newest first."""
    files: tuple[str, ...] = ()


def memories(tasks: Iterable[Task], keep_days: int = 0) -> list[Memory]:
    """The memories of some tasks, the newest first; they expire with their events after so many days."""
    every = sorted(tasks, key=lambda task: (task.started, task.id), reverse=True)
    own = [task for task in every if task.parent is None and (task.calls or task.files or task.commands)]
    joined: dict[tuple[object, ...], list[_Piece]] = {}
    for task in own:
        for piece in (*_episodic(task), *_procedural(task), *_technical(task), *_context(task)):
            joined.setdefault((piece.type, task.project, piece.key), []).append(piece)
    for piece in _semantic(own):
        joined.setdefault((piece.type, piece.task.project, piece.key), []).append(piece)
    ids: Counter[str] = Counter()
    every_memory = [_memory(pieces, keep_days, ids) for pieces in joined.values()]
    return sorted(every_memory, key=lambda memory: (memory.ts, memory.id), reverse=True)


def _memory(pieces: Sequence[_Piece], keep_days: int, ids: Counter[str]) -> Memory:
    newest, tasks = pieces[0], [piece.task for piece in pieces]
    task = newest.task
    memory_id = f"{newest.type}-{tasks[-1].id}"
    ids[memory_id] += 1
    suffix = f"-{ids[memory_id]}" if ids[memory_id] > 1 else ""
    named = [_IDENTIFIER.findall(task.input), newest.files or task.files]
    return Memory(
        id=memory_id + suffix, type=newest.type, task=tasks[-1].id,
        text=text.cut(newest.write(tasks), LONGEST_TEXT),
        tasks=tuple(each.id for each in tasks[:_MOST_TASKS]), session_id=task.session_id, agent=task.agent,
        ts=task.started, project=task.project, seen=len(tasks),
        files=tuple(told_line.file_name(file, task.project) for file in named[1][:_MOST_FILES]),
        confidence=max(_CONFIDENCE[each.known] for each in tasks),
        relevance=tuple(dict.fromkeys([*task.tags, *named[0]]))[:_MOST_TAGS],
        expires=clock.iso(clock.parse_ms(task.started) + keep_days * _DAY_MS) if keep_days else None,
    )  # fmt: skip


def _episodic(task: Task) -> Iterator[_Piece]:
    """What happened: every task that did something."""
    key = (frozenset(nearness.terms(task.title)), frozenset(task.files), task.outcome)
    yield _Piece("episodic", key, task, lambda tasks: _happened(tasks[0]))


def _happened(task: Task) -> str:
    files = [told_line.file_name(file, task.project) for file in task.files]
    parts = [
        f"{task.title}: {task.outcome}{'' if task.known != 'inferred' else ', inferred'}",
        f"wrote {_listed(files)}" if files else "",
        f"ran {_listed(names)}" if (names := told_line.command_names(task.commands)) else "",
        f"error: {task.error_class}" if task.error_class else "",
    ]
    return "; ".join(filter(None, parts))


def _procedural(task: Task) -> Iterator[_Piece]:
    """How to do it: the steps of a success; the same steps are one procedure."""
    if len(steps := procedures.procedure(task)) > 1:
        yield _Piece("procedural", steps, task, lambda tasks: f"{tasks[0].title}: {', then '.join(steps)}")


def _technical(task: Task) -> Iterator[_Piece]:
    """What failed, and what was changed before it passed."""
    for step in task.steps:
        if step.result != "failed" or step.error_class in ("", error_classes.INTERRUPTED):
            continue
        changed = [
            told_line.file_name(name, task.project) for name in patterns.fix(task.steps, step.error_class)
        ]
        if changed:
            name = next(iter(told_line.command_names([step.target])), step.target)
            words = f"{name} failed ({step.error_class}) and passed after {_listed(changed)}"
            yield _Piece("technical", (name, step.error_class), task, _said(words))


def _said(words: str) -> Callable[[Sequence[Task]], str]:
    return lambda _tasks: words


def _context(task: Task) -> Iterator[_Piece]:
    """Where the work happens: the branch, and the programs that are used there."""
    if task.branch:
        yield _Piece("context", task.branch, task, _surroundings)


def _surroundings(tasks: Sequence[Task]) -> str:
    programs = Counter(name.split()[0] for task in tasks for name in told_line.command_names(task.commands))
    used = _listed([name for name, _ in programs.most_common(_MOST_NAMES)])
    return f"Work on the branch {tasks[0].branch}" + (f" uses {used}" if used else "")


def _semantic(tasks: Sequence[Task]) -> Iterator[_Piece]:
    """What words of a project mean: the file that most tasks with such a word wrote, and how they went."""
    by_word: dict[tuple[str, str], list[Task]] = {}
    spelled: dict[str, str] = {}
    for task in tasks:
        for term, word in _words(task.title).items() if task.files else ():
            by_word.setdefault((task.project, term), []).append(task)
            spelled[term] = min(spelled.get(term, word), word, key=len)
    counts = Counter(task.project for task in tasks if task.files)
    writers = Counter(file for task in tasks for file in task.files)
    concepts = [
        (term, named, file) for (project, term), named in by_word.items()
        if len(named) >= _FEWEST_SHARED and (file := _common_file(named, counts[project], writers))
    ]  # fmt: skip
    for term, named, file in sorted(concepts, key=lambda entry: (-len(entry[1]), entry[0]))[:_MOST_CONCEPTS]:
        for task in named:
            if file in task.files:
                yield _Piece("semantic", term, task, _meaning(spelled[term], file, len(named)), (file,))


def _words(title: str) -> dict[str, str]:
    """The words of a title that name something, by their terms."""
    words = (word for word in relevance.keyword_text(title).split() if len(word) > 1 and not word.isdigit())
    return {term: word for word in words for term in nearness.terms(word)}


def _common_file(named: Sequence[Task], total: int, writers: Mapping[str, int]) -> str:
    """The file that most of some tasks wrote, and at least twice as often as tasks do on the whole."""
    file, count = Counter(file for task in named for file in task.files).most_common(1)[0]
    is_own = count * total >= 2 * writers[file] * len(named)
    return file if count >= _FEWEST_SHARED and count / len(named) >= _SHARE and is_own else ""


def _meaning(term: str, file: str, named: int) -> Callable[[Sequence[Task]], str]:
    def write(tasks: Sequence[Task]) -> str:
        went = Counter(task.outcome for task in tasks)
        outcomes = ", ".join(f"{count} {outcome}" for outcome, count in went.most_common())
        name = told_line.file_name(file, tasks[0].project)
        return f"“{term}” is about {name}: {len(tasks)} of {named} tasks wrote it ({outcomes})"

    return write


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
