"""Trains the weights of the figures by which two texts say the same; `make similarity` runs it.

`wordings.txt` has rules of our own: wordings of one wish, paraphrases, and pairs that are near and differ.
It prints the weights for `learnloop.learn.lessons.similarity`, and what models make of pairs that they have
not seen: eight groups, a set of wordings or a pair never in two.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from learnloop.learn.lessons import meaning, similarity

TEXTS = Path(__file__).parent / "detector" / "wordings.txt"
UNRELATED = 3000
WEIGHTS = {"wish": 0.4, "same": 2.0, "different": 3.0, "unrelated": 0.1}
"""Pairs of one set of wordings are many and alike; one wrong join costs a rule, one missed join a key."""
FOLDS, STRENGTH = 8, 3.0


class Pair(NamedTuple):
    """Two texts, and whether they say the same."""

    kind: str
    group: str
    one: str
    other: str

    @property
    def is_same(self) -> bool:
        """Whether they say the same."""
        return self.kind in ("wish", "same")


def read() -> tuple[list[list[str]], list[Pair]]:
    """The sets of wordings, and the pairs."""
    sets: list[list[str]] = []
    pairs: list[Pair] = []
    for line in TEXTS.read_text(encoding="utf-8").splitlines():
        kind, *texts = line.split("\t")
        if kind == "wish" and sets:
            sets[-1] += texts
        elif texts:
            pairs.append(Pair(kind, f"{kind} {len(pairs)}", *texts))
        elif line.startswith("# "):
            sets.append([])
    return [wish for wish in sets if wish], pairs


def every_pair() -> Iterator[Pair]:
    """All pairs to train on."""
    sets, pairs = read()
    yield from pairs
    for number, wordings in enumerate(sets):
        yield from (Pair("wish", f"wish {number}", *two) for two in combinations(wordings, 2))
    crossed = (
        Pair("unrelated", f"wish {first}", *two)
        for first, second in combinations(range(len(sets)), 2)
        for two in product(sets[first], sets[second])
    )
    yield from random.Random(1).sample(list(crossed), UNRELATED)


def fit(pairs: Sequence[Pair]) -> LogisticRegression:
    """The model of pairs that are neither opposites nor rivals."""
    usable = [pair for pair in pairs if not are_apart(pair)]
    figures = [similarity.figures(meaning.read(pair.one), meaning.read(pair.other)) for pair in usable]
    weights = [WEIGHTS[pair.kind] for pair in usable]
    model = LogisticRegression(C=STRENGTH, max_iter=500)
    return model.fit(np.array(figures), [pair.is_same for pair in usable], sample_weight=weights)


def are_apart(pair: Pair) -> bool:
    """Whether they are opposites or rivals."""
    one, other = meaning.read(pair.one), meaning.read(pair.other)
    is_far = similarity.figures(one, other).cosine < similarity.NEAR
    return (
        is_far
        or similarity.are_rivals(one, other)
        or similarity.opposition(one, other) >= similarity.OPPOSITE
    )


def unseen(pairs: Sequence[Pair]) -> list[float]:
    """The chance of each pair by a model that has not seen its group."""
    chances = [0.0] * len(pairs)
    groups = [pair.group for pair in pairs]
    for train, test in GroupKFold(FOLDS).split(pairs, groups=groups):
        model = fit([pairs[at] for at in train])
        for at in test:
            if not are_apart(pairs[at]):
                read_both = meaning.read(pairs[at].one), meaning.read(pairs[at].other)
                chances[at] = float(model.predict_proba([similarity.figures(*read_both)])[0, 1])
    return chances


def main() -> None:
    pairs = list(every_pair())
    chances = unseen(pairs)
    for kind in WEIGHTS:
        mine = [chance for pair, chance in zip(pairs, chances, strict=True) if pair.kind == kind]
        print(f"{kind:10} joined {sum(chance >= similarity.SAME for chance in mine):4} of {len(mine)}")
    model = fit(pairs)
    for name, weight in zip(similarity.PairFigures._fields, model.coef_[0], strict=True):
        print(f"{name:10} {weight:6.2f}")
    print(f"{'bias':10} {model.intercept_[0]:6.2f}")


if __name__ == "__main__":
    main()
