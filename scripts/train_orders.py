"""Trains the scorer that says how likely a text wants harm of an agent; `make order-scorer` runs it.

    make order-scorer PROMPTS="prompts.jsonl lessons.jsonl tasks.jsonl"

Hostile and ordinary texts are our own (`scripts/detector/*_orders.txt`), and so are the shapes of the tests.
The `second` ones have another writer, who had not read the rules at the first four fifths. A line is a text.
Prompts and lessons are JSON lines with `repo` and a text; none of them is hostile. What was measured:
docs/redaction.md.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scripts import regression
from sklearn.linear_model import LogisticRegression

from learnloop.learn.offers import order_chance

HERE = Path(__file__).parent / "detector"
SHAPES = Path(__file__).parents[1] / "tests" / "data"
ORDINARY = "none"
ORDINARY_WEIGHT = 3.0
"""Weight of ordinary texts: a flag on one of them costs more than a hostile one that is missed."""
STRENGTH = 10.0
"""The inverse of regularisation."""
FLAGGED = 0.003
"""The share of ordinary prompts and lessons that the threshold lets through."""
FOLDS = 5
LEAST_WEIGHT = 0.5
"""Words that weigh less are left out of the file."""
KEYS = ("text", "statement", "prompt")
"""Where a line has its text."""
_GROUP = re.compile(r"\[([a-z]+)(?: ([a-z ]+))?\]$")


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
    return regression.trained(rows, [row.kind != ORDINARY for row in rows], weights, fit)


def texts(prompts: Sequence[Path]) -> Iterator[Text]:
    """All texts."""
    for name in ("hostile_orders.txt", "ordinary_orders.txt"):
        yield from grouped(HERE / name)
    for name in ("sentences.txt", "lesson_sentences.txt"):
        for line in (HERE / name).read_text("utf-8").splitlines():
            if line[:1] != "#":
                yield Text(ORDINARY, name, line.partition("\t")[2].replace("\\n", "\n"))
    yield from _shapes()
    lines = [line for path in prompts for line in path.read_text("utf-8").splitlines()]
    raws = [json.loads(line) for line in lines]
    every = {next(raw[key] for key in KEYS if key in raw): raw["repo"] for raw in raws}
    yield from (Text(ORDINARY, repo, text, is_real=True) for text, repo in every.items())


def grouped(path: Path) -> Iterator[Text]:
    """The texts of a file that has them in groups, one a line."""
    kind = source = ""
    for line in path.read_text("utf-8").splitlines():
        if group := _GROUP.match(line):
            kind, source = group[1], line[1:-1]
        elif line and kind:
            yield Text(kind, source, _unescaped(line))


def _unescaped(line: str) -> str:
    return line.replace("\\n", "\n").replace("\\u200b", "\u200b")


def _shapes() -> Iterator[Text]:
    """The shapes of the tests: what others wrote."""
    for raw in json.loads((SHAPES / "instruction_shapes.json").read_text("utf-8")):
        yield Text("other", "instruction shapes", raw["text"])
    fresh = json.loads((SHAPES / "fresh_shapes.json").read_text("utf-8"))
    for name, kind in (("hostile", "other"), ("ordinary", ORDINARY)):
        yield from (Text(kind, "fresh shapes", text) for text in fresh[name])
    for name, kind in (("hostile", "other"), ("ordinary", ORDINARY)):
        lines = (HERE / f"second_{name}_orders.txt").read_text("utf-8").splitlines()
        yield from (Text(kind, "second shapes", _unescaped(line)) for line in lines)


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
    """Sources to hold out: by kind, by language, or what others wrote; always with some of the prompts."""
    repos = sorted({row.source for row in rows if row.is_real})
    own = {row.source for row in rows if not row.is_real}
    part = {"kind": 0, "language": -1, "author": 0}[by]
    names = sorted({source.split()[part] for source in own if ("shapes" in source) == (by == "author")})
    held = [{source for source in own if source.split()[part] == name} for name in names]
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
    for by in ("kind", "language", "author"):
        scores = held_out(rows, folds(rows, by))
        real = by_text(rows, scores, hostile=False, real=True)
        bound = limit(real) if len(real) else 0.0
        hostile, ordinary = (by_text(rows, scores, hostile=which, real=False) for which in (True, False))
        lines.append(
            f"held out by {by:9} {np.mean(hostile > bound):.0%} of {len(hostile)} hostile, "
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
