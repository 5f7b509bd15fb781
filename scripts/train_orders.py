"""Trains the scorer that says how likely a text wants harm of an agent; `make order-scorer` runs it.

    make order-scorer PROMPTS="prompts.jsonl lessons.jsonl tasks.jsonl"

Hostile and ordinary texts are our own (`scripts/detector/orders`), and so are the shapes of the tests.
Prompts and lessons are JSON lines with `repo` and a text; none of them is hostile. What was measured:
docs/redaction.md.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scripts import grouped_texts, regression
from sklearn.linear_model import LogisticRegression

from learnloop.learn.offers import order_chance

HERE = Path(__file__).parent / "detector"
SHAPES = Path(__file__).parents[1] / "tests" / "data"
ORDINARY, OTHER = "none", "other"
ORDINARY_WEIGHT = 3.0
"""Weight of ordinary texts: a flag on one of them costs more than a hostile one that is missed."""
STRENGTH, SIGN_WEIGHT = 10.0, 0.15
"""The inverse of regularisation, and the scale of signs: chosen with each writer held out."""
FLAGGED = 0.003
"""The share of ordinary prompts and lessons that the threshold lets through."""
FOLDS = 5
LEAST_WEIGHT = 0.5
"""Words that weigh less are left out of the file."""
KEYS = ("text", "statement", "prompt")
"""Where a line has its text."""


class Row(NamedTuple):
    """Two sentences of a text, with their features."""

    text: int
    """The number of the text."""
    kind: str
    """What it wants; `none` for an ordinary one."""
    source: str
    """Kind and language, or where it comes from."""
    is_real: bool
    """Whether it is a prompt or a lesson of a person."""
    signs: dict[str, float]
    grams: list[str]


class Text(NamedTuple):
    """A text of the training set."""

    kind: str
    source: str
    text: str
    is_real: bool = False


def train(rows: Sequence[Row]) -> regression.Trained:
    """Fit hostile against ordinary."""
    weights = [1.0 if row.kind != ORDINARY else ORDINARY_WEIGHT for row in rows]
    fit = LogisticRegression(C=STRENGTH, solver="liblinear", tol=1e-3, random_state=0)
    return regression.trained(rows, [row.kind != ORDINARY for row in rows], weights, fit, SIGN_WEIGHT)


def texts(prompts: Sequence[Path]) -> Iterator[Text]:
    """All texts."""
    for path in sorted((HERE / "orders").glob("*/*.txt")):
        yield from _orders(path, path.parent.name, is_ordinary=path.stem == "ordinary")
    for name in ("sentences.txt", "lesson_sentences.txt"):
        for line in (HERE / name).read_text("utf-8").splitlines():
            if line[:1] != "#":
                yield Text(ORDINARY, name, line.partition("\t")[2].replace("\\n", "\n"))
    yield from _shapes()
    lines = [line for path in prompts for line in path.read_text("utf-8").splitlines()]
    raws = [json.loads(line) for line in lines]
    every = {next(raw[key] for key in KEYS if key in raw): raw["repo"] for raw in raws}
    yield from (Text(ORDINARY, repo, text, is_real=True) for text, repo in every.items())


def _orders(path: Path, writer: str, *, is_ordinary: bool) -> Iterator[Text]:
    for number, (group, text) in enumerate(grouped_texts.read(path)):
        kind, _, language = group.partition(" ")
        kind = ORDINARY if is_ordinary else kind or OTHER
        yield Text(kind, f"{writer} {kind} {language or number // 100}", text)


def _shapes() -> Iterator[Text]:
    """The shapes of the tests: what others wrote."""
    for raw in json.loads((SHAPES / "instruction_shapes.json").read_text("utf-8")):
        yield Text(OTHER, "shapes of tests", raw["text"])
    fresh = json.loads((SHAPES / "fresh_shapes.json").read_text("utf-8"))
    for name, kind in (("hostile", OTHER), ("ordinary", ORDINARY)):
        yield from (Text(kind, "shapes of tests", text) for text in fresh[name])


def rows_of(every: Sequence[Text]) -> list[Row]:
    """The rows of texts. Of a text with marks only what is between them is hostile."""
    return [
        Row(at, kind, text.source, text.is_real, *found)
        for at, text in enumerate(every)
        for kind, part in _parts(text)
        for found in order_chance.features(part)
    ]


def _parts(text: Text) -> list[tuple[str, str]]:
    if text.kind == ORDINARY or "«" not in text.text:
        return [(text.kind, text.text)]
    above, _, rest = text.text.partition("«")
    hostile, _, below = rest.partition("»")
    return [(ORDINARY, above), (text.kind, hostile), (ORDINARY, below)]


def folds(rows: Sequence[Row], by: str) -> list[set[str]]:
    """Sources to hold out: by writer, kind or language, always with some of the prompts."""
    repos = sorted({row.source for row in rows if row.is_real})
    part = {"writer": 0, "kind": 1, "language": 2}[by]
    orders = [source for source in {row.source for row in rows} if len(source.split(" ")) == 3]
    names = sorted({name for source in orders if (name := source.split(" ")[part]).isalpha()})
    held = [{source for source in orders if source.split(" ")[part] == name} for name in names]
    return [fold | set(repos[number :: max(len(held), FOLDS)]) for number, fold in enumerate(held)]


def held_out(rows: Sequence[Row], every: Sequence[set[str]]) -> Any:
    """The score of each row by a model that saw nothing of its fold; NaN for rows of no fold."""
    scores = np.full(len(rows), np.nan)
    for fold in every:
        held = [at for at, row in enumerate(rows) if row.source in fold]
        model = train([row for row in rows if row.source not in fold])
        scores[held] = model.scores([rows[at] for at in held])
    return scores


def by_text(rows: Sequence[Row], scores: Any, *, hostile: bool, real: bool) -> Any:
    """The highest score of each text of a sort, the highest first."""
    best: dict[int, float] = {}
    pieces = Counter(row.text for row in rows)
    for row, score in zip(rows, scores, strict=True):
        if (row.kind != ORDINARY) == hostile and row.is_real == real and not np.isnan(score):
            cost = order_chance.length_cost(pieces[row.text])
            best[row.text] = max(best.get(row.text, -np.inf), float(score) - cost)
    return np.sort(list(best.values()))[::-1]


def limit(ordinary: Any) -> float:
    """The score that few enough ordinary texts reach."""
    return float(ordinary[int(FLAGGED * len(ordinary))])


def report(rows: Sequence[Row]) -> str:
    """How many hostile texts are flagged that the model saw nothing like, in words."""
    lines = []
    for by in ("writer", "kind", "language"):
        scores = held_out(rows, folds(rows, by))
        real = by_text(rows, scores, hostile=False, real=True)
        bound = limit(real) if len(real) else 0.0
        hostile, ordinary = (by_text(rows, scores, hostile=which, real=False) for which in (True, False))
        lines.append(
            f"held out by {by:8} {np.mean(hostile > bound):.0%} of {len(hostile)} hostile, "
            f"{np.sum(ordinary > bound)} of {len(ordinary)} near to one, "
            f"{np.sum(real > bound)} of {len(real)} prompts"
        )
    return "\n".join(lines)


def weights_of(rows: Sequence[Row]) -> dict[str, Any]:
    """Everything the package needs, as JSON."""
    repos = sorted({row.source for row in rows if row.is_real})
    scores = held_out(rows, [set(repos[number::FOLDS]) for number in range(FOLDS)])
    bound = limit(by_text(rows, scores, hostile=False, real=True))
    model = train(rows)
    document = model.document()
    named = [row for row in rows if row.kind in order_chance.REASONS]
    labels, signs = [row.kind for row in named], [name for name in model.signs if "+" not in name]
    return {
        **document,
        "grams": {gram: pair for gram, pair in document["grams"].items() if abs(pair[1]) >= LEAST_WEIGHT},
        "calibration": [1.0, 0.0],
        "threshold": round(float(1 / (1 + np.exp(-bound))), 4),
        "categories": regression.categories(named, labels, [1.0] * len(named), signs),
    }


def main() -> None:
    """Train, report, write."""
    parser = regression.arguments(__doc__, order_chance.WEIGHTS)
    parser.add_argument("--prompts", type=Path, nargs="+", required=True)
    given = parser.parse_args()
    rows = rows_of(list(texts(given.prompts)))
    print(report(rows))
    if not given.report_only:
        regression.write(given.out, weights_of(rows))


if __name__ == "__main__":
    main()
