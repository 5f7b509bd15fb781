"""Logistic regression over words and signs: how the models of the package are trained and written."""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from math import log
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

SIGN_WEIGHT = 0.4
"""Signs are scaled by this: the smaller it is, the more regularisation holds them back beside words."""
LEAST_ROWS, LEAST_SOURCES = 3, 2
"""Words of fewer rows or sources, and signs of fewer rows, are left out."""
FOLDS = 4


def arguments(description: str | None, weights: Path) -> argparse.ArgumentParser:
    """The options of every training: where its weights go, and whether they are written."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=weights)
    parser.add_argument("--report-only", action="store_true", help="cross-validate and write nothing")
    return parser


def write(path: Path, document: dict[str, Any]) -> None:
    """Write weights, and say how large they are."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    path.write_text(text + "\n", "utf-8")
    print(f"{path}: {len(text):,} bytes")


class Featured(Protocol):
    """A row with its features."""

    @property
    def is_real(self) -> bool:
        """Whether a person wrote it, and not we."""

    @property
    def source(self) -> str:
        """Its repository or file."""

    @property
    def signs(self) -> dict[str, float]:
        """Values by sign."""

    @property
    def grams(self) -> list[str]:
        """Its words and word pairs."""


class Trained(NamedTuple):
    """A fitted model and what its columns mean."""

    grams: dict[str, tuple[int, float]]
    """Column and inverse document frequency by word."""
    signs: dict[str, int]
    """Column after the words by sign."""
    fit: LogisticRegression
    sign_weight: float = SIGN_WEIGHT

    def scores(self, rows: Sequence[Featured]) -> Any:
        """The decision value of every row."""
        return self.fit.decision_function(self.matrix(rows))

    def matrix(self, rows: Sequence[Featured]) -> Any:
        """Rows as a sparse matrix: words first, then signs."""
        data: list[float] = []
        row_at: list[int] = []
        column_at: list[int] = []
        for at, row in enumerate(rows):
            cells = self._word_cells(row) | self._sign_cells(row)
            data += cells.values()
            column_at += cells.keys()
            row_at += [at] * len(cells)
        return sparse.csr_matrix((data, (row_at, column_at)), (len(rows), len(self.grams) + len(self.signs)))

    def _word_cells(self, row: Featured) -> dict[int, float]:
        counted = Counter(gram for gram in row.grams if gram in self.grams)
        values = {
            self.grams[gram][0]: (1 + log(count)) * self.grams[gram][1] for gram, count in counted.items()
        }
        length = sum(value * value for value in values.values()) ** 0.5 or 1.0
        return {column: value / length for column, value in values.items()}

    def _sign_cells(self, row: Featured) -> dict[int, float]:
        known = ((name, value) for name, value in row.signs.items() if name in self.signs)
        return {len(self.grams) + self.signs[name]: self.sign_weight * value for name, value in known}

    def sign_weights(self) -> dict[str, float]:
        """The weight of each sign's unscaled value."""
        fitted = self.fit.coef_[0]
        return {
            name: round(float(fitted[len(self.grams) + column]) * self.sign_weight, 4)
            for name, column in self.signs.items()
        }

    def telling(self, most: int) -> dict[str, tuple[int, float]]:
        """The words of the largest weights, with new columns."""
        fitted = self.fit.coef_[0]
        chosen = sorted(self.grams, key=lambda gram: (-abs(fitted[self.grams[gram][0]]), gram))[:most]
        return {gram: (at, self.grams[gram][1]) for at, gram in enumerate(sorted(chosen))}

    def document(self, without: str = "\0") -> dict[str, Any]:
        """Bias and weights as the package reads them, without the signs that begin so."""
        fitted = self.fit.coef_[0]
        return {
            "bias": round(float(self.fit.intercept_[0]), 4),
            "signs": {
                name: weight for name, weight in self.sign_weights().items() if not name.startswith(without)
            },
            "grams": {
                gram: [round(idf, 1), round(float(fitted[at]), 2)] for gram, (at, idf) in self.grams.items()
            },
        }


def trained(
    rows: Sequence[Featured],
    truth: Sequence[bool],
    weights: Sequence[float],
    fit: LogisticRegression,
    sign_weight: float = SIGN_WEIGHT,
    most: int = 1_000_000,
) -> Trained:
    """Fit the signs and at most so many words of rows to what is true of each: those that tell most."""
    counts = Counter(name for row in rows for name in row.signs)
    names = sorted(name for name, count in counts.items() if count >= LEAST_ROWS)
    model = Trained(_vocabulary(rows), {name: at for at, name in enumerate(names)}, fit, sign_weight)
    fit.fit(model.matrix(rows), truth, sample_weight=weights)
    if len(model.grams) > most:
        model = model._replace(grams=model.telling(most))
        fit.fit(model.matrix(rows), truth, sample_weight=weights)
    return model


def _vocabulary(rows: Sequence[Featured]) -> dict[str, tuple[int, float]]:
    """Words of several rows and sources, so that nobody's own words are kept: column and idf."""
    counts: Counter[str] = Counter()
    sources: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        for gram in set(row.grams):
            counts[gram] += 1
            sources[gram] |= {row.source} if row.is_real else {row.source, "our own words"}
    common = sorted(
        gram for gram, count in counts.items() if count >= LEAST_ROWS and len(sources[gram]) >= LEAST_SOURCES
    )
    return {gram: (at, log((1 + len(rows)) / (1 + counts[gram])) + 1) for at, gram in enumerate(common)}


def folds(rows: Sequence[Featured]) -> list[set[str]]:
    """Groups of repositories: the largest ones alone, the others together."""
    sizes = Counter(row.source for row in rows if row.is_real)
    large = [source for source, _ in sizes.most_common(FOLDS - 1)]
    return [{source} for source in large] + [set(sizes) - set(large)]


R = TypeVar("R", bound=Featured)


def cross_validated(rows: Sequence[R], train: Callable[[Sequence[R]], Trained]) -> Any:
    """The score of every real row by a model that saw nothing of its repository; NaN for our own."""
    scores = np.full(len(rows), np.nan)
    for fold in folds(rows):
        held = [at for at, row in enumerate(rows) if row.is_real and row.source in fold]
        model = train([row for row in rows if not (row.is_real and row.source in fold)])
        if held:
            scores[held] = model.scores([rows[at] for at in held])
    return scores


def calibrated(scores: Any, truth: Any) -> tuple[float, float]:
    """Platt's slope and offset."""
    fit = LogisticRegression(C=1e6).fit(scores.reshape(-1, 1), truth)
    return float(fit.coef_[0][0]), float(fit.intercept_[0])


def categories(
    rows: Sequence[Featured], labels: Sequence[str], weights: Sequence[float], signs: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Weights by category and sign: a softmax over the signs. Rare categories weigh more."""
    names, counts = sorted(signs), Counter(labels)
    table = np.array([[row.signs.get(name, 0.0) * SIGN_WEIGHT for name in names] for row in rows])
    balanced = [
        weight * (len(rows) / counts[label]) ** 0.5 for weight, label in zip(weights, labels, strict=True)
    ]
    fit = LogisticRegression(C=1.0, max_iter=3000).fit(table, labels, sample_weight=balanced)
    return {
        str(name): {"bias": round(float(fit.intercept_[at]), 3)}
        | {
            sign: round(float(value) * SIGN_WEIGHT, 2)
            for sign, value in zip(names, fit.coef_[at], strict=True)
            if abs(value) >= 0.03
        }
        for at, name in enumerate(fit.classes_)
    }
