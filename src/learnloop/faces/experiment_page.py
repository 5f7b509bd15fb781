"""Experiments: all that a page about one says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.faces.parts import Field, Heading, Table, Title, Words
from learnloop.service.id_prefix import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from learnloop.faces.parts import Part, When
    from learnloop.models.experiment import (
        Comparison,
        Experiment,
        ExperimentReport,
        VariantCounts,
        VariantScore,
    )

GLYPHS = {
    "running": ("▶", "good"), "paused": ("‖", "warn"), "decided": ("✓", "accent"), "stopped": ("■", "muted"),
}  # fmt: skip
COMPARED = {
    "own": "own corrections", "done": "calls that do it", "corrected": "corrections", "success": "successes",
}  # fmt: skip
"""What an experiment counts, by its outcome."""
ONE_IN_TWENTY = "Of many experiments one in twenty is wrong."
_KNOWN_LOOKS = {-1: "good", 0: "text", 1: "bad"}


def experiment(
    known: ExperimentReport, statements: Sequence[str], when: When, *, many: bool
) -> Iterator[Part]:
    """What is known of one experiment, and its numbers; `many`: it is not the only one."""
    experiment = known.experiment
    glyph, look = GLYPHS[experiment.state]
    reason = f" · {experiment.reason}" if experiment.reason else ""
    ended = f" · ended {when(experiment.ended)}" if experiment.ended else ""
    yield Title(experiment.name)
    yield Words()
    yield Field(
        "state", f"{glyph} {experiment.state}{reason} · began {when(experiment.started)}{ended}", look
    )
    yield Field("question", experiment.question)
    for words in statements:
        yield Field("lesson", words, "quote")
    yield from _variants(experiment)
    yield Field("winner", experiment.winner, "strong")
    good = 1 if experiment.outcome == "success" else -1
    for comparison in known.comparisons:
        label = "known" if len(known.comparisons) == 1 else comparison.variant
        yield Field(label, comparison.known, _KNOWN_LOOKS[-good * comparison.sign])
    yield Field("planned", f"about {experiment.moments:,} moments" if experiment.moments else "")
    yield Field("price", known.price if experiment.state == "running" else "")
    yield Field("id", shown(experiment.id))
    yield from _numbers(known)
    if many:
        yield Words(ONE_IN_TWENTY, "muted")


def _variants(experiment: Experiment) -> Iterator[Part]:
    """What the variants get that do not get the usual."""
    from learnloop.service.experiments import decide

    for variant in () if experiment.is_holdout else experiment.variants:
        yield Field(variant.name, decide.named(variant), "quote" if variant.wording else "text")


def _numbers(known: ExperimentReport) -> Iterator[Part]:
    outcome = known.experiment.outcome
    yield Heading("The numbers")
    cells = (
        (each.sessions, each.moments, getattr(each, outcome), each.per_hundred(outcome))
        for each in known.variants
    )
    rows = [
        (variant.name, *(f"{number:,.0f}" for number in numbers))
        for variant, numbers in zip(known.variants, cells, strict=True)
    ]
    yield Table(("variant", "sessions", "moments", outcome, "per 100"), rows)
    for variant in known.variants:
        yield Field(variant.name, _rest(variant), "muted")
    yield Words()
    for comparison in known.comparisons:
        yield from _apart(comparison, COMPARED[outcome])
    for score in known.scores:
        yield Field("score", _score(score), "muted")


def _rest(variant: VariantCounts) -> str:
    words = f"{variant.done:,} done at a call, {variant.corrected:,} corrected, {variant.success:,} succeeded"
    words += f", {variant.unknown:,} unknown"
    turns = variant.turns_to_success
    return words if turns is None else f"{words}, {turns:.1f} turns to success"


def _apart(comparison: Comparison, counted: str) -> Iterator[Part]:
    """The ranges of a comparison."""
    if comparison.difference is not None:
        low, high = (f"{100 * end:+.0f}" for end in (comparison.difference.low, comparison.difference.high))
        yield Field("between", f"{low} to {high} points in {counted} per 100 moments, whenever you look")
    ratio = comparison.ratio
    if ratio is not None and not ratio.low < 1 < ratio.high:
        yield Field("ratio", f"{ratio.low:.2f} to {ratio.high:.2f} times as many", "muted")


def _score(score: VariantScore) -> str:
    """A figure and its parts: `told 0.61 (success 0.50, quality 0.80); it decides nothing`."""
    if score.score is None:
        return ""
    parts = {name: getattr(score, name) for name in ("success", "duration", "quality")}
    values = ", ".join(f"{name} {value:.2f}" for name, value in parts.items() if value is not None)
    return f"{score.variant} {score.score:.2f} ({values}); it decides nothing"
