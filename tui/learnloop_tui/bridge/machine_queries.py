"""Queries on the machine around the store: health, hooks, settings, old sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.wire import clock
from learnloop_tui.view.state import Change, Pulse, TranscriptChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from learnloop.service.workspace import Workspace
    from learnloop_tui.view.state import Happening

    Progress = Callable[[int, int], None]
    """Called with the files that are read and all files; from another thread."""


def keep_up(ws: Workspace, *, with_hooks: bool) -> None:
    """The upkeep of a console's start: expired drafts, and hooks of an older version where they are ours."""
    from learnloop.service.lessons import upkeep
    from learnloop.service.setup import install

    if with_hooks:
        install.refresh(ws)
    upkeep.run(ws)


def pulse(ws: Workspace) -> Pulse:
    """The health of hooks and store."""
    from learnloop.service.health import health_report
    from learnloop.service.setup import install

    return Pulse(health_report.health_report(ws), bool(install.installed(ws)))


def status(pulse: Pulse, latest: Happening | None, now_ms: int) -> tuple[str, bool]:
    """The status line and whether all is well; not a query: the service is loaded once a pulse was taken."""
    from learnloop.service.health import quick_status

    report = pulse.health
    captured_ms = clock.parse_ms(report.last_capture)
    if latest is not None and latest.kind != "decision" and latest.ms > captured_ms:
        report = report.model_copy(update={"last_capture": clock.iso(latest.ms)})
    is_damaged = report.damage or report.quarantine or report.hook_errors
    is_well = not is_damaged and report.recording and report.index_current
    return quick_status.status_line(report.figures(), now_ms), report.last_capture is None or is_well


def agents(_ws: Workspace) -> dict[str, str]:
    """The agents on this machine, by name with the title for people; Claude Code where there is none."""
    from learnloop.service import hosts
    from learnloop.service.setup import install
    from learnloop.wire.hosts import CLAUDE

    return {name: hosts.host(name).title for name in install.present() or [CLAUDE]}


def install(ws: Workspace, agents: Sequence[str], *, dry_run: bool) -> Change:
    """Register the hooks with agents, or with `dry_run` return what that would write."""
    from learnloop.service.setup import install

    reports = [install.install(ws, agent, dry_run=dry_run) for agent in agents]
    changes = [report for report in reports if report.changed]
    return Change(
        bool(changes),
        "".join(report.diff for report in changes),
        tuple(message for report in changes for message in report.messages),
        tuple(sentence for report in changes for sentence in report.plan),
    )


def keep_theme(_ws: Workspace, name: str) -> None:
    """Write the theme to the settings."""
    from learnloop.service.setup import settings_file

    settings_file.set_("theme", name)


def transcripts(_ws: Workspace) -> tuple[TranscriptChoice, ...]:
    """The projects whose old sessions can be learned from."""
    from learnloop.service.intake import transcript_files
    from learnloop.service.project_names import names

    projects = transcript_files.projects()
    folders = names({project.project for project in projects})
    return tuple(
        TranscriptChoice(
            project.path, folders.get(project.project, project.path), project.sessions, project.last
        )
        for project in projects
    )


def backfill(ws: Workspace, paths: Sequence[str], progress: Progress) -> str:
    """Learn from old sessions; the report in words."""
    from learnloop.service.intake import backfill

    report = backfill.backfill(ws, list(paths), lambda done, total, _so_far="": progress(done, total))
    return f"{report}. {report.said}"
