"""The earlier tasks of a project that are nearest to a moment: what hook, `learn prime` and console share.

A word's evidence is its rarity in bits times what it counts in the task (BM25 without rarity, in percent).
Of a word or file the 64 best tasks count, of a prompt the 12 rarest words. `wire.nearness` adds it up.

Tasks lie in sections, oldest first; a task's number is its place among all. What a word counts in a task
depends on the task alone, so the result is the same however tasks are cut into sections.
"""

from learnloop.wire import index, nearness, paths, regular
from learnloop.wire.search import project_place, target_key, word_key

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from learnloop.wire.index import RecordSection
    from learnloop.wire.nearness import Nearness, Record

NUMBER_BITS = 24
"""A posting: what a word counts in a task, and in the last bits the task's number."""
_NUMBER = (1 << NUMBER_BITS) - 1
MOST_POSTINGS = 64
LIST = "list"
"""Names the files of the index, those of the oldest tasks first."""
_MOST_BYTES = 1 << 16
_RAREST, _LAST_FILES, _LEAST_FILES, _OLDEST = 12, 10, 600, 50
_FEWEST_SHARED, _MOST_SHARED, _TIMES, _TELLING = 2, 3, 4, 200
"""Of files that near tasks share; a word tells tasks apart from two bits on."""


def file_key(file: str) -> int:
    """Where the tasks stand that wrote a file."""
    return target_key("f", file)


def term_key(term: str) -> int:
    """Where the tasks stand that have a term."""
    return word_key(term.encode("utf-8", "surrogatepass"))


def rarity(total: int, having: int) -> int:
    """The bits, in hundredths, that it says of a task to have what so many of all have."""
    share = (2 * total + 2 << 16) // (2 * having + 1)
    bits = share.bit_length() - 1
    return 100 * (bits - 16) + (100 * (share - (1 << bits)) >> bits)


def nearest(
    sections: "Sequence[RecordSection]", prompt: str, files: "Sequence[str]", count: int, threshold: int = 1,
    accept: "Callable[[Record], bool]" = lambda _record: True,
) -> "list[tuple[Record, Nearness]]":  # fmt: skip
    """The tasks nearest to a prompt and to the files that its session touched last, the nearest first.

    Of equal ones the newer comes first. Only accepted ones from the threshold on count.
    """
    every = scored(sections, prompt, files)
    ranked = [
        (points, number) for number, parts in every.items() if (points := nearness.score(parts)) >= threshold
    ]
    ranked.sort(reverse=True)
    chosen: list[tuple[Record, Nearness]] = []
    for _, number in ranked:
        if len(chosen) == count:
            break
        task = record(sections, number)
        if accept(task):
            chosen.append((task, every[number]))
    return chosen


def work(sections: "Sequence[RecordSection]", prompt: str, tasks: "Sequence[Record]") -> str:
    """What near tasks have in common, in words: the files that several wrote, and what proved them.

    A file counts that these write four times as often as tasks of the project do: three of them, or two where
    a telling word of the prompt is in its name. Without such a name they are near by chance. One that the
    prompt names is no news, and one alone says little.
    """
    total, typed = sum([section.count for section in sections]), prompt.lower()
    asked, counts = {*nearness.asked(prompt)}, dict[str, int]()
    for file in [file for task in tasks for file in task["files"]]:
        counts[file] = counts.get(file, 0) + 1
    often = [
        file for file in sorted(counts, key=counts.__getitem__, reverse=True)
        if counts[file] >= _FEWEST_SHARED and _name(file) not in typed
        and counts[file] * total >= _TIMES * len(tasks) * _postings(sections, file_key(file))[0]
    ]  # fmt: skip
    words = {file: asked.intersection(nearness.terms(_name(file))) for file in often}
    named = [file for file in often for word in words[file] if evidence(sections, word, total) >= _TELLING]
    shared = [file for file in often if file in named or counts[file] > _FEWEST_SHARED]
    if not named or len(shared) < _FEWEST_SHARED:
        return ""
    proofs = [task["proof"] for task in tasks if task.get("proof") and {*shared} & {*task["files"]}]
    proved = f"; {max(proofs, key=proofs.count)} proved it" if proofs else ""
    names = [f"{file} ({counts[file]})" for file in shared[:_MOST_SHARED]]
    return f"Work like this wrote {', '.join(names)}{proved}"


def _name(file: str) -> str:
    return file.rpartition("/")[2].lower()


def scored(sections: "Sequence[RecordSection]", prompt: str, files: "Sequence[str]") -> "dict[int, Nearness]":
    """Words, files and age of every task that shares a word or a file, by its number."""
    total = sum([section.count for section in sections])
    by_words = _by_words(sections, total, nearness.asked(prompt))
    by_files = _by_files(sections, total, files[-_LAST_FILES:])
    return {
        number: (
            min(by_words.get(number, 0) // nearness.EVIDENCE, nearness.MOST_WORDS),
            by_files.get(number, 0),
            age(number, total),
        )
        for number in by_words.keys() | by_files.keys()
    }


def age(number: int, total: int) -> int:
    """What a task's age leaves of its score, in percent."""
    return _OLDEST + (100 - _OLDEST) * (number + 1) // total


def part_names(root: str) -> "list[str]":
    """The files of the index, those of the oldest tasks first; raises ValueError and OSError for damage."""
    try:
        return regular.read(f"{paths.earlier_tasks(root)}/{LIST}", _MOST_BYTES).decode("ascii").split()
    except FileNotFoundError:
        return []


def sections(root: str, project: str) -> "list[RecordSection]":
    """The sections of a project's earlier tasks, oldest first; raises ValueError and OSError for damage."""
    folder, every = paths.earlier_tasks(root), []
    for name in part_names(root):
        section = section_of(index.Index(regular.opened(f"{folder}/{name}")), project)
        if section:
            every.append(section)
    return every


def section_of(opened: "index.Index", project: str) -> "RecordSection | None":
    """The tasks of a project in one file of the index."""
    place = project_place(opened, project)
    return index.RecordSection(opened, place[0], place[1:3], place[3]) if place else None


def evidence(sections: "Sequence[RecordSection]", term: str, total: int) -> int:
    """What a word says of a task that has it once, in hundredths of a bit."""
    blocks = [section.postings(term_key(term)) for section in sections]
    having = sum([block[0] for block in blocks if len(block)])
    return rarity(total, having) if having else 0


def _by_words(sections: "Sequence[RecordSection]", total: int, looked_up: "Sequence[str]") -> dict[int, int]:
    """The evidence of the rarest words, in hundredths of a bit, by task; one of several is none."""
    lists = []
    for term in looked_up:
        having, postings = _postings(sections, term_key(term))
        if having:
            lists.append((rarity(total, having), term, postings))
    lists.sort(reverse=True)
    points: dict[int, int] = {}
    hits: dict[int, int] = {}
    for bits, _, postings in lists[:_RAREST]:
        for entry in postings:
            number = entry & _NUMBER
            points[number] = points.get(number, 0) + bits * (entry >> NUMBER_BITS) // 100
            hits[number] = hits.get(number, 0) + 1
    fewest = min(nearness.FEWEST_HITS, len(looked_up))
    return {number: points[number] for number in points if hits[number] >= fewest}


def _by_files(sections: "Sequence[RecordSection]", total: int, files: "Iterable[str]") -> dict[int, int]:
    """The share of the files' evidence that each task has, in percent."""
    points: dict[int, int] = {}
    every = 0
    for file in dict.fromkeys(files):
        having, postings = _postings(sections, file_key(file))
        bits = rarity(total, having) if having else 0
        every += bits
        for entry in postings:
            points[entry & _NUMBER] = points.get(entry & _NUMBER, 0) + bits
    return {number: 100 * bits // max(every, _LEAST_FILES) for number, bits in points.items()}


def _postings(sections: "Sequence[RecordSection]", key: int) -> "tuple[int, list[int]]":
    """How many tasks stand under a key, and the postings of the best, by the numbers among all tasks."""
    having, before = 0, 0
    every: list[int] = []
    for section in sections:
        block = section.postings(key)
        if len(block):
            having += block[0]
            every += [entry + before for entry in block[1:]]
        before += section.count
    every.sort(reverse=True)
    return having, every[:MOST_POSTINGS]


def record(sections: "Sequence[RecordSection]", number: int) -> "Record":
    """A task by its number among all."""
    for section in sections:
        if number < section.count:
            return section.record(number)
        number -= section.count
    raise ValueError("beyond the last task")
