"""Recurring corrections: how long grouping all that are kept takes."""

import random
import time
from itertools import accumulate
from pathlib import Path

from scripts.perf.measure import Row, percentile

from learnloop.ingest.recurring import MOST
from learnloop.learn.profile import remark_groups

_GOAL_MS = 150
_SYLLABLES = (
    "ba co di fu ge ho ki lu me no pi qua re so tu va we xi yo za",
    "ne ra",
    "tler ndom rker sted lang ffin",
)
_OPENERS = ("no, ", "please ", "actually ", "again, ", "wait, ", "", "", "")
_FORMS = ("use the ", "don't touch the ", "the ", "you forgot the ")


def measure(folder: Path, quick: bool) -> list[Row]:
    """Processor time for messages to groups, of a made-up language with frequent and rare words."""
    del folder
    samples = [_ms(MOST, seed) for seed in range(3 if quick else 20)]
    return [
        Row(f"Group {MOST} corrections", _GOAL_MS, percentile(samples, 0.5), "ms", tuple(samples),
            note="processor time, words to groups"),
    ]  # fmt: skip


def messages(count: int, seed: int) -> list[str]:
    """Remarks of which six in ten are variants of a theme; words as uneven as in a language."""
    chance = random.Random(seed)
    first, second, third = (part.split() for part in _SYLLABLES)
    words = [a + b + c for a in first for b in ("", *second) for c in third]
    chance.shuffle(words)
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))

    def some(least: int, most: int) -> list[str]:
        return chance.choices(words, cum_weights=weights, k=chance.randint(least, most))

    themes = [some(5, 10) for _ in range(count // 20)]
    texts: list[str] = []
    for _ in range(count):
        chosen = list(chance.choice(themes)) if chance.random() < 0.6 else some(4, 14)
        if chance.random() < 0.5:
            chosen[chance.randrange(len(chosen))] = some(1, 1)[0]
        texts.append(chance.choice(_OPENERS) + chance.choice(_FORMS) + " ".join(chosen))
    return texts


def _ms(count: int, seed: int) -> float:
    texts = messages(count, seed)
    start = time.process_time()
    remarks = [
        remark_groups.Remark(f"{number:08d}", remark_groups.normal(words))
        for number, words in enumerate(texts)
    ]
    clusters = remark_groups.cluster(remarks)
    took = (time.process_time() - start) * 1e3
    if sum(cluster.count for cluster in clusters) < count * 0.99:
        raise RuntimeError("corrections are missing from the groups")
    return took
