"""What an agent's corrections have in common: themes that came up at least twice, each as a statement."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from learnloop.learn.language import lexicon, words
from learnloop.learn.lessons import fingerprint
from learnloop.models.agent import FailurePattern
from learnloop.wire.text import cut

Doc = Mapping[str, Any]

NEAR = 0.3
"""The share of word 3-grams in common from which on two remarks say the same."""
SAME_WORDS = 0.5
"""The share of words that matter in common, 2 at least, from which on they do as well."""
_MOST_EXAMPLES, _MOST_TURNS, _LONGEST = 3, 50, 160
_SHORTEST_WORD = 4
_TOO_COMMON, _MANY = 0.4, 8
"""A word in more than this share of at least so many remarks tells nothing about any of them."""
_VAGUE = lexicon.listed(
    """adding always approach back better case change changed changes code complete completely correct
    different error example expected fine function handling happen instead issue make mistake method missing
    more problem properly result running same second simple string style thing value version wrong"""
)


class _Remark(NamedTuple):
    turn: str
    said: str
    states: str
    keys: frozenset[str]
    grams: frozenset[fingerprint.Gram]


def find_themes(remarks: Iterable[Doc], least: int = 2) -> tuple[FailurePattern, ...]:
    """The themes of remarks {id, turn, ts, words, says}, the most frequent first; the same in any order.

    Remarks belong together that share 3-grams or most words that matter; what is left over, by the most
    frequent telling word.
    """
    ordered = sorted(remarks, key=lambda one: (one["ts"], one["id"]), reverse=True)
    known = [_remark(one) for one in ordered]
    groups = _by_word(known, _alike(known))
    themes = [_theme([known[at] for at in group], word) for group, word in groups if len(group) >= least]
    return tuple(sorted(themes, key=lambda theme: (-theme.count, theme.pattern)))


def _remark(doc: Doc) -> _Remark:
    keys, grams = _matter(str(doc["words"]))
    said = " ".join(str(doc["words"]).split())
    return _Remark(str(doc["turn"]), said, str(doc.get("says") or ""), keys, grams)


@lru_cache(maxsize=20_000)
def _matter(remark: str) -> tuple[frozenset[str], frozenset[fingerprint.Gram]]:
    """The words of a remark that matter, and its 3-grams: asked about again and again."""
    said = words.own_words(remark).text or remark
    return fingerprint.remark_words(said) - {"not"}, fingerprint.grams(fingerprint.normalise(said))


def _alike(known: list[_Remark]) -> list[list[int]]:
    """Groups of remarks that are alike, directly or through others; members in order."""
    leads = list(range(len(known)))

    def lead(at: int) -> int:
        while leads[at] != at:
            leads[at] = leads[leads[at]]
            at = leads[at]
        return at

    for one, other in combinations(range(len(known)), 2):
        if _is_alike(known[one], known[other]):
            first, second = sorted((lead(one), lead(other)))
            leads[second] = first
    groups: dict[int, list[int]] = {}
    for at in range(len(known)):
        groups.setdefault(lead(at), []).append(at)
    return list(groups.values())


def _is_alike(one: _Remark, other: _Remark) -> bool:
    shared = len(one.keys & other.keys)
    if shared >= 2 and shared >= SAME_WORDS * len(one.keys | other.keys):
        return True
    if len(one.grams) < 2 or len(other.grams) < 2:
        return bool(one.grams) and one.grams == other.grams
    common = len(one.grams & other.grams)
    return common >= NEAR * (len(one.grams) + len(other.grams) - common)


def _by_word(known: list[_Remark], groups: list[list[int]]) -> Iterator[tuple[list[int], str]]:
    """The groups with what they are about; single remarks with a telling word in common are one group."""
    single = [group[0] for group in groups if len(group) == 1]
    yield from ((group, "") for group in groups if len(group) > 1)
    while single:
        counts = Counter(word for at in single for word in known[at].keys if _tells(word))
        most = len(known) * _TOO_COMMON if len(known) >= _MANY else len(known)
        usable = [(-count, word) for word, count in counts.items() if 2 <= count <= most]
        if not usable:
            return
        word = min(usable)[1]
        yield [at for at in single if word in known[at].keys], word
        single = [at for at in single if word not in known[at].keys]


def _tells(word: str) -> bool:
    plain = lexicon.COMMON | lexicon.TALKING | lexicon.PLAIN_ACTS | lexicon.FOREIGN | _VAGUE
    return len(word) >= _SHORTEST_WORD and word not in plain and not word.isdigit()


def _theme(group: list[_Remark], word: str) -> FailurePattern:
    turns = tuple(dict.fromkeys(one.turn for one in group if one.turn))
    return FailurePattern(
        pattern=_statement(group, word),
        count=len(group),
        examples=tuple(dict.fromkeys(cut(one.said, _LONGEST) for one in group))[:_MOST_EXAMPLES],
        turn_ids=turns[:_MOST_TURNS],
    )


def _statement(group: list[_Remark], word: str) -> str:
    """What the rules made of most of the remarks; else the newest remark, and what it is about."""
    quote = f"“{cut(group[0].said, _LONGEST)}”"
    if word:
        return f"Is corrected on {word}: {quote}"
    stated = Counter(one.states for one in group if one.states)
    if stated:
        most = max(stated.values())
        return next(one.states for one in group if stated.get(one.states) == most)
    return f"Hears it again: {quote}"
