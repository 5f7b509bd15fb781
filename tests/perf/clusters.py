"""Recurring corrections: how long grouping 100,000 takes, and that it grows with their number."""

import random
import time
from itertools import accumulate
from pathlib import Path

from learnloop.learn.profile import recurring
from tests.perf.measure import Row

COUNT = 100_000
GOAL_S = 20.0
_SYLLABLES = (
    "ba co di fu ge ho ki lu me no pi qua re so tu va we xi yo za",
    "ne ra",
    "tler ndom rker sted lang ffin",
)
_OPENERS = ("no, ", "please ", "actually ", "again, ", "wait, ", "", "", "")
_FORMS = ("use the ", "don't touch the ", "the ", "you forgot the ")


def measure(folder: Path, quick: bool) -> list[Row]:
    """Seconds of one core for messages to groups, of a made-up language with frequent and rare words."""
    del folder
    count = 5_000 if quick else COUNT
    half, whole = _seconds(count // 2), _seconds(count)
    growth = whole / half
    return [
        Row(f"Group {count:,} corrections", GOAL_S, whole, "s", (whole,),
            note="processor time, words to groups"),
        Row("The same against half as many", 3.0, growth, "×", (growth,), note="2 is linear"),
    ]  # fmt: skip


def messages(count: int, seed: int = 1) -> list[str]:
    """Remarks of which six in ten are variants of one of 5,000; words as uneven as in a language."""
    chance = random.Random(seed)
    first, second, third = (part.split() for part in _SYLLABLES)
    words = [a + b + c for a in first for b in ("", *second) for c in third]
    chance.shuffle(words)
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))

    def some(least: int, most: int) -> list[str]:
        return chance.choices(words, cum_weights=weights, k=chance.randint(least, most))

    themes = [some(5, 10) for _ in range(5_000)]
    said = []
    for _ in range(count):
        chosen = list(chance.choice(themes)) if chance.random() < 0.6 else some(4, 14)
        if chance.random() < 0.5:
            chosen[chance.randrange(len(chosen))] = some(1, 1)[0]
        said.append(chance.choice(_OPENERS) + chance.choice(_FORMS) + " ".join(chosen))
    return said


def _seconds(count: int) -> float:
    said = messages(count)
    start = time.process_time()
    remarks = [recurring.Remark(f"{number:08d}", recurring.normal(one)) for number, one in enumerate(said)]
    found = recurring.cluster(remarks)
    took = time.process_time() - start
    if sum(cluster.count for cluster in found) < count * 0.99:
        raise RuntimeError("corrections are missing from the groups")
    return took
