"""How experiments look as lines: the list's rows, and the numbers of one taken apart. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.view import detail, text
from learnloop_tui.view.page_parts import block, field, heading, message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from learnloop.models.experiment import (
        Comparison,
        Experiment,
        ExperimentOutcome,
        ExperimentReport,
        VariantCounts,
    )
    from learnloop_tui.view.experiment_state import ExperimentItem
    from learnloop_tui.view.text import Line

GLYPHS = {
    "running": ("▶", "good"),
    "paused": ("‖", "warn"),
    "decided": ("✓", "accent"),
    "stopped": ("■", "muted"),
}
_BAR, _COUNT, _KNOWN = 10, 9, 22
_BAR_FROM, _KNOWN_FROM = 40, 66
"""From which widths on the bar and what is known are shown."""
_CELLS, _VARIANT = (9, 9, 10, 8), 11
_EVENTS = {
    "own": "own corrections", "done": "calls that do it", "corrected": "corrections", "success": "successes",
}  # fmt: skip
_KNOWN_LOOKS = {-1: "good", 0: "text", 1: "bad"}
VITAL = "It is CRITICAL or a gate, and some sessions run without it."
ONE_IN_TWENTY = "Of many experiments one in twenty is wrong."


def header(width: int) -> Line:
    """The heading above the columns."""
    width -= 1  # the cursor's
    known = f" {text.fit('known', _KNOWN)}" if width >= _KNOWN_FROM else ""
    bar = f" {text.fit('progress', _BAR)}" if width >= _BAR_FROM else ""
    name, moments = text.fit("experiment", _name_cells(width)), text.fit("moments", _COUNT, right=True)
    return ((f"    {name}{known}{bar}{moments}", "label"),)


def row(item: ExperimentItem, width: int, _marked: bool, _fresh: bool) -> Line:
    """An experiment: state, name, what is known, how far it is."""
    experiment, known = item.known.experiment, item.known
    glyph, look = GLYPHS[experiment.state]
    is_over = not experiment.is_open
    bar = (
        ((f" {progress(known.share, _BAR)}", "muted" if is_over else "accent"),) if width >= _BAR_FROM else ()
    )
    name = text.fit(experiment.name, _name_cells(width))
    short = known.known.partition(" · ")[0].partition(" (")[0]  # without how far it is
    verdict = ((f" {text.fit(short, _KNOWN)}", "muted"),) if width >= _KNOWN_FROM else ()
    return (
        (f" {glyph} ", look), (name, "muted" if is_over else "text"), *verdict, *bar,
        (text.fit(f"{known.moments:,}", _COUNT, right=True), "muted"),
    )  # fmt: skip


def progress(share: float, cells: int) -> str:
    """A bar of what there is of the moments that are needed."""
    full = min(int(share * cells), cells)
    return "━" * full + "─" * (cells - full)


def _name_cells(width: int) -> int:
    bar, known = (_BAR + 1 if width >= _BAR_FROM else 0), (_KNOWN + 1 if width >= _KNOWN_FROM else 0)
    return max(8, width - 3 - _COUNT - bar - known)


def nothing(query: str) -> list[Line]:
    """What an empty list shows: how an experiment is started."""
    if query:
        return message("No match", [f"No experiment contains “{text.cut(query, 40)}”."])
    hints = ["An experiment tells a lesson to some sessions, not to others, and compares what comes of it.",
             "You start, stop and decide it; one that does harm pauses."]  # fmt: skip
    return message("No experiments yet", hints, [("h", "In Lessons: hold a lesson out.")])


def page(item: ExperimentItem, width: int, now_ms: int, *, many: bool) -> list[Line]:
    """What is known of one experiment, and its numbers."""
    known, experiment = item.known, item.known.experiment
    glyph, look = GLYPHS[experiment.state]
    began = f"began {detail.ago(experiment.started, now_ms)}"
    reason = f" · {experiment.reason}" if experiment.reason else ""
    return [
        *block(experiment.name, width, "strong"), (),
        *field("state", f"{glyph} {experiment.state}{reason} · {began}", width, look),
        *(field("question", experiment.question, width) if experiment.question else ()),
        *(line for words in item.statements for line in field("lesson", words, width, "quote")),
        *_variants(experiment, width),
        *(field("winner", experiment.winner, width, "strong") if experiment.winner else ()),
        *_known(known, width),
        *(field("planned", f"about {experiment.moments:,} moments", width) if experiment.moments else ()),
        *(field("price", known.price, width) if experiment.state == "running" and known.price else ()),
        *_numbers(known, width),
        *(block(ONE_IN_TWENTY, width, "muted") if many else ()),
    ]  # fmt: skip


def _variants(experiment: Experiment, width: int) -> Iterator[Line]:
    """What the variants get that do not get the usual."""
    from learnloop.service.experiments import decide

    for variant in () if experiment.is_holdout else experiment.variants:
        if words := decide.named(variant):
            yield from field(text.cut(variant.name, 9), words, width, "quote" if variant.wording else "text")


def _known(known: ExperimentReport, width: int) -> Iterator[Line]:
    good = 1 if known.experiment.outcome == "success" else -1
    for comparison in known.comparisons:
        label = "known" if len(known.comparisons) == 1 else comparison.variant
        yield from field(label, comparison.known, width, _KNOWN_LOOKS[-good * comparison.sign])


def _numbers(known: ExperimentReport, width: int) -> Iterator[Line]:
    yield from heading("The numbers", width)
    outcome = known.experiment.outcome
    names = ("sessions", "moments", outcome, "per 100")
    yield ((f" {text.fit('variant', _VARIANT)}{_columns(names)}", "label"),)
    for variant in known.variants:
        yield ((f" {text.fit(variant.name, _VARIANT)}", "text"), (_cells(variant, outcome), "text"))
    for variant in known.variants:
        yield from field(text.cut(variant.name, 9), _rest(variant), width, "muted")
    yield ()
    for comparison in known.comparisons:
        yield from _apart(comparison, known, width)


def _rest(variant: VariantCounts) -> str:
    words = f"{variant.done:,} done at a call, {variant.corrected:,} corrected, {variant.success:,} succeeded"
    words += f", {variant.unknown:,} unknown"
    turns = variant.turns_to_success
    return words if turns is None else f"{words}, {turns:.1f} turns to success"


def _cells(variant: VariantCounts, outcome: ExperimentOutcome) -> str:
    numbers = variant.sessions, variant.moments, getattr(variant, outcome), variant.per_hundred(outcome)
    return _columns(f"{number:,.0f}" for number in numbers)


def _columns(cells: Iterable[str]) -> str:
    return "".join(text.fit(cell, width, right=True) for cell, width in zip(cells, _CELLS, strict=True))


def _apart(comparison: Comparison, known: ExperimentReport, width: int) -> Iterator[Line]:
    """The ranges of a comparison."""
    if comparison.difference is not None:
        low, high = (f"{100 * end:+.0f}" for end in (comparison.difference.low, comparison.difference.high))
        words = f"{low} to {high} points in {_EVENTS[known.experiment.outcome]} per 100 moments"
        yield from field("between", f"{words}, whenever you look", width)
    ratio = comparison.ratio
    if ratio is not None and not ratio.low < 1 < ratio.high:
        yield from field("ratio", f"{ratio.low:.2f} to {ratio.high:.2f} times as many", width, "muted")
