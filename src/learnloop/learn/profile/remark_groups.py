"""Recurring corrections and themes of agents: remarks that say the same, grouped, whatever the order. Pure.

Remarks are compared by the one measure of `learn.lessons.similarity`. A group is a star: one remark and those
like it, so that every member has been compared with the centre and chains of half-alike remarks never grow
together. Centres are chosen by how many remarks are like them (J. Aslam, E. Pelekhov, D. Rus: The star
clustering algorithm, 2004), ties broken by the words themselves.
"""

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from learnloop.learn.hear import wording
from learnloop.learn.language import words
from learnloop.learn.lessons import drafts, meaning, similarity
from learnloop.models.agent import FailurePattern
from learnloop.models.preferences import Category
from learnloop.wire.text import cut

_LONGEST = 300


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
    """The meaning that a remark is compared by: that of the words that the person typed."""
    own = words.own_words(message[:4000])
    return meaning.read(" ".join(own.text.split("\n"))).normal


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
    """For each text the others that are like it."""
    index = similarity.MeaningIndex()
    like: dict[str, list[str]] = {}
    for text in texts:
        read = meaning.parse(text)
        like[text] = [other for _, other in index.nearest(read)]
        for other in like[text]:
            like[other].append(text)
        index.add(text, read)
    return like


_CATEGORIES: dict[str, Category] = {
    "communication": "communication", "style": "style", "testing": "tooling", "version control": "tooling",
    "dependencies": "tooling", "deployment": "tooling",
}  # fmt: skip
"""Of the subject of a lesson."""


def category_of(messages: Iterable[str]) -> Category:
    """The category of the subject that most messages name; `behavior` if they name none."""
    votes = Counter(_CATEGORIES.get(drafts.category_of(message), "behavior") for message in messages)
    named = [category for category, _ in votes.most_common() if category != "behavior"]
    return named[0] if named else "behavior"


def confidence(members: Sequence[str], centre: str, certainties: Sequence[float]) -> float:
    """The confidence that a group is a pattern, 0–1: lower for few remarks and for little similarity.

    mean certainty · (1 − 1/(n + 1)) · (0.7 + 0.3 · mean similarity to the centre)
    """
    if not members:
        return 0.0
    heart = meaning.parse(centre)
    near = [1.0 if member == centre else similarity.score(heart, meaning.parse(member)) for member in members]
    count = len(members)
    mean = sum(certainties) / len(certainties)
    return round(mean * (1 - 1 / (count + 1)) * (0.7 + 0.3 * sum(near) / count), 3)


def description(messages: Sequence[str], statements: Iterable[str] = ()) -> str:
    """One sentence for a group, the person's own: of its statements the first.

    Without any it is the first that the messages make, and else the first sentence of the first message.
    """
    worded = (wording.make(message) for message in messages)
    if sentence := next(filter(None, (*statements, *worded)), None):
        return sentence
    own = words.own_words(messages[0])
    long = (sentence.text for sentence in own.sentences if len(sentence.text.split()) > 2)
    first_sentence = next(map(own.restore, long), messages[0])
    return f"Said again and again: “{cut(' '.join(first_sentence.split()), _LONGEST)}”"


Doc = Mapping[str, Any]

MOST = 300
"""Remarks that are compared, the newest."""
_MOST_EXAMPLES, _MOST_TURNS, _LONGEST_EXAMPLE = 3, 50, 160


def find_themes(
    remarks: Iterable[Doc], text_by_id: Mapping[str, str], least: int = 2
) -> tuple[FailurePattern, ...]:
    """The themes of remarks {id, turn, ts, words, says}, the most frequent first.

    `text_by_id` has what some remarks are compared by; the others are by their own words. The order of the
    remarks makes no difference.
    """
    newest_first = sorted(remarks, key=lambda doc: (doc["ts"], doc["id"]), reverse=True)[:MOST]
    compared = (
        Remark(doc["id"], text_by_id.get(doc["id"]) or normal(str(doc["words"]))) for doc in newest_first
    )
    groups = (group for group in cluster(compared) if group.count >= least)
    themes = (_theme([doc for doc in newest_first if doc["id"] in group.ids]) for group in groups)
    return tuple(sorted(themes, key=lambda theme: (-theme.count, theme.pattern)))


def _theme(group: list[Doc]) -> FailurePattern:
    """The theme of a group, newest first."""
    said = [" ".join(str(doc["words"]).split()) for doc in group]
    instruction = _instruction(group)
    return FailurePattern(
        pattern=instruction or f"Hears it again: “{cut(said[0], _LONGEST_EXAMPLE)}”",
        instruction=instruction,
        count=len(group),
        examples=tuple(dict.fromkeys(cut(text, _LONGEST_EXAMPLE) for text in said))[:_MOST_EXAMPLES],
        turn_ids=tuple(dict.fromkeys(str(doc["turn"]) for doc in group if doc["turn"]))[:_MOST_TURNS],
    )


def _instruction(group: list[Doc]) -> str:
    """The most frequent order of the remarks, of equal ones the shortest; empty if none is one."""
    says = (str(doc.get("says") or "") for doc in group)
    stated = Counter(statement for statement in says if wording.orders(statement))
    return min(stated, key=lambda statement: (-stated[statement], len(statement), statement), default="")
