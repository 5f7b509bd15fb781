"""The work that waits: prompts that no model has read, and raw facts that no second stage has merged.

Nothing is queued. Work is found behind a cursor, `facts/cursor`, so a crash loses and repeats none.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from learnloop.ingest import agent_blocks, turns
from learnloop.ingest.facts_read import COMPACTIONS, FACTS, GROUNDS, READ, RUNS
from learnloop.learn.facts.fact_findings import TypedPrompt
from learnloop.learn.facts.requests import MOST_CHARS, MOST_FACTS, MOST_PROMPTS
from learnloop.learn.language import authorship
from learnloop.learn.language.words import own_words
from learnloop.models import Session, Turn
from learnloop.models.fact import Fact
from learnloop.store import files, segments
from learnloop.store.store import Store
from learnloop.store.tinydb_file import public_fields
from learnloop.wire import clock

Doc = dict[str, Any]
LEAST_WORDS = 3
_MOST_FOLDERS = 40
COOL_MS, REST_MS = 60_000, 30 * 60_000
"""So long after a session's last prompt it may be read, and counts as resting."""
ENOUGH_PROMPTS, ENOUGH_FACTS = 10, 30
"""So many prompts, or raw facts, of a session do not wait for its end."""


@dataclass(frozen=True)
class Batch:
    """What one request asks about: prompts or raw facts of one session."""

    stage: Literal["extract", "merge"]
    session: Session
    prompts: Mapping[str, TypedPrompt] = field(default_factory=dict)
    """By the name that the request calls them, `p1` …"""
    facts: Mapping[str, Doc] = field(default_factory=dict)
    """Stored raw facts with their grounds, `f1` …"""
    folders: tuple[str, ...] = ()
    """Below the project, in which the session wrote files."""

    @property
    def items(self) -> dict[str, str]:
        """The ids of the prompts or facts, by name."""
        return {
            **{name: source.event_id for name, source in self.prompts.items()},
            **{name: fact["id"] for name, fact in self.facts.items()},
        }

    @property
    def id(self) -> str:
        """The same for the same stage and items."""
        words = "\0".join([self.stage, *sorted(self.items.values())])
        return hashlib.sha256(words.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class ReadingReach:
    """Whose prompts may be read: of projects since a time each, or of one project or session."""

    since: Mapping[str, str] = field(default_factory=dict)
    """By project; empty where a person names what is read."""
    project: str = ""
    session_id: str = ""

    def includes(self, project: str, session_id: str, ts: str) -> bool:
        """Whether a prompt, fact or session of a time may be read."""
        is_named = self.project in ("", project) and self.session_id in ("", session_id)
        return is_named and (not self.since or self.since.get(project, ts + "~") <= ts)


@dataclass
class Found:
    """Prompts by session, and the last segment before the first that holds one."""

    prompts: dict[str, list[TypedPrompt]] = field(default_factory=dict)
    cursor: str = ""


def read_cursor(root: str) -> str:
    """The last segment of which every prompt was read or passed over."""
    return (files.read(Path(root, "facts", "cursor")) or b"").decode("ascii", "replace").strip()


def keep_cursor(root: str, cursor: str) -> None:
    """Keep the cursor for the next run."""
    if cursor != read_cursor(root):
        files.replace(Path(root, "facts", "cursor"), [cursor.encode("ascii")])


def unread(root: str, reach: ReadingReach, cursor: str = "") -> Found:
    """The prompts behind a cursor that a person typed and no model has read, oldest first."""
    found, done = Found(cursor=cursor), _read_ids(root)
    for name in segments.names(root):
        if name <= cursor:
            continue
        for event in segments.read(root, name):
            where = str(event.get("project", "")), str(event.get("session_id", "")), event["ts"]
            if event["kind"] == "prompt" and event["id"] not in done and reach.includes(*where):
                _add(found, event, typed(event))
        if not found.prompts:
            found.cursor = name
    return found


def _add(found: Found, event: Doc, words: str) -> None:
    if words and all(words != other.words for other in found.prompts.get(event["session_id"], ())):
        # hook and transcript may both tell it
        of_session = found.prompts.setdefault(event["session_id"], [])
        of_session.append(TypedPrompt(event["id"], event["ts"], event["session_id"], words))


def _read_ids(root: str) -> set[str]:
    return {name for run in Store(root).documents(RUNS).values() for name in run.get(READ, ())}


def typed(event: Doc) -> str:
    """What a person typed in a prompt, without what they pasted; empty where that is next to nothing."""
    payload = event["payload"]
    if payload.get("machine"):
        return ""
    authored = authorship.read(agent_blocks.without_blocks(str(payload.get("prompt", ""))), payload)
    own = own_words(authored.words)
    words = "\n".join(own.prompt[sentence.start : sentence.end] for sentence in own.every)
    return words if not authored.reason and len(words.split()) >= LEAST_WORDS else ""


def extractions(root: str, found: Found, reach: ReadingReach) -> Iterator[Batch]:
    """The requests of the first stage: of each session as many prompts as fit."""
    for session_id, sources in found.prompts.items():
        session = Store(root).session(session_id)
        if session is not None and reach.includes(session.project, session.id, session.last_seen):
            every = Store(root).turns(session_id)
            with_context = [source._replace(before=_before(source, every, session)) for source in sources]
            for part in _parts(with_context):
                prompts = {f"p{number}": source for number, source in enumerate(part, 1)}
                yield Batch("extract", session, prompts=prompts)


def _before(source: TypedPrompt, every: Iterable[Turn], session: Session) -> Doc:
    turn = next((turn for turn in every if turn.started < source.ts), None)
    return {**(turns.context_of(turn) if turn else {}), "transcript_path": session.transcript_path}


def _parts(sources: Iterable[TypedPrompt]) -> Iterator[list[TypedPrompt]]:
    part: list[TypedPrompt] = []
    for source in sources:
        chars = len(source.words) + sum(len(other.words) for other in part)
        if part and (len(part) >= MOST_PROMPTS or chars > MOST_CHARS):
            yield part
            part = []
        part.append(source)
    if part:
        yield part


def merges(root: str, reach: ReadingReach) -> Iterator[Batch]:
    """The requests of the second stage: the raw facts of each session."""
    by_session: dict[str, list[Doc]] = {}
    for doc in Store(root).documents(FACTS).values():
        where = str(doc["project"]), str(doc["session_id"]), str(doc["created"])
        if doc["status"] == "raw" and reach.includes(*where):
            by_session.setdefault(str(doc["session_id"]), []).append(_with_grounds(doc))
    for session_id, docs in by_session.items():
        session = Store(root).session(session_id)
        if session is not None:
            facts = {f"f{number}": doc for number, doc in enumerate(docs[:MOST_FACTS], 1)}
            yield Batch("merge", session, facts=facts, folders=written_folders(root, session))


def _with_grounds(doc: Doc) -> Doc:
    fact = Fact.model_validate(public_fields(doc)).as_json()
    return {**fact, **{name: doc[f"_{name}"] for name in GROUNDS}}


def written_folders(root: str, session: Session) -> tuple[str, ...]:
    """The folders below the project in which the session wrote files, with those above them."""
    prefix = f"{session.project}/"
    folders: dict[str, None] = {}
    for turn in Store(root).turns(session.id):
        for file in turn.files:
            relative = file.removeprefix(prefix) if file.startswith(prefix) else ""
            parts = relative.split("/")[:-1]
            if ".." not in parts and "" not in parts:
                folders |= dict.fromkeys("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    return tuple(folders)[:_MOST_FOLDERS]


def is_due(root: str, batch: Batch, now_ms: int) -> bool:
    """Whether a session has cooled down, and has enough, has ended, rests or was compacted since."""
    session = batch.session
    idle_ms = now_ms - clock.parse_ms(session.last_seen)
    if session.ended or idle_ms >= REST_MS:
        return True
    if batch.stage == "extract":
        last = max(source.ts for source in batch.prompts.values())
        has_cooled = now_ms - clock.parse_ms(last) >= COOL_MS
        return has_cooled and len(batch.prompts) >= ENOUGH_PROMPTS
    return len(batch.facts) >= ENOUGH_FACTS or _is_compacted_since(root, session)


def _is_compacted_since(root: str, session: Session) -> bool:
    runs = Store(root).documents(RUNS).values()
    last = [run.get(COMPACTIONS, 0) for run in runs if run.get("session_id") == session.id]
    return session.counts.get("compact", 0) > max(last, default=0)
