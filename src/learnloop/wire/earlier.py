"""The earlier tasks of a project that are nearest to a moment: what hook, `learn prime` and console share.

Everything is counted in integers, so that every reader gets the same numbers:

    words  = bits of evidence that the prompt's words give, in units of 0.4 bit, at most 200
    files  = percent of the evidence in the session's last files that the task shares
    score  = (words + files) × age      age: 100 % for the newest task of the project, 50 % for the oldest

A word's evidence is its rarity in bits times what it counts in the task (BM25 without rarity, in percent).
Of a word or file the 64 best tasks count, of a prompt the 12 rarest words.

Tasks lie in sections, oldest first; a task's number is its place among all. What a word counts in a task
depends on the task alone, so the result is the same however tasks are cut into sections.
"""

from learnloop.wire import codec, index, paths, regular, relevance, session_recalls
from learnloop.wire.search import project_place, target_key, word_key

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, NamedTuple, TypeAlias

    from learnloop.wire.index import Section

    Record: TypeAlias = dict[str, Any]
    """A task as the index holds it."""

    class Parts(NamedTuple):
        """What a task's score is made of."""

        words: int
        files: int
        age: int


THRESHOLD = 60
"""Below it nothing is told: with it, a reader found two of three lines useful (`tests.quality`)."""
COUNT_BITS = 8
"""A posting: a task's number, and in the last bits what the word counts in it."""
MOST_POSTINGS = 64
_MOST_LOOKED_UP, _RAREST, _LAST_FILES = 40, 12, 10
_EVIDENCE, _MOST_WORDS, _LEAST_FILES = 40, 200, 600
_OLDEST = 50
LIST = "list"
"""Names the files of the index, those of the oldest tasks first."""
_MOST_NEAR = 1 << 16
_READ, _FIRST_WORDS, _LAST_WORDS = 2_048, 60, 40
_SHORTEST, _PART = 4, 3
_ENDINGS = ("ings", "ing", "ed", "es", "s", "ly")
_COMMON = (
    " the a an and or of to in is it for on this that with be as are i you we my me can do does not have has"
    " had was were will would should could if so at by from but your our its let please just now what how"
    " when where which there here also then than into out up about all any some no yes s t ll ve re m d "
)


def terms(text: str) -> "list[str]":
    """The words that count in a text, in order: identifiers in parts, without endings and everyday words."""
    if not text.islower():
        text = " ".join([_in_parts(word) for word in text.split()])
    return [stem(word) for word in relevance.keyword_text(text).split() if f" {word} " not in _COMMON]


def asked(prompt: str) -> "list[str]":
    """The distinct terms of a prompt to look up: of its beginning and its end, without quoted code."""
    own = " ".join(prompt.split("```")[::2]) if "```" in prompt else prompt
    every = own.split()
    if len(every) > _FIRST_WORDS + _LAST_WORDS:
        every = every[:_FIRST_WORDS] + every[-_LAST_WORDS:]
    return list(dict.fromkeys(terms(" ".join(every)[: 2 * _READ])))[:_MOST_LOOKED_UP]


def _in_parts(word: str) -> str:
    """`loadUserByID` as `load User By ID`, in front of the word itself."""
    if word[1:].islower() or word.isupper() or word.islower():
        return word
    parts, before = "", "A"
    for sign in word:
        parts += f" {sign}" if sign.isupper() and not before.isupper() else sign
        before = sign
    return f"{parts} {word}" if " " in parts.strip() else word


def stem(word: str) -> str:
    """A word without its ending: `loading`, `loaded` and `loads` are the same."""
    if len(word) <= _SHORTEST:
        return word[:-1] if word[-1:] == "s" and len(word) == _SHORTEST and word[-2] != "s" else word
    if word.endswith("ies"):
        return word[:-3] + "y"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _PART and word[-2:] != "ss":
            word = word[: -len(ending)]
            doubled = len(word) > _PART and word[-1] == word[-2] and word[-1] not in "lsz"
            return word[:-1] if doubled or (word[-1] == "e" and len(word) > _SHORTEST) else word
    return word[:-1] if word[-1] == "e" else word


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


def score(parts: "tuple[int, int, int]") -> int:
    """What words, files and age come to together."""
    words, files, age = parts
    return (words + files) * age // 100


def is_told(parts: "tuple[int, int, int]") -> bool:
    """Whether a task is near enough to be told; a word of the prompt has to be in it."""
    return parts[0] > 0 and score(parts) >= THRESHOLD


def nearest(
    sections: "Sequence[Section]", prompt: str, files: "Sequence[str]", count: int, threshold: int = 1,
    accept: "Callable[[Record], bool]" = lambda _record: True,
) -> "list[tuple[Record, Parts]]":  # fmt: skip
    """The tasks nearest to a prompt and to the files that its session touched last, the nearest first.

    Of equal ones the newer comes first. Only accepted ones from the threshold on count.
    """
    total = sum([section.count for section in sections])
    by_words = _by_words(sections, total, asked(prompt))
    by_files = _by_files(sections, total, files[-_LAST_FILES:])
    ranked: list[tuple[int, int, Parts]] = []
    for number in by_words.keys() | by_files.keys():
        age = _OLDEST + (100 - _OLDEST) * (number + 1) // total
        words = min(by_words.get(number, 0) // _EVIDENCE, _MOST_WORDS)
        parts: Any = (words, by_files.get(number, 0), age)
        if (points := score(parts)) >= threshold:
            ranked.append((points, number, parts))
    ranked.sort(reverse=True)
    chosen: list[tuple[Record, Parts]] = []
    for _, number, parts in ranked:
        if len(chosen) == count:
            break
        record = _record(sections, number)
        if accept(record):
            chosen.append((record, parts))
    return chosen


def near(root: str, session: str, prompt: str) -> "list[tuple[Record, Parts]] | None":
    """The tasks that ingest listed for a session, nearest to a prompt first; None where there is no list."""
    try:
        data = regular.read(session_recalls.path_in(paths.near_tasks(root), session), _MOST_NEAR)
        if index.checksum(data[index.CHECKSUM :]) != int(data[: index.CHECKSUM], 16):
            return None
        entries = codec.decode(data[index.CHECKSUM :].decode("ascii"))
    except (OSError, ValueError, RecursionError):
        return None
    looked_up = asked(prompt)
    ranked = []
    for place, entry in enumerate(entries):
        counted = entry["words"]
        bits = sum([counted[term] for term in looked_up if term in counted])
        parts: Any = (min(bits // _EVIDENCE, _MOST_WORDS), entry["files"], entry["age"])
        ranked.append((-score(parts), place, entry, parts))
    ranked.sort(key=lambda each: each[:2])
    return [(entry, parts) for _, _, entry, parts in ranked]


def sections(root: str, project: str) -> "list[Section]":
    """The sections of a project's earlier tasks, oldest first; raises ValueError and OSError for damage."""
    folder = paths.earlier_tasks(root)
    try:
        names = regular.read(f"{folder}/{LIST}", _MOST_NEAR).decode("ascii").split()
    except FileNotFoundError:
        return []
    every = []
    for name in names:
        opened = index.Index(regular.opened(f"{folder}/{name}"))
        place = project_place(opened, project)
        if place:
            head = opened.segment(*place)
            every.append(index.Section(opened, head, head["count"]))
    return every


def evidence(sections: "Sequence[Section]", term: str, total: int) -> int:
    """What a word says of a task that has it once, in hundredths of a bit."""
    having, _ = _postings(sections, term_key(term))
    return rarity(total, having) if having else 0


def _by_words(sections: "Sequence[Section]", total: int, looked_up: "Iterable[str]") -> dict[int, int]:
    """The evidence of the rarest words, in hundredths of a bit, by task."""
    lists = []
    for term in looked_up:
        having, postings = _postings(sections, term_key(term))
        if having:
            lists.append((rarity(total, having), term, postings))
    lists.sort(reverse=True)
    points: dict[int, int] = {}
    for bits, _, postings in lists[:_RAREST]:
        for counted, number in postings:
            points[number] = points.get(number, 0) + bits * counted // 100
    return points


def _by_files(sections: "Sequence[Section]", total: int, files: "Iterable[str]") -> dict[int, int]:
    """The share of the files' evidence that each task has, in percent."""
    points: dict[int, int] = {}
    every = 0
    for file in dict.fromkeys(files):
        having, postings = _postings(sections, file_key(file))
        bits = rarity(total, having) if having else 0
        every += bits
        for _, number in postings:
            points[number] = points.get(number, 0) + bits
    return {number: 100 * bits // max(every, _LEAST_FILES) for number, bits in points.items()}


def _postings(sections: "Sequence[Section]", key: int) -> "tuple[int, list[tuple[int, int]]]":
    """How many tasks stand under a key, and the best of them: what it counts in each, and the number."""
    having, before, every = 0, 0, []
    for section in sections:
        block = section.postings(key)
        if len(block):
            having += block[0]
            low = (1 << COUNT_BITS) - 1
            every += [(entry & low, before + (entry >> COUNT_BITS)) for entry in block[1:]]
        before += section.count
    if len(every) > MOST_POSTINGS:
        every.sort(reverse=True)
        del every[MOST_POSTINGS:]
    return having, every


def _record(sections: "Sequence[Section]", number: int) -> "Record":
    for section in sections:
        if number < section.count:
            return section.record(number)
        number -= section.count
    raise ValueError("beyond the last task")
