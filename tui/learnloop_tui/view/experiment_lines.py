"""How experiments look as lines: the list's rows, and the page of one. Pure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from learnloop.faces import experiment_page
from learnloop_tui.view import detail, text
from learnloop_tui.view.page_parts import draw, message

if TYPE_CHECKING:
    from learnloop_tui.view.experiment_state import ExperimentItem
    from learnloop_tui.view.text import Line

_BAR, _COUNT, _KNOWN = 10, 9, 22
_BAR_FROM, _KNOWN_FROM = 40, 66
"""From which widths on the bar and what is known are shown."""
VITAL = "It is CRITICAL or a gate, and some sessions run without it."


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
    glyph, look = experiment_page.GLYPHS[experiment.state]
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
    when = partial(detail.ago, now_ms=now_ms)
    return draw(experiment_page.experiment(item.known, item.statements, when, many=many), width)
