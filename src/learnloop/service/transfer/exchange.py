"""Export and import: one JSON document with everything that a person may want to take elsewhere.

    {"version": 1, "lessons": […], "feedback": […], "preferences": {…}, "agents": […], "patches": […],
     "tasks": […], "memories": […], "experiments": […],
     "signatures": {id: signature}, "signature": of the confirmed beliefs}

Only what has this store's signature, unchanged to the letter, keeps its status when it comes back. Everything
else becomes a draft, because nobody has approved it here.
"""

import hmac
import json
import os
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from learnloop.errors import Unreadable
from learnloop.ingest import preferences as stored_preferences
from learnloop.ingest import stored_tasks
from learnloop.learn.lessons import call_patterns, content, fingerprint, scorer, triggers
from learnloop.learn.offers import injection_flags
from learnloop.learn.profile import beliefs, traits
from learnloop.models import AgentPerformance, Feedback, Lesson, Patch, ids
from learnloop.models.base import Document
from learnloop.models.lesson import Evidence
from learnloop.models.memory import Memory
from learnloop.models.preferences import Belief, Signal, TraitName
from learnloop.service import redaction
from learnloop.service.experiments import reports
from learnloop.service.facts import listing
from learnloop.service.lessons import documents
from learnloop.service.lessons.lookup import as_lesson
from learnloop.service.memory import memory_list
from learnloop.service.profile import agent_figures, preferences, stored_agents
from learnloop.service.review import add_lessons, agent_guard, verdicts
from learnloop.service.transfer import patch_exchange
from learnloop.service.workspace import Workspace
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import clock, text

_KEY_FILE = "export.key"
_KEY_BYTES = 32


class _Signer:
    """Signs documents of one store, and recognises what this store signed."""

    def __init__(self, root: str) -> None:
        self._key = _key(root)

    def sign(self, document: dict[str, Any]) -> str:
        """The signature of a JSON document; any change to it changes the signature."""
        canonical = json.dumps(document, sort_keys=True, separators=(",", ":")).encode("ascii")
        return hmac.new(self._key, canonical, "sha256").hexdigest()

    def is_own(self, document: dict[str, Any], signature: object) -> bool:
        """Whether this store made a signature, and for exactly this document."""
        if not isinstance(signature, str):
            return False
        given = signature.encode("utf-8", "surrogatepass")
        return hmac.compare_digest(given, self.sign(document).encode())


def _key(root: str) -> bytes:
    """The key of a store, created when it is first needed."""
    path = Path(root, _KEY_FILE)
    key = files.read(path)
    if not key or len(key) != _KEY_BYTES:
        key = os.urandom(_KEY_BYTES)
        files.replace(path, [key])
    return key


_Doc = dict[str, Any]
_Signals = dict[TraitName, list[Signal]]


def _exported_preferences(ws: Workspace) -> _Doc:
    """The preferences as they are listed, with the confirmed beliefs; rules are among the lessons."""
    document = preferences.preferences(ws).as_json()
    del document["rules"]
    confirmed = beliefs.confirmed(documents.decisions(ws.root)).values()
    return {**document, "confirmed": [belief.as_json() for belief in confirmed]}


def _checked_preferences(part: _Doc) -> tuple[_Signals, list[Belief]]:
    """The remarks by trait and the beliefs of an exported part; raises Unreadable where they are none."""
    try:
        signals: _Signals = {
            name: [
                Signal.model_validate(signal)
                for side in (part.get(name) or {}).get("evidence", {}).values()
                for signal in side
            ]
            for name in traits.TRAITS
        }
        return signals, [Belief.model_validate(belief) for belief in part.get("confirmed", ())]
    except (ValidationError, AttributeError, TypeError) as error:
        reason = (
            error.errors(include_url=False)[0]["msg"] if isinstance(error, ValidationError) else str(error)
        )
        raise Unreadable(f"preferences: {reason}", "nothing was imported; mend or remove it") from None


def _enter_preferences(ws: Workspace, signals: _Signals, trusted: list[Belief]) -> int:
    """Store remarks beside the person's own ones, and confirm beliefs; returns how many were new.

    `trusted` beliefs were exported by this store: a person has to confirm all others here.
    """
    new = _enter_signals(ws, signals)
    confirmed = beliefs.confirmed(documents.decisions(ws.root))
    for belief in trusted:
        if belief.id not in confirmed:
            verdicts.decide(ws, "confirm", [], {"belief": belief.as_json(), "project": belief.project})
            new += 1
    return new


def _enter_signals(ws: Workspace, signals: _Signals) -> int:
    stored = Store(ws.root).documents(stored_preferences.TABLE)
    with Store(ws.root).transaction() as changes:
        table, count = changes.table(preferences.IMPORTED), 0
        for trait, given in signals.items():
            own = stored.get(f"trait:{trait}", {}).get("signals", ())
            imported = (table.get(f"trait:{trait}") or {"signals": []})["signals"]
            seen = {(signal["event_id"], signal["side"]) for signal in (*own, *imported)}
            sides = traits.TRAITS[trait][:2]
            new = [
                redaction.redacted(ws, signal.as_json())
                for signal in given
                if signal.side in sides and (signal.event_id, signal.side) not in seen
            ]
            if new:
                stored_preferences.enter(table, trait, new)
                count += len(new)
    return count


_Model = TypeVar("_Model", bound=Document)

VERSION = 1
IMPORTED_SHARD = "0"
"""Imported feedback has shards of its own: those of ingest are numbered from 1."""

_PARTS: dict[str, type] = {
    "lessons": list, "feedback": list, "preferences": dict, "agents": list, "patches": list,
    "memories": list,
}  # fmt: skip
_TITLE, _DESCRIPTION, _QUOTE = 100, 1000, 600
"""Characters that a draft keeps of them."""
_OF_A_HISTORY = (
    "archived_reason", "reviewed_at", "superseded_by", "rejection_reason", "usage", "notes", "kept_at",
    "proposed_priority",
)  # fmt: skip
"""Fields that say what happened elsewhere."""
_LONGEST, _MOST_ITEMS = 20_000, 5_000
"""Characters of a text, and entries of a list, in one imported document."""
_LONGEST_STATEMENT = 500
_WAY_OUT = "give what learn export wrote"


class ImportReport(Document):
    """What an import did."""

    kept: int = 0
    """Lessons that came back unchanged: this store had exported them."""
    drafts: int = 0
    """Lessons that wait for a verdict."""
    known: int = 0
    """Lessons that are here already, or that say the same as one that is."""
    feedback: int = 0
    agents: int = 0
    """Figures of agents in projects of which this store had none."""
    preferences: int = 0
    """Remarks about your ways, and confirmed beliefs, that were new."""
    patches: int = 0
    """New patches: unchanged if this store exported them, else proposals."""
    memories: int = 0
    """Memories of another store: to be read, and told to nobody."""
    left_tasks: int = 0
    """Tasks of the export, which stay in its file: a store has tasks of its own events alone."""

    def __str__(self) -> str:
        parts = [f"Imported {self.kept + self.drafts} lessons"]
        if self.drafts:
            parts.append(f"{self.drafts} as drafts (this store did not export them)")
        parts += [f"{self.known} were here already", f"{self.feedback} new feedback entries"]
        if self.agents:
            parts.append(f"figures of {self.agents} agents")
        if self.preferences:
            parts.append(f"{self.preferences} remarks and beliefs about your ways")
        if self.patches:
            parts.append(f"{self.patches} patches")
        if self.memories:
            parts.append(f"{self.memories} memories, which agents are not told")
        line = "; ".join(parts) + "."
        if self.left_tasks:
            line += f" Tasks are not imported: {self.left_tasks} stay in the file."
        hint = " Somebody else's words are read one by one: learn triage --filter is:external"
        return line + hint if self.drafts else line


def export_document(ws: Workspace) -> dict[str, Any]:
    """Everything worth taking elsewhere, as the documents that `--json` listings print."""
    agent_guard.refuse("export anything")
    lessons = [as_lesson(document).as_json() for document in documents.lessons(ws.root).values()]
    preferences, patches = _exported_preferences(ws), patch_exchange.exported(ws)
    signer = _Signer(ws.root)
    return {
        "version": VERSION,
        "lessons": lessons,
        "feedback": [feedback.as_json() for feedback in Store(ws.root).feedback()],
        "preferences": preferences,
        "agents": [agent.as_json() for agent in agent_figures.performance(ws, split=True)],
        "patches": patches,
        "facts": [fact.as_json() for fact in listing.facts(ws)],
        "experiments": [report.as_json() for report in reports.reports(ws)],
        "tasks": [task.as_json() for task in stored_tasks.tasks(Store(ws.root))],
        "memories": [memory.as_json() for memory in memory_list.memories(ws, "-is:external")],
        "signatures": {document["id"]: signer.sign(document) for document in (*lessons, *patches)},
        "signature": signer.sign({"confirmed": preferences["confirmed"]}),
    }


def import_document(ws: Workspace, document: object) -> ImportReport:
    """Import an exported document, of which any part may be missing.

    Importing twice changes nothing: what is here already stays as it is. Raises Refused below an agent, and
    Unreadable, with nothing changed, for another document.
    """
    agent_guard.refuse("import anything")
    agent_guard.refuse_in_call(ws, "imported")
    parts = _checked_parts(document)
    lessons = _models(parts, "lessons", Lesson)
    feedback = _models(parts, "feedback", Feedback)
    agents = _models(parts, "agents", AgentPerformance)
    patches = _models(parts, "patches", Patch)
    memories = _models(parts, "memories", Memory)
    signals, beliefs = _checked_preferences(parts.get("preferences", {}))
    signed = _Signed(ws, parts)
    own, foreign, count_known = _sort_lessons(ws, lessons, signed)
    add_lessons.add(ws, [*own, *foreign])
    return ImportReport(
        kept=len(own),
        drafts=len(foreign),
        known=count_known,
        feedback=_enter_feedback(ws, feedback),
        agents=stored_agents.enter_imported(ws, agents) if agents else 0,
        preferences=_enter_preferences(ws, signals, beliefs if signed.has_beliefs() else []),
        patches=patch_exchange.enter(ws, patches, [patch.id for patch in patches if signed.has(patch)]),
        memories=memory_list.take_in(ws, memories) if memories else 0,
        left_tasks=len(tasks) if isinstance(tasks := parts.get("tasks"), list) else 0,
    )


class _Signed:
    """What of an import this store has exported itself; nothing inside an agent's session."""

    def __init__(self, ws: Workspace, parts: dict[str, Any]) -> None:
        signatures = parts.get("signatures")
        self._parts = parts
        self._signatures = signatures if isinstance(signatures, dict) else {}
        self._signer = _Signer(ws.root)

    def has(self, document: Lesson | Patch) -> bool:
        """Whether the document is signed and unchanged."""
        return self._signer.is_own(document.as_json(), self._signatures.get(document.id))

    def has_beliefs(self) -> bool:
        """Whether there are confirmed beliefs, signed and unchanged."""
        beliefs = self._parts.get("preferences", {}).get("confirmed", [])
        if not beliefs:
            return False
        return self._signer.is_own({"confirmed": beliefs}, self._parts.get("signature"))


def _checked_parts(document: object) -> dict[str, Any]:
    """The document, if it has the outer shape of an export; raises Unreadable otherwise."""
    if not isinstance(document, dict) or not any(name in document for name in _PARTS):
        raise Unreadable("this is no Learnloop export", _WAY_OUT)
    version = document.get("version", VERSION)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise Unreadable(f"this is no Learnloop export: version is {version!r}", _WAY_OUT)
    if version > VERSION:
        raise Unreadable(
            f"the export has format {version}, this Learnloop reads {VERSION}", "update Learnloop"
        )
    for name, kind in _PARTS.items():
        if not isinstance(document.get(name, kind()), kind):
            raise Unreadable(f"{name} is not a {kind.__name__}", _WAY_OUT)
    return document


def _models(parts: dict[str, Any], name: str, model: type[_Model]) -> list[_Model]:
    """The documents of a part; raises Unreadable for the first invalid one."""
    models = []
    for number, value in enumerate(parts.get(name, ()), 1):
        if wrong := _oversized(value, ""):
            raise Unreadable(f"{name} {number}: {wrong}", "nothing was imported; shorten or remove it")
        try:
            models.append(model.model_validate(_with_defaults(value) if model is Lesson else value))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "it"
            raise Unreadable(
                f"{name} {number}: {place}: {first['msg']}", "nothing was imported; mend or remove it"
            ) from None
    return models


def _oversized(value: Any, place: str) -> str:
    """Which part of a document is larger than any that is exported; empty where none is."""
    if isinstance(value, str):
        most = _LONGEST_STATEMENT if place == "statement" else _LONGEST
        return f"{place} has {len(value):,} characters, the limit is {most:,}" if len(value) > most else ""
    if isinstance(value, list) and len(value) > _MOST_ITEMS:
        return f"{place} has {len(value):,} entries, the limit is {_MOST_ITEMS:,}"
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inner = (_oversized(part, f"{place}.{name}".lstrip(".")) for name, part in parts)
    return next(filter(None, inner), "")


def _with_defaults(value: Any) -> Any:
    """A lesson that may be written by hand, with every field that follows from its statement."""
    statement = value.get("statement") if isinstance(value, dict) else None
    if not isinstance(statement, str) or not statement.strip():
        return value
    where = [str(value.get(name, "")) for name in ("scope", "project", "path")]
    created = value.get("created", clock.iso(clock.now_ms()))
    defaults = {
        "id": ids.draft_id("\0".join([statement, *where]), "import"),
        "title": text.cut(statement.rstrip("."), _TITLE),
        "scope": "project" if value.get("project") else "global", "triggers": triggers.derive(statement),
        **call_patterns.derive(statement)._asdict(),
        "keywords": triggers.content_words(statement), "created": created, "updated": created,
    }  # fmt: skip
    return defaults | value


def _sort_lessons(
    ws: Workspace, lessons: list[Lesson], signed: _Signed
) -> tuple[list[Lesson], list[Lesson], int]:
    """New lessons that this store signed, new ones as drafts, and how many are here already."""
    entering: list[Lesson] = []
    own_objects: set[int] = set()
    for lesson in lessons:
        is_own = signed.has(lesson)
        entering.append(lesson if is_own else _as_draft(ws, lesson))
        if is_own:  # this very object: another document may claim its id
            own_objects.add(id(lesson))
    new, count_known = add_lessons.new_lessons(ws, entering)
    own = [lesson for lesson in new if id(lesson) in own_objects]
    return own, [lesson for lesson in new if id(lesson) not in own_objects], count_known


def _as_draft(ws: Workspace, lesson: Lesson) -> Lesson:
    """A lesson that nobody has approved here: cleaned, redacted, marked as foreign, without a history."""
    cleaned = redaction.redacted(ws, lesson.as_json())
    for name in _OF_A_HISTORY:
        cleaned.pop(name, None)
    if lesson.priority == "CRITICAL":
        cleaned |= {"priority": "HIGH", "proposed_priority": "CRITICAL"}
    cleaned |= {
        "status": "draft", "paused": False, "gate": False, "stops": False, "reminds": False,
        "trust": "external", "source": "import", "held_back": 0,
        "needs_words": not cleaned.get("statement"),
        "seen_count": 1, "confidence": min(lesson.confidence, scorer.CLAIMED_MOST),
        "evidence": _origin_of(lesson, cleaned),
    }  # fmt: skip
    cleaned["title"] = text.cut(str(cleaned.get("title", "")), _TITLE)
    cleaned["description"] = text.cut(str(cleaned.get("description", "")), _DESCRIPTION)
    told = f"{cleaned.get('statement', '')}\n{cleaned['description']}\n{content.agent_text(cleaned)}"
    cleaned["context"] = text.cut(
        injection_flags.flagged(str(cleaned.get("context", "")), told), _DESCRIPTION
    )
    if not ids.is_id(lesson.id):
        cleaned["id"] = ids.draft_id(lesson.id, "import")
    draft = Lesson.model_validate(cleaned)
    words = draft.statement or (draft.evidence[0].quote if draft.evidence else draft.title)
    return scorer.with_score(
        draft.with_(fingerprint=fingerprint.fingerprint_of(words, draft.scope, draft.project))
    )


def _origin_of(lesson: Lesson, cleaned: dict[str, Any]) -> list[dict[str, Any]]:
    """The words that a foreign lesson quotes, as those of nobody's session: anybody can write the rest."""
    quotes = [str(seen.get("quote", "")) for seen in cleaned.get("evidence") or ()]
    quote = text.cut(quotes[-1] if quotes else str(cleaned.get("statement", "")), _QUOTE)
    event_id = ids.draft_id(lesson.id, "import")
    return [Evidence(quote=quote, session_id="", event_id=event_id, ts=lesson.created).as_json()]


def _enter_feedback(ws: Workspace, feedback: list[Feedback]) -> int:
    stored = {entry.id for entry in Store(ws.root).feedback()} if feedback else set()
    new = {entry.id: entry for entry in feedback if entry.id not in stored}
    if new:
        with Store(ws.root).transaction() as changes:
            for entry in new.values():
                table = changes.table(f"feedback/{_day(entry.timestamp)}-{IMPORTED_SHARD}")
                table.put(entry.id, redaction.redacted(ws, entry.as_json()))
    return len(new)


def _day(timestamp: str) -> str:
    """The UTC day of a time; 1970-01-01 where it is none, so that foreign text names no file."""
    day = timestamp[:10]
    is_day = len(day) == 10 and day.replace("-", "").isdigit() and day.isascii()
    return day if is_day else clock.iso(0)[:10]
