"""Finding the best lessons for a moment without looking at all of them.

A section of the index leads from keys to lessons. Each file or command pattern stands under the one key that
the fewest lessons share: a folder or file name, an extension, the beginning or end of a name, a program. Each
keyword stands under one of its words. Keys say which lessons *may* match; a bound on the score, from the same
arithmetic as the score, says in which order to look; `relevance.score` decides. The search ends when the
worst of the best cannot be beaten any more, so that it equals a look at every lesson.

Lessons of a section are numbered by *shape* (what the score depends on besides keywords and targets), then by
id: a long list of equally promising lessons is one run that is looked at only as far as needed.
"""

from learnloop.wire import relevance
from learnloop.wire.index import MODULUS

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    from learnloop.wire.index import Index
    from learnloop.wire.relevance import Moment, Record

    Score: TypeAlias = dict[str, Any]
    Run: TypeAlias = tuple[int, "Section", Iterable[int]]
    """A bound on the score, and the lessons of a section that it holds for, by rising id."""

ACTION, CONTEXT, WORDS = 0, 1, 2
"""Which of a lesson's keyword lists a posting stands for, in its lowest two bits."""
TOOL_BITS = {name: 1 << position for position, name in enumerate(relevance.ASKED_TOOLS)}
_MOST_LOOKS = 600
_MOST_HITS = 4000
_MIX = 2_654_435_761


def word_key(word: bytes) -> int:
    """Where a word of keywords stands, an even number. The same for two words only costs a look."""
    return int.from_bytes(word, "big") * _MIX % MODULUS & -2


def target_key(kind: str, value: str) -> int:
    """Where something stands that patterns or agents name, an odd number."""
    return word_key(f"{kind}{value}".encode("utf-8", "surrogatepass")) | 1


def best(
    index: "Index", moment: "Moment", count: int, accept: "Callable[[Record], bool]", threshold: int
) -> "list[tuple[Record, Score]]":
    """The `count` best lessons that fire and are accepted, best first, equals by id."""
    runs: list[Run] = []
    for section in sections(index, moment.project):
        runs += section.runs(moment, threshold)
    runs.sort(key=lambda run: -run[0])
    kept: list[tuple[int, str, Record, Score]] = []
    looked: set[tuple[int, int]] = set()
    for bound, section, numbers in runs:
        if (len(kept) == count and -kept[-1][0] > bound) or len(looked) >= _MOST_LOOKS:
            break
        for number in numbers:
            if (section.offset, number) in looked:
                continue
            looked.add((section.offset, number))
            record = section.record(number)
            if len(kept) == count and (-bound, record["id"]) > kept[-1][:2]:
                break
            score = relevance.score(record, moment, threshold)
            if score["fires"] and accept(record):
                kept = sorted([*kept, (-score["final"], record["id"], record, score)], key=_rank)[:count]
            if len(looked) >= _MOST_LOOKS:
                break
    return [(record, score) for _, _, record, score in kept]


def _rank(entry: "tuple[int, str, Record, Score]") -> tuple[int, str]:
    return entry[:2]


def start(index: "Index", moment: "Moment") -> "Iterator[Record]":
    """The CRITICAL lessons that hold for an agent where it starts: the project's, then global ones."""
    for section in reversed(sections(index, moment.project)):
        numbers: set[int] = set()
        for name in ("", moment.agent):
            numbers.update(section.postings(target_key("g", name)))
        for number in sorted(numbers):
            record = section.record(number)
            if not relevance.scope_miss(record, moment):
                yield record


def sections(index: "Index", project: str) -> "list[Section]":
    """The section of global lessons and the one of the project, those that are there."""
    places = [index.header["global"]] if index.header["global"] else []
    buckets = index.header["projects"]
    if buckets and project:
        bucket = buckets[target_key("", project) % len(buckets)]
        place = index.segment(*bucket).get(project) if bucket else None
        places += [place] if place else []
    return [Section(index, *place) for place in places]


class Section:
    """The lessons of one project, or the global ones, and the keys that lead to them."""

    def __init__(self, index: "Index", offset: int, length: int) -> None:
        head = index.segment(offset, length)
        self.offset = offset
        self._index = index
        self._lessons: int = head["lessons"]
        self._shapes: list[list[int]] = head["shapes"]
        self._has_absolute: bool = head["absolute"]
        self._buckets: tuple[int, int] = tuple(head["buckets"])
        self._counts: int = head["counts"]
        self._records: int = head["records"]
        self._filter = index.read(*head["filter"])
        self._mask = 8 * len(self._filter) - 1

    def record(self, number: int) -> "Record":
        """A lesson as it was published."""
        begin, end = self._index.numbers(self._records + 4 * number, 2)
        found: Record = self._index.segment(begin, end - begin)
        return found

    def postings(self, key: int) -> "Sequence[int]":
        """The numbers under a key, rising; nothing where no pattern or keyword stands under it."""
        bit = key & self._mask
        if not self._filter[bit >> 3] >> (bit & 7) & 1:
            return ()
        first, count = self._buckets
        bucket = key * count >> 32
        begin, end = self._index.numbers(first + 4 * bucket, 2)
        block = self._index.numbers(begin, (end - begin) // 4)
        at = 0
        while at < len(block):
            stop = at + 2 + block[at + 1]
            if block[at] == key:
                return block[at + 2 : stop]
            at = stop
        return ()

    def runs(self, moment: "Moment", threshold: int) -> "Iterator[Run]":
        """Every lesson that may fire, in runs with the same bound on the score."""
        listed, common = self._keywords(moment)
        targets = sorted(self._targets(moment))
        hits = _counted(listed)
        bounds = _Bounds(moment, set(targets), common, threshold)
        yield from self._single(bounds, hits)
        if targets:
            yield from self._shaped(bounds, [n for n in targets if n not in hits], on_target=True)
        if bounds.common[ACTION]:
            pooled = {posting >> 2 for postings in common for posting in postings if posting & 3 == ACTION}
            yield from self._shaped(bounds, sorted(pooled), on_target=False)

    def _keywords(self, moment: "Moment") -> "tuple[list[Sequence[int]], list[Sequence[int]]]":
        """The lists under the text's words: short ones to count, and long ones that many lessons share."""
        filter_, mask, found = self._filter, self._mask, []
        for word in set(moment.text.encode("utf-8", "surrogatepass").split()):
            key = int.from_bytes(word, "big") * _MIX % MODULUS & -2  # word_key, without the call
            if filter_[(key & mask) >> 3] >> (key & 7) & 1:
                postings = self.postings(key)
                if postings:
                    found.append(postings)
        found.sort(key=len)
        room = _MOST_HITS
        for position, postings in enumerate(found):
            room -= len(postings)
            if room < 0:
                return found[:position], found[position:]
        return found, []

    def _targets(self, moment: "Moment") -> set[int]:
        """The lessons of which a pattern may cover the file or the command at hand."""
        found: set[int] = set()
        if not moment.is_prompt:
            for key in set(_target_keys(moment, self._has_absolute)):
                found.update(self.postings(key))
        return found

    def _single(self, bounds: "_Bounds", hits: "dict[int, list[int]]") -> "Iterator[Run]":
        """Lessons with keywords in the text, each with a bound of its own."""
        if not hits:
            return
        counts = self._index.read(self._counts, 3 * self._lessons)
        for number, found in hits.items():
            declared = counts[3 * number : 3 * number + 3]
            bound = bounds.of(number, self._shape(number), declared, found)
            if bound >= bounds.threshold:
                yield bound, self, (number,)

    def _shaped(self, bounds: "_Bounds", numbers: list[int], *, on_target: bool) -> "Iterator[Run]":
        """Lessons without keywords of their own in the text: a run for each shape that may fire."""
        for position, shape in enumerate(self._shapes):
            bound = bounds.of_shape(shape, on_target=on_target)
            if bound >= bounds.threshold:
                last = self._shapes[position + 1][0] if position + 1 < len(self._shapes) else self._lessons
                run = numbers[_below(numbers, shape[0]) : _below(numbers, last)]
                if run:
                    yield bound, self, run

    def _shape(self, number: int) -> list[int]:
        low, high = 0, len(self._shapes)
        while high - low > 1:
            middle = (low + high) // 2
            if self._shapes[middle][0] <= number:
                low = middle
            else:
                high = middle
        return self._shapes[low]


def _below(numbers: list[int], limit: int) -> int:
    """How many of the rising numbers are below a limit."""
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < limit:
            low = middle + 1
        else:
            high = middle
    return low


def _counted(listed: "list[Sequence[int]]") -> "dict[int, list[int]]":
    """How many keywords of each list a lesson may have in the text."""
    hits: dict[int, list[int]] = {}
    for postings in listed:
        for posting in postings:
            found = hits.get(posting >> 2)
            if found is None:
                found = hits[posting >> 2] = [0, 0, 0]
            found[posting & 3] += 1
    return hits


class _Bounds:
    """What a lesson can score at most, given what is known before its record is read."""

    def __init__(
        self,
        moment: "Moment",
        targets: set[int],
        common: "list[Sequence[int]]",
        threshold: int,
    ) -> None:
        self.threshold = threshold
        self._is_prompt = moment.is_prompt
        self._tool = TOOL_BITS.get(moment.tool, 0)
        self._is_file = moment.tool in relevance.FILE_TOOLS
        self._targets = targets
        self.common = [0, 0, 0]
        """How many words of the text are keywords of so many lessons that they are not counted by lesson."""
        for postings in common:
            for kind in {posting & 3 for posting in postings}:
                self.common[kind] += 1

    def of(self, number: int, shape: list[int], declared: bytes, found: list[int]) -> int:
        """The bound for one lesson with keywords in the text."""
        counts = [min(found[kind] + self.common[kind], declared[kind]) for kind in (ACTION, CONTEXT, WORDS)]
        return self._final(shape, declared, counts, on_target=number in self._targets)

    def of_shape(self, shape: list[int], *, on_target: bool) -> int:
        """The bound for all lessons of a shape that have no keywords in the text but common ones."""
        declared = shape[5:8]
        counts = [1 if declared[kind] and self.common[kind] else 0 for kind in (ACTION, CONTEXT, WORDS)]
        return self._final(shape, declared, counts, on_target=on_target)

    def _final(
        self, shape: list[int], declared: "Sequence[int]", counts: list[int], *, on_target: bool
    ) -> int:
        _, multiplier, tools, files, commands, *_ = shape
        action, context, words = counts
        named = files if self._is_file else commands
        if not on_target and not action:
            return -1
        if self._is_prompt:
            whole = relevance.PROMPT_CONTEXT
            asked = declared[CONTEXT] + declared[WORDS]
            extra = relevance.share(whole, min(context + words, asked), asked) if asked else 0
            return (relevance.PROMPT_ACTION + extra) * multiplier // 100
        parts = (
            (relevance.TOOL if tools & self._tool else 0) if tools else relevance.TOOL // 2,
            relevance.TARGET if on_target else 0 if named else relevance.TARGET // 2,
            relevance.share(relevance.ACTION, action, declared[ACTION]),
            relevance.share(relevance.CONTEXT, context, declared[CONTEXT]),
        )
        return relevance.finish(parts, on_target, multiplier, self.threshold)


def _target_keys(moment: "Moment", with_absolute: bool) -> "Iterator[int]":
    """The keys under which patterns for the file or the command at hand may stand."""
    if moment.tool in relevance.FILE_TOOLS:
        if moment.file is None:
            return
        relative, absolute = moment.file
        yield target_key("*", "")
        for name in absolute if with_absolute or relative is None else relative:
            yield from name_keys(name)
    elif moment.commands:
        yield target_key("o", "")
        for command in moment.commands:
            program, _, rest = command.partition(" ")
            yield target_key("c", program)
            yield target_key("p", program[:3])
            if rest:
                yield target_key("d", f"{program} {rest.partition(' ')[0]}")


def name_keys(name: str) -> "tuple[int, ...]":
    """The keys of a file's or folder's name: itself, its extension, its beginning and end."""
    return (
        target_key("s", name),
        target_key("e", name.rpartition(".")[2]),
        target_key("h", name[:3]),
        target_key("H", name[:8]),
        target_key("t", name[-8:]),
    )
