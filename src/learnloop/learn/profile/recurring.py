"""Recurring corrections: remarks that say nearly the same, grouped. Pure, and the same whatever the order.

Two remarks are alike from 0.3 on in the Jaccard index of their word 3-grams (the specification's measure), or
from 0.5 on in that of the words that matter, two of them in common at least: short remarks share no 3-gram.
One that denies is never like one that does not.

A group is a star: one remark and those like it, so that every member has been compared with the centre and
chains of half-alike remarks never grow together. Centres are chosen by how many remarks are like them
(J. Aslam, E. Pelekhov, D. Rus: The star clustering algorithm, 2004), ties broken by the words themselves.
Candidates come from an inverted index; where many remarks share a key, each is compared with a few of them
that are chosen by their words, which keeps the work near-linear.
"""

import gc
import math
import re
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from learnloop.learn.language import lexicon, statement, words
from learnloop.learn.lessons import fingerprint
from learnloop.models.preferences import Category
from learnloop.wire.text import cut

GRAMS = 0.3
WORDS = 0.5
MOST_CHARACTERS = 600
_MOST_WORDS = 80
_CROWD = 8
"""Remarks with one key that are all compared with each other."""
_MOST_TOPIC = 24
"""Words that matter; a remark with more of them is compared by its 3-grams alone."""
_SPOKESMEN = 3
"""Remarks of a larger crowd that each of the others is compared with."""

_DONE_WRONG = re.compile(
    r"\b(?:you|it|this|that)(?:'ve| have| has)? (?:(?:still|again|just) )?(?:did not|didn't|have not|haven't"
    r"|never|forgot(?:ten)?(?: to)?|failed to|missed)\b|\byou(?:'re| are) not\b"
    r"|\bwhy (?:did not|didn't|aren't|are not) you\b"
    r"|\b(?:that|this|it)(?:'s| is| was)(?: still)?(?: not|n't) (?:what|how|right|correct|it|good|true)\b"
    r"|\bnot what i\b|\bisn't (?:what|how|right|correct)\b",
    re.I,
)
"""Complaints about an omission or a mistake; their `not` is no denial."""
_NO_TOPIC = (
    lexicon.FILLER
    | lexicon.TALKING
    | lexicon.PRONOUNS
    | lexicon.listed(
        """about add added adding also but can cant could did doesnt dont even every first get give go going
        got had has if into like lets made make makes making mean meant missing more must need needed needs
        new next no nothing one other out over put really said same say see set should since so some such sure
        than them then they thing things think time too told too up very want wanted wants way well what when
        where which while who why will without would youre ive im id were won"""
    )
) - frozenset(("not",))


@dataclass(frozen=True)
class Remark:
    """One correction as it is compared."""

    id: str
    """Of its event."""
    text: str
    """`normal(user_message)`."""


@dataclass
class Cluster:
    """Remarks that are alike, as ids: the centre's, then all in order."""

    centre: str
    """The text that the others are like."""
    ids: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many remarks it has."""
        return len(self.ids)


def normal(message: str) -> str:
    """The words that a remark is compared by, code and quotations in it as one word each."""
    own = words.own_words(message[:4000])
    text = " ".join(own.restore(sentence.text) for sentence in own.sentences)[:MOST_CHARACTERS]
    return " ".join(fingerprint.normalise(_DONE_WRONG.sub(" ", text)).split()[:_MOST_WORDS])


class Index:
    """Remarks, and the groups they form; equal ones are one node."""

    def __init__(self, remarks: Iterable[Remark] = ()) -> None:
        self._ids: dict[str, list[str]] = {}
        self._text_of: dict[str, str] = {}
        self._keys: dict[str, list[str]] = {}
        self._spokesmen: dict[str, list[str]] = {}
        for remark in remarks:
            self.add(remark)

    def add(self, remark: Remark) -> None:
        """Know one more remark, once; one without words is like none."""
        if not remark.text or remark.id in self._text_of:
            return
        self._text_of[remark.id] = remark.text
        same = self._ids.get(remark.text)
        if same is not None:
            same.append(remark.id)
            return
        self._ids[remark.text] = [remark.id]
        for key in _features(remark.text).keys:
            crowd = self._keys.get(key)
            if crowd is None:
                self._keys[key] = [remark.text]
            else:
                crowd.append(remark.text)
                self._spokesmen.pop(key, None)

    def remove(self, remark_id: str) -> None:
        """Know a remark no more."""
        text = self._text_of.pop(remark_id, None)
        if text is None:
            return
        self._ids[text].remove(remark_id)
        if not self._ids[text]:
            del self._ids[text]
            for key in _features(text).keys:
                self._keys[key].remove(text)
                self._spokesmen.pop(key, None)

    def __contains__(self, remark_id: object) -> bool:
        return remark_id in self._text_of

    def like(self, remark_id: str) -> list[str]:
        """The ids of the remarks that are like one; it is not among them."""
        text = self._text_of.get(remark_id)
        if text is None:
            return []
        same = [one for one in self._ids[text] if one != remark_id]
        return same + [one for other in self._like(text) for one in self._ids[other]]

    def clusters(self) -> list[Cluster]:
        """All groups, the largest first."""
        every = list(self._ids)
        return self._stars(every, self._links(every))

    def around(self, remark_ids: Iterable[str]) -> list[Cluster]:
        """The groups that `clusters` has among all remarks that are linked to these, directly or not."""
        waiting = list({self._text_of[one] for one in remark_ids if one in self._text_of})
        like: dict[str, list[str]] = {}
        while waiting:
            text = waiting.pop()
            if text not in like:
                like[text] = self._like(text)
                waiting += [other for other in like[text] if other not in like]
        return self._stars(list(like), like)

    def _stars(self, texts: list[str], like: dict[str, list[str]]) -> list[Cluster]:
        weight = {text: sum(len(self._ids[other]) for other in (text, *like[text])) for text in texts}
        found, taken = [], set()
        for centre in sorted(
            texts, key=lambda text: (-weight[text], -len(self._ids[text]), _rank(text), text)
        ):
            if centre in taken:
                continue
            members = [centre, *sorted(other for other in like[centre] if other not in taken)]
            taken.update(members)
            found.append(Cluster(centre, sorted(one for text in members for one in self._ids[text])))
        return sorted(found, key=lambda one: (-one.count, one.ids))

    def _links(self, texts: list[str]) -> dict[str, list[str]]:
        """For each text of whole components the texts that are like it, each pair compared once."""
        like: dict[str, list[str]] = {text: [] for text in texts}
        features = [_features(text) for text in texts]
        compared = self._numbered(texts, features)
        topics, grams, topic_hidden, gram_hidden, topic_least, gram_least = _columns(features)
        for number, mine in enumerate(features):
            near: set[int] = set()
            for key in mine.keys:
                if key in compared:
                    every, chosen = compared[key]
                    near.update(every if number in chosen else chosen)
            topic, gram = topics[number], grams[number]
            of_topic = topic_least[number] - topic_hidden[number]
            of_grams = gram_least[number] - gram_hidden[number]
            for other in [
                other
                for other in near
                if other > number
                and (
                    (topic & topics[other]).bit_count() >= of_topic + topic_least[other]
                    or (gram & grams[other]).bit_count() >= of_grams + gram_least[other]
                )
            ]:
                if _alike(mine, features[other]):
                    like[texts[number]].append(texts[other])
                    like[texts[other]].append(texts[number])
        return like

    def _numbered(
        self, texts: list[str], features: "list[_Features]"
    ) -> dict[str, tuple[list[int], Collection[int]]]:
        """By key the numbers of the texts that share it, and of those that each of them is compared with.

        Those of a component are all that can be like each other, so who speaks for a crowd is asked of all.
        """
        sharing: dict[str, list[int]] = {}
        for number, mine in enumerate(features):
            for key in mine.keys:
                sharing.setdefault(key, []).append(number)
        found: dict[str, tuple[list[int], Collection[int]]] = {}
        for key, numbers in sharing.items():
            if len(self._keys[key]) > _CROWD:
                chosen = set(self._speakers(key))
                found[key] = (numbers, frozenset(one for one in numbers if texts[one] in chosen))
            elif len(numbers) > 1:
                found[key] = (numbers, frozenset(numbers))
        return found

    def _like(self, text: str) -> list[str]:
        """The other texts that are like one."""
        mine = _features(text)
        return [other for other in self._candidates(text) if other != text and _alike(mine, _features(other))]

    def _candidates(self, text: str) -> set[str]:
        found: set[str] = set()
        for key in _features(text).keys:
            crowd = self._keys[key]
            if len(crowd) > 1:
                found.update(self._compared(key, text) if len(crowd) > _CROWD else crowd)
        return found

    def _compared(self, key: str, text: str) -> Iterable[str]:
        """Of a large crowd those that speak for it, and for one of these everybody."""
        chosen = self._speakers(key)
        return self._keys[key] if text in chosen else chosen

    def _speakers(self, key: str) -> list[str]:
        chosen = self._spokesmen.get(key)
        if chosen is None:
            ranked = sorted(self._keys[key], key=lambda one: (_rank(one), one))
            chosen = self._spokesmen[key] = ranked[:_SPOKESMEN]
        return chosen


def cluster(remarks: Iterable[Remark]) -> list[Cluster]:
    """The groups that remarks form, the largest first, single remarks among them."""
    collects = gc.isenabled()
    gc.disable()  # it would look through millions of small objects again and again
    try:
        return Index(remarks).clusters()
    finally:
        if collects:
            gc.enable()


def similarity(one: str, other: str) -> float:
    """How alike two messages are, 0–1: the larger of both measures, 0 where only one denies."""
    first, second = _features(normal(one)), _features(normal(other))
    if first.denies != second.denies:
        return 0.0
    return max(_jaccard(first.grams, second.grams), _jaccard(first.topic, second.topic))


class _Features(NamedTuple):
    grams: frozenset[fingerprint.Gram]
    topic: frozenset[str]
    denies: bool
    keys: tuple[str, ...]


@lru_cache(maxsize=200_000)
def _features(text: str) -> _Features:
    topic = frozenset(word for word in text.split() if word not in _NO_TOPIC and word != "not")
    grams, denies = fingerprint.grams(text), fingerprint.denies(text)
    sign = "-" if denies else "+"
    keys = [sign + gram for gram in _first([" ".join(gram) for gram in grams], GRAMS, 1)]
    if len(topic) <= _MOST_TOPIC:
        keys += [f"{sign}{one}&{other}" for one, other in combinations(_first(topic, WORDS, 2), 2)]
    return _Features(grams, topic, denies, tuple(keys))


def _first(items: Collection[str], threshold: float, shared: int) -> list[str]:
    """So many items, in one order for all sets, that two sets of that similarity share so many among theirs.

    Prefix filtering (S. Chaudhuri, V. Ganti, R. Kaushik, 2006); long words first, which are rarer.
    """
    least = math.ceil(threshold * len(items))
    ordered = sorted(items)
    ordered.sort(key=len, reverse=True)
    return ordered[: len(items) - least + shared]


_Bits = tuple[int, int, int, int, float, float]


def _bits(one: _Features) -> _Bits:
    """What bounds how much two texts share without looking at it: words that matter, then grams.

    A bit for each item by its hash, how many items other bits hide, and this text's part of what two texts
    have to share to be alike: threshold ÷ (1 + threshold) of their sizes together.
    """
    topic, grams = _mask(one.topic), _mask(one.grams)
    return (
        topic, grams, len(one.topic) - topic.bit_count(), len(one.grams) - grams.bit_count(),
        len(one.topic) * WORDS / (1 + WORDS) - 1e-6, len(one.grams) * GRAMS / (1 + GRAMS) - 1e-6,
    )  # fmt: skip


def _columns(features: "list[_Features]") -> tuple[list[Any], ...]:
    """The bounds of all texts, each kind in a list of its own: they are read millions of times."""
    return tuple(map(list, zip(*map(_bits, features), strict=True))) if features else ([],) * 6


def _mask(items: Iterable[Any]) -> int:
    found = 0
    for item in items:
        found |= 1 << hash(item) % 120
    return found


def _alike(one: _Features, other: _Features) -> bool:
    topics = len(one.topic & other.topic)
    if topics >= 2 and topics >= WORDS * (len(one.topic) + len(other.topic) - topics):
        return True
    shared = len(one.grams & other.grams)
    return shared > 0 and shared >= GRAMS * (len(one.grams) + len(other.grams) - shared)


def _jaccard(one: frozenset[Any], other: frozenset[Any]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


@lru_cache(maxsize=200_000)
def _rank(text: str) -> int:
    """A number that scatters texts: who speaks for a crowd is decided by nothing that similar texts share."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


_CATEGORIES: tuple[tuple[Category, re.Pattern[str]], ...] = (
    ("communication", re.compile(
        r"\b(?:verbose|brief|concise|explain\w*|detail\w*|ask(?:s|ed|ing)?|confirm\w*|summar\w+|answers?|wordy"
        r"|repl(?:y|ies)|tell|english)\b", re.I)),
    ("style", re.compile(
        r"\b(?:typescript|types?|eslint|prettier|format\w*|indent\w*|nam(?:e|es|ed|ing)|style|comments?|quotes"
        r"|\w+_case|camel\w*|kebab\w*|lint\w*|imports?|docstrings?|tabs|spaces|const)\b", re.I)),
    ("tooling", re.compile(
        r"\b(?:tests?|build|npm|pnpm|yarn|pip|uv|run|commands?|install\w*|deploy\w*|docker|ci|git|commit\w*"
        r"|branch\w*|push\w*|pytest|jest|migrations?|lockfile|dependenc\w+)\b", re.I)),
)  # fmt: skip


def category_of(messages: Iterable[str]) -> Category:
    """The category that most messages name; `behavior` if they name none."""
    every = list(messages)
    votes = [(sum(bool(form.search(message)) for message in every), name) for name, form in _CATEGORIES]
    most = max(count for count, _ in votes)
    return next((name for count, name in votes if count == most), "behavior") if most else "behavior"


def confidence(members: Sequence[str], centre: str, certainties: Sequence[float]) -> float:
    """The confidence that a group is a pattern, 0–1: lower for few remarks and for little similarity.

    mean certainty · (1 − 1/(n + 1)) · (0.7 + 0.3 · mean similarity to the centre)
    """
    if not members:
        return 0.0
    heart = _features(centre)
    near = [
        max(_jaccard(heart.grams, features.grams), _jaccard(heart.topic, features.topic))
        for features in map(_features, members)
    ]
    count = len(members)
    mean = sum(certainties) / len(certainties)
    return round(mean * (1 - 1 / (count + 1)) * (0.7 + 0.3 * sum(near) / count), 3)


def description(messages: Iterable[str]) -> str:
    """One sentence for a group: the first statement that a rule makes of its messages, the centre's first.

    If no rule makes one, it quotes the first sentence of the centre's message.
    """
    every = list(messages)
    for message in every:
        sentence = statement.make(message, orders_too=True)
        if sentence:
            return sentence
    own = words.own_words(every[0])
    first_sentence = next(
        (own.restore(sentence.text) for sentence in own.sentences if len(sentence.text.split()) > 2), every[0]
    )
    return f"Corrected again and again: “{cut(' '.join(first_sentence.split()), statement.LONGEST - 32)}”"
