"""Trains the feedback detector's weights from labelled prompts; `make detector` installs what it needs.

    make detector PROMPTS=feedback.jsonl SENTENCES="own.jsonl more.jsonl"

Prompts are JSON lines with `text`, `label` (a feedback category or `none`) and, where known, `preceding` or
`previous`, `position`, `strength` and `repo`; sentences are the same without a place in a session, or lines
of label, tab and text. What was measured, and how the recipe was chosen: docs/detection.md.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scripts import regression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from learnloop.learn.feedback import detector, trained_model
from learnloop.learn.feedback.features import Prompt
from learnloop.learn.language import linear_model

OWN = Path(__file__).parent / "detector" / "sentences.txt"
SENTENCE_WEIGHT, EXPLICIT_WEIGHT = 0.3, 2.0
STRENGTH = 3.0
"""The inverse of regularisation."""
OF_SENTENCES = "sentence: "
"""Prefix of a second copy of every sign of our own sentences. The copy takes up what is peculiar to them,
short as they are, so that the sign itself learns what holds for real prompts. It is not among the weights."""
FLAGGED = 0.10
"""The share of prompts without feedback that the threshold lets through."""
SEED = 0
_INTERRUPTED = re.compile(r"request interrupted|interrupted by user|doesn'?t want to|rejected", re.I)


class Row(NamedTuple):
    """A labelled prompt with its features."""

    label: str
    is_explicit: bool
    is_real: bool
    source: str
    """Its repository, or the file of the sentence."""
    signs: dict[str, float]
    grams: list[str]


def train(rows: Sequence[Row]) -> regression.Trained:
    """Fit feedback against none."""
    rows = [_with_copies(row) for row in rows]
    fit = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=3000)
    return regression.trained(rows, [row.label != "none" for row in rows], _weights(rows), fit)


def _with_copies(row: Row) -> Row:
    if row.source != OWN.name:
        return row
    copies = {f"{OF_SENTENCES}{name}": value for name, value in row.signs.items() if name[:4] != "rule"}
    return row._replace(signs={**row.signs, **copies, OF_SENTENCES: 1.0})


def _weights(rows: Sequence[Row]) -> list[float]:
    return [
        (1.0 if row.is_real else SENTENCE_WEIGHT) * (EXPLICIT_WEIGHT if row.is_explicit else 1.0)
        for row in rows
    ]


def _categories(rows: Sequence[Row], signs: Sequence[str]) -> dict[str, dict[str, float]]:
    """Which kind of feedback, for what is feedback."""
    remarks = [row for row in rows if row.label != "none"]
    return regression.categories(remarks, [row.label for row in remarks], _weights(remarks), signs)


def weights_of(rows: Sequence[Row]) -> dict[str, Any]:
    """Everything the package needs, as JSON."""
    model, scores = train(rows), regression.cross_validated(rows, train)
    real = ~np.isnan(scores)
    truth = np.array([row.label != "none" for row in rows])
    slope, offset = regression.calibrated(scores[real], truth[real])
    none = np.sort(scores[real & ~truth])[::-1]
    at = slope * none[int(FLAGGED * len(none))] + offset
    return {
        **model.document(OF_SENTENCES),
        "calibration": [round(slope, 4), round(offset, 4)],
        "threshold": round(float(1 / (1 + np.exp(-at))), 3),
        "categories": _categories(rows, [name for name in model.signs if not name.startswith(OF_SENTENCES)]),
    }


def report(rows: Sequence[Row]) -> str:
    """Cross-validation by repository, in words."""
    scores = regression.cross_validated(rows, train)
    real: list[int] = np.flatnonzero(~np.isnan(scores)).tolist()
    truth = np.array([rows[at].label != "none" for at in real])
    measured = scores[real]
    explicit = np.array([rows[at].is_explicit and rows[at].label == "correction" for at in real])
    generator = np.random.default_rng(SEED)
    draws = [generator.integers(0, len(real), len(real)) for _ in range(500)]
    lines = [_measured("any feedback, AUC", lambda at: roc_auc_score(truth[at], measured[at]), draws)]
    for share in (0.10, 0.15):
        none = np.sort(measured[~truth])[::-1]
        limit = none[int(share * len(none))]
        flagged = measured > limit
        lines += [
            _measured(f"explicit corrections caught, {share:.0%} of none flagged",
                      lambda at, flagged=flagged: flagged[at][explicit[at]].mean(), draws),
            _measured("  precision of what is flagged",
                      lambda at, flagged=flagged: truth[at][flagged[at]].mean(), draws),
            _measured("  any feedback caught",
                      lambda at, flagged=flagged: flagged[at][truth[at]].mean(), draws),
        ]  # fmt: skip
    for fold in regression.folds(rows):
        held = np.array([rows[at].source in fold for at in real])
        auc = roc_auc_score(truth[held], measured[held])
        lines.append(f"{' + '.join(sorted(fold)):50.50}  AUC {auc:.3f}  ({held.sum()} prompts)")
    return "\n".join(lines)


def kinds(rows: Sequence[Row]) -> str:
    """Per category what was found by a detector that saw nothing of the repository, and the confusions."""
    pairs = Counter(
        (row.label, answer) for row, answer in zip(rows, predicted(rows), strict=True) if row.is_real
    )
    names = ["none", *sorted({label for label, _ in pairs} - {"none"})]
    lines = [
        f"{'':22}{'precision':>10}{'recall':>8}{'F1':>6}{'n':>6}   called " + " ".join(map(_short, names))
    ]
    for name in names:
        right = pairs[name, name]
        answers = sum(count for (_, answer), count in pairs.items() if answer == name)
        true = sum(count for (label, _), count in pairs.items() if label == name)
        precision, recall = right / max(answers, 1), right / max(true, 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        called = " ".join(f"{pairs[name, other]:>6}" for other in names)
        lines.append(f"{name:22}{precision:>10.2f}{recall:>8.2f}{f1:>6.2f}{true:>6}          {called}")
    return "\n".join(lines)


def _short(name: str) -> str:
    return f"{name[:6]:>6}"


def predicted(rows: Sequence[Row]) -> list[str]:
    """The category that each real row gets, `none` for the others; the threshold is of the other folds."""
    answers = ["none"] * len(rows)
    for fold in regression.folds(rows):
        others = [row for row in rows if not (row.is_real and row.source in fold)]
        weights = linear_model.parse(weights_of(others))
        for at, row in enumerate(rows):
            if row.is_real and row.source in fold:
                rule = next((name[5:] for name in row.signs if name.startswith("rule ")), None)
                answers[at] = (
                    rule
                    or detector.category_by_model(trained_model.weigh(weights, row.signs, row.grams), weights)
                    or "none"
                )
    return answers


def _measured(name: str, measure: Any, draws: list[Any]) -> str:
    values = sorted(float(measure(draw)) for draw in draws)
    middle, low, high = values[len(values) // 2], values[len(values) // 40], values[-len(values) // 40]
    return f"{name:50}  {middle:.3f}  ({low:.3f}–{high:.3f})"


def read(prompts: Sequence[Path], sentences: Sequence[Path]) -> list[Row]:
    """All rows; sentences without a place get one in mid-session, so as not to read as first prompts."""
    rng = random.Random(SEED)
    prompts_read = [
        _row(raw, str(raw.get("repo", path.name)), rng, is_real=True)
        for path in prompts
        for raw in _raw(path)
    ]
    return prompts_read + [
        _row(raw, path.name, rng, is_real=False) for path in sentences for raw in _raw(path)
    ]


def _raw(path: Path) -> list[dict[str, Any]]:
    lines = [
        line for line in path.read_text("utf-8").splitlines() if line.strip() and not line.startswith("#")
    ]
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in lines]
    pairs = [line.split("\t", 1) for line in lines]
    return [{"label": label, "text": text.replace("\\n", "\n")} for label, text in pairs]


def _row(raw: dict[str, Any], source: str, rng: random.Random, *, is_real: bool) -> Row:
    previous = str(raw.get("preceding") or raw.get("previous") or "")
    position = raw.get("position") or (2 if is_real else rng.randint(2, 14))
    prompt = Prompt(raw["text"], previous, position, bool(_INTERRUPTED.search(previous)))
    explicit = raw.get("strength") == "explicit" and raw["label"] in (
        "correction",
        "rejection",
        "clarification",
    )
    return Row(raw["label"], explicit, is_real, source, *detector.training_features(prompt))


def main() -> None:
    """Train, report, write."""
    parser = regression.arguments(__doc__, trained_model.WEIGHTS)
    parser.add_argument("--prompts", type=Path, nargs="+", required=True)
    parser.add_argument("--sentences", type=Path, nargs="*", default=[])
    given = parser.parse_args()
    rows = read(given.prompts, [OWN, *given.sentences])
    print(report(rows), kinds(rows), sep="\n\n")
    if not given.report_only:
        regression.write(given.out, weights_of(rows))


if __name__ == "__main__":
    main()
