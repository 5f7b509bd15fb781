"""Themes of an agent's corrections: what at least two have in common, each in the person's words. Pure.

Two remarks are about one matter if they say the same or share distinctive words: half of those of the longer
one, or two that are half of those of the shorter one.
A theme is a star, as in `recurring.py`: every remark has been compared with its centre.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from learnloop.learn.language import words
from learnloop.learn.lessons import meaning, similarity
from learnloop.learn.lessons.meaning import Meaning
from learnloop.models.agent import FailurePattern
from learnloop.wire.text import cut

Doc = Mapping[str, Any]

MOST = 300
"""Remarks that are compared, the newest."""
_SEVERAL, _SHARE = 2.0, 0.5
_MOST_EXAMPLES, _MOST_TURNS, _LONGEST = 3, 50, 160


class _Remark(NamedTuple):
    turn: str
    text: str
    statement: str
    meaning: Meaning


def find_themes(remarks: Iterable[Doc], least: int = 2) -> tuple[FailurePattern, ...]:
    """The themes of remarks {id, turn, ts, words, says}, the most frequent first.

    The order of the remarks makes no difference.
    """
    newest_first = sorted(remarks, key=lambda doc: (doc["ts"], doc["id"]), reverse=True)[:MOST]
    parsed = [_remark(doc) for doc in newest_first]
    stars = [star for star in _stars(parsed) if len(star) >= least]
    themes = [_theme(parsed[star[0]], [parsed[at] for at in sorted(star)]) for star in stars]
    return tuple(sorted(themes, key=lambda theme: (-theme.count, theme.pattern)))


def may_be_about(remarks: Iterable[Doc], said: Meaning) -> bool:
    """Whether a theme's instruction may say the same as a lesson: a remark that says it has one like it."""
    parsed = [_remark(doc) for doc in remarks]
    near = [remark for remark in parsed if similarity.are_same(said, meaning.read(remark.statement))]
    return any(one is not other and _is_one_matter(one, other) for one in near for other in parsed)


def _remark(doc: Doc) -> _Remark:
    text = " ".join(str(doc["words"]).split())
    return _Remark(str(doc["turn"]), text, str(doc.get("says") or ""), _read(str(doc["words"])))


@lru_cache(maxsize=20_000)
def _read(remark: str) -> Meaning:
    """The meaning of a remark; cached, because it is read often."""
    text = words.own_words(remark).text or remark
    return meaning.read(text)


def _stars(remarks: list[_Remark]) -> list[list[int]]:
    """Groups of remarks about one matter, each with its centre first, as numbers."""
    like: list[list[int]] = [[] for _ in remarks]
    for first, remark in enumerate(remarks):
        for second in range(first + 1, len(remarks)):
            if _is_one_matter(remark, remarks[second]):
                like[first].append(second)
                like[second].append(first)
    groups: list[list[int]] = []
    grouped: set[int] = set()
    for centre in sorted(range(len(remarks)), key=lambda at: (-len(like[at]), at)):
        if centre not in grouped:
            members = [centre, *(other for other in like[centre] if other not in grouped)]
            grouped.update(members)
            groups.append(members)
    return groups


def _is_one_matter(first: _Remark, second: _Remark) -> bool:
    if similarity.are_rivals(first.meaning, second.meaning):
        return False
    shared = _weight(first.meaning.signs.keys() & second.meaning.signs.keys())
    shorter, longer = sorted(_weight(remark.meaning.signs) for remark in (first, second))
    is_close = shared >= _SHARE * (shorter if shared >= _SEVERAL else longer)
    return (shared >= 1 and is_close) or similarity.are_same(first.meaning, second.meaning)


def _weight(terms: Iterable[str]) -> float:
    return sum(min(meaning.weight(term), 1.0) for term in terms)


def _theme(centre: _Remark, group: list[_Remark]) -> FailurePattern:
    """The theme of a group, newest first."""
    turns = tuple(dict.fromkeys(remark.turn for remark in group if remark.turn))
    instruction = _instruction(group)
    return FailurePattern(
        pattern=instruction or f"Hears it again: “{cut(centre.text, _LONGEST)}”",
        instruction=instruction,
        count=len(group),
        examples=tuple(dict.fromkeys(cut(remark.text, _LONGEST) for remark in group))[:_MOST_EXAMPLES],
        turn_ids=turns[:_MOST_TURNS],
    )


def _instruction(group: list[_Remark]) -> str:
    """The most frequent order of the remarks, of equal ones the shortest; empty if none is one."""
    from learnloop.learn.hear import wording  # a verdict has hardly any theme

    stated = Counter(remark.statement for remark in group if wording.orders(remark.statement))
    return min(stated, key=lambda statement: (-stated[statement], len(statement), statement), default="")
