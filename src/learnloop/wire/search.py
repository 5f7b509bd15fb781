"""Top lessons for a moment from an inverted index, by score bounds (MaxScore) and not by a look at all.

Keys of a section say which lessons *may* match; a bound on the score, from the same arithmetic as the score,
says in which order to look; `relevance.score` decides. The result equals a look at every lesson.

Lessons of a section are numbered by *shape* (what the score depends on besides keywords and targets), then by
id: a long list of equally promising lessons is one run that is looked at only as far as needed.
"""

from learnloop.wire import relevance
from learnloop.wire.index import MODULUS, RecordSection

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    from learnloop.wire.index import Index
    from learnloop.wire.relevance import Moment, Record

    Score: TypeAlias = dict[str, Any]
    Run: TypeAlias = tuple[int, "IndexSection", Iterable[int]]
    """A bound on the score, and the lessons of a section that it holds for, by rising id."""
    Lists: TypeAlias = tuple[Sequence[int], Sequence[int], Sequence[int]]

KINDS = ACTION, CONTEXT = 0, 1
"""A lesson's lists of keywords that count at tools."""
WEIGHT_BITS = 7
"""A word's telling entries: a lesson's number, and in the last bits what the word counts for it."""
_MOST_POINTS = 100
MOST_DECLARED = 4
"""Shapes tell apart so many keywords a list; of a lesson with more, fewer are enough for the same bound."""
TOOL_BITS = {name: 1 << position for position, name in enumerate(relevance.ASKED_TOOLS)}
_MOST_LOOKS = 300
_MOST_FOUND_OUT = 5  # discoveries at the start of a session
MOST_HITS = 6000
"""Entries of keyword lists that are counted one by one; longer lists are only asked about single lessons."""
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
    for section in sections(index, moment.project) if count else ():
        runs += section.runs(moment, threshold)
    runs.sort(key=lambda run: -run[0])
    ranked: list[tuple[int, str, Record, Score]] = []
    looked: set[tuple[int, int]] = set()
    for bound, section, numbers in runs:
        if (len(ranked) == count and -ranked[-1][0] > bound) or len(looked) >= _MOST_LOOKS:
            break
        for number in numbers:
            if (section.offset, number) in looked:
                continue
            looked.add((section.offset, number))
            record = section.record(number)
            if len(ranked) == count and (-bound, record["id"]) > ranked[-1][:2]:
                break
            score = relevance.score(record, moment, threshold)
            if score["fires"] and accept(record):
                ranked.append((-score["final"], record["id"], record, score))
                ranked.sort(key=lambda entry: entry[:2])
                del ranked[count:]
            if len(looked) >= _MOST_LOOKS:
                break
    return [(record, score) for _, _, record, score in ranked]


def start(index: "Index", moment: "Moment") -> "Iterator[Record]":
    """The lessons for an agent's start: CRITICAL ones, confirmed beliefs, standing ones and the most useful
    discoveries, in this order; those of the project come first."""
    beliefs, standing, discoveries = [], [], []
    for section in reversed(sections(index, moment.project)):
        numbers: set[int] = set()
        for name in ("", moment.agent, "host:" + moment.host):
            numbers.update(section.postings(target_key("g", name)))
        for number in sorted(numbers):
            record = section.record(number)
            if relevance.scope_miss(record, moment):
                continue
            if record.get("belief"):
                beliefs.append(record)
            elif record["priority"] == "CRITICAL":
                yield record
            elif "standing" in record:
                standing.append((-record["standing"], record["id"], record))
            else:
                discoveries.append((-record.get("rank", 0), record["id"], record))
    yield from beliefs
    for _, _, record in sorted(standing):
        yield record
    for _, _, record in sorted(discoveries)[:_MOST_FOUND_OUT]:
        yield record


def named(index: "Index", project: str, ids: "Iterable[str]") -> "Iterator[Record]":
    """The lessons with these ids that hold everywhere or in the project."""
    for section in sections(index, project):
        for name in ids:
            for number in section.postings(target_key("i", name)):
                record = section.record(number)
                if record["id"] == name:
                    yield record


def sections(index: "Index", project: str) -> "list[IndexSection]":
    """The section of global lessons and the one of the project, those that are there."""
    places = [index.header["global"], project_place(index, project)]
    return [IndexSection(index, *place) for place in places if place]


def project_place(index: "Index", project: str) -> "list[int] | None":
    """Where the section of a project stands, by its folder, else by its name; None where there is none."""
    buckets = index.header["projects"]
    bucket = buckets[target_key("", project) % len(buckets)] if buckets and project else None
    place: list[int] | None = index.segment(*bucket).get(project) if bucket else None
    if place is None and index.header.get("named") and project[:1] == "/":
        from learnloop.wire import origin  # a checkout that no lesson comes from

        return project_place(index, origin.name(project))
    return place


class IndexSection(RecordSection):
    """The lessons of one project, or the global ones, and the keys that lead to them."""

    def __init__(self, index: "Index", offset: int, length: int) -> None:
        head = index.segment(offset, length)
        super().__init__(
            index, head["lessons"], head["buckets"], head["records"], index.read(*head["filter"])
        )
        self.offset = offset
        self._shapes: list[list[int]] = head["shapes"]
        self._starts: list[int] = [shape[0] for shape in self._shapes] + [head["lessons"]]
        self._has_absolute: bool = head["absolute"]
        self._repeats: int = head.get("repeats", 1)  # keywords of one lesson under one key, at most

    def runs(self, moment: "Moment", threshold: int) -> "Iterator[Run]":
        """Every lesson that may fire, in runs with the same bound on the score."""
        return self._at_prompt(moment, threshold) if moment.is_prompt else self._at_tool(moment, threshold)

    def _at_prompt(self, moment: "Moment", threshold: int) -> "Iterator[Run]":
        """Lessons whose words are telling enough, those that come to the same in one run."""
        points, pooled = self._points(moment.words)
        numbers = sorted([n for n, count in points.items() if count >= relevance.ENOUGH])
        for shape, run in self._by_shape(numbers):
            groups: dict[int, list[int]] = {}
            for n in run:
                groups.setdefault(min(points[n], _MOST_POINTS), []).append(n)
            for count, group in groups.items():
                if count * shape[1] // 100 >= threshold:
                    yield count * shape[1] // 100, self, group
        for shape, run in self._by_shape(sorted(pooled)):
            if shape[1] >= threshold:
                yield shape[1], self, run

    def _points(self, words: "Iterable[str]") -> "tuple[dict[int, int], set[int]]":
        """What the words count for each lesson at most, and the lessons of words that very many share."""
        points: dict[int, int] = {}
        lists, common = self._keywords(words)
        for _, _, telling in lists:
            for entry in telling:
                number = entry >> WEIGHT_BITS
                points[number] = points.get(number, 0) + (entry & (1 << WEIGHT_BITS) - 1)
        return points, {entry >> WEIGHT_BITS for _, _, telling in common for entry in telling}

    def _at_tool(self, moment: "Moment", threshold: int) -> "Iterator[Run]":
        lists, common = self._keywords(moment.words)
        counts = tuple([_counted([hits[kind] for hits in lists]) for kind in KINDS])
        targets: set[int] = set()  # lessons of which a pattern may cover the file or the command at hand
        for key in set(_target_keys(moment, self._has_absolute)):
            targets.update(self.postings(key))
        if moment.file is not None:
            targets |= self._at_stake(relevance.stake(moment.file))
        most = [sum(bool(hits[kind]) for hits in common) * self._repeats for kind in KINDS]
        bounds = _Bounds(moment, most, threshold)
        alone = set(counts[ACTION])
        # context counts only where the lesson may fire for another reason
        alone.update(counts[CONTEXT] if bounds.common[ACTION] else targets & counts[CONTEXT].keys())
        yield from self._grouped(bounds, sorted(alone), counts, targets)
        yield from self._pooled(bounds, lambda: sorted(targets - alone), on_target=True)
        if bounds.common[ACTION]:
            yield from self._pooled(
                bounds, lambda: sorted({n for hits in common for n in hits[ACTION]}), on_target=False
            )

    def _at_stake(self, path: str) -> "set[int]":
        """The lessons without files and commands that the words of a path may tell."""
        points, pooled = self._points(set(path.split()))
        numbers = sorted(pooled | {n for n, count in points.items() if count >= relevance.ENOUGH})
        return {n for shape, run in self._by_shape(numbers) if not (shape[3] or shape[4]) for n in run}

    def _keywords(self, words: "Iterable[str]") -> "tuple[list[Lists], list[Lists]]":
        """The lists under some words: short ones to count, and long ones that many lessons share."""
        filter_, mask, lists = self.filter, self.mask, []
        for word in words:
            key = int.from_bytes(word.encode("utf-8", "surrogatepass"), "big") * _MIX % MODULUS & -2
            if filter_[(key & mask) >> 3] >> (key & 7) & 1:
                postings = self.postings(key)
                if postings:
                    lists.append(postings)
        lists.sort(key=len)
        room, split = MOST_HITS, 0
        while split < len(lists) and room >= len(lists[split]):
            room -= len(lists[split])
            split += 1
        apart = list(map(_apart, lists))
        return apart[:split], apart[split:]

    def _grouped(
        self, bounds: "_Bounds", numbers: list[int], counts: "tuple[dict[int, int], ...]", targets: set[int]
    ) -> "Iterator[Run]":
        """Lessons with keywords in the text, those of one shape and with as many of them in one run."""
        action, context = counts
        for shape, run in self._by_shape(numbers):
            if bounds.of(shape, shape[5:], on_target=False) < bounds.threshold:
                run = [n for n in run if n in targets]
            groups: dict[tuple[int, int, bool], list[int]] = {}
            for n in run:
                hit_counts = (action.get(n, 0), context.get(n, 0), n in targets)
                groups.setdefault(hit_counts, []).append(n)
            for (*hits, on_target), group in groups.items():
                bound = bounds.of(shape, hits, on_target=on_target)
                if bound >= bounds.threshold:
                    yield bound, self, group

    def _pooled(
        self, bounds: "_Bounds", numbers: "Callable[[], list[int]]", *, on_target: bool
    ) -> "Iterator[Run]":
        """Lessons without keywords in the text but common ones, those of one shape in one run."""
        none = [0, 0]
        if not any(bounds.of(shape, none, on_target=on_target) >= bounds.threshold for shape in self._shapes):
            return
        for shape, run in self._by_shape(numbers()):
            bound = bounds.of(shape, none, on_target=on_target)
            if bound >= bounds.threshold:
                yield bound, self, run

    def _by_shape(self, numbers: list[int]) -> "Iterator[tuple[list[int], list[int]]]":
        """Rising numbers in pieces of one shape each."""
        at = 0
        while at < len(numbers):
            position = _below(self._starts, numbers[at] + 1) - 1
            stop = _below(numbers, self._starts[position + 1], at)
            yield self._shapes[position], numbers[at:stop]
            at = stop


def _below(numbers: "Sequence[int]", limit: int, low: int = 0) -> int:
    """How many of the rising numbers are below a limit."""
    high = len(numbers)
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < limit:
            low = middle + 1
        else:
            high = middle
    return low


def _apart(postings: "Sequence[int]") -> "Lists":
    """A word's postings by the keyword list that has the word: two lengths, then the three lists."""
    first = 2 + postings[0]
    second = first + postings[1]
    return postings[2:first], postings[first:second], postings[second:]


def _counted(lists: "list[Sequence[int]]") -> dict[int, int]:
    """How many of the lists each number is in."""
    counts: dict[int, int] = {}
    for numbers in lists:
        for number in numbers:
            counts[number] = counts.get(number, 0) + 1
    return counts


class _Bounds:
    """What a lesson can score at most, given what is known before its record is read."""

    def __init__(self, moment: "Moment", common: list[int], threshold: int) -> None:
        self.threshold = threshold
        self.common = common
        """How many keywords a lesson has at most among words that too many lessons share to be counted."""
        self._tool = TOOL_BITS.get(moment.tool, 0)
        self._named = 3 if moment.tool in relevance.FILE_TOOLS else 4

    def of(self, shape: list[int], hits: "Sequence[int]", *, on_target: bool) -> int:
        """The bound for a lesson of a shape with so many keywords of each list in the text."""
        declared = shape[5:]
        action, context = [min(hits[k] + self.common[k], declared[k]) for k in KINDS]
        if not on_target and not action:
            return -1
        multiplier = shape[1]
        tools, named = shape[2], shape[self._named]
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
