"""The work that waits: prompts that no model has read, and raw facts that no second stage has merged.

Nothing is queued. Work is found behind a cursor of each project, so a crash loses and repeats none.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, Literal

from learnloop.ingest import agent_blocks, turns
from learnloop.ingest.facts_read import COMPACTIONS, GROUNDS, READ, RUNS, is_partner
from learnloop.learn.facts import reading_consent, requests
from learnloop.learn.facts.fact_findings import TypedPrompt
from learnloop.learn.facts.requests import MOST_CHARS, MOST_FACTS, MOST_PROMPTS
from learnloop.learn.language import authorship
from learnloop.learn.language.words import OwnWords, own_words
from learnloop.models import Session, Turn
from learnloop.models.fact import FACTS, Fact
from learnloop.settings import Settings
from learnloop.store import files, seal, segments
from learnloop.store.store import Store
from learnloop.store.tinydb_file import public_fields
from learnloop.wire import clock, shell, switches

Doc = dict[str, Any]
_MOST_FOLDERS = 40
_MOST_NAMES, _NAME_WORDS, _MOST_ANSWER = 8, 3, 200
_NAME = re.compile(r"[\w@.:/][\w@.:/+-]*")
"""A word of a command that is a name, no option and nothing quoted."""
COOL_MS, REST_MS = 60_000, 30 * 60_000
"""So long after a session's last prompt it may be read, and counts as resting."""
_CLOCK_MS = 24 * 3_600_000
"""So far back a clock may have been put between a prompt and its fold."""
MOST_HISTORY = 200
"""Prompts of the past that one consent may read at once."""
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
    def text(self) -> str:
        """All that it asks about, a prompt or fact a line."""
        said = [prompt.words for prompt in self.prompts.values()] or [
            str(fact["text"]) for fact in self.facts.values()
        ]
        return "\n".join(said)

    @property
    def id(self) -> str:
        """The same for the same stage and items."""
        words = "\0".join([self.stage, *sorted(self.items.values())])
        return hashlib.sha256(words.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class ReadingReach:
    """Whose prompts may be read: of projects since a time each, or of one project or session."""

    since: Mapping[str, str] | None = None
    """By project; None where a person names what is read."""
    project: str = ""
    session_id: str = ""

    def includes(self, project: str, session_id: str, ts: str) -> bool:
        """Whether a prompt, fact or session of a time may be read."""
        is_named = self.project in ("", project) and self.session_id in ("", session_id)
        return is_named and (self.since is None or self.since.get(project, f"{ts}~") <= ts)

    def only(self, project: str) -> "ReadingReach":
        """The same for one project alone."""
        since = {name: ts for name, ts in (self.since or {}).items() if name == project}
        return ReadingReach(since, project, self.session_id)


def consents(root: str, settings: Settings) -> dict[str, reading_consent.Consent]:
    """The projects with a mode besides off that are recorded and recalled in."""
    recorded = (session.project for session in Store(root).sessions() if session.project)
    given = reading_consent.by_project(Store(root).decisions(), settings.facts.mode, recorded)
    return {project: each for project, each in given.items() if not is_switched_off(root, project)}


def reach(root: str, settings: Settings) -> ReadingReach | None:
    """The prompts that may be sent; None where that is none."""
    since = {project: each.since for project, each in consents(root, settings).items()}
    return ReadingReach(since) if since and settings.enabled and settings.record else None


def is_switched_off(root: str, project: str) -> bool:
    """Whether nothing of a project may be recorded, or it is record-only."""
    has_own = switches.is_set(f"{root}/{switches.own(project, switches.PROJECT_RECORD_ONLY)}")
    return has_own or bool(switches.of_project(project)) or not switches.recording(root, project)


class Unread:
    """The prompts behind cursors that a person typed and no model has read, oldest first."""

    def __init__(self, root: str, reach: ReadingReach, cursors: Mapping[str, str]) -> None:
        self.prompts: dict[str, list[TypedPrompt]] = {}
        """By session."""
        self.cursors = dict(cursors)
        """By project the last segment before the first that holds one of its prompts."""
        self._root, self._reach, self._before = root, reach, cursors
        runs = Store(root).documents(RUNS).values()
        self._done = {name for run in runs for name in run.get(READ, ())}
        self._said: set[tuple[str, str]] = set()
        self._sessions: dict[str, Session | None] = {}
        self._look()

    def _look(self) -> None:
        waiting: set[str] = set()
        for name in segments.names(self._root):
            if name <= self._first():
                continue
            for event in segments.read(self._root, name):
                if event["kind"] == "prompt" and self._is_new(name, event):
                    waiting.add(str(event.get("project", "")))
            self.cursors |= dict.fromkeys((self._reach.since or {}).keys() - waiting, name)

    def _first(self) -> str:
        """The last segment in which nothing can wait."""
        starts = (
            self._before.get(project) or segments.name(max(clock.parse_ms(ts) - _CLOCK_MS, 0), 0)
            for project, ts in (self._reach.since or {}).items()
        )
        return min(starts, default="")

    def _is_new(self, name: str, event: Doc) -> bool:
        """Add a prompt that waits; return whether it does. Hook and transcript may both tell it."""
        project, session_id = str(event.get("project", "")), str(event.get("session_id", ""))
        if name <= self._before.get(project, "") or not self._reach.includes(
            project, session_id, event["ts"]
        ):
            return False
        words = typed(event)
        is_said = (session_id, words) in self._said
        self._said.add((session_id, words))
        if not words or is_said or event["id"] in self._done or self.session(session_id) is None:
            return False
        prompt = TypedPrompt(event["id"], event["ts"], session_id, words)
        self.prompts.setdefault(session_id, []).append(prompt)
        return True

    def newest(self, most: int) -> "Unread":
        """The same with the newest prompts alone."""
        every = (prompt for prompts in self.prompts.values() for prompt in prompts)
        ids = {prompt.event_id for prompt in sorted(every, key=lambda prompt: prompt.ts)[-most:]}
        for name, prompts in self.prompts.items():
            self.prompts[name] = [prompt for prompt in prompts if prompt.event_id in ids]
        return self

    def session(self, session_id: str) -> Session | None:
        """The document of a session; None where it is gone, or holds in a project that may not be read."""
        if session_id not in self._sessions:
            found = Store(self._root).session(session_id)
            is_in = found and self._reach.includes(found.project, found.id, found.last_seen)
            self._sessions[session_id] = found if is_in else None
        return self._sessions[session_id]


def read_cursors(root: str) -> dict[str, str]:
    """By project the last segment of which every prompt was read or passed over."""
    try:
        value = json.loads(files.read(_cursors(root)) or b"{}")
    except ValueError:
        return {}
    return {str(key): str(name) for key, name in value.items()} if isinstance(value, dict) else {}


def keep_cursors(root: str, cursors: Mapping[str, str]) -> None:
    """Keep the cursors for the next run."""
    if cursors != read_cursors(root):
        files.replace(_cursors(root), [json.dumps(cursors).encode()])


def _cursors(root: str) -> Path:
    return Path(root, "facts", "cursors")


def typed(event: Doc) -> str:
    """What a person typed in a prompt, without what they pasted; empty where that is next to nothing."""
    payload = event["payload"]
    if payload.get("machine"):
        return ""
    authored = authorship.read(agent_blocks.without_blocks(str(payload.get("prompt", ""))), payload)
    own = own_words(authored.words)
    words = "".join(own.passage(at) + _gap(own, at) for at in range(len(own.every))).strip()
    return words if not authored.reason else ""


def prompts(root: str, times: Mapping[str, str]) -> dict[str, str]:
    """The prompts of ids, with the time of each, as a person typed them; without what no hook recorded."""
    first = segments.name(min(map(clock.parse_ms, times.values()), default=0), 0)
    return {
        event["id"]: str(event["payload"].get("prompt", ""))
        for name in segments.names(root)
        if name >= first
        for event in segments.read(root, name)
        if event["id"] in times and typed(event) and not seal.fault(root, event, name)
    }


def _gap(own: OwnWords, at: int) -> str:
    """What stands after a sentence; a blank line in place of anything pasted."""
    gap = own.gap(at)
    return "\n\n" if any(map(str.isalnum, gap)) else gap


def extractions(root: str, unread: Unread) -> Iterator[Batch]:
    """The requests of the first stage: of each session as many prompts as fit."""
    for session_id, prompts in unread.prompts.items():
        session = unread.session(session_id)
        if session is not None:
            every = Store(root).turns(session_id)
            with_context = [prompt._replace(before=_before(prompt, every, session)) for prompt in prompts]
            for part in _parts(with_context):
                yield Batch("extract", session, {f"p{at}": prompt for at, prompt in enumerate(part, 1)})


def history(root: str, project: str) -> Iterator[Batch]:
    """Requests about the last prompts that no model read, of a project or everywhere, whoever consented."""
    since: dict[str, str] = {}
    prompts = 0
    for session in Store(root).sessions():
        if project in (session.project, reading_consent.EVERYWHERE) and prompts < 2 * MOST_HISTORY:
            prompts += session.counts.get("prompt", 0)
            since[session.project] = min(session.started, since.get(session.project, "~"))
    return extractions(root, Unread(root, _switched_on(root, since), {}).newest(MOST_HISTORY))


def last_days(root: str, days: int) -> Iterator[Batch]:
    """Requests about the prompts of the last days everywhere."""
    start = clock.iso(clock.now_ms() - days * 24 * 3_600_000)
    since = dict.fromkeys((session.project for session in Store(root).sessions(since=start)), start)
    return extractions(root, Unread(root, _switched_on(root, since), {}))


def _switched_on(root: str, since: Mapping[str, str]) -> ReadingReach:
    return ReadingReach({name: ts for name, ts in since.items() if name and not is_switched_off(root, name)})


def _before(source: TypedPrompt, every: Iterable[Turn], session: Session) -> Doc:
    turn = next((turn for turn in every if turn.started < source.ts), None)
    if turn is None:
        return {"transcript_path": session.transcript_path}
    named = {"answer": turn.claim, "turn_id": turn.id, "started": turn.started}
    return {**turns.context_of(turn), **named, "transcript_path": session.transcript_path}


def quoted(name: str, prompt: TypedPrompt, project: str, *, with_answer: bool) -> requests.Quoted:
    """A prompt as it is sent, with the names of what the turn before it wrote and ran."""
    before = prompt.before
    files = [file.removeprefix(f"{project}/") for file in before.get("files", ())]
    answer = str(before.get("answer", "")).strip().partition("\n")[0][:_MOST_ANSWER] if with_answer else ""
    commands = named(before.get("commands", ()))
    given = {"files": files[-_MOST_NAMES:], "commands": commands[-_MOST_NAMES:], "answer": answer}
    return requests.Quoted(name, prompt.words, {key: value for key, value in given.items() if value})


def named(commands: Iterable[str]) -> list[str]:
    """The names of what command lines run, each once, without options and what they were told."""
    return list(dict.fromkeys(name for command in commands for name in _named(command)))


def _named(command: str) -> Iterator[str]:
    """The commands of a line by program, subcommand and file, without options and what they were told."""
    for forms in shell.read(command)[0]:
        words = takewhile(_NAME.fullmatch, forms[0].split()[:_NAME_WORDS])
        if (name := " ".join(words)) and not name.startswith("cd "):
            yield name


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
    """The requests of the second stage: the raw facts of each session, with those that they are near to."""
    stored, lessons = Store(root).documents(FACTS), Store(root).documents("lessons")
    by_session: dict[str, list[Doc]] = {}
    for doc in stored.values():
        where = str(doc["project"]), str(doc["session_id"]), str(doc["created"])
        if doc["status"] == "raw" and reach.includes(*where):
            by_session.setdefault(str(doc["session_id"]), []).append(doc)
    for session_id, raw in by_session.items():
        session = Store(root).session(session_id)
        if session is not None:
            near = [doc for doc in stored.values() if any(is_partner(fact, doc, lessons.get) for fact in raw)]
            docs = map(_with_grounds, {doc["id"]: doc for doc in (*raw, *near)}.values())
            facts = {f"f{number}": doc for number, doc in enumerate(islice(docs, MOST_FACTS), 1)}
            yield Batch("merge", session, facts=facts, folders=written_folders(root, session))


def _with_grounds(doc: Doc) -> Doc:
    fact = Fact.model_validate(public_fields(doc)).as_json()
    return {**fact, **{name: doc.get(f"_{name}", default) for name, default in GROUNDS.items()}}


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
