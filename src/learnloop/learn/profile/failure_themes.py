"""Themes of an agent's corrections: what at least two have in common, each as a statement. Pure."""

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
"""Two remarks that share this much of their 3-grams, or more, are alike."""
SAME_WORDS = 0.5
"""Two remarks that share this much of their content words, and at least 2, are alike."""
_MOST_EXAMPLES, _MOST_TURNS, _LONGEST = 3, 50, 160
_SHORTEST_WORD = 4
_TOO_COMMON, _MANY = 0.4, 8
"""A word in more than this share of at least so many remarks is too common for a theme."""
_PLAIN = (
    lexicon.COMMON
    | lexicon.TALKING
    | lexicon.PLAIN_ACTS
    | lexicon.FOREIGN
    | lexicon.listed(
        """adding always approach back better case change changed changes code complete completely correct
    different error example expected fine function handling happen instead issue make mistake method missing
    more problem properly result running same second simple string style thing value version wrong"""
    )
)


class _Remark(NamedTuple):
    turn: str
    text: str
    statement: str
    keys: frozenset[str]
    grams: frozenset[fingerprint.Gram]


def find_themes(remarks: Iterable[Doc], least: int = 2) -> tuple[FailurePattern, ...]:
    """The themes of remarks {id, turn, ts, words, says}, the most frequent first.

    Remarks that share 3-grams or most content words form a theme. The others are grouped by their most
    frequent distinctive word. The order of the remarks makes no difference.
    """
    newest_first = sorted(remarks, key=lambda doc: (doc["ts"], doc["id"]), reverse=True)
    parsed = [_remark(doc) for doc in newest_first]
    groups = _by_word(parsed, _group_alike(parsed))
    themes = [_theme([parsed[at] for at in group], word) for group, word in groups if len(group) >= least]
    return tuple(sorted(themes, key=lambda theme: (-theme.count, theme.pattern)))


def _remark(doc: Doc) -> _Remark:
    keys, grams = _keys_and_grams(str(doc["words"]))
    text = " ".join(str(doc["words"]).split())
    return _Remark(str(doc["turn"]), text, str(doc.get("says") or ""), keys, grams)


@lru_cache(maxsize=20_000)
def _keys_and_grams(remark: str) -> tuple[frozenset[str], frozenset[fingerprint.Gram]]:
    """The content words of a remark, and its 3-grams; cached, because they are compared often."""
    text = words.own_words(remark).text or remark
    return fingerprint.remark_words(text) - {"not"}, fingerprint.grams(fingerprint.normalise(text))


def _group_alike(remarks: list[_Remark]) -> list[list[int]]:
    """Groups of remarks that are alike, directly or through others, as numbers in order (union-find)."""
    parents = list(range(len(remarks)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = parents[parents[at]]
            at = parents[at]
        return at

    for first, second in combinations(range(len(remarks)), 2):
        if _is_alike(remarks[first], remarks[second]):
            lower, upper = sorted((root(first), root(second)))
            parents[upper] = lower
    groups: dict[int, list[int]] = {}
    for at in range(len(remarks)):
        groups.setdefault(root(at), []).append(at)
    return list(groups.values())


def _is_alike(first: _Remark, second: _Remark) -> bool:
    shared = len(first.keys & second.keys)
    if shared >= 2 and shared >= SAME_WORDS * len(first.keys | second.keys):
        return True
    if len(first.grams) < 2 or len(second.grams) < 2:
        return bool(first.grams) and first.grams == second.grams
    common = len(first.grams & second.grams)
    return common >= NEAR * (len(first.grams) + len(second.grams) - common)


def _by_word(remarks: list[_Remark], groups: list[list[int]]) -> Iterator[tuple[list[int], str]]:
    """The groups, without a word, then groups of single remarks by a distinctive word that they share."""
    single = [group[0] for group in groups if len(group) == 1]
    yield from ((group, "") for group in groups if len(group) > 1)
    while single:
        words_of_single = (word for at in single for word in remarks[at].keys)
        distinctive = (word for word in words_of_single if len(word) >= _SHORTEST_WORD and not word.isdigit())
        counts = Counter(word for word in distinctive if word not in _PLAIN)
        most = len(remarks) * _TOO_COMMON if len(remarks) >= _MANY else len(remarks)
        usable = [(-count, word) for word, count in counts.items() if 2 <= count <= most]
        if not usable:
            return
        word = min(usable)[1]
        yield [at for at in single if word in remarks[at].keys], word
        single = [at for at in single if word not in remarks[at].keys]


def _theme(group: list[_Remark], word: str) -> FailurePattern:
    turns = tuple(dict.fromkeys(remark.turn for remark in group if remark.turn))
    return FailurePattern(
        pattern=_statement(group, word),
        count=len(group),
        examples=tuple(dict.fromkeys(cut(remark.text, _LONGEST) for remark in group))[:_MOST_EXAMPLES],
        turn_ids=turns[:_MOST_TURNS],
    )


def _statement(group: list[_Remark], word: str) -> str:
    """The most frequent statement of the remarks, or else the newest remark, with the shared word if any."""
    quote = f"“{cut(group[0].text, _LONGEST)}”"
    if word:
        return f"Is corrected on {word}: {quote}"
    stated = Counter(remark.statement for remark in group if remark.statement)
    if stated:
        return stated.most_common(1)[0][0]
    return f"Hears it again: {quote}"
