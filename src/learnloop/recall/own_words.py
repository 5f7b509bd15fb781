"""How many of the person's own prompts have a word, which makes it telling or not. Pure."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from learnloop.wire import relevance

LEAST_PROMPTS = 15
"""Of fewer prompts no share is told."""
_LEAST_SHARE = 1 / 128
"""Rarer words count in full, so they need no entry."""
_NAME_LETTERS = 4
_OTHER_PROMPTS = 40
"""So many prompts without the word are added, because few prompts say little."""

Shares = Mapping[str, Mapping[str, float]]
"""The share of prompts that have a word: by project, `""` for all prompts together."""


def shares(prompts: Iterable[tuple[str, str]]) -> dict[str, dict[str, float]]:
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
