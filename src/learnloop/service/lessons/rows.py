"""Rows: lessons as lists show them, made from the stored documents.

No model is made and pydantic is not loaded: the console shows its first rows before it needs either.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from sys import intern
from types import MappingProxyType
from typing import NamedTuple

from learnloop.ingest import said_already
from learnloop.learn.lessons import origins, scorer
from learnloop.learn.lessons.origins import TAKEN
from learnloop.models import ids
from learnloop.service import project_names, workspace
from learnloop.service.lessons import documents
from learnloop.service.lessons.row import Row, told_words
from learnloop.service.workspace import Workspace
from learnloop.wire import clock


class QueuePage(NamedTuple):
    """The drafts that the queue opens with, and those that are folded under them."""

    top: list[Row]
    folded: list[Row]


def rows(ws: Workspace, status: str | None = "draft") -> list[Row]:
    """Light rows of the lessons in a state (all where None): drafts strongest first, others newest first."""
    every = _all_rows(ws.root)
    if status is None:
        return list(every)
    matches = [row for row in every if row.status == status]
    if status == "draft":
        matches = _with_folds(ws, matches)
        matches.sort(
            key=lambda row: scorer.queue_order(
                row.strength, row.trust, folded=bool(row.folded), needs_words=row.needs_words
            )
        )
    return matches


def _with_folds(ws: Workspace, drafts: list[Row]) -> list[Row]:
    """The drafts, each with the reason why it is folded, if it is."""
    least = list_settings(ws).draft_threshold
    if least is None:
        least = scorer.least_strength(documents.lessons(ws.root).values())
    facts = (scorer.Draft(row.origin, row.needs_words, row.seen, row.strength, row.claimed) for row in drafts)
    whys, said = (scorer.why_folded(each, least) for each in facts), said_already.places(ws.root)
    return [
        row._replace(folded=why or ("said" if row.id in said else ""), said=said.get(row.id, ""))
        for row, why in zip(drafts, whys, strict=True)
    ]


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
    folders = project_names.names(str(doc.get("project", "")) for doc in docs.values())
    for key in sorted(docs):
        try:
            row = unchanged.get(key) or _make_row(key, docs[key])
        except (TypeError, ValueError, AttributeError, KeyError, IndexError):
            continue  # a malformed document, which doctor reports
        yield _among_others(row, short[key], intern(folders.get(row.project, "")), now_ms)


def _among_others(row: Row, short: str, named: str, now_ms: int) -> Row:
    """The row with what depends on other lessons and the time: short id, name of the project, rank."""
    rank = None
    if row.verified is not None:
        rank = round(1000 * origins.rank_of(row.verified, row.created, row.confidence, now_ms))
    if (row.short, row.rank, row.named) == (short, rank, named):
        return row
    return row._replace(short=short, rank=rank, named=named)


def documents_of(ws: Workspace, is_included: Callable[[Row], bool]) -> Iterator[documents.Document]:
    """The documents of the lessons whose rows are included, newest first."""
    docs = documents.lessons(ws.root)
    return (docs[row.id] for row in _all_rows(ws.root) if is_included(row) and row.id in docs)


def critical(ws: Workspace) -> dict[str, documents.Document]:
    """The documents of the CRITICAL lessons in use, by id."""
    docs = documents_of(ws, lambda row: row.state == "active" and row.priority == "CRITICAL")
    return {str(doc["id"]): doc for doc in docs}


def has_proposals(ws: Workspace) -> bool:
    """Whether any lesson is proposed for archiving; `service.lessons.upkeep` says which and why."""
    now = clock.now_ms()
    return any(scorer.proposal(doc, now) for doc in documents_of(ws, lambda row: row.state == "active"))


def queue_page(ws: Workspace, everything: bool = False) -> QueuePage:
    """The queue as it opens: at most `queue_size` drafts, without those that are folded."""
    drafts = rows(ws, "draft")
    size = len(drafts) if everything else unfolded_count(ws, drafts)
    return QueuePage(drafts[:size], drafts[size:])


def unfolded_count(ws: Workspace, drafts: Sequence[Row]) -> int:
    """How many of the sorted drafts the queue opens with."""
    return min(list_settings(ws).queue_size, sum(not row.folded for row in drafts))


class ListSettings(NamedTuple):
    """The settings that the first screen needs."""

    queue_size: int = 20
    theme: str = ""
    draft_threshold: int | None = None
    keys: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The keys of the console that the person set, by command."""


def list_settings(ws: Workspace) -> ListSettings:
    """The settings of the first screen; without a settings file or variable nothing is loaded."""
    if not workspace.are_settings_touched():
        return ListSettings()
    settings = ws.settings
    return ListSettings(settings.queue_size, settings.theme, settings.draft_threshold, settings.keys)


def _make_row(lesson_id: str, doc: documents.Document) -> Row:
    """Strings that many lessons share are interned."""
    get = doc.get
    usage = get("usage") or {}
    seen, trust = get("seen_count", 1), get("trust", "user")
    verdicts = scorer.verdicts(usage)
    evidence: tuple[documents.Document, ...] = get("evidence") or ({},)
    quote = " ".join(evidence[0].get("quote", "").split())
    statement = get("statement") or get("title") or quote
    return Row(
        id=lesson_id, short="", statement=statement,
        strength=scorer.strength(get("confidence", 0.5), seen, trust), usefulness=verdicts.usefulness,
        seen=seen, scope=intern(get("scope", "project")), project=intern(get("project", "")),
        path=intern(get("path", "")) if get("scope") == "module" else "",
        repo=intern(get("repo", "")),
        status=intern(get("status", "draft")), trust=intern(trust), needs_words=get("needs_words", False),
        paused=get("paused", False), created=get("created", ""),
        recalled=usage.get("told_sessions") or usage.get("recalled", 0), heeded=verdicts.share,
        confidence=float(get("confidence", 0.5)),
        kind=intern(get("kind", "")), category=intern(get("category", "")),
        priority=intern(get("priority", "")), agents=_shared(_agents(doc)),
        source=intern(get("source", "")),
        verified=origins.verifications(doc) if origins.is_discovery(doc) else None,
        backfilled=bool(evidence[0].get("backfilled")), claimed=_claimed(get("claims") or ()),
        told=told_words(doc), taken=bool(get(TAKEN)), words=" ".join(_words(doc, statement, quote)).lower(),
    )  # fmt: skip


def _claimed(claims: Sequence[documents.Document]) -> str:
    """The last claimed verdict on a lesson: `promote: it was made during a command of an agent`."""
    return f"{claims[-1]['action']}: {claims[-1]['reason']}" if claims else ""


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
    yield from seen.get("files") or ()
    yield from seen.get("commands") or ()
    yield from triggers.get("file_patterns") or ()
    yield from triggers.get("command_patterns") or ()
