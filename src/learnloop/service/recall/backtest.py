"""Lessons tried on what was recorded: when they would have been told, what keeping one costs, and what speaks
against its moments, with others that would have caught what led to it.
"""

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Literal, NamedTuple

from learnloop.ingest import publish
from learnloop.models import Lesson
from learnloop.models.base import Document
from learnloop.models.lesson import Triggers
from learnloop.recall import backtest as trial
from learnloop.recall.backtest import Asked
from learnloop.recall.backtest import Backtest as Backtest
from learnloop.recall.compile import record
from learnloop.service.lessons import documents
from learnloop.service.recall import moments
from learnloop.service.recall.at_start import at_start
from learnloop.service.workspace import Workspace
from learnloop.store import files, pending, segments
from learnloop.wire import render

MOST = 20_000
"""Calls and prompts that a trial looks at, the newest, and the rest of the oldest one's segment."""
_MOST_BYTES = 32_000_000
"""Of the newest segments, where only some sessions are looked for."""
MOST_CALLS, MOST_PROMPTS = 300, 60
"""Of a project, that its cost is counted on."""
_MOST_SEGMENTS, _MOST_LOOKED_AT = 6, 200
"""Segments with calls, and segments at all: each verdict leaves one without any."""
_LEAST = 20
"""Below so many calls or prompts a share says nothing."""
AT_START, LEAVE = "at every start", "leave it"
_MOST_ACTS = 2

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


class Doubt(NamedTuple):
    """What speaks against the moments of a lesson."""

    words: str
    """`would have caught 0 of 1 mistake`, or why nobody would be told it."""
    ways: Mapping[str, dict[str, Any]]
    """Other triggers, by what they mean: `before app/*.py is written`."""


def backtest(ws: Workspace, lesson: Lesson, stopped: Callable[[], bool] = lambda: False) -> Backtest | None:
    """What the triggers of a lesson, stored or just edited, would have done; None once `stopped` is true."""
    return _tried(ws, lesson, _read(ws.root, stopped), stopped)


def _led(ws: Workspace, lesson: Lesson, stopped: Callable[[], bool] = lambda: False) -> Backtest | None:
    """The same in the sessions of the lesson's corrections alone: their lines are a fraction of all."""
    sessions = frozenset(evidence.session_id for evidence in lesson.evidence)
    batches = list(_of_sessions(ws.root, sessions)) if sessions else []
    return _tried(ws, lesson, (asked for batch in reversed(batches) for asked in batch), stopped)


def _tried(
    ws: Workspace, lesson: Lesson, recorded: Iterable[Asked], stopped: Callable[[], bool]
) -> Backtest | None:
    corrections = [(evidence.session_id, evidence.ts) for evidence in lesson.evidence]
    return trial.run(_record(ws, lesson), recorded, corrections, stopped)


def _record(ws: Workspace, lesson: Lesson) -> dict[str, Any]:
    return record(lesson.as_json(), lesson.id[:6], shares=publish.word_shares(ws.root))


def summary(result: Backtest) -> str:
    """The backtest in one sentence."""
    if not result.calls and not result.prompts:
        return "nothing is recorded yet that it could be tried on"
    if not result.fired:
        return f"never, in {result.calls:,} calls and {result.prompts:,} prompts"
    sessions = "1 session" if result.session_count == 1 else f"{result.session_count:,} sessions"
    calls = f"{result.at_calls:,} of {result.calls:,} calls"
    return f"{calls}, {result.at_prompts:,} of {result.prompts:,} prompts; {sessions}, told {result.told:,}×"


def _read(root: str, stopped: Callable[[], bool]) -> list[Asked]:
    """The newest calls and prompts, oldest first."""
    batches, left = [], MOST
    for batch in _newest_batches(root):
        batches.append(batch)
        left -= len(batch)
        if left <= 0 or stopped():
            break
    return [asked for batch in reversed(batches) for asked in batch]


def _newest_batches(root: str) -> Iterator[list[Asked]]:
    """The calls and prompts of what no segment has yet, then those of the segments from the newest on."""
    stored = _segments(root)
    yield _unstored(root, stored)
    for name, changed_ns, _ in stored:
        yield _batch(root, name, changed_ns)


def _of_sessions(root: str, sessions: frozenset[str]) -> Iterator[list[Asked]]:
    """The same of some sessions, whose lines alone are parsed."""
    stored, left = _segments(root), _MOST_BYTES
    yield [asked for asked in _unstored(root, stored) if asked.session in sessions]
    for name, changed_ns, size in stored:
        if (left := left - size) < 0:
            return
        yield _batch_of(root, name, changed_ns, sessions)


def _segments(root: str) -> list[tuple[str, int, int]]:
    """The segments from the newest on: name, time of the last change, size."""
    found = []
    for name in reversed(segments.names(root)):
        with contextlib.suppress(FileNotFoundError):  # retention removed it
            state = segments.path(root, name).stat()
            found.append((name, state.st_mtime_ns, state.st_size))
    return found


def _unstored(root: str, stored: list[tuple[str, int, int]]) -> list[Asked]:
    return trial.compact(pending.records(root, stored[0][0] if stored else ""))


@lru_cache(maxsize=8)
def _batch(root: str, segment: str, _changed_ns: int) -> list[Asked]:
    """What a segment has, kept while triggers are edited; `forget` writes segments anew."""
    return trial.compact(event for event in segments.read(root, segment) if "payload" in event)


@lru_cache(maxsize=64)
def _batch_of(root: str, segment: str, _changed_ns: int, sessions: frozenset[str]) -> list[Asked]:
    """The same of some sessions."""
    data = files.read(segments.path(root, segment)) or b""
    needles = [json.dumps(session)[1:-1].encode() for session in sessions]
    if not any(needle in data for needle in needles):
        return []
    found = (segments.parse(line) for line in data.split(b"\n") if any(needle in line for needle in needles))
    return trial.compact(
        event for event in found if event and "payload" in event and event["session_id"] in sessions
    )


def cost(ws: Workspace, lesson: Lesson, stopped: Callable[[], bool] = lambda: False) -> Cost | None:
    """The cost of a lesson, stored or just edited; None once `stopped` is true. Reads the newest events."""
    from learnloop.learn.lessons.trigger_choice import TOO_BROAD

    index_record = _record(ws, lesson)
    result = trial.run(index_record, _of_project(ws.root, index_record["project"]), stopped=stopped)
    if result is None:
        return None
    shares = (
        result.at_calls / result.calls if result.calls >= _LEAST else 0.0,
        result.at_prompts / result.prompts if result.prompts >= _LEAST else 0.0,
    )
    start = _start(ws, lesson, index_record)
    is_never = not result.fired and (
        bool(start.path) if start.at_start else result.calls + result.prompts >= _LEAST
    )
    return start.with_(
        calls=result.calls, at_calls=result.at_calls, prompts=result.prompts,
        at_prompts=result.at_prompts,
        judgement="too broad" if max(shares) > TOO_BROAD else "never" if is_never else "",
    )  # fmt: skip


def _start(ws: Workspace, lesson: Lesson, index_record: dict[str, Any]) -> Cost:
    """The part of the cost that no recorded event decides: whether a session start tells the lesson."""
    path = index_record["path"]
    if "standing" not in index_record and lesson.priority != "CRITICAL":
        return Cost(path=path)
    start = at_start(ws.root, index_record["project"], index_record)
    return Cost(at_start=True, path=path, no_room=start.budget if lesson.id in start.left_out else 0)


def cost_words(ws: Workspace, lesson: Lesson) -> str:
    """The cost of a lesson in one line, with the way out where hardly a session is told it."""
    result = cost(ws, lesson)
    if result is None or not (result.at_start and result.path):
        return result.words if result else ""
    short = documents.short(ws.root, lesson.id)
    return f"{result.words}; in the whole project: learn edit {short} --scope project"


def warnings(ws: Workspace, lesson_ids: Iterable[str]) -> dict[str, str]:
    """What keeping drafts does besides telling them, by id: the calls that are stopped, what is too broad."""
    warning_by_id = {}
    for lesson_id in lesson_ids:
        lesson = documents.find(ws, lesson_id)
        costs = cost(ws, lesson)
        parts = [f"stops: {rule.words}" for rule in lesson.check if rule.form != "due"]
        parts += [costs.words] if costs and costs.judgement == "too broad" else []
        warning_by_id[lesson_id] = " · ".join(parts)
    return warning_by_id


def tellings_words(lesson: Lesson) -> str:
    """What telling a lesson in use cost so far, in one line; a token is counted as four characters."""
    if lesson.status != "active":
        return ""
    each = -(-len(render.line(record(lesson.as_json(), lesson.id[:6]))) // render.CHARACTERS_A_TOKEN)
    times, stopped = lesson.usage.recalled, lesson.usage.stopped
    whole = f", about {each * times:,} in {times:,} recalls" if times > 1 else ""
    calls = f", {stopped:,} {'call' if stopped == 1 else 'calls'} stopped" if stopped else ""
    return f"{each} tokens each time{whole}{calls}"


def _of_project(root: str, project: str) -> list[Asked]:
    """The newest calls and prompts of a project, of all projects without one; oldest first."""
    left = {"tool": MOST_CALLS, "prompt": MOST_PROMPTS}
    newest: list[Asked] = []
    recorded = (batch for batch in islice(_newest_batches(root), _MOST_LOOKED_AT) if batch)
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


def doubt(ws: Workspace, lesson: Lesson) -> Doubt | None:
    """The doubt about a lesson, by the sessions of its corrections; None where there is none."""
    return about(ws, lesson, _start(ws, lesson, _record(ws, lesson)))


def about(
    ws: Workspace, lesson: Lesson, costs: Cost, stopped: Callable[[], bool] = lambda: False
) -> Doubt | None:
    """The doubt about a lesson whose cost is known. Agents are held to one with a check."""
    tried = None if lesson.check else _led(ws, lesson, stopped)
    words = _doubt_words(costs, tried) if tried else ""
    if not words:
        return None
    ways = {
        moments.told_when(changed): changed.triggers.as_json() for changed in _caught(ws, lesson, stopped)
    }
    if not costs.at_start and lesson.scope != "module":
        ways[AT_START] = Triggers().as_json()
    return Doubt(words, ways)


def _doubt_words(costs: Cost, result: Backtest) -> str:
    if costs.at_start and costs.no_room:
        return f"told to nobody: the {costs.no_room} tokens of a start have no room for it"
    if costs.at_start:
        return f"told to nobody, unless a session starts in {costs.path}/ itself" if costs.path else ""
    mistakes = "mistake" if result.led == 1 else "mistakes"
    return f"would have caught 0 of {result.led} {mistakes}" if result.led and not result.led_fired else ""


def _caught(ws: Workspace, lesson: Lesson, stopped: Callable[[], bool]) -> Iterator[Lesson]:
    """The lesson with acts of the corrected turn as its moment, the newest first, where that catches it."""
    from learnloop.learn.lessons import triggers  # loads the grammar

    seen = lesson.evidence[-1] if lesson.evidence else None
    acts = triggers.acts_of_turn(seen.files, seen.commands, lesson.project) if seen else []
    for each in acts[:_MOST_ACTS]:
        changed = lesson.with_(triggers=each)
        tried = _led(ws, changed, stopped)
        if tried is not None and tried.led_fired:
            yield changed
