"""How things stand, and the machine around: hooks, settings, old sessions."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from learnloop.errors import LearnloopError
from learnloop_tui.bridge.threads import Threads
from learnloop_tui.view.state import Change, Pulse, TranscriptChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnloop.service.health.doctor import Check
    from learnloop.service.health.health import Health
    from learnloop.service.health.visits import News
    from learnloop.service.intake.backfill import TranscriptProject
    from learnloop_tui.bridge.protocol import Progress
    from learnloop_tui.view.state import Happening


class Keeping(Threads):
    """Feels the pulse, mends, installs, reads transcripts."""

    _refreshed = False
    _kept_up = False

    async def pulse(self) -> Pulse:
        """How things stand."""
        return await self._run(self._long, self._pulse)

    def _pulse(self) -> Pulse:
        from learnloop.service.health import health
        from learnloop.service.lessons import upkeep
        from learnloop.service.review import rule_muting
        from learnloop.service.setup import install

        ws = self._workspace()
        if not (self.demo or self._refreshed):
            self._refreshed = True
            install.refresh(ws)
        if not self._kept_up:
            self._kept_up = True
            upkeep.run(ws)
        found = tuple(rule_muting.rules(ws)), rule_muting.threshold(ws).value
        return Pulse(health.health(ws), bool(install.installed(ws)), *found)

    def status(self, pulse: Pulse, latest: Happening | None, now_ms: int) -> tuple[str, bool]:
        """The one line that every pane shows, and whether all is well."""
        from learnloop.service.health import health

        found = pulse.health
        known = health.parse_ms(found.last_capture) if found.last_capture else 0
        if latest is not None and latest.kind != "decision" and latest.ms > known:
            ts = datetime.fromtimestamp(latest.ms / 1000, UTC).isoformat()
            found = found.model_copy(update={"last_capture": ts})
        return health.status_line(found, now_ms), found.last_capture is None or well(found)

    async def checks(self) -> list[Check]:
        """What the doctor says."""
        return await self._run(self._long, self._checks)

    def _checks(self) -> list[Check]:
        from learnloop.service.health import health

        return health.doctor(self._workspace())

    async def fix(self) -> list[Check]:
        """Mend what is safe to mend."""
        return await self._run(self._order, self._fix)

    def _fix(self) -> list[Check]:
        from learnloop.service.health import health

        return health.doctor(self._workspace(), fix=True)

    async def install(self, *, dry_run: bool) -> Change:
        """Register the hooks, or say what that would write."""
        return await self._run(self._long, lambda: self._install(dry_run))

    def _install(self, dry_run: bool) -> Change:
        from learnloop.service.setup import install

        report = install.install(self._workspace(), dry_run=dry_run)
        return Change(str(report.path), report.changed, report.diff, tuple(report.messages))

    async def since_visit(self) -> News | None:
        """What is new; a demo has no visit before."""
        from learnloop.service.health import visits

        if self.demo:
            return None
        return await self._run(self._long, lambda: visits.since(self._workspace()))

    async def end_visit(self) -> None:
        """Keep what was seen, as far as that can be: nothing depends on it."""
        from learnloop.service.health import visits

        if not self.demo:
            with suppress(LearnloopError, OSError):
                await self._run(self._long, lambda: visits.leave(self._workspace()))

    async def keep_theme(self, name: str) -> None:
        """Remember the theme in the settings; a demo leaves them as they are."""
        from learnloop.service.setup import settings_file

        if not self.demo:
            await self._run(self._long, lambda: settings_file.set_("theme", name))

    async def transcripts(self) -> tuple[TranscriptChoice, ...]:
        """The projects whose old sessions can be learned from."""
        return await self._run(self._long, self._transcripts)

    def _transcripts(self) -> tuple[TranscriptChoice, ...]:
        from learnloop.service.intake import backfill

        return tuple(as_choice(found) for found in backfill.projects(self._workspace()))

    async def backfill(self, paths: Sequence[str], progress: Progress) -> str:
        """Learn from old sessions."""
        return await self._run(self._long, lambda: self._backfill(paths, progress))

    def _backfill(self, paths: Sequence[str], progress: Progress) -> str:
        from learnloop.service.intake import backfill

        return str(backfill.backfill(self._workspace(), list(paths), progress))


def well(found: Health) -> bool:
    """Nothing to worry about."""
    unwell = found.damage or found.quarantine or found.hook_errors
    return not unwell and found.recording and found.index_current


def as_choice(found: TranscriptProject) -> TranscriptChoice:
    """A project with transcripts as the console offers it."""
    name = found.project.rstrip("/").rpartition("/")[2] or found.path
    return TranscriptChoice(found.path, name, found.sessions, found.last)
