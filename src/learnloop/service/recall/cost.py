"""What keeping a lesson costs: how often its triggers fire at the newest calls and prompts of its project."""

from collections.abc import Callable
from itertools import islice
from typing import Literal

from learnloop.ingest import own_prompts
from learnloop.learn.lessons.trigger_choice import TOO_BROAD
from learnloop.models import Lesson
from learnloop.models.base import Document
from learnloop.recall import backtest as trial
from learnloop.recall.backtest import Asked
from learnloop.recall.compile import record
from learnloop.service.lessons import documents
from learnloop.service.recall.at_start import AtStart, at_start
from learnloop.service.recall.backtest import newest_batches
from learnloop.service.workspace import Workspace
from learnloop.wire import render

MOST_CALLS, MOST_PROMPTS = 300, 60
_MOST_SEGMENTS, _MOST_LOOKED_AT = 6, 200
"""Segments with calls, and segments at all: each verdict leaves one without any."""
_LEAST = 20
"""Below so many calls or prompts a share says nothing."""

Judgement = Literal["", "too broad", "never"]


class Cost(Document):
    """How often a lesson would have been told, had it been kept."""

    at_start: bool = False
    """Told when a session starts, because no call or prompt is its moment."""
    path: str = ""
    """The folder in which a session has to start for that; empty: any of the project."""
    no_room: int = 0
    """The tokens of a start where they have no room for it."""
    calls: int = 0
    """The newest tool calls of the project that recall is asked at, at most 300."""
    at_calls: int = 0
    prompts: int = 0
    """The newest prompts of the project that a person typed, at most 60."""
    at_prompts: int = 0
    judgement: Judgement = ""

    @property
    def words(self) -> str:
        """The cost in one line."""
        parts = [self._start] if self.at_start else []
        if not self.at_start and self.calls + self.at_prompts == 0:
            what = "no tool call" if self.prompts else "nothing"
            return f"{what} is recorded yet that it could be tried on"
        if self.at_calls or (self.calls and not self.at_start):
            parts.append(f"would be told at {_share(self.at_calls, self.calls, 'tool call')}")
        if self.at_prompts:
            verb = "" if parts else "would be told "
            parts.append(f"{verb}at {_share(self.at_prompts, self.prompts, 'prompt')}")
        advice = {"too broad": ": too broad, e narrows", "never": ""}.get(self.judgement, "")
        return f"{' and '.join(parts)}{advice}"

    @property
    def _start(self) -> str:
        if self.path:
            return f"told only if a session starts in {self.path}/ itself"
        full = f"meant for session starts, whose {self.no_room} tokens have no room for it"
        return full if self.no_room else "told at every session start"


def cost(ws: Workspace, lesson: Lesson, stopped: Callable[[], bool] = lambda: False) -> Cost | None:
    """The cost of a lesson, stored or just edited; None once `stopped` is true. Reads the newest events."""
    index_record = record(lesson.as_json(), lesson.id[:6], shares=own_prompts.shares(ws.root))
    project = index_record["project"]
    result = trial.run(index_record, _newest(ws.root, project), stopped=stopped)
    if result is None:
        return None
    is_told_at_start = "standing" in index_record or lesson.priority == "CRITICAL"
    shares = (
        result.at_calls / result.calls if result.calls >= _LEAST else 0.0,
        result.at_prompts / result.prompts if result.prompts >= _LEAST else 0.0,
    )
    path = index_record["path"]
    is_never = not result.fired and (
        bool(path) if is_told_at_start else result.calls + result.prompts >= _LEAST
    )
    start = at_start(ws.root, project, index_record) if is_told_at_start else AtStart()
    return Cost(
        at_start=is_told_at_start, path=path, no_room=start.budget if lesson.id in start.left_out else 0,
        calls=result.calls, at_calls=result.at_calls, prompts=result.prompts,
        at_prompts=result.at_prompts,
        judgement="too broad" if max(shares) > TOO_BROAD else "never" if is_never else "",
    )  # fmt: skip


def words_for(ws: Workspace, lesson: Lesson) -> str:
    """The cost of a lesson in one line, with the way out where hardly a session is told it."""
    result = cost(ws, lesson)
    if result is None or not (result.at_start and result.path):
        return result.words if result else ""
    short = documents.short(ws.root, lesson.id)
    return f"{result.words}; in the whole project: learn edit {short} --scope project"


def of_tellings(lesson: Lesson) -> str:
    """What telling a lesson in use cost so far, in one line; a token is counted as four characters."""
    if lesson.status != "active":
        return ""
    each = -(-len(render.line(record(lesson.as_json(), lesson.id[:6]))) // render.CHARACTERS_A_TOKEN)
    times, stopped = lesson.usage.recalled, lesson.usage.stopped
    whole = f", about {each * times:,} in {times:,} recalls" if times > 1 else ""
    calls = f", {stopped:,} {'call' if stopped == 1 else 'calls'} stopped" if stopped else ""
    return f"{each} tokens each time{whole}{calls}"


def _newest(root: str, project: str) -> list[Asked]:
    """The newest calls and prompts of a project, of all projects without one; oldest first."""
    left = {"tool": MOST_CALLS, "prompt": MOST_PROMPTS}
    newest: list[Asked] = []
    recorded = (batch for batch in islice(newest_batches(root), _MOST_LOOKED_AT) if batch)
    for batch in islice(recorded, _MOST_SEGMENTS):
        for asked in reversed(batch):
            moment, where = asked.situation[0], asked.situation[4]
            if left[moment] and (not project or where == project):
                left[moment] -= 1
                newest.append(asked)
        if not any(left.values()):
            break
    return newest[::-1]


def _share(count: int, whole: int, what: str) -> str:
    if not count:
        return f"none of your last {whole:,} {what}s" if whole > 1 else f"no {what} so far"
    if whole == 1:
        return f"your only {what} so far"
    return f"{count:,} of your last {whole:,} {what}s ({round(100 * count / whole)} %)"
