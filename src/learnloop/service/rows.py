"""Rows: what lists show of lessons, straight from the stored documents.

No model is made and pydantic is not loaded: the console shows its first rows before it needs either.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from learnloop.learn import origins, rules, scorer, usefulness
from learnloop.models import ids
from learnloop.service import documents
from learnloop.wire import clock, env, paths

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

TRUST_FACTOR = scorer.TRUST_FACTOR


class QueueRow(NamedTuple):
    """What a list shows of a lesson; made without a model, so 10,000 of them are cheap."""

    id: str
    short: str
    statement: str
    strength: int
    usefulness: float
    seen_count: int
    scope: str
    project: str
    status: str
    trust: str
    needs_words: bool
    paused: bool
    created: str
    recalled: int
    confidence: float
    rule: str
    """The rule that drafted it; empty where none did."""
    kind: str
    category: str
    priority: str
    agents: tuple[str, ...]
    """The agent that it was said to, and those that it is for."""
    source: str
    verified: int | None
    """How often a discovery was verified; None for what is none."""
    rank: int | None
    """How useful a discovery is, in thousandths; None for what is none."""
    backfilled: bool
    """It was first seen in a transcript that was read afterwards."""
    words: str
    """Kind, category, first quote with its files and commands, triggers: what else a filter finds."""
    held: bool = False
    """A draft of a muted rule, or one that is less sure than the person's threshold: folded away."""


class Page(NamedTuple):
    """What the queue opens with, and how many weaker drafts are folded under it."""

    top: list[QueueRow]
    weaker: int


def rows(ws: "Workspace", status: str | None = "draft") -> list[QueueRow]:
    """Light rows of the lessons in a state (all where None): drafts strongest first, others newest first."""
    every = _all_rows(ws.root)
    if status is None:
        return list(every)
    found = [row for row in every if row.status == status]
    if status == "draft":
        found = _with_held(ws, found)
        found.sort(key=_place)
    return found


def _place(row: QueueRow) -> tuple[bool, bool, int, bool]:
    return scorer.queue_order(row.strength, row.trust, held=row.held, needs_words=row.needs_words)


def _with_held(ws: "Workspace", drafts: list[QueueRow]) -> list[QueueRow]:
    """The drafts, those marked that a muted rule made, or that are less sure than the threshold."""
    from learnloop.service.rules import muted

    silent, least = muted(ws.root), look(ws).draft_threshold
    if least is None:
        least = rules.threshold(documents.lessons(ws.root).values())
    if not silent and not least:
        return drafts
    return [
        row._replace(held=row.rule in silent or (bool(row.rule) and row.confidence < least)) for row in drafts
    ]


_listed: dict[str, tuple[dict[str, documents.Document], list[QueueRow]]] = {}


def _all_rows(root: str) -> list[QueueRow]:
    """Every lesson's row, newest first; made again only when a document has changed."""
    docs = documents.lessons(root)
    kept = _listed.get(root)
    if kept is None or kept[0] is not docs:
        short = ids.short_ids(docs)
        found = [row for key in sorted(docs) if (row := _row(key, docs[key], short[key])) is not None]
        found.sort(key=lambda row: row.created, reverse=True)
        kept = _listed[root] = (docs, found)
    return kept[1]


def has_proposals(ws: "Workspace") -> bool:
    """Whether any lesson is proposed for archiving; `service.upkeep` says which and why."""
    now = clock.now_ms()
    return any(usefulness.proposal(doc, now) for doc in documents.lessons(ws.root).values())


def queue_page(ws: "Workspace", everything: bool = False) -> Page:
    """The queue as it opens: the `queue_size` strongest drafts, the rest counted."""
    found = rows(ws, "draft")
    size = len(found) if everything else min(look(ws).queue_size, sum(not row.held for row in found))
    return Page(found[:size], max(len(found) - size, 0))


class Look(NamedTuple):
    """What the settings say about the first screen."""

    queue_size: int = 20
    theme: str = ""
    draft_threshold: float | None = None
    keys: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The console's keys as they are wished."""


def look(ws: "Workspace") -> Look:
    """The first screen's settings; where nothing was ever set, nothing is read."""
    untouched = not any(env.get(name) for name in _LOOKS)
    if untouched and not documents.exists(paths.config_file()):
        return Look()
    found = ws.settings
    return Look(found.queue_size, found.theme, found.draft_threshold, found.keys)


_LOOKS = ("LEARNLOOP_QUEUE_SIZE", "LEARNLOOP_THEME", "LEARNLOOP_DRAFT_THRESHOLD", "LEARNLOOP_KEYS")


def strength_of(confidence: float, promise: float, seen: int, trust: str) -> int:
    """How much speaks for a lesson, 0–100."""
    return scorer.strength(confidence, promise, seen, trust)


def usefulness_of(followed: int, helpful: int, recurred: int, harmful: int) -> float:
    """How well a lesson's recalls went, 0–1."""
    return usefulness.usefulness(followed, helpful, recurred, harmful)


_JUDGED = ("followed", "helpful", "recurred", "harmful")


def _row(lesson_id: str, doc: documents.Document, short: str) -> QueueRow | None:
    """The row of a stored document; None for one that fits no lesson, which doctor tells of."""
    try:
        return _made(lesson_id, doc, short)
    except (TypeError, ValueError, AttributeError, KeyError, IndexError):
        return None


def _made(lesson_id: str, doc: documents.Document, short: str) -> QueueRow:
    get = doc.get
    usage = get("usage") or {}
    seen, trust = get("seen_count", 1), get("trust", "user")
    overall = (get("score") or {}).get("overall", 0.0)
    promise = scorer.promise(overall, usage.get("helpful", 0), usage.get("recalled", 0))
    quote, is_found = _first_quote(doc), origins.is_discovery(doc)
    return QueueRow(
        id=lesson_id,
        short=short,
        statement=get("statement") or get("title") or quote,
        strength=strength_of(get("confidence", 0.5), promise, seen, trust),
        usefulness=usefulness_of(*(usage.get(name, 0) for name in _JUDGED)),
        seen_count=seen,
        scope=get("scope", "project"),
        project=get("project", ""),
        status=get("status", "draft"),
        trust=trust,
        needs_words=get("needs_words", False),
        paused=get("paused", False),
        created=get("created", ""),
        recalled=usage.get("recalled", 0),
        confidence=float(get("confidence", 0.5)),
        rule=rules.rule_of(doc),
        kind=get("kind", ""),
        category=get("category", ""),
        priority=get("priority", ""),
        agents=_agents(doc),
        source=get("source", ""),
        verified=origins.verifications(doc) if is_found else None,
        rank=round(1000 * origins.rank(doc, clock.now_ms())) if is_found else None,
        backfilled=any(seen.get("backfilled") for seen in (get("evidence") or ())[:1]),
        words=" ".join((get("kind", ""), get("category", ""), quote, *_places(doc))),
    )


def _first_quote(doc: documents.Document) -> str:
    evidence = doc.get("evidence") or ()
    return " ".join(evidence[0].get("quote", "").split()) if evidence else ""


def _agents(doc: documents.Document) -> tuple[str, ...]:
    evidence: tuple[documents.Document, ...] = doc.get("evidence") or ({},)
    named = (doc.get("triggers") or {}).get("agent_names") or ()
    return tuple(dict.fromkeys(name for name in (evidence[0].get("agent", ""), *named) if name))


def _places(doc: documents.Document) -> Iterator[str]:
    """Files and commands that a lesson came from, and those that it is told at."""
    seen: documents.Document = (doc.get("evidence") or ({},))[0]
    triggers = doc.get("triggers") or {}
    for found in (seen.get("files"), seen.get("commands"), *map(triggers.get, _NAMED)):
        yield from found or ()


_NAMED = ("file_patterns", "command_patterns")
