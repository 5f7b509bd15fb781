"""Discoveries: facts that agents report from their shell; drafts like all other lessons."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from learnloop.errors import Refused
from learnloop.learn.lessons import origins
from learnloop.learn.offers import discovery_drafts, knowledge
from learnloop.learn.offers.plain_yaml import Malformed, YamlMapping
from learnloop.models import Lesson
from learnloop.service import event_log, workspace
from learnloop.service.lessons import documents, rows
from learnloop.service.lessons.documents import as_lesson
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, env, event, switches

CATEGORIES = discovery_drafts.CATEGORIES
_WAIT_S = 2.0
_SESSION = "CLAUDE_CODE_SESSION_ID"


class RankedDiscovery(NamedTuple):
    """A discovery with the figures that its rank is made of."""

    lesson: Lesson
    verifications: int
    rank: float
    days: int
    """Its age in days."""
    last_useful: str
    """When it was last rated helpful, or else last made."""


def discover(ws: Workspace, fields: Mapping[str, Any], *, project: str, cwd: str = "") -> str:
    """Record a discovery as an event; returns the id of the lesson that it became or joined.

    Raises Refused, with nothing recorded, unless it has a summary of 10–100 characters, details of 20 or more
    and a confidence of 0.5 or more.
    """
    if env.is_on("LEARNLOOP_DISABLE") or not switches.recording(ws.root, project):
        raise Refused("recording is switched off here", "switch it on with learn on")
    given = {name: value for name, value in fields.items() if value not in (None, "", [], ())}
    record = event.record(
        "discovery", host="claude" if env.is_on("CLAUDECODE") else "learnloop",
        payload=workspace.redacted(ws, given), session_id=workspace.redacted(ws, env.get(_SESSION)),
        cwd=workspace.redacted(ws, cwd), project=workspace.redacted(ws, project),
    )  # fmt: skip
    lesson = _validated(record)
    event_log.append(ws, [record])
    event_log.ingest(ws, _WAIT_S)
    return _lesson_of_event(ws, lesson, record["id"])


def _validated(record: Mapping[str, Any]) -> Lesson:
    origin = knowledge.Origin(
        event_id=record["id"], ts=record["ts"], rule="discovery", session_id=record["session_id"],
        project=record["project"],
    )  # fmt: skip
    try:
        return discovery_drafts.lesson_from_discovery(YamlMapping(record["payload"]), origin)
    except Malformed as error:
        raise Refused(f"this is no discovery: {error.reason}", "see learn discover --help") from None


def _lesson_of_event(ws: Workspace, lesson: Lesson, event_id: str) -> str:
    """The id of the lesson with the event as evidence, or of one that says the same."""
    docs = documents.lessons(ws.root)
    if lesson.id in docs:
        return lesson.id
    for lesson_id, doc in docs.items():
        if any(seen.get("event_id") == event_id for seen in doc.get("evidence", ())):
            return lesson_id
    draft = lesson.as_json()
    return next(
        (key for key, doc in docs.items() if discovery_drafts.is_same_discovery(doc, draft)), lesson.id
    )


def listing(ws: Workspace, project: str = "", now_ms: int | None = None) -> list[RankedDiscovery]:
    """The discoveries that are drafts or active and have not expired, most useful first.

    With a project, its own and those that hold everywhere.
    """
    now = clock.now_ms() if now_ms is None else now_ms
    docs = rows.documents_of(
        ws,
        lambda row: (
            row.verified is not None
            and row.status in ("draft", "active")
            and (not project or row.project in ("", project))
        ),
    )
    return [_with_figures(as_lesson(dict(doc)), doc, now) for doc in discovery_drafts.ranked(docs, now)]


def ranked_discovery(lesson: Lesson) -> RankedDiscovery | None:
    """A lesson with its figures as a discovery; None where it is not one."""
    doc = lesson.as_json()
    if not origins.is_discovery(doc):
        return None
    return _with_figures(lesson, doc, clock.now_ms())


def _with_figures(lesson: Lesson, doc: Mapping[str, Any], now_ms: int) -> RankedDiscovery:
    return RankedDiscovery(
        lesson, origins.verifications(doc), origins.rank(doc, now_ms), origins.age_days(doc, now_ms),
        origins.last_useful(doc),
    )  # fmt: skip


def rank_place(ws: Workspace, lesson: Lesson) -> tuple[int, int] | None:
    """Its place by rank and the number of discoveries of its project and the global ones; None for others."""
    ids = [discovery.lesson.id for discovery in listing(ws, lesson.project)]
    return (ids.index(lesson.id) + 1, len(ids)) if lesson.id in ids else None


def counts_by_category(ws: Workspace, project: str = "") -> dict[str, int]:
    """The number of discoveries of each category."""
    return discovery_drafts.by_category(discovery.lesson.as_json() for discovery in listing(ws, project))


def explain(discovery: RankedDiscovery) -> str:
    """What a discovery's rank comes from, in one line."""
    verified = f"verified {discovery.verifications}×" if discovery.verifications else "not verified yet"
    sure = round(100 * discovery.lesson.confidence)
    return f"rank {round(100 * discovery.rank)}: {verified}, {discovery.days} days old, {sure} % sure"
