"""Discoveries: what agents find out while they work, told from their shell; drafts like all else."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.errors import Refused
from learnloop.learn.lessons import origins
from learnloop.learn.offers import discoveries, knowledge
from learnloop.learn.offers.plain_yaml import Malformed, YamlMapping
from learnloop.models import Lesson
from learnloop.service import event_log, redaction
from learnloop.service.lessons import documents, rows
from learnloop.service.lessons.lookup import as_lesson
from learnloop.wire import clock, env, event, switches

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

CATEGORIES = discoveries.CATEGORIES
_WAIT_S = 2.0
_SESSION = "CLAUDE_CODE_SESSION_ID"


class Ranked(NamedTuple):
    """A discovery with what its place in the list comes from."""

    lesson: Lesson
    verifications: int
    rank: float
    days: int
    """How old it is."""


class Statistics(NamedTuple):
    """How many discoveries there are, of each category, and the most useful ones."""

    total: int
    by_category: dict[str, int]
    most_useful: tuple[str, ...]


def discover(ws: "Workspace", fields: Mapping[str, Any], *, project: str, cwd: str = "") -> str:
    """Record a discovery as an event; the id of the lesson that it became or joined.

    Raises Refused, with nothing recorded, where it is none: a summary of 10–100 characters, details of 20 or
    more, a confidence of 0.5 or more are needed.
    """
    if env.is_on("LEARNLOOP_DISABLE") or not switches.recording(ws.root, project):
        raise Refused("recording is switched off here", "switch it on with learn on")
    given = {name: value for name, value in fields.items() if value not in (None, "", [], ())}
    payload = redaction.redacted(given, ws.settings.redaction.extras)
    record = event.record(
        "discovery", host="claude" if env.is_on("CLAUDECODE") else "learnloop", session_id=env.get(_SESSION),
        cwd=cwd, project=project, payload=payload,
    )  # fmt: skip
    lesson = _checked(record)
    event_log.append(ws, [record])
    event_log.ingest(ws, _WAIT_S)
    return _became(ws, lesson, record["id"])


def _checked(record: Mapping[str, Any]) -> Lesson:
    origin = knowledge.Origin(
        event_id=record["id"], ts=record["ts"], rule="discovery", session_id=record["session_id"],
        project=record["project"],
    )  # fmt: skip
    try:
        return discoveries.lesson_from_discovery(
            YamlMapping({str(name): value for name, value in record["payload"].items()}), origin
        )
    except Malformed as error:
        raise Refused(f"this is no discovery: {error.reason}", "see learn discover --help") from None


def _became(ws: "Workspace", lesson: Lesson, event_id: str) -> str:
    """The lesson that an event stands in: the new one, or the one that said so already."""
    docs = documents.lessons(ws.root)
    if lesson.id in docs:
        return lesson.id
    for lesson_id, doc in docs.items():
        if any(seen.get("event_id") == event_id for seen in doc.get("evidence", ())):
            return lesson_id
    same = (one for one, doc in docs.items() if discoveries.is_same_discovery(doc, lesson.as_json()))
    return next(same, lesson.id)


def listing(ws: "Workspace", project: str = "", now_ms: int | None = None) -> list[Ranked]:
    """The discoveries that have not expired and were not turned down, most useful first.

    With a project, its own and those that hold everywhere.
    """
    now = clock.now_ms() if now_ms is None else now_ms
    places = ("", project)
    docs = rows.documents_of(
        ws,
        lambda row: (
            row.verified is not None
            and row.status in ("draft", "active")
            and (not project or row.project in places)
        ),
    )
    return [_ranked(as_lesson(dict(doc)), doc, now) for doc in discoveries.ranked(docs, now)]


def ranked(lesson: Lesson, now_ms: int | None = None) -> Ranked | None:
    """A lesson with what its usefulness as a discovery comes from; None where it is none."""
    doc = lesson.as_json()
    if not origins.is_discovery(doc):
        return None
    return _ranked(lesson, doc, clock.now_ms() if now_ms is None else now_ms)


def _ranked(lesson: Lesson, doc: Mapping[str, Any], now_ms: int) -> Ranked:
    return Ranked(
        lesson, origins.verifications(doc), origins.rank(doc, now_ms), origins.age_days(doc, now_ms)
    )


def place(ws: "Workspace", lesson: Lesson) -> tuple[int, int] | None:
    """Which one of how many it is among the discoveries of its project and the global ones, by rank."""
    found = [one.lesson.id for one in listing(ws, lesson.project)]
    return (found.index(lesson.id) + 1, len(found)) if lesson.id in found else None


def statistics(ws: "Workspace", project: str = "", now_ms: int | None = None) -> Statistics:
    """Counts by category, and the statements of the five that were verified most often."""
    found = listing(ws, project, now_ms)
    counts = discoveries.by_category(one.lesson.as_json() for one in found)
    most = sorted(found, key=lambda one: (-one.verifications, -one.rank))[:5]
    return Statistics(len(found), counts, tuple(one.lesson.statement for one in most))


def explain(found: Ranked) -> str:
    """The parts of a discovery's rank in one line."""
    fresh = found.rank / ((found.verifications + 1) * (found.lesson.confidence or 1))
    return (
        f"{found.rank:.2f} = ({found.verifications} verifications + 1)"
        f" × freshness {fresh:.2f} ({found.days} days old)"
        f" × confidence {found.lesson.confidence:.2f}"
    )
