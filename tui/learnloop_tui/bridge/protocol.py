"""What the console asks of the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from learnloop.models import Lesson
    from learnloop.models.agent import AgentPerformance
    from learnloop.service.health.doctor import Check
    from learnloop.service.health.visits import News
    from learnloop.service.profile.agents import Judged
    from learnloop.service.profile.beliefs import Page
    from learnloop.service.sessions.watching import Story, Watched
    from learnloop.service.workspace import Workspace
    from learnloop_tui.bridge.threads import Presence
    from learnloop_tui.view.session_state import SessionsSnapshot
    from learnloop_tui.view.state import (
        Beside,
        Change,
        Detail,
        Happening,
        Pulse,
        Section,
        Snapshot,
        Step,
        TranscriptChoice,
        Verdict,
    )

    Progress = Callable[[int, int], None]
    """Called with how many of how many files are read; from another thread."""

T = TypeVar("T")


class Bridge(Protocol):
    """What the console asks for."""

    demo: bool
    """A throw-away store: nothing outside it may be touched."""

    root: str
    """The folder of the store."""

    async def presence(self) -> Presence:
        """Whether that folder is still the one that was opened; of another one it is asked once."""

    async def start(self) -> None:
        """Get ready: lock, demo data."""

    async def glimpse(self) -> Snapshot | None:
        """What the lists showed last time, where that is there sooner than what they show now."""

    async def keep_glimpse(self) -> None:
        """Keep what the lists show for next time."""

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

    async def watched(self) -> SessionsSnapshot:
        """Every session as it is now, and what happened in any of them since the last call."""

    async def find_session(self, session_id: str) -> bool:
        """Put a session that may be older among those that are listed; whether there is one."""

    async def story(self, one: Watched) -> Story:
        """What happened in a session."""

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

    async def since_visit(self) -> News | None:
        """What is new since the last visit; None where there was none, and in a demo."""

    async def end_visit(self) -> None:
        """Keep what was there to be seen."""

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

    def folder_changes(self, folders: Sequence[str]) -> AsyncIterator[None]:
        """Whenever a file of those folders changes; raises OSError where they cannot be watched."""

    def close(self) -> None:
        """Let go of threads and locks."""
