"""Rows: lessons as lists show them, made from the stored documents.

No model is made and pydantic is not loaded: the console shows its first rows before it needs either.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from sys import intern
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from learnloop.learn.lessons import draft_rules, origins, scorer, usefulness
from learnloop.models import ids
from learnloop.service.lessons import documents, rule_drafts
from learnloop.service.lessons.row import Row
from learnloop.wire import clock, env, paths

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


class QueuePage(NamedTuple):
    """The drafts that the queue opens with, and the number of weaker ones folded under them."""

    top: list[Row]
    weaker: int


def rows(ws: "Workspace", status: str | None = "draft") -> list[Row]:
    """Light rows of the lessons in a state (all where None): drafts strongest first, others newest first."""
    every = _all_rows(ws.root)
    if status is None:
        return list(every)
    matches = [row for row in every if row.status == status]
    if status == "draft":
        matches = _with_held(ws, matches)
        matches.sort(key=_sort_key)
    return matches


def _sort_key(row: Row) -> tuple[bool, bool, int, bool]:
    return scorer.queue_order(row.strength, row.trust, held=row.held, needs_words=row.needs_words)


def _with_held(ws: "Workspace", drafts: list[Row]) -> list[Row]:
    """The drafts; those of a muted rule or below the threshold are marked as held."""
    silent, least = rule_drafts.muted_rules(ws.root), list_settings(ws).draft_threshold
    if least is None:
        least = draft_rules.threshold(rule_drafts.drafted(ws.root))
    if not silent and not least:
        return drafts
    return [row._replace(held=True) if _is_held(row, silent, least) else row for row in drafts]


def _is_held(row: Row, silent: Collection[str], least: float) -> bool:
    return bool(row.rule) and (row.rule in silent or row.confidence < least)


_listed: dict[str, tuple[Mapping[str, documents.Document], list[Row]]] = {}


def _all_rows(root: str) -> list[Row]:
    """Every lesson's row, newest first."""
    docs = documents.lessons(root)
    cached = _listed.get(root)
    if cached is None or cached[0] is not docs:
        before, rows_before = cached or ({}, [])
        unchanged = {row.id: row for row in rows_before if docs.get(row.id) is before[row.id]}
        newest = sorted(_rows_of(docs, unchanged), key=lambda row: row.created, reverse=True)
        cached = _listed[root] = (docs, newest)
    return cached[1]


def _rows_of(docs: Mapping[str, documents.Document], unchanged: Mapping[str, Row]) -> Iterator[Row]:
    short, now_ms = ids.short_ids(docs), clock.now_ms()
    for key in sorted(docs):
        row = unchanged.get(key) or row_of(key, docs[key])
        if row is not None:
            yield _with_rank(row, short[key], now_ms)


def _with_rank(row: Row, short: str, now_ms: int) -> Row:
    """The row with its short id and rank, which depend on other lessons and the time."""
    rank = None
    if row.verified is not None:
        rank = round(1000 * origins.rank_of(row.verified, row.created, row.confidence, now_ms))
    return row if (row.short, row.rank) == (short, rank) else row._replace(short=short, rank=rank)


def documents_of(ws: "Workspace", is_included: Callable[[Row], bool]) -> Iterator[documents.Document]:
    """The documents of the lessons whose rows are included, newest first."""
    docs = documents.lessons(ws.root)
    return (docs[row.id] for row in _all_rows(ws.root) if is_included(row) and row.id in docs)


def critical(ws: "Workspace") -> dict[str, documents.Document]:
    """The documents of the CRITICAL lessons in use, by id."""
    docs = documents_of(ws, lambda row: row.state == "active" and row.priority == "CRITICAL")
    return {str(doc["id"]): doc for doc in docs}


def has_proposals(ws: "Workspace") -> bool:
    """Whether any lesson is proposed for archiving; `service.lessons.upkeep` says which and why."""
    now = clock.now_ms()
    return any(usefulness.proposal(doc, now) for doc in documents_of(ws, lambda row: row.state == "active"))


def queue_page(ws: "Workspace", everything: bool = False) -> QueuePage:
    """The queue as it opens: the `queue_size` strongest drafts, the rest counted."""
    drafts = rows(ws, "draft")
    size = (
        len(drafts) if everything else min(list_settings(ws).queue_size, sum(not row.held for row in drafts))
    )
    return QueuePage(drafts[:size], max(len(drafts) - size, 0))


class ListSettings(NamedTuple):
    """The settings that the first screen needs."""

    queue_size: int = 20
    theme: str = ""
    draft_threshold: float | None = None
    keys: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The keys of the console that the person set, by command."""


def list_settings(ws: "Workspace") -> ListSettings:
    """The settings of the first screen; without a settings file or variable nothing is loaded."""
    untouched = not any(env.get(name) for name in _VARIABLES)
    if untouched and not documents.exists(paths.config_file()):
        return ListSettings()
    settings = ws.settings
    return ListSettings(settings.queue_size, settings.theme, settings.draft_threshold, settings.keys)


_VARIABLES = ("LEARNLOOP_QUEUE_SIZE", "LEARNLOOP_THEME", "LEARNLOOP_DRAFT_THRESHOLD", "LEARNLOOP_KEYS")


_JUDGED = ("followed", "helpful", "recurred", "harmful")


def row_of(lesson_id: str, doc: documents.Document) -> Row | None:
    """The row of a stored document; None for a malformed one, which doctor reports."""
    try:
        return _make_row(lesson_id, doc)
    except (TypeError, ValueError, AttributeError, KeyError, IndexError):
        return None


def _make_row(lesson_id: str, doc: documents.Document) -> Row:
    """Strings that many lessons share are interned."""
    get = doc.get
    usage = get("usage") or {}
    seen, trust = get("seen_count", 1), get("trust", "user")
    overall = (get("score") or {}).get("overall", 0.0)
    promise = scorer.promise(overall, usage.get("helpful", 0), usage.get("recalled", 0))
    quote = _first_quote(doc)
    statement = get("statement") or get("title") or quote
    return Row(
        id=lesson_id,
        short="",
        statement=statement,
        strength=scorer.strength(get("confidence", 0.5), promise, seen, trust),
        usefulness=usefulness.usefulness(*(usage.get(name, 0) for name in _JUDGED)),
        seen=seen,
        scope=intern(get("scope", "project")),
        project=intern(get("project", "")),
        status=intern(get("status", "draft")),
        trust=intern(trust),
        needs_words=get("needs_words", False),
        paused=get("paused", False),
        created=get("created", ""),
        recalled=usage.get("recalled", 0),
        confidence=float(get("confidence", 0.5)),
        rule=intern(draft_rules.rule_of(doc)),
        kind=intern(get("kind", "")),
        category=intern(get("category", "")),
        priority=intern(get("priority", "")),
        agents=_shared(_agents(doc)),
        source=intern(get("source", "")),
        verified=origins.verifications(doc) if origins.is_discovery(doc) else None,
        backfilled=any(seen.get("backfilled") for seen in (get("evidence") or ())[:1]),
        words=" ".join(_words(doc, statement, quote)).lower(),
    )


def _first_quote(doc: documents.Document) -> str:
    evidence = doc.get("evidence") or ()
    return " ".join(evidence[0].get("quote", "").split()) if evidence else ""


@lru_cache(1024)
def _shared(names: tuple[str, ...]) -> tuple[str, ...]:
    """The same tuple for the same names: most lessons are of few agents."""
    return names


def _agents(doc: documents.Document) -> tuple[str, ...]:
    evidence: tuple[documents.Document, ...] = doc.get("evidence") or ({},)
    named = (doc.get("triggers") or {}).get("agent_names") or ()
    return tuple(dict.fromkeys(name for name in (evidence[0].get("agent", ""), *named) if name))


def _words(doc: documents.Document, statement: str, quote: str) -> Iterator[str]:
    """Statement, folder, kind, category, first quote, and the files and commands of evidence and triggers."""
    yield from (statement, doc.get("project", "").rpartition("/")[2], doc.get("kind", ""))
    yield from (doc.get("category", ""), quote)
    seen: documents.Document = (doc.get("evidence") or ({},))[0]
    triggers = doc.get("triggers") or {}
    for values in (seen.get("files"), seen.get("commands"), *map(triggers.get, _NAMED)):
        yield from values or ()


_NAMED = ("file_patterns", "command_patterns")
