"""Backfill: record past sessions from their transcripts, through the same path as hooks."""

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from learnloop.errors import Refused, Unreadable
from learnloop.hosts import transcript_lines
from learnloop.learn.feedback.prompt_rules import CORRECTING
from learnloop.models.base import Document
from learnloop.service import silences
from learnloop.service.intake import repeated_corrections
from learnloop.service.intake.repeated_corrections import RepeatedCorrections
from learnloop.service.intake.transcript_files import host_of, transcripts_of
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.wire import journal, paths, project, provenance, switches
from learnloop.wire.hosts import NAMES

_PER_APPEND = 200
_PER_INGEST = 5_000


class Progress(Protocol):
    """Gets the work done, all there is, and what came of it so far in words."""

    def __call__(self, done: int, total: int, so_far: str = "", /) -> None:
        """Take note of it."""


class BackfillReport(Document):
    """What one backfill did."""

    sessions: int = 0
    """Sessions with new events."""
    events: int = 0
    skipped: int = 0
    """Events that were recorded before."""
    drafts: int = 0
    unreadable: tuple[str, ...] = ()
    """Files that could not be read."""
    switched_off: int = 0
    """Sessions of projects that are switched off."""
    silenced: int = 0
    """Sessions whose client has settings that switch hooks off."""
    silenced_by: str = ""
    """The first of these settings."""
    said: RepeatedCorrections = RepeatedCorrections()
    """What the sessions say about the person, whether they were known already or not."""

    def __str__(self) -> str:
        parts = [
            f"{_many(self.events, 'event')} of {_many(self.sessions, 'session')} added, "
            f"{self.skipped:,} known already",
            _many(self.drafts, "new draft"),
        ]
        if self.switched_off:
            were = "was" if self.switched_off == 1 else "were"
            parts.append(
                f"{_many(self.switched_off, 'session')} of projects that are switched off {were} left out"
            )
        if self.silenced:
            were = "was" if self.silenced == 1 else "were"
            parts.append(
                f"{_many(self.silenced, 'session')} {were} left out because {self.silenced_by}; "
                "learn backfill --despite-settings reads such sessions"
            )
        if self.unreadable:
            parts.append(f"{_many(len(self.unreadable), 'file')} could not be read")
        return "; ".join(parts)


def backfill(
    ws: Workspace, chosen: Iterable[str], on_progress: Progress = lambda _done, _total, _so_far="": None, *,
    despite_settings: bool = False,
) -> BackfillReport:  # fmt: skip
    """Record the events of transcripts (files, folders of them, or projects) that are not recorded yet.

    Sessions whose client has settings that switch hooks off are left out, except with `despite_settings`.
    `on_progress` gets the files done, their number and what was found. Raises NotFound or Unreadable before
    anything is written, Refused where nothing may be recorded or the journal cannot be written.
    """
    agent_guard.refuse("read old sessions")
    _ = ws.settings
    if not switches.recording(ws.root, ""):
        raise Refused("recording is switched off", "learn status says by what")
    files = list(dict.fromkeys(file for path in chosen for file in transcripts_of(path)))
    run = _Run(ws, _Recorded(ws.root), despite_settings)
    for done, file in enumerate(files):
        on_progress(done, len(files), run.so_far)
        run.take(file)
    run.flush()
    on_progress(len(files), len(files), run.so_far)
    return run.report()


@dataclass
class _Run:
    ws: Workspace
    recorded: "_Recorded"
    despite_settings: bool
    sessions: int = 0
    events: int = 0
    skipped: int = 0
    drafts: int = 0
    switched_off: int = 0
    silenced: int = 0
    silenced_by: str = ""
    unreadable: list[str] = field(default_factory=list)
    _waiting: int = 0
    _heard: Counter[str] = field(default_factory=Counter)
    """Feedback by category."""
    _typed: set[str] = field(default_factory=set)
    """Sessions at which a person sat."""
    _times: list[str] = field(default_factory=list)
    """The first and the last time of each of them."""

    @property
    def so_far(self) -> str:
        """What was found so far, in words."""
        corrections = sum(self._heard[category] for category in CORRECTING)
        return f"{_many(corrections, 'correction')}, {_many(self.drafts, 'draft')}"

    def take(self, file: Path) -> None:
        """Append the new events of one transcript to the journal; raises Refused where that fails."""
        try:
            reader = host_of(file).transcripts
            if not self._may_read(reader.folder(file)):
                return
            events = reader.events(file, self.ws.settings.redaction.extras, paths.home())
        except (OSError, Unreadable):
            self.unreadable.append(str(file))
            return
        self._note_session(events)
        new = [record for record in events if not self.recorded.has(record)]
        self.skipped += len(events) - len(new)
        self.sessions += bool(new)
        for start in range(0, len(new), _PER_APPEND):
            batch = new[start : start + _PER_APPEND]
            provenance.mark(self.ws.root, batch)
            if not journal.append(self.ws.root, batch):
                raise Refused(
                    f"events could not be written under {self.ws.root}", "check free space and permissions"
                )
            self.events += len(batch)
            self._waiting += len(batch)
        if self._waiting >= _PER_INGEST:
            self.flush()

    def _may_read(self, folder: str) -> bool:
        """Whether nobody forbids to read a session that began in a folder; counts those that are left out."""
        real = os.path.realpath(folder)
        folders = {real, project.find(real)} if folder else set()
        if not all(switches.recording(self.ws.root, each) for each in folders):
            self.switched_off += 1
            return False
        reasons = (reason for each in sorted(folders) for reason in silences.by_client(self.ws.root, each))
        reason = next((reason.why for reason in reasons if not reason.records), "")
        if not reason or self.despite_settings:
            return True
        self.silenced += 1
        self.silenced_by = self.silenced_by or reason
        return False

    def _note_session(self, events: list[dict[str, Any]]) -> None:
        if events and not any(record["payload"].get("headless") for record in events):
            self._typed |= {record["session_id"] for record in events}
            self._times += (min(record["ts"] for record in events), max(record["ts"] for record in events))

    def flush(self) -> None:
        """Ingest the events appended so far."""
        from learnloop.service import workspace

        report = workspace.ingest(self.ws, wait_s=30.0)
        self.drafts += report.drafts
        self._heard.update(report.heard)
        self._waiting = 0

    def report(self) -> BackfillReport:
        """What the run did so far."""
        said = repeated_corrections.corrections(
            self.ws, self._typed, repeated_corrections.span_of(self._times)
        )
        return BackfillReport(
            sessions=self.sessions, events=self.events, skipped=self.skipped, drafts=self.drafts,
            unreadable=tuple(self.unreadable), switched_off=self.switched_off, silenced=self.silenced,
            silenced_by=self.silenced_by, said=said,
        )  # fmt: skip


class _Recorded:
    """What has been recorded: events by id, hooks by session, sessions whose events are gone."""

    def __init__(self, root: str) -> None:
        from learnloop.store import pending, segments
        from learnloop.store.store import Store

        self._ids: set[str] = set()
        self._hooked: dict[str, str] = {}
        """The time of the first event that a hook recorded, by session."""
        self._prompts: set[tuple[str, str]] = set()
        """Sessions and prompts that hooks recorded: clocks of hook and transcript differ a little."""
        for record in pending.records(root, ""):
            self._note(record)
        for name in segments.names(root):
            for record in segments.read(root, name):
                self._note(record)
        self._last_seen = {session.id: session.last_seen for session in Store(root).sessions()}

    def _note(self, record: dict[str, Any]) -> None:
        if record.get("host") not in NAMES:
            return
        session = record.get("session_id", "")
        if record.get("source") == transcript_lines.SOURCE:
            self._ids.add(record["id"])
            self._hooked.setdefault(session, "~")
        else:
            self._hooked[session] = min(record["ts"], self._hooked.get(session, "~"))
            self._prompts.add((session, record.get("prompt_id", "")))

    def has(self, record: dict[str, Any]) -> bool:
        """Whether an event of a transcript was read before, or recorded by a hook."""
        session = record["session_id"]
        if session in self._hooked:
            prompt_id = record.get("prompt_id", "")
            return (
                record["id"] in self._ids
                or record["ts"] >= self._hooked[session]
                or (prompt_id != "" and (session, prompt_id) in self._prompts)
            )
        return bool(record["ts"] <= self._last_seen.get(session, ""))


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
