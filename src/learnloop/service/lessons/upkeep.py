"""Upkeep of lessons: which are proposed for archiving and why, and which drafts are archived soon."""

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Literal

from learnloop.ingest import instruction_files
from learnloop.learn.lessons import acts, scorer
from learnloop.models import ids
from learnloop.models.base import Document
from learnloop.models.lesson_check import reading_first
from learnloop.service.lessons import documents, outcome_words, rows
from learnloop.service.lessons.row import Row
from learnloop.service.workspace import Workspace
from learnloop.store import files
from learnloop.wire import clock

Way = Literal["bind", "first", "reword", "narrow", "archive"]
_WAY_WORDS: dict[Way, str] = {
    "bind": "let its check bind", "first": "let it stop the first call", "reword": "reword it",
    "narrow": "narrow where it is told", "archive": "archive it",
}  # fmt: skip


class Proposal(Document):
    """An active lesson that a person should look at; nothing happens to it by itself."""

    lesson_id: str
    short: str
    statement: str
    reason: scorer.Reason
    words: str
    """Why, with the numbers."""
    ways: tuple[Way, ...]
    """What the person can do besides keeping it."""
    advice: str
    """The same in words."""
    first_said: str = ""
    """The words that the lesson comes from."""
    said_again: str = ""
    """The last complaint about the same thing."""


class ExpiringDraft(Document):
    """A draft that nobody reviewed."""

    lesson_id: str
    short: str
    statement: str
    days: int
    """Until it is archived."""


_ORDER: tuple[scorer.Reason, ...] = (
    "ignored", "harmful", "came_back", "removed", "too_broad", "unused",
)  # fmt: skip


def run(ws: Workspace, now_ms: int | None = None) -> int:
    """Archive the drafts that are due; returns how many. The decision is by `upkeep` and can be undone."""
    from learnloop.ingest import retention
    from learnloop.service import event_log

    now = clock.now_ms() if now_ms is None else now_ms
    due = retention.expire(ws.root, now, documents.lessons(ws.root))
    if due:
        event_log.settle(ws)
    return len(due)


def proposals(ws: Workspace, now_ms: int | None = None) -> list[Proposal]:
    """The active lessons that are proposed for archiving, harmful ones first."""
    now, docs = clock.now_ms() if now_ms is None else now_ms, documents.lessons(ws.root)
    active, gone = (row for row in rows.rows(ws, "active") if not row.paused and row.id in docs), _removed(ws)
    proposals = [each for row in active if (each := _proposal(row, docs[row.id], now, gone)) is not None]
    return sorted(proposals, key=lambda proposal: (_ORDER.index(proposal.reason), proposal.lesson_id))


def _removed(ws: Workspace) -> frozenset[str]:
    """The lessons from the team that it retired, or whose files are gone from a project trusted as it is."""
    docs = documents.lessons(ws.root).items()
    of_team = [(key, doc) for key, doc in docs if str(doc.get("source", "")).startswith("team")]
    taken = [(key, doc) for key, doc in of_team if not doc.get("kept_at")]
    space = _in_space(ws.root) if taken else {}
    gone = {key for key, doc in taken if False in {space.get(name) for name in _names(doc)}}
    for project in instruction_files.sharing(documents.decisions(ws.root)) if taken else ():
        names = (name.removesuffix(".json") for name, _ in instruction_files.shared_lessons(project))
        there = {ids.draft_id(name, "import") for name in names} | set(space)
        gone |= {key for key, doc in taken if doc.get("project") == project and there.isdisjoint(_names(doc))}
    return frozenset(gone)


def _names(doc: documents.Document) -> set[str]:
    """The names that a lesson of the team had where it came from."""
    return {str(seen["event_id"]) for seen in doc.get("evidence", ())}


def _in_space(root: str) -> dict[str, bool]:
    """The lessons of the team's space, and whether they are in use there; none where that cannot be read."""
    try:
        lessons = json.loads(files.read(Path(root, "team", "lessons.json")) or b"{}").get("lessons", {})
    except ValueError:
        return {}
    return {ids.draft_id(name, "import"): not row["archived"] for name, row in lessons.items()}


def _proposal(row: Row, doc: documents.Document, now_ms: int, gone: Collection[str]) -> Proposal | None:
    reason = scorer.proposal(doc, now_ms) or ("removed" if row.id in gone else None)
    if reason is None:
        return None
    ways = tuple(_ways(doc, reason))
    return Proposal(
        lesson_id=row.id, short=row.short, statement=str(doc.get("statement", "")), reason=reason,
        words=_words(doc, reason, now_ms), ways=ways,
        advice=f"{', '.join(_WAY_WORDS[way] for way in ways)}, or keep it",
        first_said=str(next((seen["quote"] for seen in doc.get("evidence") or ()), "")),
        said_again=str((outcome_words.last_complaint(doc) or {}).get("words", "")),
    )  # fmt: skip


def _ways(doc: documents.Document, reason: scorer.Reason) -> Iterator[Way]:
    """A lesson that does not work binds by its check; one without any may stop the first call."""
    if reason in ("ignored", "came_back"):
        if any(acts.binding(doc, "stop").values()):
            if not doc.get("stops") and not (doc.get("reminds") and acts.due_rules(doc)):
                yield "bind"
        elif not acts.gates(doc) and reading_first(doc.get("triggers") or {}):
            yield "first"
        yield "reword"
    if reason == "too_broad":
        yield "narrow"
    yield "archive"


def _words(doc: documents.Document, reason: str, now_ms: int) -> str:
    usage = doc.get("usage") or {}
    if reason == "removed":
        return f"removed: {doc.get('project') or 'the team'} does not share it any more"
    if reason == "unused":
        last = clock.parse_ms(usage.get("last_recalled"))
        since = last or clock.parse_ms(doc.get("reviewed_at")) or clock.parse_ms(doc.get("created"))
        days = (now_ms - since) // scorer.DAY_MS
        words = f"not recalled for {days} days" if last else f"in use for {days} days and never recalled"
        return f"unused: {words}"
    return f"{reason.replace('_', ' ')}: {outcome_words.story(doc)}"


def expiring_drafts(ws: Workspace, now_ms: int | None = None) -> list[ExpiringDraft]:
    """Drafts unreviewed for 23 days or more, the ones archived first in front."""
    docs = documents.lessons(ws.root)
    drafts = [draft for key in docs if (draft := expiry_of(ws, key, now_ms)) is not None]
    return sorted(drafts, key=lambda draft: (draft.days, draft.lesson_id))


def expiry_of(ws: Workspace, lesson_id: str, now_ms: int | None = None) -> ExpiringDraft | None:
    """A draft that is archived within a week; None for others, as for one that a person brought back."""
    from learnloop.ingest import retention
    from learnloop.ingest.lessons import DRAFTED

    doc = documents.lessons(ws.root)[lesson_id]
    now = clock.now_ms() if now_ms is None else now_ms
    days = scorer.days_until_expiry(doc, doc.get(DRAFTED, 0), now)
    if days is None or days > scorer.EXPIRES_DAYS - scorer.WARNED_DAYS:
        return None
    if any(
        decision.by == retention.BY and lesson_id in decision.lesson_ids
        for decision in documents.decisions(ws.root)
    ):
        return None
    statement = str(doc.get("statement") or doc.get("title", ""))
    short = documents.short(ws.root, lesson_id)
    return ExpiringDraft(lesson_id=lesson_id, short=short, statement=statement, days=max(days, 0))
