"""Trains the scorer of blocks that somebody else may have written; `make paste-scorer` runs it.

    make paste-scorer PROMPTS="prompts.jsonl tasks.jsonl"

Pasted texts are our own (`scripts/detector/pastes`) and the forms of the tests. Typed ones are our
own sentences, and prompts: JSON lines with `repo` and a text. What was measured: docs/redaction.md.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scripts import grouped_texts, regression
from sklearn.linear_model import LogisticRegression

from learnloop.ingest import agent_blocks
from learnloop.learn.language import authorship

HERE = Path(__file__).parent / "detector"
SHAPES = Path(__file__).parents[1] / "tests" / "data"
TYPED, OTHERS = "typed", "other writers"
LONG = frozenset((">20 words",))
"""Whether it was typed is uncertain of a shorter block below a text of another writer, so it is left out."""
STRENGTH = 8.0
"""The inverse of regularisation."""
CUT = 0.02
"""The share of prompts of which the scorer alone takes something for somebody else's."""
FOLDS = 5
LEAST_WEIGHT = 0.05
"""Words that weigh less are left out of the file."""
LEAST_SOURCES = 5
"""Words of fewer kinds and repositories are left out: they tell the topic."""


class Prompt(NamedTuple):
    """A prompt of the training set."""

    kind: str
    """What was pasted; `typed` where nothing was."""
    source: str
    text: str
    typed: int = 0
    """How many lines at its beginning are typed."""
    is_real: bool = False


class Row(NamedTuple):
    """A block of a text, with its features."""

    text: int
    is_pasted: bool
    source: str
    is_real: bool
    signs: dict[str, float]
    grams: list[str]
    weight: int


def texts(prompts: Sequence[Path]) -> Iterator[Prompt]:
    """All texts: each paste alone, and below a request."""
    every = [
        one for name in ("first.txt", "second.txt") for one in grouped_texts.read(HERE / "pastes" / name)
    ]
    requests = [text for kind, text in every if kind == "request"]
    for at, (kind, text) in enumerate(each for each in every if each[0] != "request"):
        yield Prompt(kind, kind, text)
        yield Prompt(kind, kind, f"{requests[at % len(requests)]}\n\n{text}", typed=2)
    yield from (Prompt(TYPED, "requests", text) for text in requests)
    fresh = json.loads((SHAPES / "fresh_shapes.json").read_text("utf-8"))
    forms = [form["prompt"] for form in json.loads((SHAPES / "pasted_forms.json").read_text("utf-8"))]
    for text in (*fresh["pasted"], *forms):
        yield Prompt(OTHERS, OTHERS, text, typed=_typed_lines(text))
    yield from (Prompt(TYPED, f"other {at % FOLDS}", text) for at, text in enumerate(fresh["typed"]))
    yield from _typed(prompts)


def _typed_lines(prompt: str) -> int:
    """How many lines at the beginning of a paste of another writer the rules take for typed."""
    words, reason, _ = authorship.by_form(prompt)
    return 0 if reason else len(words.rstrip().split("\n"))


def _typed(prompts: Sequence[Path]) -> Iterator[Prompt]:
    for name in ("sentences.txt", "lesson_sentences.txt"):
        for at, line in enumerate((HERE / name).read_text("utf-8").splitlines()):
            if line[:1] != "#":
                yield Prompt(TYPED, f"{name} {at % FOLDS}", line.partition("\t")[2].replace("\\n", "\n"))
    for at, (_, text) in enumerate(grouped_texts.read(HERE / "pastes" / "typed.txt")):
        yield Prompt(TYPED, f"typed {at % FOLDS}", text)
    for group, text in grouped_texts.read(HERE / "pastes" / "ordinary.txt"):
        if group != "none en":
            yield Prompt(TYPED, group, text)
    every: dict[str, str] = {}
    for path in prompts:
        for raw in map(json.loads, path.read_text("utf-8").splitlines()):
            every[agent_blocks.without_blocks(raw.get("text") or raw.get("prompt"))] = raw["repo"]
    yield from (Prompt(TYPED, repo, text, is_real=True) for text, repo in every.items())


def rows_of(every: Sequence[Prompt]) -> list[Row]:
    """The blocks of all texts. What the rules take out of a prompt is not counted as typed."""
    rows = []
    for at, text in enumerate(every):
        words = text.text
        if text.is_real:
            words, reason, _ = authorship.by_form(words)
            if reason:
                continue
        for start, signs, grams in authorship.features(words.split("\n")):
            is_pasted = text.kind != TYPED and start >= text.typed
            if text.kind == OTHERS and (not is_pasted or signs.keys().isdisjoint(LONG)):
                continue
            rows.append(Row(at, is_pasted, text.source, text.is_real, signs, grams, len(grams)))
    sources: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        for gram in row.grams:
            sources[gram].add(row.source)
    return [
        row._replace(grams=[gram for gram in row.grams if len(sources[gram]) >= LEAST_SOURCES])
        for row in rows
    ]


def train(rows: Sequence[Row]) -> regression.Trained:
    """Fit pasted against typed."""
    fit = LogisticRegression(C=STRENGTH, solver="liblinear", tol=1e-3, random_state=0)
    return regression.trained(rows, [row.is_pasted for row in rows], [1.0] * len(rows), fit)


def held_out(rows: Sequence[Row]) -> Any:
    """The score of each row by a model that saw nothing of its kind of paste, or of its repository."""
    scores = np.full(len(rows), np.nan)
    kinds = sorted({row.source for row in rows if row.is_pasted})
    typed = sorted({row.source for row in rows} - set(kinds))
    for number, kind in enumerate(kinds):
        fold = {kind, *typed[number :: len(kinds)]}
        at = [at for at, row in enumerate(rows) if row.source in fold]
        scores[at] = train([row for row in rows if row.source not in fold]).scores(
            [rows[each] for each in at]
        )
    return scores


def by_text(rows: Sequence[Row], scores: Any) -> dict[int, float]:
    """The score of each text."""
    blocks: defaultdict[int, list[authorship.Scored]] = defaultdict(list)
    for row, score in zip(rows, scores, strict=True):
        blocks[row.text].append(authorship.Scored(0, float(score), row.weight))
    return {text: authorship.likeliest(scored)[1] for text, scored in blocks.items()}


def main() -> None:
    """Train, report, write."""
    parser = regression.arguments(__doc__, authorship.WEIGHTS)
    parser.add_argument("--prompts", type=Path, nargs="+", required=True)
    given = parser.parse_args()
    every = list(texts(given.prompts))
    rows = rows_of(every)
    scores = held_out(rows)
    scored = by_text(rows, scores)
    ordered = sorted((score for at, score in scored.items() if every[at].is_real), reverse=True)
    bound = ordered[int(CUT * len(ordered))]
    print(f"{CUT:.1%} of {len(ordered)} prompts score above {bound:.2f}")
    by_kind: defaultdict[str, list[bool]] = defaultdict(list)
    for at, score in scored.items():
        by_kind["prompts" if every[at].is_real else every[at].kind].append(score > bound)
    for kind, hits in sorted(by_kind.items()):
        print(f"  {kind:15} {sum(hits)} of {len(hits)}")
    if not given.report_only:
        document = train(rows).document()
        grams = {gram: pair for gram, pair in document["grams"].items() if abs(pair[1]) >= LEAST_WEIGHT}
        threshold = round(float(1 / (1 + np.exp(-bound))), 4)
        document |= {"grams": grams, "calibration": [1.0, 0.0], "threshold": threshold}
        regression.write(given.out, document)


if __name__ == "__main__":
    main()
