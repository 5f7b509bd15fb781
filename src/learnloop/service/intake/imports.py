"""Import files of other tools as drafts with their origin. Importing twice changes nothing."""

import hashlib
from pathlib import Path
from typing import NamedTuple

from learnloop.errors import Refused
from learnloop.importers.other_tools import NOTEPAD, READERS, ImportBatch, ImportItem
from learnloop.learn.hear import wording
from learnloop.learn.lessons import meaning, scorer
from learnloop.learn.offers import discovery_drafts, knowledge
from learnloop.learn.offers.plain_yaml import Malformed, YamlMapping
from learnloop.models import Lesson
from learnloop.service import workspace
from learnloop.service.review import add_lessons, agent_guard
from learnloop.service.workspace import Workspace
from learnloop.wire import clock
from learnloop.wire import project as wire_project


class FilesImported(NamedTuple):
    """What an import did."""

    found: int
    drafts: int
    known: int
    """Here already, or saying the same as a lesson that is."""
    skipped: tuple[str, ...]
    """Place and reason of each thing that was left out."""

    def __str__(self) -> str:
        drafts = "1 new draft" if self.drafts == 1 else f"{self.drafts} new drafts"
        parts = [f"Found {self.found}: {drafts}", f"{self.known} were here already"]
        return "; ".join([*parts, f"{len(self.skipped)} left out"]) + "."


def import_files(ws: Workspace, kind: str, path: str, project: str = "") -> FilesImported:
    """Read another tool's file or folder; `kind` is a key of READERS.

    Everything becomes a draft of trust `external`; nothing is approved by it. `project` is for items that
    name none; notepads belong to the project that they are read from. Raises Refused for another `kind`, and
    Unreadable, with nothing changed, for another file.
    """
    agent_guard.refuse("import anything")
    agent_guard.refuse_in_call(ws, "imported")
    reader = READERS.get(kind)
    if reader is None:
        raise Refused(f"{kind!r} is no known origin", f"take one of {', '.join(READERS)}")
    folder = Path(path).expanduser().resolve()
    batch = reader(folder)
    if kind == "notepads":
        project = project or wire_project.find(str(folder))
    new, _, count_known = add_lessons.arrivals(ws, _lessons(ws, batch, project))
    add_lessons.add(ws, new)
    reasons = tuple(workspace.one_line(ws, reason) for reason in batch.skipped)
    return FilesImported(len(batch.items), len(new), count_known, reasons)


def _lessons(ws: Workspace, batch: ImportBatch, project: str) -> list[Lesson]:
    """The drafts of all items; a malformed item is noted as left out."""
    drafts = []
    for item in batch.items:
        try:
            drafts.append(_lesson(ws, item, project))
        except Malformed as error:
            batch.skip(item.place, error.reason)
    return drafts


def _lesson(ws: Workspace, item: ImportItem, project: str) -> Lesson:
    """The draft of an item; raises Malformed where it is none."""
    words, fields = workspace.redacted(ws, item.words), workspace.redacted(ws, dict(item.fields))
    where = workspace.redacted(ws, item.project or project)
    identity = f"{item.rule}\0{where}\0{words}\0{sorted(fields)}"
    origin = knowledge.Origin(
        event_id=hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:32],
        ts=clock.iso(clock.parse_ms(item.ts, default=clock.now_ms())),
        rule=item.rule, project=where, quote=words, trust="external",
    )  # fmt: skip
    if item.rule == NOTEPAD:
        return _scored(ws, discovery_drafts.lesson_from_discovery(YamlMapping(fields), origin), item)
    return _scored(ws, _lesson_from_words(words, fields, origin), item)


def _lesson_from_words(words: str, fields: dict[str, str], origin: knowledge.Origin) -> Lesson:
    """The draft of a person's words; it needs words where none of their sentences stands alone."""
    fact = wording.make(words)
    given = {name: value for name, value in fields.items() if value}
    lesson = knowledge.lesson_from_block(YamlMapping({"statement": fact or words, **given}), origin)
    if fact:
        return lesson.with_(kind="preference")
    return lesson.with_(
        kind="preference", statement="", needs_words=True,
        fingerprint=meaning.fingerprint_of(words, lesson.scope, lesson.project),
    )  # fmt: skip


def _scored(ws: Workspace, lesson: Lesson, item: ImportItem) -> Lesson:
    parts = (
        lesson.context,
        workspace.one_line(ws, item.context),
        workspace.one_line(ws, f"From {item.place}."),
    )
    return scorer.with_score(lesson.with_(context=" ".join(part for part in parts if part)[:1000]))
