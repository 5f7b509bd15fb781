"""Everyday words, and what a word counts towards recalling a lesson at a prompt, in hundredths. Pure.

A keyword that the lesson declares counts up to 100, a rare name that its statement begins with up to 72,
another one up to 50, an everyday word up to 20, and verbs of everyday work and words without a subject of
their own nothing. Each counts less the more of the person's own prompts have it, of which shares tell.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from learnloop.learn.language import lexicon
from learnloop.wire import relevance

_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "r", "ly", "y", "ness", "n", "en")


@lru_cache(maxsize=4096)
def is_everyday(word: str) -> bool:
    """Whether a word in lower case is an everyday one, in any of its forms."""
    return not _TABLE.isdisjoint(bases(word))


def bases(word: str) -> set[str]:
    """The word, and what it may be a form of: `committing` → commit, `stories` → story."""
    stems = {
        word[: -len(ending)] for ending in _ENDINGS if word.endswith(ending) and len(word) > len(ending) + 2
    }
    undoubled = {stem[:-1] for stem in stems if stem[-1] == stem[-2]}
    whole = {f"{stem}e" for stem in stems}
    y_forms = {f"{word[:-3]}y"} if word.endswith(("ies", "ied")) else set()
    return {word} | stems | undoubled | whole | y_forms


_EVERYDAY = lexicon.words("everyday.everyday")
_TABLE = _EVERYDAY | lexicon.COMMON | lexicon.TALKING | lexicon.FOREIGN | lexicon.PLAIN_ACTS | lexicon.GENERIC


DECLARED, SUBJECT, RARE, FAMILIAR, EVERYDAY = 100, 72, 50, 30, 20
_SUBJECT_WORDS = 2
_DECLARED_EVERYDAY, _DECLARED_PHRASE, _DECLARED_FILE = 70, 80, 60
_COMMON_BITS, _RARE_BITS = 2, 7
"""A word of one prompt in four counts nothing, one of 128 in full."""
_LONG_NAME = re.compile(r"\b[A-Z]\w+(?: [A-Z]\w+)+")
_NAME = re.compile(r"(?<=[a-z,:;] )[A-Z]\w+|\b\w*[a-z\d][A-Z]\w*|\b[A-Z]{2}\w*|\b\w+[_\d]\w*")
"""Words that are certainly names: a capital elsewhere than at the beginning, a digit, an underscore."""
_LEAST = 10
"""What counts less is left out."""
_TOOLS = lexicon.PROGRAMS | lexicon.LANGUAGES.keys() | lexicon.words("rarity.tools")  # fmt: skip
"""Programs and products that people name whatever they work on."""
_NOTHING = (
    lexicon.NO_KEYWORDS | lexicon.PLAIN_ACTS | lexicon.PLAIN_ORDERS | lexicon.REGULAR_VERBS
    | lexicon.DOUBLING_VERBS
)  # fmt: skip
_TOO_PLAIN = lexicon.NO_KEYWORDS | lexicon.PLAIN_ACTS


def weights(
    declared: Iterable[str], statement: str, spoken: Iterable[str], share: Callable[[str], float]
) -> dict[str, int]:
    """What each word or phrase counts: keywords that a lesson declares, and spoken words of its statement.

    `share` is the part of the person's own prompts that has a word in lower case.
    """
    counts = {word: _declared(word) for word in declared}
    words = _with_names(statement, spoken)
    names = {name.lower() for name in _NAME.findall(statement)}
    for place, word in enumerate(words):
        count = _spoken(word)
        is_subject = count == RARE and place < _SUBJECT_WORDS and word in names
        counts.setdefault(word, SUBJECT if is_subject else count)
    scaled = {word: round(count * _factor(word, share)) for word, count in counts.items() if count}
    return {word: count for word, count in scaled.items() if count >= _LEAST}


def _with_names(statement: str, spoken: Iterable[str]) -> list[str]:
    """The words with each name of several capitalised words as one phrase: it says no more than one word."""
    words = list(spoken)
    for name in _LONG_NAME.findall(statement):
        parts = [part for part in name.lower().split() if part in words]
        if len(parts) > 1:
            words[words.index(parts[0])] = " ".join(parts)
            words = [word for word in words if word not in parts]
    return words


@lru_cache(maxsize=4096)
def _declared(keyword: str) -> int:
    words = relevance.keyword_text(keyword).split()
    if len(words) != 1:
        is_plain = all(len(word) < 2 or word in lexicon.PROSE or is_everyday(word) for word in words)
        return (_DECLARED_PHRASE if " " in keyword else _DECLARED_FILE) if is_plain else DECLARED
    if words[0] in lexicon.GENERIC or _is_one_of(words[0], _TOO_PLAIN):
        return EVERYDAY
    return _DECLARED_EVERYDAY if is_everyday(words[0]) else DECLARED


@lru_cache(maxsize=4096)
def _spoken(phrase: str) -> int:
    words = relevance.keyword_text(phrase).split()
    if max(map(len, words), default=0) < 2:
        return 0
    if len(words) > 1:
        return RARE
    word = words[0]
    if _is_one_of(word, _NOTHING):
        return 0
    is_plain = len(word) < 3 or is_everyday(word)
    return EVERYDAY if is_plain else FAMILIAR if word in _TOOLS else RARE


def _is_one_of(word: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(bases(word))


def _factor(word: str, share: Callable[[str], float]) -> float:
    """How much a word still counts: 1 for a rare one, 0 for one in every fourth prompt."""
    rarest = min((share(part) for part in relevance.keyword_text(word).split()), default=0.0)
    bits = -math.log2(rarest) if rarest else float(_RARE_BITS)
    return max(0.0, min(1.0, (bits - _COMMON_BITS) / (_RARE_BITS - _COMMON_BITS)))


LEAST_PROMPTS = 15
"""Of fewer prompts no share is told."""
_LEAST_SHARE = 1 / 128
"""Rarer words count in full, so they need no entry."""
_NAME_LETTERS = 4
_OTHER_PROMPTS = 40
"""So many prompts without the word are added, because few prompts say little."""

Shares = Mapping[str, Mapping[str, float]]
"""The share of prompts that have a word: by project, `""` for all prompts together."""


def word_shares(prompts: Iterable[tuple[str, str]]) -> dict[str, dict[str, float]]:
    """The shares of the words that are not rare, from prompts with their projects."""
    numbers: Counter[str] = Counter()
    counts: dict[str, Counter[str]] = {"": Counter()}
    for project, prompt in prompts:
        words = set(relevance.request(prompt).split()) - {relevance.LONG}
        for place in {"", project}:
            numbers[place] += 1
            counts.setdefault(place, Counter()).update(words)
    return {
        place: common
        for place, count in sorted(counts.items())
        if numbers[place] >= LEAST_PROMPTS and (common := _common(count, numbers[place]))
    }


def _common(count: Counter[str], number: int) -> dict[str, float]:
    whole = number + _OTHER_PROMPTS
    least = max(math.ceil(whole * _LEAST_SHARE), 2)
    return {word: round(times / whole, 3) for word, times in sorted(count.items()) if times >= least}


NO_SHARES: Shares = {}


class WordShares:
    """The shares as one lesson's project has them: the larger of there and everywhere.

    What the project's own name has is as good as in every prompt.
    """

    def __init__(self, shares_: Shares, project: str) -> None:
        self._name = project.rpartition("/")[2].lower()
        self._tables = [shares_[place] for place in {"", project} if place in shares_]

    def share(self, word: str) -> float:
        """The share of prompts that have a word in one of its forms."""
        if len(word) >= _NAME_LETTERS and word in self._name:
            return 1.0
        return max(
            (table.get(form, 0.0) for table in self._tables for form in relevance.forms(word)), default=0.0
        )
