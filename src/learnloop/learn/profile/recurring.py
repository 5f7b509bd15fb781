"""Recurring corrections: remarks that say nearly the same, grouped. Pure, and the same whatever the order.

Two remarks are alike from 0.3 on in the Jaccard index of their word 3-grams (the specification's measure), or
from 0.5 on in that of the words that matter, two of them in common at least: short remarks share no 3-gram.
One that denies is never like one that does not.

A group is a star: one remark and those like it, so that every member has been compared with the centre and
chains of half-alike remarks never grow together. Centres are chosen by how many remarks are like them
(J. Aslam, E. Pelekhov, D. Rus: The star clustering algorithm, 2004), ties broken by the words themselves.
Every remark is compared with every other one: a few hundred are kept.
"""

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from learnloop.learn.language import lexicon, statement, words
from learnloop.learn.lessons import fingerprint
from learnloop.models.preferences import Category
from learnloop.wire.text import cut

GRAMS = 0.3
WORDS = 0.5
MOST_CHARACTERS = 600
_MOST_WORDS = 80

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


@dataclass(frozen=True)
class Cluster:
    """Remarks that are alike."""

    centre: str
    """The text that the others are like."""
    ids: list[str]
    """In order."""

    @property
    def count(self) -> int:
        """How many remarks it has."""
        return len(self.ids)


def normal(message: str) -> str:
    """The words that a remark is compared by, code and quotations in it as one word each."""
    own = words.own_words(message[:4000])
    text = " ".join(own.restore(sentence.text) for sentence in own.sentences)[:MOST_CHARACTERS]
    return " ".join(fingerprint.normalise(_DONE_WRONG.sub(" ", text)).split()[:_MOST_WORDS])


def cluster(remarks: Iterable[Remark]) -> list[Cluster]:
    """The groups that remarks form, the largest first, single remarks among them."""
    ids_by_text: dict[str, list[str]] = {}
    for remark in {remark.id: remark for remark in remarks if remark.text}.values():
        ids_by_text.setdefault(remark.text, []).append(remark.id)
    like = _links(ids_by_text)

    def order(text: str) -> tuple[int, int, int, str]:
        weight = sum(len(ids_by_text[other]) for other in (text, *like[text]))
        # The checksum scatters texts: of equal centres none is chosen for what similar texts share.
        scattered = zlib.crc32(text.encode("utf-8", "surrogatepass"))
        return -weight, -len(ids_by_text[text]), scattered, text

    clusters: list[Cluster] = []
    grouped: set[str] = set()
    for centre in sorted(ids_by_text, key=order):
        if centre not in grouped:
            members = [centre, *(other for other in like[centre] if other not in grouped)]
            grouped.update(members)
            ids = sorted(remark_id for text in members for remark_id in ids_by_text[text])
            clusters.append(Cluster(centre, ids))
    return sorted(clusters, key=lambda group: (-group.count, group.ids))


def _links(texts: Iterable[str]) -> Mapping[str, list[str]]:
    """For each text the others that are like it. Sets become bit masks, because each pair is compared."""
    like: dict[str, list[str]] = {text: [] for text in texts}
    bits: dict[object, int] = {}

    def mask(items: Iterable[object]) -> int:
        return sum(1 << bits.setdefault(item, len(bits)) for item in items)

    every = ((text, _features(text)) for text in like)
    rows = [(text, features.denies, mask(features.topic), mask(features.grams)) for text, features in every]
    for position, (left, denies, topic, grams) in enumerate(rows):
        for right, other_denies, other_topic, other_grams in rows[position + 1 :]:
            is_alike = _share(topic, other_topic, 2, WORDS) or _share(grams, other_grams, 1, GRAMS)
            if is_alike and denies == other_denies:
                like[left].append(right)
                like[right].append(left)
    return like


def _share(left: int, right: int, least: int, index: float) -> bool:
    """Whether two sets have `least` items in common and that Jaccard index."""
    common = (left & right).bit_count()
    return common >= least and common >= index * (left | right).bit_count()


class _Features(NamedTuple):
    grams: frozenset[fingerprint.Gram]
    topic: frozenset[str]
    denies: bool


@lru_cache(maxsize=2_000)
def _features(text: str) -> _Features:
    topic = frozenset(word for word in text.split() if word not in _NO_TOPIC and word != "not")
    return _Features(fingerprint.grams(text), topic, fingerprint.denies(text))


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
        max(words.jaccard(heart.grams, features.grams), words.jaccard(heart.topic, features.topic))
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
    sentences = (statement.make(message, orders_too=True) for message in every)
    if sentence := next(filter(None, sentences), None):
        return sentence
    own = words.own_words(every[0])
    long = (sentence.text for sentence in own.sentences if len(sentence.text.split()) > 2)
    first_sentence = next(map(own.restore, long), every[0])
    return f"Corrected again and again: “{cut(' '.join(first_sentence.split()), statement.LONGEST - 32)}”"
