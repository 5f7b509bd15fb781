"""Trains the scorer that says how likely a reviewer keeps a sentence; `make lesson-scorer` runs it.

    make lesson-scorer PROMPTS=feedback.jsonl LESSONS=lessons.jsonl

Prompts are JSON lines with `id`, `repo`, `path`, `position` and `text`; lessons have `messages` (ids of
prompts), `certainty` and `explicit`. `lesson_spans.jsonl` contains no text: it says which characters of which
prompt carry a lesson, as readers marked them (3 nearly every reviewer keeps it, 2 most, 1 some).
`lesson_sentences.txt` contains prompts of our own. What was measured: docs/detection.md.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scripts import regression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from learnloop.learn.feedback import detector, prompt_rules
from learnloop.learn.language import wording, words
from learnloop.learn.lessons import candidates, keep_chance

HERE = Path(__file__).parent / "detector"
SPANS, SENTENCES = HERE / "lesson_spans.jsonl", HERE / "lesson_sentences.txt"
KEPT = 2
"""A reader's mark from which on a sentence counts as kept."""
WEIGHTS = {3: 2.0, 2: 1.0, 1: 0.5, 0: 1.0}
"""Weights of sentences by mark: of those that some would keep nobody is sure."""
OWN_WEIGHT = 1.5
PER_THOUSAND = 245
"""Drafts of 1,000 prompts, by which the floor is chosen."""
FURTHER = 0.2
"""What each further sentence of a prompt needs above the floor: most prompts carry one lesson."""


class Row(NamedTuple):
    """A sentence with its features."""

    prompt: str
    """Its prompt's id; empty for a sentence of our own."""
    source: str
    """Its repository."""
    mark: int
    """0–3."""
    signs: dict[str, float]
    grams: list[str]

    @property
    def is_real(self) -> bool:
        """Whether a person wrote it."""
        return bool(self.prompt)


def train(rows: Sequence[Row]) -> regression.Trained:
    """Fit kept against not kept."""
    weights = [WEIGHTS[row.mark] * (1.0 if row.is_real else OWN_WEIGHT) for row in rows]
    fit = LogisticRegression(C=1.0, max_iter=3000)
    return regression.trained(rows, [row.mark >= KEPT for row in rows], weights, fit)


def chances(rows: Sequence[Row], scores: Any) -> tuple[Any, tuple[float, float]]:
    """The calibrated chances of the real rows (Platt), and slope and offset."""
    real = ~np.isnan(scores)
    truth = np.array([row.mark >= KEPT for row in rows])
    slope, offset = regression.calibrated(scores[real], truth[real])
    return 1 / (1 + np.exp(-(slope * scores + offset))), (slope, offset)


def drafted(rows: Sequence[Row], chance: Any, floor: float) -> list[int]:
    """The rows that become drafts, as `candidates.chosen` chooses them, the likeliest first."""
    counts: Counter[str] = Counter()
    drafts = []
    for at in np.argsort(-np.nan_to_num(chance, nan=-1.0)):
        row = rows[at]
        is_listed = "listed" in row.signs
        is_further = counts[row.prompt] > 0 and not is_listed
        least = floor + FURTHER * (is_further and candidates.form_of(row.signs) not in candidates.FIRM)
        if row.prompt and chance[at] >= least:
            counts[row.prompt] += not is_listed
            drafts.append(int(at))
    return drafts


def floor_for(rows: Sequence[Row], chance: Any, per_thousand: float) -> float:
    """The floor above which so many drafts are made of 1,000 prompts."""
    goal = per_thousand * len({row.prompt for row in rows if row.prompt}) / 1000
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if len(drafted(rows, chance, middle)) > goal else (low, middle)
    return round(high, 3)


def report(rows: Sequence[Row], lessons: Sequence[dict[str, Any]]) -> str:
    """Cross-validation by repository, in words, with 95 % bootstrap intervals over lessons or drafts."""
    chance, _ = chances(rows, regression.cross_validated(rows, train))
    floor = floor_for(rows, chance, PER_THOUSAND)
    drafts = drafted(rows, chance, floor)
    real = [at for at, row in enumerate(rows) if row.prompt]
    marked = np.array([rows[at].mark >= KEPT for at in real])
    covered = {rows[at].prompt for at in drafts}
    carriers = {message for lesson in lessons for message in lesson["messages"]}
    lines = [
        f"{len(real)} sentences, {int(marked.sum())} kept; AUC {roc_auc_score(marked, chance[real]):.3f}",
        f"floor {floor}: {len(drafts)} drafts of {len({rows[at].prompt for at in real})} prompts, not joined",
    ]
    sure = [lesson for lesson in lessons if lesson["certainty"] == 3]
    for name, some in (
        ("nearly everyone keeps, stated outright", [lesson for lesson in sure if lesson["explicit"]]),
        ("nearly everyone keeps", sure), ("all", lessons),
    ):  # fmt: skip
        covers = [not covered.isdisjoint(lesson["messages"]) for lesson in some]
        lines.append(_share(f"lessons {name}: have a draft", covers))
    for count in (30, 120, len(drafts)):
        first = [rows[at] for at in drafts[:count]]
        rests = [row.prompt in carriers for row in first]
        lines += [
            _share(f"of the {count} strongest: their prompt has a lesson", rests),
            _share("  their sentence is one that readers keep", [row.mark >= KEPT for row in first]),
            _share("  their sentence carries a lesson at all", [row.mark > 0 for row in first]),
        ]
    lines += ["chance, and the share that readers keep:", *_calibration(chance[real], marked)]
    return "\n".join(lines)


def _calibration(chance: Any, marked: Any) -> Iterator[str]:
    for low in np.arange(0, 1, 0.1):
        inside = (chance >= low) & (chance < low + 0.1)
        if inside.sum():
            yield f"  {low:.1f}–{low + 0.1:.1f}  {marked[inside].mean():.2f} of {int(inside.sum())}"


def _share(name: str, values: Sequence[bool]) -> str:
    generator, hits = np.random.default_rng(0), np.array(values, float)
    draws = np.sort([generator.choice(hits, len(hits)).mean() for _ in range(1000)])
    interval = f"{draws[25]:.0%}–{draws[975]:.0%}"
    return f"{name:60} {int(hits.sum()):4} of {len(hits):4}  {hits.mean():.0%} ({interval})"


def weights_of(rows: Sequence[Row]) -> dict[str, Any]:
    """Everything the package needs, as JSON."""
    chance, calibration = chances(rows, regression.cross_validated(rows, train))
    trained = train(rows)
    return {
        **trained.document(),
        "calibration": [round(value, 4) for value in calibration],
        "threshold": floor_for(rows, chance, PER_THOUSAND),
        "further": FURTHER,
    }


def read_prompts(path: Path, spans: dict[str, list[list[int]]]) -> Iterator[Row]:
    """The sentences of real prompts, in the order of their sessions."""
    counts: Counter[tuple[str, str]] = Counter()
    previous: dict[tuple[str, str], str] = {}
    raws = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for raw in sorted(raws, key=lambda raw: (raw["repo"], raw["path"], raw["position"])):
        session = raw["repo"], raw["path"]
        context = prompt_rules.Context(position=counts[session], previous=previous.get(session, ""))
        counts[session] += 1
        previous[session] = raw["text"][:500]
        marks = spans.get(raw["id"], [])
        yield from _rows(raw["text"], context, raw["id"], raw["repo"], partial(_mark, marks))


def _mark(marks: list[list[int]], start: int, end: int) -> int:
    """The best mark of a stretch that a sentence is most of."""
    shares = ((min(end, stop) - max(start, begin), stop - begin, mark) for begin, stop, mark in marks)
    return max(
        (mark for common, size, mark in shares if common >= max(0.35 * size, 0.5 * (end - start))), default=0
    )


def read_sentences(path: Path) -> Iterator[Row]:
    """The sentences of our own prompts: in `keep` lines those between « and », or all if none is marked."""
    for line in path.read_text("utf-8").splitlines():
        label, tab, text = line.partition("\t")
        if line.startswith("#") or not tab:
            continue
        marks, plain = _marks(text.replace("\\n", "\n"))
        if label == "keep" and not marks:
            marks = [[0, len(plain), 3]]
        context = prompt_rules.Context(position=4)
        yield from _rows(plain, context, "", path.name, partial(_mark, marks))


def _marks(text: str) -> tuple[list[list[int]], str]:
    """The marked stretches of a text, and the text without the marks."""
    marks: list[list[int]] = []
    plain = ""
    for number, part in enumerate(text.replace("»", "«").split("«")):
        if number % 2:
            marks.append([len(plain), len(plain) + len(part), 3])
        plain += part
    return marks, plain


def _rows(
    text: str, context: prompt_rules.Context, prompt: str, source: str, mark: Callable[[int, int], int]
) -> Iterator[Row]:
    detection = detector.detect_feedback(text, context)
    own = words.own_words(text)
    place = keep_chance.place(own, detection, context.position + 1)
    for at, sentence in enumerate(own.every):
        yield Row(
            prompt,
            source,
            mark(sentence.start, sentence.end),
            *keep_chance.features(own, at, place, wording.word(own, at)),
        )


def main() -> None:
    """Train, report, write."""
    parser = regression.arguments(__doc__, keep_chance.WEIGHTS)
    parser.add_argument("--prompts", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, required=True)
    given = parser.parse_args()
    spans = {raw["id"]: raw["spans"] for raw in map(json.loads, SPANS.read_text("utf-8").splitlines())}
    rows = [*read_prompts(given.prompts, spans), *read_sentences(SENTENCES)]
    print(report(rows, [json.loads(line) for line in given.lessons.read_text("utf-8").splitlines()]))
    if not given.report_only:
        regression.write(given.out, weights_of(rows))


if __name__ == "__main__":
    main()
