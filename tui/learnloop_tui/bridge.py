"""The only way from the console to the service: everything slow happens in worker threads.

The service, its models and the file watcher are imported in those threads, after the first frame. There are
three: one for loading, verdicts and ingest, in order; one for reading what hooks just wrote, which must not
wait for the first; one for what takes long.
"""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from learnloop_tui import beside
from learnloop_tui.session_state import Seen
from learnloop_tui.state import (
    Change,
    Detail,
    Happening,
    Past,
    Pulse,
    Row,
    Snapshot,
    Step,
    TranscriptChoice,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from learnloop.doctor import Check
    from learnloop.models import Lesson
    from learnloop.models.agent import AgentPerformance
    from learnloop.service.agents import Figure, Judged
    from learnloop.service.backfill import TranscriptProject
    from learnloop.service.believed import Page
    from learnloop.service.health import Health
    from learnloop.service.rows import QueueRow
    from learnloop.service.watching import Entry, Story, Watcher
    from learnloop.service.workspace import Workspace
    from learnloop_tui.state import Beside, Section

    Progress = Callable[[int, int], None]
    """Called with how many of how many files are read; from another thread."""

T = TypeVar("T")


class Bridge(Protocol):
    """What the console asks for."""

    demo: bool
    """A throw-away store: nothing outside it may be touched."""

    async def start(self) -> None:
        """Get ready: lock, demo data."""

    async def load(self) -> Snapshot:
        """Everything the lists show; the same object where nothing changed."""

    async def ingest(self) -> bool:
        """Turn new events into documents; whether there were any."""

    async def detail(self, row_id: str) -> Detail:
        """One lesson, whole."""

    async def whole(self, ids: Sequence[str]) -> tuple[Lesson, ...]:
        """Several lessons, without what is told about each."""

    async def agents(self, *, split: bool) -> tuple[AgentPerformance, ...]:
        """Every agent's figures; with `split` for each project and host."""

    async def behind(self, agent: str, figure: str, project: str, host: str) -> tuple[Judged, ...]:
        """The turns behind an agent's figure, everywhere or in one project with one host."""

    async def believed(self) -> Page:
        """What is believed of the person, their projects and agents."""

    async def beside(self, row_id: str) -> Beside | None:
        """What takes longer about a lesson; None where another one was asked for meanwhile."""

    async def trial(self, row_id: str, changes: Mapping[str, Any]) -> Section | None:
        """What a lesson with these changes would have done; None where a later question came."""

    async def act(self, verdict: Verdict) -> None:
        """Write a verdict down; raises LearnloopError where it is refused."""

    async def undo(self) -> Step | None:
        """Take the last verdict back; None where there is none."""

    async def redo(self) -> Step | None:
        """Bring back the verdict undone last; None where there is none."""

    async def watched(self) -> Seen:
        """Every session as it is now, and what happened in any of them since the last call."""

    async def story(self, session_id: str, since_ms: int) -> Story:
        """What happened in a session that began then."""

    async def work(self, work: Callable[[Workspace], T]) -> T:
        """Run something on the workspace in a thread, in order with loading and verdicts."""

    async def pulse(self) -> Pulse:
        """How things stand."""

    def status(self, pulse: Pulse, latest: Happening | None, now_ms: int) -> tuple[str, bool]:
        """The one line that every pane shows, and whether all is well; the pulse was felt before."""

    async def checks(self) -> list[Check]:
        """What the doctor says."""

    async def fix(self) -> list[Check]:
        """Mend what is safe to mend."""

    async def install(self, *, dry_run: bool) -> Change:
        """Register the hooks, or say what that would write."""

    async def keep_theme(self, name: str) -> None:
        """Remember the theme in the settings."""

    async def transcripts(self) -> tuple[TranscriptChoice, ...]:
        """The projects whose old sessions can be learned from."""

    async def backfill(self, paths: Sequence[str], progress: Progress) -> str:
        """Learn from old sessions; what came of it, in words."""

    async def happenings(self) -> tuple[Happening, ...]:
        """What hooks wrote since the last call; at first the last few."""

    def changes(self) -> AsyncIterator[bool]:
        """Whenever files of the store change: whether documents are among them."""

    def close(self) -> None:
        """Let go of threads and locks."""


class ServiceBridge:
    """The bridge to the real service."""

    def __init__(self, root: str, *, demo: bool = False) -> None:
        self.root = root
        self.demo = demo
        self._order = ThreadPoolExecutor(1, "order")
        self._tail_thread = ThreadPoolExecutor(1, "tail")
        self._long = ThreadPoolExecutor(1, "long")
        self._trials = ThreadPoolExecutor(1, "trials")
        self._stopping = threading.Event()
        self._lock = -1
        self._tail: Any = None
        self._watcher: Watcher | None = None
        self._news: list[tuple[str, Entry]] = []
        self._docs: object = None
        self._silent: frozenset[str] = frozenset()
        self._refreshed = False
        self._kept_up = False
        self._snapshot = Snapshot()

    async def _run(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, work)

    def _workspace(self) -> Workspace:
        from learnloop.service import workspace

        return workspace.open_workspace(self.root, by="console")

    async def start(self) -> None:
        """Seed a demo, take the console lock."""
        await self._run(self._order, self._start)

    def _start(self) -> None:
        from learnloop_tui import live

        if self.demo:
            from learnloop import demo

            demo.seed(self.root)
        self._lock = live.hold(self.root)

    async def load(self) -> Snapshot:
        """Everything the lists show."""
        return await self._run(self._order, self._load)

    def _load(self) -> Snapshot:
        from learnloop.service import documents, rows, rules

        ws, docs = self._workspace(), documents.lessons(self.root)
        silent = rules.muted(self.root)
        if docs is not self._docs or silent != self._silent:
            self._silent = silent
            drafts = rows.rows(ws, "draft")
            others = [row for row in rows.rows(ws, None) if row.status != "draft"]
            strongest = min(rows.look(ws).queue_size, sum(not row.held for row in drafts))
            look, shown = rows.look(ws), beside.proposed(ws, tuple(map(as_row, (*drafts, *others))))
            self._docs, self._snapshot = docs, Snapshot(shown, strongest, look.theme, *_keymap(look.keys))
        return self._snapshot

    async def ingest(self) -> bool:
        """Turn new events into documents."""
        return await self._run(self._order, self._ingest)

    def _ingest(self) -> bool:
        from learnloop.service import workspace

        report = workspace.ingest(self._workspace())
        return bool(report.events or report.changed)

    async def detail(self, row_id: str) -> Detail:
        """One lesson, whole."""
        return await self._run(self._tail_thread, lambda: self._detail(row_id))

    def _detail(self, row_id: str) -> Detail:
        from learnloop.service import lessons, sessions

        ws = self._workspace()
        lesson = lessons.find(ws, row_id)
        past = () if lesson.status == "draft" and not lesson.reviewed_at else sessions.history(ws, 1_000_000)
        return Detail(
            lesson,
            lessons.explain_strength(lesson),
            lessons.explain_usefulness(lesson),
            tuple(
                Past(one["ts"], one["sentence"], one["undone"])
                for one in past
                if row_id in one.get("lesson_ids", ())
            ),
            lessons.explain_promise(lesson),
        )

    async def whole(self, ids: Sequence[str]) -> tuple[Lesson, ...]:
        """Several lessons."""
        return await self._run(self._tail_thread, lambda: self._whole(ids))

    def _whole(self, ids: Sequence[str]) -> tuple[Lesson, ...]:
        from learnloop.service import lessons

        return tuple(lessons.find(self._workspace(), name) for name in ids)

    async def agents(self, *, split: bool) -> tuple[AgentPerformance, ...]:
        """Every agent's figures."""
        return await self._run(self._long, lambda: self._agents(split))

    def _agents(self, split: bool) -> tuple[AgentPerformance, ...]:
        from learnloop.service import agents

        return tuple(agents.performance(self._workspace(), split=split))

    async def behind(self, agent: str, figure: str, project: str, host: str) -> tuple[Judged, ...]:
        """The turns behind an agent's figure."""
        return await self._run(self._long, lambda: self._behind(agent, figure, project, host))

    def _behind(self, agent: str, figure: str, project: str, host: str) -> tuple[Judged, ...]:
        from learnloop.service import agents

        ws, chosen = self._workspace(), cast("Figure", figure)
        return tuple(agents.behind(ws, agent, chosen, project=project or None, host=host or None))

    async def believed(self) -> Page:
        """What is believed."""
        return await self._run(self._long, self._believed)

    def _believed(self) -> Page:
        from learnloop.service import believed

        return believed.page(self._workspace())

    async def beside(self, row_id: str) -> Beside | None:
        """What takes longer about a lesson."""
        stop = self._stop_trial()
        return await self._run(self._trials, lambda: beside.beside(self._workspace(), row_id, stop.is_set))

    async def trial(self, row_id: str, changes: Mapping[str, Any]) -> Section | None:
        """What a lesson with these changes would have done."""
        stop = self._stop_trial()
        return await self._run(
            self._trials, lambda: beside.trial(self._workspace(), row_id, changes, stop.is_set)
        )

    def _stop_trial(self) -> threading.Event:
        """End the trial that runs: only the last question is answered."""
        self._stopping.set()
        self._stopping = threading.Event()
        return self._stopping

    async def act(self, verdict: Verdict) -> None:
        """Write a verdict down."""
        await self._run(self._order, lambda: self._act(verdict))

    def _act(self, verdict: Verdict) -> None:
        from learnloop.service import lessons, rules

        ws, ids, args = self._workspace(), list(verdict.ids), verdict.args
        match verdict.action:
            case "promote":
                lessons.promote(ws, ids, args.get("statement"))
            case "reject":
                lessons.reject(ws, ids, args.get("reason", ""))
            case "archive":
                lessons.archive(ws, ids, args.get("reason", "unused"))
            case "restore":
                lessons.restore(ws, ids)
            case "edit":
                lessons.edit(ws, ids[0], dict(args))
            case "scope":
                lessons.set_scope(ws, ids, args["scope"], project=args.get("project"))
            case "pause" | "resume":
                lessons.pause(ws, ids, verdict.action == "pause")
            case "gate":
                lessons.gate(ws, ids, on=bool(args["on"]))
            case "rate":
                lessons.rate(ws, ids, args["verdict"])
            case "keep":
                lessons.keep(ws, ids)
            case "merge":
                lessons.merge(ws, args["keep"], [name for name in ids if name != args["keep"]])
            case "mute":
                rules.mute(ws, args["rule"])
            case "confirm" | "dismiss" | "resolve":
                self._believe(verdict)
            case _:
                raise ValueError(verdict.action)

    def _believe(self, verdict: Verdict) -> None:
        from learnloop.service import preferences

        ws, belief, args = self._workspace(), verdict.ids[0], verdict.args
        if verdict.action == "resolve":
            preferences.resolve(ws, belief, args["keep"])
        elif verdict.action == "dismiss":
            preferences.dismiss(ws, belief)
        else:
            preferences.confirm(ws, belief, args.get("value"), args.get("statement"))

    async def undo(self) -> Step | None:
        """Take the last verdict back."""
        return await self._run(self._order, lambda: self._step("undo"))

    async def redo(self) -> Step | None:
        """Bring back the verdict undone last."""
        return await self._run(self._order, lambda: self._step("redo"))

    def _step(self, name: str) -> Step | None:
        from learnloop.service import lessons, sessions

        ws = self._workspace()
        decision = lessons.undo(ws) if name == "undo" else lessons.redo(ws)
        if decision is None:
            return None
        named = decision.args.get("decision")
        told = (one["sentence"] for one in sessions.history(ws, 1_000_000) if one["id"] == named)
        return Step(next(told, "the last verdict"), decision.lesson_ids)

    async def work(self, work: Callable[[Workspace], T]) -> T:
        """Run something on the workspace."""
        return await self._run(self._order, lambda: work(self._workspace()))

    async def pulse(self) -> Pulse:
        """How things stand."""
        return await self._run(self._long, self._pulse)

    def _pulse(self) -> Pulse:
        from learnloop.service import health, install, rules, upkeep

        ws = self._workspace()
        if not (self.demo or self._refreshed):
            self._refreshed = True
            install.refresh(ws)
        if not self._kept_up:
            self._kept_up = True
            upkeep.run(ws)
        found = tuple(rules.rules(ws)), rules.threshold(ws).value
        return Pulse(health.health(ws), bool(install.installed(ws)), *found)

    def status(self, pulse: Pulse, latest: Happening | None, now_ms: int) -> tuple[str, bool]:
        """The one line that every pane shows, and whether all is well."""
        from learnloop.service import health

        found = pulse.health
        if latest is not None and latest.kind != "decision":
            ts = datetime.fromtimestamp(latest.ms / 1000, UTC).isoformat()
            found = found.model_copy(update={"last_capture": ts})
        return health.status_line(found, now_ms), found.last_capture is None or well(found)

    async def checks(self) -> list[Check]:
        """What the doctor says."""
        return await self._run(self._long, self._checks)

    def _checks(self) -> list[Check]:
        from learnloop.service import health

        return health.doctor(self._workspace())

    async def fix(self) -> list[Check]:
        """Mend what is safe to mend."""
        return await self._run(self._order, self._fix)

    def _fix(self) -> list[Check]:
        from learnloop.service import health

        return health.doctor(self._workspace(), fix=True)

    async def install(self, *, dry_run: bool) -> Change:
        """Register the hooks, or say what that would write."""
        return await self._run(self._long, lambda: self._install(dry_run))

    def _install(self, dry_run: bool) -> Change:
        from learnloop.service import install

        report = install.install(self._workspace(), dry_run=dry_run)
        return Change(str(report.path), report.changed, report.diff, tuple(report.messages))

    async def keep_theme(self, name: str) -> None:
        """Remember the theme in the settings; a demo leaves them as they are."""
        from learnloop.service import config

        if not self.demo:
            await self._run(self._long, lambda: config.set_("theme", name))

    async def transcripts(self) -> tuple[TranscriptChoice, ...]:
        """The projects whose old sessions can be learned from."""
        return await self._run(self._long, self._transcripts)

    def _transcripts(self) -> tuple[TranscriptChoice, ...]:
        from learnloop.service import backfill

        return tuple(as_choice(found) for found in backfill.projects(self._workspace()))

    async def backfill(self, paths: Sequence[str], progress: Progress) -> str:
        """Learn from old sessions."""
        return await self._run(self._long, lambda: self._backfill(paths, progress))

    def _backfill(self, paths: Sequence[str], progress: Progress) -> str:
        from learnloop.service import backfill

        return str(backfill.backfill(self._workspace(), list(paths), progress))

    async def happenings(self) -> tuple[Happening, ...]:
        """What hooks wrote since the last call."""
        return await self._run(self._tail_thread, self._happenings)

    def _happenings(self) -> tuple[Happening, ...]:
        from learnloop_tui import live

        if self._tail is None:
            from learnloop.service.live import Tail

            self._tail = Tail(self.root)
        records = self._tail.read()
        if self._watcher is not None:
            self._note(self._watcher, records)
        return tuple(map(live.happening, records))

    def _note(self, watcher: Watcher, records: list[dict[str, Any]]) -> None:
        """What is news of sessions, for those who look at them."""
        from learnloop.service import watching

        watcher.take(records)
        told = ((str(record.get("session_id", "")), watching.entry_of(record)) for record in records)
        self._news += [(session, entry) for session, entry in told if entry is not None]
        del self._news[:-_MOST_NEWS]

    async def watched(self) -> Seen:
        """Every session, and what happened since the last call."""
        return await self._run(self._tail_thread, self._watched)

    def _watched(self) -> Seen:
        from learnloop.service import watching

        if self._watcher is None:
            self._watcher = watching.Watcher(self._workspace())
            self._watcher.open()
        now = time.time_ns() // 1_000_000
        found, news, self._news = self._watcher.sessions(now), tuple(self._news), []
        return Seen(found, {one.id: watching.phase(one, now) for one in found}, news)

    async def story(self, session_id: str, since_ms: int) -> Story:
        """What happened in a session."""
        return await self._run(self._long, lambda: self._story(session_id, since_ms))

    def _story(self, session_id: str, since_ms: int) -> Story:
        from learnloop.service import watching

        return watching.story(self._workspace(), session_id, since_ms)

    async def changes(self) -> AsyncIterator[bool]:
        """Whenever files of the store change."""
        from learnloop_tui import live

        await self._run(self._tail_thread, live.prepare)
        async for documents in live.changes(self.root):
            yield documents

    def close(self) -> None:
        """Let go of threads and locks."""
        from learnloop_tui import live

        self._stopping.set()
        for pool in (self._order, self._tail_thread, self._long, self._trials):
            pool.shutdown(wait=True, cancel_futures=True)
        if self._tail is not None:
            self._tail.close()
        live.release(self._lock)


_MOST_NEWS = 5_000
"""Happenings that are kept for a pane that looks now and then."""


def well(found: Health) -> bool:
    """Nothing to worry about."""
    unwell = found.damage or found.quarantine or found.hook_errors
    return not unwell and found.recording and found.index_current


def _keymap(wished: Mapping[str, Sequence[str]]) -> tuple[Mapping[str, tuple[str, ...]], tuple[str, ...]]:
    """The keys in force that are not the table's, and what of the wishes cannot be."""
    if not wished:
        return {}, ()
    from learnloop import keymap

    return keymap.resolved(wished)


def as_choice(found: TranscriptProject) -> TranscriptChoice:
    """A project with transcripts as the console offers it."""
    name = found.project.rstrip("/").rpartition("/")[2] or found.path
    return TranscriptChoice(found.path, name, found.sessions, found.last)


def as_row(found: QueueRow) -> Row:
    """A service's row as the lists show it."""
    project = found.project.rstrip("/").rpartition("/")[2]
    return Row(
        id=found.id,
        short=found.short,
        status=found.status,
        statement=found.statement,
        needs_words=found.needs_words,
        external=found.trust == "external",
        paused=found.paused,
        scope=found.scope,
        project=project,
        seen=found.seen_count,
        strength=found.strength,
        usefulness=round(found.usefulness * 100) if found.recalled else None,
        recalled=found.recalled,
        haystack=f"{found.short} {found.statement} {project} {found.words}".lower(),
        kind=found.kind,
        category=found.category,
        priority=found.priority,
        agents=found.agents,
        source=found.source,
        trust=found.trust,
        created=found.created,
        verified=found.verified,
        rank=found.rank,
    )
