"""Trains the three heads of the ear anew; `make hearing` runs it.

    make hearing PROMPTS=feedback.jsonl LESSONS=lessons.jsonl SENTENCES=more.jsonl MORE=--report-only

Prompts are JSON lines with `id`, `repo`, `path`, `position`, `text`, `label` and, where known, `preceding`,
`strength` and `secondary`; lessons have `messages` (ids of prompts), `certainty` and `explicit`. What readers
marked in prompts stands in `detector/*_spans.jsonl` as places, without a word of them; the other files there
are our own. Every figure is cross-validated by repository. What was measured: docs/detection.md.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scripts import calibration_table, regression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from learnloop.learn.hear import features
from learnloop.learn.hear.features import Place, Prompt
from learnloop.learn.language import words

HERE = Path(__file__).parent / "detector"
OUT = Path(__file__).parents[1] / "src" / "learnloop" / "learn" / "hear"
TURN_SENTENCES, TURN_PAIRS, LESSON_SENTENCES, ALONE_SENTENCES = (
    HERE / f"{name}.txt" for name in ("sentences", "pairs", "lesson_sentences", "alone_sentences")
)
FLAGGED = 0.08
"""The share of prompts without feedback that the threshold of the turn lets through."""
PER_THOUSAND = 245
"""Drafts of 1,000 prompts, by which the threshold of lessons is chosen."""
MOST_WORDS = 4_000
"""Words and pairs that a head keeps: more weigh more in the package than in the figures."""
KEPT = 2
"""A reader's mark from which on a sentence counts as kept."""
WORDED = 0.9
"""The share of right ones among the sentences that are told as they are."""
OF_SENTENCES = "sentence: "
"""Prefix of a second copy of every sign of our own sentences. The copy takes up what is peculiar to them,
short as they are, so that the sign itself learns what holds for real prompts. It is not among the weights."""
_INTERRUPTED = re.compile(r"request interrupted|interrupted by user|doesn'?t want to|rejected", re.I)
INTERRUPTED, INTERRUPTED_NONE = 0.13, 0.04
"""The shares of remarks and of other prompts that come after an interruption: as many as of the real ones."""
OWN = 0.3
"""How much our own sentences count beside a prompt."""
OF_THE_AGENT = 0.8
"""The same for those of `pairs.txt` that speak of the agent's work; their others say it of the product."""
RARE = ("explicit_preference", "praise")
"""Categories of which few real prompts are, so that our own sentences count more."""
_NO_KIND = (OF_SENTENCES, "early", "late", "first", "long", "<", "capitals")
"""Prefixes of signs that tell feedback from none, and not what kind it is."""
_DIRECT = ("correction", "rejection", "clarification")


class Row(NamedTuple):
    """A prompt or a sentence with its features, and how much it counts."""

    label: str
    weight: float
    source: str
    """Its repository, or the file of our own."""
    is_real: bool
    signs: dict[str, float]
    grams: list[str]
    prompt: str = ""
    is_explicit: bool = False
    has_praise: bool = False
    mark: int = 0


class Head(NamedTuple):
    """How one head is trained."""

    name: str
    rows: list[Row]
    strength: float
    """The inverse of regularisation."""
    is_balanced: bool = False
    sign_weight: float = regression.SIGN_WEIGHT

    def truth(self) -> Any:
        """Which rows are what the head looks for."""
        return np.array([row.label != "none" for row in self.rows])

    def train(self, rows: Sequence[Row]) -> regression.Trained:
        """Fit the head to some rows."""
        balance = "balanced" if self.is_balanced else None
        fit = LogisticRegression(C=self.strength, class_weight=balance, max_iter=3000)
        truth, weights = [row.label != "none" for row in rows], [row.weight for row in rows]
        return regression.trained(rows, truth, weights, fit, self.sign_weight, MOST_WORDS)

    def scores(self) -> Any:
        """The score of every real row by a model that saw nothing of its repository."""
        return regression.cross_validated(self.rows, self.train)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file: JSON lines, or label, tab, text."""
    for line in path.read_text("utf-8").splitlines():
        if path.suffix == ".jsonl":
            yield json.loads(line)
        elif "\t" in line and not line.startswith("#"):
            label, _, text = line.partition("\t")
            yield {"label": label, "text": text.replace("\\n", "\n")}


def turn_rows(prompts: Sequence[dict[str, Any]], sentences: Sequence[Path]) -> list[Row]:
    """Prompts and our own sentences; those get a place in mid-session, so as not to read as first prompts."""
    rng = random.Random(0)
    rows = [_turn_row(raw, raw["repo"], raw["position"], is_real=True) for raw in prompts]
    for path in sentences:
        for raw in lines(path):
            share = INTERRUPTED_NONE if raw["label"] == "none" else INTERRUPTED
            given = {"interrupted": rng.random() < share, **raw}
            rows.append(_turn_row(given, path.name, rng.randint(2, 14), is_real=False))
    return [_with_copies(row) if row.source == TURN_SENTENCES.name else row for row in rows]


def _with_copies(row: Row) -> Row:
    copies = {f"{OF_SENTENCES}{name}": value for name, value in row.signs.items()}
    return row._replace(signs={**row.signs, **copies, OF_SENTENCES: 1.0})


def _turn_row(raw: dict[str, Any], source: str, position: int, *, is_real: bool) -> Row:
    previous = str(raw.get("preceding") or raw.get("previous") or "")
    is_explicit = raw.get("strength") == "explicit" and raw["label"] in _DIRECT
    has_praise = raw["label"] == "none" and "praise" in str(raw.get("secondary"))
    label = "praise" if has_praise else raw["label"]
    is_cut_off = bool(_INTERRUPTED.search(previous) or raw.get("interrupted"))
    prompt = Prompt(raw["text"], previous, position, is_cut_off)
    weight = 2.0 if is_explicit else 1.0 if is_real else 0.6 if label in RARE else OWN
    if source == TURN_PAIRS.name and label != "none":
        weight = OF_THE_AGENT
    return Row(label, weight, source, is_real, *features.of_prompt(prompt), raw.get("id", ""),
               is_explicit and raw["label"] == "correction", has_praise)  # fmt: skip


def spans_of(name: str) -> dict[str, list[list[int]]]:
    """What readers marked, by prompt: start, end, mark."""
    return {raw["id"]: raw["spans"] for raw in lines(HERE / name)}


def lesson_rows(prompts: Sequence[dict[str, Any]]) -> list[Row]:
    """The sentences of prompts in the order of their sessions, and our own."""
    spans, counts = spans_of("lesson_spans.jsonl"), Counter[tuple[str, str]]()
    rows: list[Row] = []
    for raw in sorted(prompts, key=lambda raw: (raw["repo"], raw["path"], raw["position"])):
        counts[raw["repo"], raw["path"]] += 1
        at = counts[raw["repo"], raw["path"]]
        rows += _lesson_rows(raw["text"], at, raw["id"], raw["repo"], spans.get(raw["id"], []))
    for raw in lines(LESSON_SENTENCES):
        marks, plain = _marks(raw["text"])
        if raw["label"] == "keep" and not marks:
            marks = [[0, len(plain), 3]]
        rows += _lesson_rows(plain, 5, "", LESSON_SENTENCES.name, marks)
    return rows


def _lesson_rows(text: str, position: int, prompt: str, source: str, marks: list[list[int]]) -> Iterator[Row]:
    own = words.own_words(text)
    place = Place(len(own.every), position)
    for at, sentence in enumerate(own.every):
        mark = _mark(marks, sentence.start, sentence.end)
        weight = {3: 2.0, 2: 1.0, 1: 0.5, 0: 1.0}[mark] * (1.0 if prompt else 1.5)
        label = "keep" if mark >= KEPT else "none"
        yield Row(
            label, weight, source, bool(prompt), *features.of_sentence(own, at, place), prompt, mark=mark
        )


def _mark(marks: list[list[int]], start: int, end: int) -> int:
    """The best mark of a stretch that a sentence is most of."""
    shares = ((min(end, stop) - max(start, begin), stop - begin, mark) for begin, stop, mark in marks)
    return max(
        (mark for common, size, mark in shares if common >= max(0.35 * size, 0.5 * (end - start))), default=0
    )


def _marks(text: str) -> tuple[list[list[int]], str]:
    """The stretches between « and », and the text without these."""
    marks: list[list[int]] = []
    plain = ""
    for number, part in enumerate(text.replace("»", "«").split("«")):
        if number % 2:
            marks.append([len(plain), len(plain) + len(part), 3])
        plain += part
    return marks, plain


def alone_rows(prompts: Sequence[dict[str, Any]]) -> list[Row]:
    """Sentences that can be told as they are, and those that need words; marks 2 and 3 are a reader's."""
    spans, rows = spans_of("alone_spans.jsonl"), []
    for raw in prompts:
        own = words.own_words(raw["text"])
        marks = {start: mark for start, _, mark in spans.get(raw["id"], [])}
        for sentence in own.every:
            if sentence.start in marks:
                mark = marks[sentence.start]
                rows.append(
                    _alone_row(sentence, mark % 2 == 1, 3.0 if mark > 1 else 1.0, raw["repo"], raw["id"])
                )
    for raw in lines(ALONE_SENTENCES):
        weight = 2.0 if raw["label"] in ("wish", "fault") else 0.7
        for sentence in words.own_words(raw["text"]).every[:1]:
            rows.append(
                _alone_row(sentence, raw["label"] in ("alone", "wish"), weight, ALONE_SENTENCES.name, "")
            )
    return rows


def _alone_row(sentence: words.OwnSentence, is_alone: bool, weight: float, source: str, prompt: str) -> Row:
    label = "alone" if is_alone else "none"
    return Row(
        label, weight, source, bool(prompt), *features.of_words(sentence.text, asks=sentence.asks), prompt
    )


def drafted(rows: Sequence[Row], chance: Any, floor: float) -> list[int]:
    """The sentences of prompts above a floor, the likeliest first."""
    counts: Counter[str] = Counter()
    drafts = []
    for at in np.argsort(-np.nan_to_num(chance, nan=-1.0)):
        row = rows[at]
        if row.prompt and chance[at] >= floor and counts[row.prompt] < 3:
            counts[row.prompt] += "listed" not in row.signs
            drafts.append(int(at))
    return drafts


def floor_for(rows: Sequence[Row], chance: Any) -> float:
    """The floor above which `PER_THOUSAND` drafts are made of 1,000 prompts."""
    goal = PER_THOUSAND * len({row.prompt for row in rows if row.prompt}) / 1000
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if len(drafted(rows, chance, middle)) > goal else (low, middle)
    return round(high, 3)


def chances(head: Head) -> tuple[Any, tuple[float, float]]:
    """The calibrated chances of the real rows (Platt), and slope and offset."""
    scores = head.scores()
    real = ~np.isnan(scores)
    slope, offset = regression.calibrated(scores[real], head.truth()[real])
    return 1 / (1 + np.exp(-(slope * scores + offset))), (round(slope, 4), round(offset, 4))


def limit_of(values: Any, share: float) -> float:
    """The value that so large a share of values lies above."""
    return float(np.sort(values)[::-1][int(share * len(values))])


def shown(name: str, hits: Any) -> str:
    """A share with its 95 % bootstrap interval."""
    values, rng = np.array(hits, float), np.random.default_rng(0)
    draws = np.sort([rng.choice(values, len(values)).mean() for _ in range(500)])
    share = f"{values.mean():.1%} ({draws[12]:.0%}–{draws[487]:.0%})"
    return f"  {name:62} {int(values.sum()):4} of {len(values):4}  {share}"


def report_turn(head: Head, chance: Any) -> Iterator[str]:
    """AUC, what is caught at two limits, categories."""
    real = [at for at, row in enumerate(head.rows) if row.is_real and not row.has_praise]
    rows, measured, truth = [head.rows[at] for at in real], chance[real], head.truth()[real]
    yield f"turn: {len(real)} prompts, AUC {roc_auc_score(truth, measured):.3f}"
    for share in (0.10, 0.05):
        flagged = measured > limit_of(measured[~truth], share)
        explicit = [row.is_explicit for row in rows]
        yield shown(f"explicit corrections caught, {share:.0%} of none flagged", flagged[explicit])
        yield shown("  any feedback caught", flagged[truth])


def report_lessons(head: Head, chance: Any, lessons: Sequence[dict[str, Any]]) -> Iterator[str]:
    """AUC, lessons covered, worth of the strongest."""
    rows, floor = head.rows, floor_for(head.rows, chance)
    real = [at for at, row in enumerate(rows) if row.is_real]
    area = roc_auc_score(head.truth()[real], chance[real])
    yield f"lessons: {len(real)} sentences, AUC {area:.3f}, floor {floor}"
    drafts = drafted(rows, chance, floor)
    covered = {rows[at].prompt for at in drafts}
    sure = [lesson for lesson in lessons if lesson["certainty"] == 3]
    for name, some in (("nearly everyone keeps, stated outright", [one for one in sure if one["explicit"]]),
                       ("nearly everyone keeps", sure), ("all", lessons)):  # fmt: skip
        yield shown(
            f"lessons {name}: have a draft", [not covered.isdisjoint(one["messages"]) for one in some]
        )
    for count in (20, 40, 120, len(drafts)):
        yield shown(
            f"of the {count} strongest: readers keep the sentence",
            [rows[at].mark >= KEPT for at in drafts[:count]],
        )
        yield shown("  some keep it", [rows[at].mark > 0 for at in drafts[:count]])


def report_calibration(turn: Head, of_turn: Any, lesson: Head, of_lesson: Any) -> Iterator[str]:
    """How often the chance of feedback, and that of a draft, came true: the tables of docs/detection.md."""
    real = [at for at, row in enumerate(turn.rows) if row.is_real and not row.has_praise]
    truth = turn.truth()[real].tolist()
    yield from calibration_table.table("chance of feedback", of_turn[real].tolist(), truth)
    drafts = drafted(lesson.rows, of_lesson, floor_for(lesson.rows, of_lesson))
    kept = [lesson.rows[at].mark >= KEPT for at in drafts]
    yield from calibration_table.table("chance of a draft", of_lesson[drafts].tolist(), kept)


def report_alone(head: Head, chance: Any) -> Iterator[str]:
    """AUC, and what is told as it is of what readers worded."""
    real = np.array([at for at, row in enumerate(head.rows) if row.is_real])
    truth = head.truth()
    yield f"alone: {len(real)} sentences, AUC {roc_auc_score(truth[real], chance[real]):.3f}"
    read = np.array([at for at in real if head.rows[at].weight == 3.0])
    yield f"  of a reader's {len(read)}: AUC {roc_auc_score(truth[read], chance[read]):.3f}"
    for least in (0.35, 0.5, 0.65):
        told = chance[read] >= least
        yield shown(f"told at {least}: right", truth[read][told])
        yield shown("  of what stands alone is told", told[truth[read]])


def document(head: Head, calibration: tuple[float, float], threshold: float) -> dict[str, Any]:
    """Everything the package needs of a head, as JSON."""
    return {
        **head.train(head.rows).document(OF_SENTENCES),
        "calibration": [*calibration],
        "threshold": round(threshold, 3),
    }


def categories(head: Head) -> dict[str, dict[str, float]]:
    """Which kind of feedback, for what is feedback."""
    remarks = [row for row in head.rows if row.label != "none"]
    names = sorted({name for row in head.rows for name in row.signs if not name.startswith(_NO_KIND)})
    return regression.categories(
        remarks, [row.label for row in remarks], [row.weight for row in remarks], names
    )


def main() -> None:
    """Train, report, write."""
    parser = regression.arguments(__doc__, OUT)
    parser.add_argument("--prompts", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, required=True)
    parser.add_argument("--sentences", type=Path, nargs="*", default=[])
    given = parser.parse_args()
    prompts, lessons = [*lines(given.prompts)], [*lines(given.lessons)]
    turn = Head(
        "turn", turn_rows(prompts, [TURN_SENTENCES, TURN_PAIRS, *given.sentences]), 3.0, is_balanced=True
    )
    lesson = Head("lesson", lesson_rows(prompts), 1.0)
    alone = Head("alone", alone_rows(prompts), 3.0)
    (of_turn, turn_fit), (of_lesson, lesson_fit), (of_alone, alone_fit) = map(chances, (turn, lesson, alone))
    print(
        *report_turn(turn, of_turn),
        *report_lessons(lesson, of_lesson, lessons),
        *report_alone(alone, of_alone),
        *report_calibration(turn, of_turn, lesson, of_lesson),
        sep="\n",
    )
    if given.report_only:
        return
    none = of_turn[[row.is_real and row.label == "none" for row in turn.rows]]
    turned = {**document(turn, turn_fit, limit_of(none, FLAGGED)), "categories": categories(turn)}
    regression.write(given.out / "turn_weights.json", turned)
    regression.write(
        given.out / "lesson_weights.json", document(lesson, lesson_fit, floor_for(lesson.rows, of_lesson))
    )
    regression.write(given.out / "alone_weights.json", document(alone, alone_fit, 0.5))


if __name__ == "__main__":
    main()
