"""Why the moments of a lesson would not have caught what led to it, and moments that would have."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from learnloop.learn.lessons import turn_acts
from learnloop.models import Lesson
from learnloop.models.lesson import Triggers
from learnloop.recall.backtest import Backtest
from learnloop.service.recall import backtest, moments
from learnloop.service.recall.cost import Cost, cost
from learnloop.service.workspace import Workspace

AT_START, LEAVE = "at every start", "leave it"
_MOST_ACTS = 2


class Doubt(NamedTuple):
    """What speaks against the moments of a lesson."""

    words: str
    """`would have caught 0 of 1 mistake`, or why nobody would be told it."""
    ways: Mapping[str, dict[str, Any]]
    """Other triggers, by what they mean: `before app/*.py is written`."""


def doubt(ws: Workspace, lesson: Lesson) -> Doubt | None:
    """The doubt about a lesson, by the newest recorded events; None where there is none."""
    costs, result = cost(ws, lesson), backtest.backtest(ws, lesson)
    return None if costs is None or result is None else about(ws, lesson, costs, result)


def about(
    ws: Workspace, lesson: Lesson, costs: Cost, result: Backtest,
    stopped: Callable[[], bool] = lambda: False,
) -> Doubt | None:  # fmt: skip
    """The same for a lesson that was tried already. Agents are held to one with a check."""
    words = "" if lesson.check else _words(costs, result)
    if not words:
        return None
    ways = {
        moments.told_when(changed): changed.triggers.as_json() for changed in _caught(ws, lesson, stopped)
    }
    if not costs.at_start and lesson.scope != "module":
        ways[AT_START] = Triggers().as_json()
    return Doubt(words, ways)


def _words(costs: Cost, result: Backtest) -> str:
    if costs.at_start and costs.no_room:
        return f"told to nobody: the {costs.no_room} tokens of a start have no room for it"
    if costs.at_start:
        return f"told to nobody, unless a session starts in {costs.path}/ itself" if costs.path else ""
    mistakes = "mistake" if result.led == 1 else "mistakes"
    return f"would have caught 0 of {result.led} {mistakes}" if result.led and not result.led_fired else ""


def _caught(ws: Workspace, lesson: Lesson, stopped: Callable[[], bool]) -> Iterator[Lesson]:
    """The lesson with acts of the corrected turn as its moment, the newest first, where that catches it."""
    seen = lesson.evidence[-1] if lesson.evidence else None
    acts = turn_acts.acts_of_turn(seen.files, seen.commands, lesson.project) if seen else []
    for each in acts[:_MOST_ACTS]:
        changed = lesson.with_(triggers=each)
        tried = backtest.backtest(ws, changed, stopped)
        if tried is not None and tried.led_fired:
            yield changed
