"""Memories of five types out of tasks: the pieces of one task, and the memory of joined pieces. Pure."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from learnloop.learn.hear import wording
from learnloop.learn.language import lexicon, rarity
from learnloop.learn.language import words as own_words
from learnloop.learn.tasks import patterns, told_line
from learnloop.models.memory import LONGEST_TEXT, JoinedPieces, Memory, MemoryPiece, MemorySource, MemoryType
from learnloop.models.task import Task, TaskStep
from learnloop.wire import clock, globs, nearness, relevance, text

_CONFIDENCE = {"said": 0.9, "inferred": 0.6, "none": 0.4}
_MOST_FILES, _MOST_TAGS, _MOST_NAMES, _LONGEST_NAME = 20, 12, 5, 60
_FEWEST_SHARED, _FEWEST_JUDGED, _SHARE, _MOST_CONCEPTS, _FEWEST_TERMS = 3, 2, 0.6, 50, 4
_VARIABLE = re.compile(r"\b(?:v?\d+(?:[.:/_t-]\d+)+z?|v?\d{3,}|(?=[a-f]*\d)[0-9a-f]{7,40})\b", re.I)
"""Versions, dates, hashes, and numbers that are not those of a short list."""
_NEGATIONS = frozenset(("no", "not"))
_DAY_MS = 86_400_000
_IDENTIFIER = re.compile(r"\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[a-z]+_[a-z_]\w+)\b")
_SYMBOL = re.compile(rf"`([A-Za-z_]\w+(?:\.[A-Za-z_]\w+)*)(?:\(\))?`|({_IDENTIFIER.pattern})(?![\w./-])")
_EXTENSIONS = lexicon.PROSE.union(*lexicon.LANGUAGES.values())
_UNDOING = ("git checkout", "git restore", "git reset", "git revert", "git stash", "rm ")
_MOST_SYMBOLS, _MOST_STEPS, _LONGEST_HEADING, _FEWEST_ORDERED, _READ = 3, 12, 100, 3, 4_096
_MEANINGLESS = lexicon.NO_KEYWORDS | lexicon.PLAIN_ACTS | {"notice", "main", "pr", "index", "help"}
"""Words of any project."""


def source(task: Task) -> MemorySource:
    """What memories say of a task."""
    files = tuple(told_line.file_name(file, task.project) for file in task.files)
    about = tuple(dict.fromkeys([*task.tags, *_IDENTIFIER.findall(task.input)]))[:_MOST_TAGS]
    return MemorySource(
        task.id, task.started, task.session_id, task.agent, task.project, task.outcome, task.known,
        task.title, files, about,
    )  # fmt: skip


def _words(title: str) -> dict[str, str]:
    """The words of a title that name something, by their terms."""
    words = (word for word in relevance.keyword_text(title).split() if len(word) > 1 and not word.isdigit())
    return {term: word for word in words for term in nearness.terms(word)}


def pieces(task: Task) -> list[MemoryPiece]:
    """What one task says, each piece once; nothing of one that did nothing.

    What only goes on has no title of its own: it says what it mended and where.
    """
    if not (task.calls or task.files or task.commands):
        return []
    own = () if task.continues else (*_episodic(task), *_procedural(task))
    return list(
        {piece.key: piece for piece in (*own, *_technical(task), *_symbols(task), *_context(task))}.values()
    )


def name(joined: JoinedPieces) -> str:
    """The id of the memory of some pieces: the type and the first task; a number where that has several."""
    return f"{joined.newest.type}-{joined.first}" + (f"-{joined.number + 1}" if joined.number else "")


def memory(joined: JoinedPieces, keep_days: int = 0) -> Memory:
    """The memory of the pieces with one key; it expires with its events after so many days."""
    newest, task = joined.newest, joined.source
    is_context = newest.type == "context"
    return Memory(
        id=name(joined), key=newest.key, type=newest.type, task=joined.first, seen=joined.seen,
        session_id=task.session_id, agent=task.agent,
        text=text.cut(_surroundings(joined.texts) if is_context else newest.text, LONGEST_TEXT),
        tasks=joined.tasks, ts=task.started, project=task.project,
        files=((newest.file,) if newest.file else task.files)[:_MOST_FILES],
        confidence=_CONFIDENCE[joined.known], relevance=task.about,
        expires=clock.iso(clock.parse_ms(task.started) + keep_days * _DAY_MS) if keep_days else None,
    )  # fmt: skip


def _piece(kind: MemoryType, project: str, key: object, words: str, file: str = "") -> MemoryPiece:
    digest = hashlib.blake2b(repr((kind, project, key)).encode("utf-8", "replace"), digest_size=12)
    return MemoryPiece(kind, digest.hexdigest(), words, file)


def _episodic(task: Task) -> Iterator[MemoryPiece]:
    """What happened: every task that did something."""
    yield _piece("episodic", task.project, (*_asked(task), task.outcome), _happened(task))


def _asked(task: Task) -> tuple[object, object]:
    """What requests for the same have in common: nearly all words and the first file, or command.

    What says little has to be the same as a whole.
    """
    plain = _VARIABLE.sub(" ", wording.trimmed(task.title))
    negations = _NEGATIONS.intersection(nearness.words(plain))
    telling = {*nearness.terms(plain), *negations} - lexicon.FILLER
    where = task.files or tuple(told_line.command_names(task.commands))
    if len(telling) >= _FEWEST_TERMS:
        return sorted(telling), where[:1]
    return sorted(nearness.terms(task.title)) or task.title, sorted(where)


def _happened(task: Task) -> str:
    files = [told_line.file_name(file, task.project) for file in task.files]
    parts = [
        f"{task.title}: {task.outcome}{'' if task.known != 'inferred' else ', inferred'}",
        f"wrote {_listed(files)}" if files else "",
        f"ran {_listed(names)}" if (names := told_line.command_names(task.commands)) else "",
        f"error: {task.error_class}" if task.error_class else "",
    ]
    return "; ".join(filter(None, parts))


def _procedural(task: Task) -> Iterator[MemoryPiece]:
    """How to do it: the steps of a success; the same steps in any order are one procedure."""
    if len(steps := procedure(task)) > 1:
        parts = filter(None, (heading(task), ", then ".join(steps)))
        yield _piece("procedural", task.project, sorted(steps), ": ".join(parts))


def heading(task: Task) -> str:
    """The first order of the person that says what it is about, without address and anger; may be empty."""
    own = own_words.own_words(task.input[:_READ])
    orders = (_order(own.restore(sentence.text)) for sentence in own.every)
    telling = (order for order in orders if len(nearness.terms(order)) >= _FEWEST_ORDERED)
    return text.cut(next(telling, ""), _LONGEST_HEADING)


def _order(sentence: str) -> str:
    line = " ".join(sentence.split())
    order = wording.trimmed(line)
    return order if wording.orders(order) and not line.endswith(":") else ""


def procedure(task: Task) -> tuple[str, ...]:
    """The steps that led to a success, each once where it was done last; empty for any other task."""
    if task.outcome != "success":
        return ()
    every: list[str] = []
    for step in task.steps:
        if step.result == "done":
            every = _without_undone(every, step, task.project) + _step_names(step, task.project)
    return tuple(dict.fromkeys(reversed(every)))[::-1][-_MOST_STEPS:]


def _step_names(step: TaskStep, project: str) -> list[str]:
    if step.tool in told_line.WRITING and step.target:
        return [f"change {told_line.file_name(step.target, project)}"]
    is_run = step.tool == "Bash" and not _undoes(step)
    return [f"run {name}" for name in told_line.command_names([step.target])] if is_run else []


def _undoes(step: TaskStep) -> bool:
    return step.tool == "Bash" and step.target.lstrip().startswith(_UNDOING)


def _without_undone(every: Sequence[str], step: TaskStep, project: str) -> list[str]:
    """The steps so far, without the changes of files that this one takes back."""
    if not _undoes(step):
        return list(every)
    words = {told_line.file_name(word, project) for word in step.target.split()}
    takes_all = "--hard" in words or "." in words
    return [
        name for name in every
        if not name.startswith("change ") or not (takes_all or name.removeprefix("change ") in words)
    ]  # fmt: skip


def _technical(task: Task) -> Iterator[MemoryPiece]:
    """What failed, and what was changed before it passed."""
    for step in task.steps:
        if step.result != "failed" or step.error_class in ("", patterns.INTERRUPTED):
            continue
        name = _acting(step, task.project)
        fixes = patterns.fix(task.steps, step.error_class) if name else ()
        if changed := [_short(target, task.project) for target in fixes]:
            words = f"{name} failed ({step.error_class}) and passed after {_listed(changed)}"
            yield _piece("technical", task.project, (name, step.error_class), words)


def _symbols(task: Task) -> Iterator[MemoryPiece]:
    """Which files work on a symbol changed that the person named, and what proved it; only of successes."""
    if task.outcome != "success" or not 0 < len(task.files) <= _MOST_NAMES:
        return
    files = [told_line.file_name(file, task.project) for file in task.files]
    proofs = told_line.proofs(task)
    proved = f"; proved by {_listed(proofs)}" if proofs else ""
    for symbol in _named_symbols(task):
        words = f"work on `{symbol}` changed {_listed(files)}{proved}"
        yield _piece("technical", task.project, (symbol, sorted(files)), words)


def _acting(step: TaskStep, project: str) -> str:
    """The name of what a step works on or runs; empty for a command that only looks."""
    if step.tool != "Bash":
        return _short(step.target, project)
    simple = globs.simple_commands(step.target.partition("\n")[0])
    acting = next(filter(patterns.command_name, simple), "")
    return next(iter(told_line.command_names([step.target])), _short(acting, ""))


def _short(target: str, project: str) -> str:
    """A file's name below the project; the first line of a command."""
    return text.cut(told_line.file_name(target, project).partition("\n")[0], _LONGEST_NAME)


def _named_symbols(task: Task) -> list[str]:
    """The first symbols in the person's own words, each in one spelling."""
    places = f"{task.project} {' '.join(task.files)}".lower()
    every = ("".join(forms) for forms in _SYMBOL.findall(own_words.own_words(task.input[:_READ]).text))
    symbols = {name.lower(): name for name in every if name.rpartition(".")[2] not in _EXTENSIONS}
    own = (name for low, name in symbols.items() if low not in places and not rarity.is_everyday(low))
    return list(own)[:_MOST_SYMBOLS]


def _context(task: Task) -> Iterator[MemoryPiece]:
    """Where work was judged: its branch, and the versions that programs printed there, a line each."""
    if task.branch and task.versions and task.outcome != "unknown":
        yield _piece("context", task.project, task.branch, "\n".join([task.branch, *task.versions]))


def _surroundings(texts: Sequence[str]) -> str:
    branch, versions = texts[0].partition("\n")[0], {}
    for line in reversed([line for words in texts for line in words.split("\n")[1:]]):
        name, _, versions[name] = line.partition(" ")
    used = _listed([f"{name} {number}" for name, number in versions.items()][:_MOST_NAMES])
    return f"Work on the branch {branch} uses {used}"


def meanings(sources: Sequence[MemorySource]) -> Iterator[tuple[MemorySource, MemoryPiece]]:
    """What words of a project mean: the file that most tasks with such a word wrote, and how they went."""
    by_word: dict[tuple[str, str], list[MemorySource]] = {}
    spelled: dict[str, str] = {}
    for task in sources:
        for term, word in _words(task.title).items() if task.files else ():
            by_word.setdefault((task.project, term), []).append(task)
            spelled[term] = min(spelled.get(term, word), word, key=len)
    counts = Counter(task.project for task in sources if task.files)
    writers = Counter((task.project, file) for task in sources for file in task.files)
    concepts = [
        (named, term, file) for (project, term), named in by_word.items()
        if sum(task.outcome != "unknown" for task in named) >= _FEWEST_JUDGED
        and len(named) >= _FEWEST_SHARED and _MEANINGLESS.isdisjoint(rarity.bases(spelled[term]))
        and (file := _common_file(named, counts[project], writers))
        and (not rarity.is_everyday(spelled[term]) or _is_sure(term, file, named))
    ]  # fmt: skip
    for named, term, file in sorted(concepts, key=lambda entry: (-len(entry[0]), entry[1]))[:_MOST_CONCEPTS]:
        wrote = [task for task in named if file in task.files]
        words = _meaning(spelled[term], file, wrote, len(named))
        yield from ((task, _piece("semantic", task.project, term, words, file)) for task in wrote)


def _is_sure(term: str, file: str, named: Sequence[MemorySource]) -> bool:
    """Whether even an everyday word means a file: all its tasks wrote it, or its name has the word."""
    return all(file in task.files for task in named) or term in nearness.terms(file.rpartition("/")[2])


def _common_file(named: Sequence[MemorySource], total: int, writers: Mapping[tuple[str, str], int]) -> str:
    """The file that most of some tasks wrote, and at least twice as often as tasks do on the whole."""
    file, count = Counter(file for task in named for file in task.files).most_common(1)[0]
    is_own = count * total >= 2 * writers[named[0].project, file] * len(named)
    return file if count >= _FEWEST_SHARED and count / len(named) >= _SHARE and is_own else ""


def _meaning(term: str, file: str, wrote: Sequence[MemorySource], named: int) -> str:
    went = Counter(task.outcome for task in wrote)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in went.most_common())
    return f"“{term}” is about {file}: {len(wrote)} of {named} tasks wrote it ({outcomes})"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
