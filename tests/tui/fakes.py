"""A bridge without a store, and a driver that waits for what the console shows."""

from __future__ import annotations

import asyncio
import math
from contextlib import asynccontextmanager
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, TypeVar

from textual import events
from textual.keys import _character_to_key

from learnloop.errors import Refused
from learnloop.keymap import commands
from learnloop.learn.lessons import acts
from learnloop.models import Evidence, Lesson, Triggers
from learnloop.models.lesson_check import CheckRule
from learnloop.service.facts import modes
from learnloop.service.health import doctor, visits
from learnloop.service.health.health_report import Health
from learnloop.service.lessons import outcome_words
from learnloop.service.profile import agent_figures, judged_turns
from learnloop.service.recall import backtest
from learnloop.service.review import check_trial
from learnloop.service.sessions import live_sessions
from learnloop.service.workspace import Workspace
from learnloop.wire import clock
from learnloop_tui.app import verdict_queue
from learnloop_tui.app.app import ConsoleApp
from learnloop_tui.bridge import (
    lesson_insights,
    lesson_queries,
    live_events,
    machine_queries,
    memory_queries,
    verdict_queries,
)
from learnloop_tui.bridge.live_events import LiveEvents
from learnloop_tui.panes.health import HealthPane
from learnloop_tui.panes.list_pane import ListPane
from learnloop_tui.panes.pane import Pane
from learnloop_tui.panes.welcome import WelcomePane
from learnloop_tui.view.lesson_state import Fold
from learnloop_tui.view.memory_state import MemoryRows
from learnloop_tui.view.session_state import SessionsSnapshot
from learnloop_tui.view.state import (
    Ahead,
    Change,
    Detail,
    DetailLine,
    Happening,
    LessonInsights,
    Pulse,
    Row,
    Section,
    Snapshot,
    Step,
    TranscriptChoice,
    Verdict,
)
from learnloop_tui.widgets.line_widgets import Bar, Page
from tests.tui.fake_rows import decided, row

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from textual.pilot import Pilot

    from learnloop.models import AgentPerformance
    from learnloop.service.health.check import Check
    from learnloop.service.profile.judged_turns import JudgedTurn
    from learnloop_tui.bridge.machine_queries import Progress
    from learnloop_tui.bridge.protocol import Presence
    from learnloop_tui.view.lesson_state import Item
    from learnloop_tui.view.list_view import ListView
    from learnloop_tui.widgets.row_list import RowList

NOW_MS = 1_700_000_000_000
NOWHERE = "/proc/nonexistent"
"""A root that nobody can make, root neither."""

T = TypeVar("T")
PaneT = TypeVar("PaneT", bound=Pane)
TRANSCRIPTS = (TranscriptChoice("/t/shop", "shop", 3, ""), TranscriptChoice("/t/blog", "blog", 1, ""))


def lesson(number: int, **fields: Any) -> Lesson:
    """A draft with evidence; the lower its number, the stronger."""
    quote = fields.pop("quote", f"no, use tool{number} here")
    evidence = Evidence(
        quote=quote, session_id="5e55104a", event_id="0" * 32, ts="2023-11-14T22:00:00.000Z",
        task=f"do task {number}", files=("/code/shop/src/a.py",), commands=("pytest -q",),
        failures=("Bash: exit code 1",),
    )  # fmt: skip
    return Lesson.model_validate({
        "id": f"l{number:05d}", "statement": f"tool{number} is used here", "project": "/code/shop",
        "confidence": max(0.0, 0.95 - number / 100), "evidence": (evidence,), "source": "standing",
        "triggers": Triggers(file_patterns=("*.py",)), "created": "2023-11-14T22:00:00.000Z",
        "updated": "2023-11-14T22:00:00.000Z", **fields,
    })  # fmt: skip


class FakeBridge:
    """Keeps lessons in memory; `refuse` makes the next verdict fail, `gate` holds verdicts back."""

    demo = False
    root = NOWHERE
    cached: Snapshot | None = None

    def __init__(self, *lessons: Lesson) -> None:
        self.lessons = {lesson.id: lesson for lesson in lessons}
        self.verdicts: list[Verdict] = []
        self.before: list[dict[str, Lesson]] = []
        self.refuse = ""
        self.gate = asyncio.Event()
        self.gate.set()
        self.hooked = True
        self.health = Health(last_capture="2023-11-14T22:10:00.000Z", drafts=len(lessons))
        self.news: list[Happening] = []
        self.written = asyncio.Queue[bool]()
        self.agents = {"claude": "Claude Code"}
        self.examined: list[Check] = []
        self.insights: dict[str, LessonInsights] = {}
        self.proposed: dict[str, str] = {}
        self.ahead = Ahead("d1", clock.now_ms() + 60_000, "console", "Kept something")
        self.figures: list[AgentPerformance] = []
        self.turns: list[JudgedTurn] = []
        self.sessions: list[live_sessions.LiveSession] = []
        self.stories: dict[str, live_sessions.Story] = {}
        self.older: dict[str, live_sessions.LiveSession] = {}
        self.new_entries: list[tuple[str, live_sessions.TimelineEntry]] = []

        self.calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        """Every query with its arguments, those with a keyword at the end."""
        self.answers: dict[Callable[..., Any], Callable[..., Any]] = {
            LiveEvents.find_session: self._find_session,
            LiveEvents.happenings: lambda: self._taken(self.news),
            LiveEvents.sessions: self._sessions,
            lesson_insights.insights: lambda row_id: self.insights.get(row_id, LessonInsights()),
            lesson_insights.trial: lambda _row_id, _changes: Section(
                "Backtest", (DetailLine("fires", f"tried {len(self.asked(lesson_insights.trial))}"),)
            ),
            lesson_queries.detail: lambda row_id: Detail(
                self.lessons[row_id],
                "strength because",
                outcome_words.story(self.lessons[row_id].as_json()),
            ),
            lesson_queries.contradiction: lambda ids: next(
                (why for name in ids if (why := self._against(name, ids))), ""
            ),
            lesson_insights.choice: self._choice,
            backtest.warnings: lambda ids: dict.fromkeys(ids, ""),
            lesson_queries.came_from: lambda ids: dict.fromkeys(ids, "/code/app"),
            lesson_queries.places: lambda: (frozenset(), False),
            lesson_queries.lessons: lambda ids: tuple(self.lessons[name] for name in ids),
            live_events.read_story: lambda session: self.stories.get(
                session.id, live_sessions.Story((), {}, ())
            ),
            machine_queries.agents: lambda: self.agents,
            machine_queries.backfill: self._backfill,
            doctor.examine: lambda *, fix=False: self._fix() if fix else self.examined,
            machine_queries.install: self._install,
            machine_queries.keep_theme: lambda name: None,
            machine_queries.keep_up: lambda *, with_hooks: None,
            modes.if_open: lambda _project: None,
            modes.turns_if_open: lambda _project: None,
            machine_queries.pulse: lambda: Pulse(self.health, self.hooked),
            visits.leave: lambda: None,
            visits.since: lambda: None,
            machine_queries.transcripts: lambda: TRANSCRIPTS,
            memory_queries.rows: lambda shown, *_: MemoryRows(shown),
            agent_figures.performance: self._agents,
            judged_turns.turns_behind: lambda _agent, figure, **_where: tuple(
                judged for judged in self.turns if judged.turn.outcome == figure
            ),
            verdict_queries.write: self._write,
            verdict_queue.look_ahead: self._ahead,
            verdict_queue.step: self._step,
        }
        """What stands for each query; others run on a workspace without a folder."""

    async def run(self, query: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """The answer that stands for a query."""
        self.calls.append((query, (*args, *kwargs.values())))
        if query not in self.answers:
            return query(Workspace(NOWHERE), *args, **kwargs)
        answer = self.answers[query](*args, **kwargs)
        return await answer if isawaitable(answer) else answer

    work = read = long = latest = live = run

    def asked(self, query: Callable[..., Any]) -> list[tuple[Any, ...]]:
        """The arguments of every call of a query."""
        return [arguments for asked, arguments in self.calls if asked is query]

    async def presence(self) -> Presence:
        """Always there."""
        return "same"

    async def start(self) -> None:
        """Nothing to do."""

    async def glimpse(self) -> Snapshot | None:
        """Nothing was kept, unless a test says so."""
        return self.cached

    async def keep_glimpse(self) -> None:
        """Nowhere to keep it."""

    async def load(self) -> Snapshot:
        """Drafts strongest first, then the others."""
        lessons = sorted(
            self.lessons.values(),
            key=lambda lesson: (lesson.status != "draft", -lesson.confidence, lesson.id),
        )
        return Snapshot(
            tuple(row(lesson)._replace(proposal=self.proposed.get(lesson.id, "")) for lesson in lessons)
        )

    async def ingest(self) -> bool:
        """Nothing new."""
        return False

    async def changes(self) -> AsyncIterator[bool]:
        """What was put into `written`."""
        while True:
            yield await self.written.get()

    async def file_changes(self, folders: Sequence[str]) -> AsyncIterator[None]:
        """Nothing changes."""
        del folders
        await asyncio.Event().wait()
        yield

    def close(self) -> None:
        """Nothing to let go."""

    def _choice(self, row_id: str, words: str) -> check_trial.Choice | None:
        """The choice of a lesson with rules, as if it had stopped one recorded call."""
        lesson = self.lessons[row_id].with_(**({"statement": words} if words else {}))
        rules = acts.deciding(lesson.as_json())
        if not rules:
            return None
        ways: list[check_trial.Way] = ["stop", "remind", "tell"]
        hit = check_trial.Hit(ts="2023-11-14T22:00:00.000Z", session_id="s", what="npm i")
        made = check_trial.Trial(
            check=tuple(CheckRule.model_validate(rule).words for rule in rules), calls=412, stopped=(hit,)
        )
        left = ways[all(rule["form"] == "due" for rule in rules) :]
        return check_trial.Choice(trial=made, ways=tuple(left), recommended=left[0])

    def _against(self, row_id: str, ids: Sequence[str]) -> str:
        other = self.insights.get(row_id, LessonInsights()).contradicts
        return other[1] if other and other[0] in ids else ""

    @staticmethod
    def _taken(items: list[T]) -> tuple[T, ...]:
        taken = tuple(items)
        items.clear()
        return taken

    def _agents(self, *, split: bool) -> tuple[AgentPerformance, ...]:
        whole = (figures.with_(project="", host="") for figures in self.figures)
        return tuple(self.figures if split else whole)

    def _sessions(self) -> SessionsSnapshot:
        phases = {session.id: live_sessions.phase(session, NOW_MS) for session in self.sessions}
        return SessionsSnapshot(tuple(self.sessions), phases, self._taken(self.new_entries))

    def _find_session(self, session_id: str) -> bool:
        session = self.older.pop(session_id, None)
        self.sessions += [session] if session else []
        return session is not None

    def _fix(self) -> list[Check]:
        self.examined = []
        return []

    async def _write(self, verdict: Verdict) -> None:
        await self.gate.wait()
        if self.refuse:
            raise Refused(self.refuse, "try again")
        self.verdicts.append(verdict)
        self.before.append(dict(self.lessons))
        for row_id in verdict.ids:
            self.lessons[row_id] = decided(self.lessons[row_id], verdict)

    def _ahead(self, direction: str) -> Ahead | None:
        return None if direction == "redo" or not self.before else self.ahead

    def _step(self, _name: str, _decision: str) -> Step:
        self.lessons = self.before.pop()
        verdict = self.verdicts.pop()
        return Step(f"{verdict.action} of [red]something[/]", verdict.ids)

    def _install(self, _agents: Sequence[str], *, dry_run: bool) -> Change:
        self.hooked = self.hooked or not dry_run
        diff = '--- a\n+++ b\n@@ 1 @@\n+  "hooks": [/x]\n'
        return Change(True, diff, plan=("Would add 12 hooks:", "  Stop, PreToolUse"))

    async def _backfill(self, _paths: Sequence[str], progress: Progress) -> str:
        await asyncio.to_thread(progress, 1, 2)
        for number in range(100, 125):
            self.lessons[f"l{number:05d}"] = lesson(number, confidence=0.5)
        return "25 new drafts"


class Console:
    """Drives a running console and says what it shows."""

    def __init__(self, app: ConsoleApp, pilot: Pilot[str]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def is_painted(self) -> bool:
        """Whether a person sees the open pane."""
        return self.app.main.pane.painted_at < math.inf

    async def press(self, *keys: str) -> None:
        """Press keys, each once the open pane is painted."""
        for key in keys:
            await self.until(lambda: self.is_painted)
            await self.pilot.press(key)

    async def burst(self, *keys: str) -> None:
        """Keys, by character or by Textual's name, that arrive all at once, and all that they set off."""
        await self.until(lambda: self.is_painted)
        for key in keys:
            is_name = len(key) > 1
            self.app.post_message(
                events.Key(key if is_name else _character_to_key(key), None if is_name else key)
            )
        await self.pilot.pause()  # all of them have arrived
        await self.until(lambda: self.app.is_settled)
        await self.pilot.pause()

    async def until(self, condition: Callable[[], object], timeout: float = 90.0) -> None:
        """Wait until it is so."""
        async with asyncio.timeout(timeout):
            while not condition():
                await self.pilot.pause(0.005)

    def pane(self, kind: type[PaneT]) -> PaneT:
        """The open pane, which is of that class."""
        pane = self.app.main.pane
        assert isinstance(pane, kind), pane
        return pane

    async def open(self, kind: type[PaneT]) -> PaneT:
        """Open a pane by its number, another view of it as the app does, and see it laid out and painted."""
        if kind.PLACE in commands.BY_ID:
            await self.press(commands.BY_ID[kind.PLACE].key)
        else:
            await self.app.main.open(kind.PLACE)
        await self.until(lambda: isinstance(self.app.main.pane, kind) and self.is_painted)
        return self.pane(kind)

    @property
    def list_pane(self) -> ListPane[Any]:
        """The open pane, which has a list."""
        pane = self.app.main.pane
        assert isinstance(pane, ListPane), pane
        return pane

    @property
    def view(self) -> ListView[Any]:
        """What the list shows."""
        view: ListView[Any] = self.list_pane.view
        return view

    @property
    def row_list(self) -> RowList:
        """The list as it is drawn."""
        return self.list_pane.row_list

    @property
    def heads(self) -> Bar:
        """The titles over the columns of the list."""
        return self.list_pane.heads

    @property
    def empty_list(self) -> Page:
        """The words that an empty list shows."""
        return self.list_pane.query_one(".empty", Page)

    @property
    def details(self) -> Page:
        """The page beside the list, or the page that the pane is."""
        pane = self.app.main.pane
        assert isinstance(pane, ListPane | HealthPane | WelcomePane), pane
        return pane.page_view

    @property
    def rows(self) -> list[str]:
        """The statements of the open list, in order."""
        return [_words_of(item) for item in self.view.items]

    @property
    def current(self) -> str:
        """The statement under the cursor."""
        current = self.view.current
        return current.statement if current else ""

    @property
    def page(self) -> str:
        """The text of the details, or of the page of the pane."""
        return self.details.plain

    @property
    def title(self) -> str:
        """The words in the frame of the open list."""
        return str(self.list_pane.list_frame.border_title).replace("\\[", "[")

    @property
    def toasts(self) -> str:
        """The text of every toast so far."""
        return "\n".join(message.words for message in self.app.notifications.messages)

    def bar(self, name: str) -> str:
        """The text of one of the fixed lines."""
        return self.app.main.query_one(f"#{name}", Bar).plain


def _words_of(item: Item) -> str:
    if isinstance(item, Row):
        return item.statement
    return item.words if isinstance(item, Fold) else f"{item.name} {item.held}"


@asynccontextmanager
async def console(
    bridge: Any, size: tuple[int, int] = (120, 30), clock: Callable[[], int] = lambda: NOW_MS
) -> AsyncIterator[Console]:
    """A running console with its first rows."""
    app = ConsoleApp(bridge, clock=clock)
    async with app.run_test(size=size, notifications=True) as pilot:
        seen = Console(app, pilot)
        await seen.until(lambda: app.health.pulse is not None and app.main.following)
        await pilot.pause()
        yield seen
        if app.screen_stack:
            app.screen._compositor.render_strips()  # what is left on the screen can be drawn
