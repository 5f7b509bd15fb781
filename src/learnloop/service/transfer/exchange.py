"""Export and import: one JSON document with everything that a person may want to take elsewhere.

    {"version": 1, "lessons": […], "signatures": {id: signature}}, and with what was said also
    "feedback": […], "preferences": {…}, "agents": […], "patches": […], "tasks": […], "memories": […],
    "facts": […], "experiments": […], "signature": of the confirmed beliefs

Projects stand in it by the name that travels, and no path of this machine does. Only what has this store's
signature, unchanged to the letter, keeps its status when it comes back. Everything else becomes a draft,
because nobody has approved it here.
"""

import hmac
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from learnloop.errors import Unreadable
from learnloop.ingest import recurring, stored_tasks
from learnloop.learn.lessons import call_patterns, content, meaning, scorer, trigger_words, triggers
from learnloop.learn.offers import injection_flags
from learnloop.learn.profile import beliefs, traits
from learnloop.models import AgentPerformance, Feedback, Lesson, Patch, ids
from learnloop.models.base import Document
from learnloop.models.lesson import Evidence
from learnloop.models.preferences import Belief, Signal, TraitName
from learnloop.service import workspace
from learnloop.service.experiments import reports
from learnloop.service.facts import listing
from learnloop.service.lessons import documents
from learnloop.service.lessons.documents import as_lesson
from learnloop.service.memory import memory_list
from learnloop.service.patches import board
from learnloop.service.profile import agent_figures, preferences
from learnloop.service.review import add_lessons, agent_guard, verdicts
from learnloop.service.sessions import sessions
from learnloop.service.transfer import patch_exchange
from learnloop.service.workspace import Workspace
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import clock, origin, text

_KEY_FILE = "export.key"
_KEY_BYTES = 32


def _signature(root: str, document: dict[str, Any]) -> str:
    """The signature of a JSON document by this store; any change to it changes the signature."""
    key = files.read(Path(root, _KEY_FILE))
    if not key or len(key) != _KEY_BYTES:  # created when it is first needed
        key = os.urandom(_KEY_BYTES)
        files.replace(Path(root, _KEY_FILE), [key])
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":")).encode("ascii")
    return hmac.new(key, canonical, "sha256").hexdigest()


def _is_own(root: str, document: dict[str, Any], signature: object) -> bool:
    """Whether this store made a signature, and for exactly this document."""
    given = signature.encode("utf-8", "surrogatepass") if isinstance(signature, str) else b""
    return hmac.compare_digest(given, _signature(root, document).encode())


_Signals = dict[TraitName, list[Signal]]


def _exported_preferences(ws: Workspace) -> dict[str, Any]:
    """The preferences as they are listed, with the confirmed beliefs; rules are among the lessons."""
    document = preferences.preferences(ws).as_json()
    del document["rules"]
    confirmed = beliefs.confirmed(documents.decisions(ws.root)).values()
    return {**document, "confirmed": [belief.as_json() for belief in confirmed]}


def _checked_preferences(part: dict[str, Any]) -> tuple[_Signals, list[Belief]]:
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
    stored = Store(ws.root).documents(recurring.REMARKS)
    with Store(ws.root).transaction() as changes:
        table, count = changes.table(preferences.IMPORTED), 0
        for trait, given in signals.items():
            own = stored.get(f"trait:{trait}", {}).get("signals", ())
            imported = (table.get(f"trait:{trait}") or {"signals": []})["signals"]
            seen = {(signal["event_id"], signal["side"]) for signal in (*own, *imported)}
            sides = traits.TRAITS[trait][:2]
            new = [
                workspace.redacted(ws, signal.as_json())
                for signal in given
                if signal.side in sides and (signal.event_id, signal.side) not in seen
            ]
            if new:
                recurring.enter_remarks(table, trait, new)
                count += len(new)
    return count


_Model = TypeVar("_Model", bound=Document)

VERSION = 1

_LISTS = ("lessons", "feedback", "agents", "patches")
_PARTS: dict[str, type] = {**dict.fromkeys(_LISTS, list), "preferences": dict}
_TITLE, _DESCRIPTION, _QUOTE = 100, 1000, 600
"""Characters that a draft keeps of them."""
_OF_A_HISTORY = (
    "archived_reason", "reviewed_at", "superseded_by", "rejection_reason", "usage", "notes", "kept_at",
    "proposed_priority", "run",
)  # fmt: skip
"""Fields that say what happened elsewhere."""
_LONGEST, _MOST_ITEMS = 20_000, 5_000
"""Characters of a text, and entries of a list, in one imported document."""
_LONGEST_STATEMENT = 500
_REPEATED = 40
"""Characters of a quote by which a description that repeats it is known."""
_PROJECTS = ("project", "project_path")
_WAY_OUT = "give what learn export wrote"


class ImportReport(Document):
    """What an import did."""

    kept: int = 0
    """Lessons that came back unchanged: this store had exported them."""
    drafts: int = 0
    """Lessons that wait for a verdict."""
    changed: int = 0
    """Other versions of lessons that are here: each waits beside it, or takes the place of a draft."""
    known: int = 0
    """Lessons that are here already, or that say the same as one that is."""
    nowhere: tuple[str, ...] = ()
    """Projects of new lessons that this machine has no checkout of."""
    feedback: int = 0
    agents: int = 0
    """Figures of agents in projects of which this store had none."""
    preferences: int = 0
    """Remarks about your ways, and confirmed beliefs, that were new."""
    patches: int = 0
    """New patches: unchanged if this store exported them, else proposals."""
    left_tasks: int = 0
    """Tasks of the export, which stay in its file as its memories do: a store has those of its own events."""

    def __str__(self) -> str:
        counted = (
            (self.drafts, "{} as drafts (this store did not export them)"),
            (self.changed, "{} in another version than here: learn triage shows what differs"),
            (True, f"{self.known} were here already; {self.feedback} new feedback entries"),
            (self.agents, "figures of {} agents"),
            (self.preferences, "{} remarks and beliefs about your ways"), (self.patches, "{} patches"),
        )  # fmt: skip
        parts = [words.format(count) for count, words in counted if count]
        hints = (
            (self.left_tasks, f" Tasks are not imported: {self.left_tasks} stay in the file."),
            (self.nowhere, f" No checkout is here of {', '.join(self.nowhere)}: --project FOLDER names one."),
            (self.drafts, " Somebody else's words are read one by one: learn triage --filter is:external"),
        )
        more = "".join(words for holds, words in hints if holds)
        return f"{'; '.join([f'Imported {self.kept + self.drafts} lessons', *parts])}.{more}"


def export_document(ws: Workspace, *, quotes: bool = False) -> dict[str, Any]:
    """The lessons; with `quotes` also what was said, and all else that is worth taking elsewhere.

    Without quotes a draft that has no words of its own stays here.
    """
    agent_guard.refuse("export anything")
    stored = (as_lesson(document) for document in documents.lessons(ws.root).values())
    lessons = [lesson.with_(run=None) for lesson in stored]
    if not quotes:
        lessons = [_without_quotes(lesson) for lesson in lessons if lesson.statement]
    document: dict[str, Any] = {"version": VERSION, "lessons": [lesson.as_json() for lesson in lessons]}
    if quotes:
        document |= {
            "feedback": [feedback.as_json() for feedback in Store(ws.root).feedback()],
            "preferences": _exported_preferences(ws),
            "agents": [agent.as_json() for agent in agent_figures.performance(ws, split=True)],
            "patches": [patch.as_json() for patch in board.stored_patches(ws.root).values()],
            "facts": [fact.as_json() for fact in listing.facts(ws)],
            "experiments": [report.as_json() for report in reports.reports(ws)],
            "tasks": [task.as_json() for task in stored_tasks.tasks(Store(ws.root))],
            "memories": [memory.as_json() for memory in memory_list.memories(ws)],
        }
    document = _outward(ws, document)
    signed = (*document["lessons"], *document.get("patches", ()))
    document["signatures"] = {each["id"]: _signature(ws.root, each) for each in signed}
    if quotes:
        confirmed = {"confirmed": document["preferences"]["confirmed"]}
        document["signature"] = _signature(ws.root, confirmed)
    return document


def _without_quotes(lesson: Lesson) -> Lesson:
    """A lesson without what was said, and without what it repeats of it."""
    quotes = ("From: ", *(seen.quote[:_REPEATED] for seen in lesson.evidence if seen.quote))
    description = "" if any(words in lesson.description for words in quotes) else lesson.description
    return lesson.with_(evidence=(), notes=(), claims=(), rejection_reason=None, description=description)


def _outward(ws: Workspace, document: dict[str, Any]) -> dict[str, Any]:
    """The document with the names of projects in place of their folders, and `~` in that of the home."""
    home = str(Path.home())
    names = {home: "~", ws.root: "~learnloop"} | {
        each.path: name for each in sessions.projects(ws) if (name := _outward_name(each.path)) != each.path
    }
    folders = sorted(json.dumps(folder, ensure_ascii=False)[1:-1] for folder in names if len(folder) > 1)
    paths = "|".join(map(re.escape, reversed(folders)))
    pattern = re.compile(f"(?<![\\w.~/-])(?:{paths})(?![\\w-])(?!\\.\\w)")
    text = json.dumps(document, ensure_ascii=False)
    moved = pattern.sub(lambda match: names[json.loads(f'"{match[0]}"')], text)
    whole: dict[str, Any] = json.loads(
        moved,
        object_hook=lambda part: part | {"transcript_path": ""} if part.get("transcript_path") else part,
    )
    return whole


def _outward_name(folder: str) -> str:
    """A project as an export names it: without a remote its folder below the home, else the last part."""
    below = folder.removeprefix(f"{Path.home()}/")
    return origin.name(folder) or (f"~/{below}" if below != folder else folder.rpartition("/")[2])


def _inward(value: Any, folders: Mapping[str, str], field: str = "") -> Any:
    """A document of an export with the folders of this machine in place of the names of projects."""
    if isinstance(value, dict):
        return {name: _inward(part, folders, name) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_inward(part, folders, field) for part in value]
    if not isinstance(value, str) or field not in (*_PROJECTS, "path"):
        return value
    here = folders.get(value, value) if field in _PROJECTS else value
    return f"{Path.home()}{here[1:]}" if here.startswith("~/") else here


def import_document(ws: Workspace, document: object, project: str = "") -> ImportReport:
    """Import an exported document, of which any part may be missing.

    Importing twice changes nothing: what is here already stays as it is, and another version of it waits as a
    draft. Projects are the local checkouts of their names; `project` is for lessons of those that have none
    here. Raises Refused below an agent, and Unreadable, with nothing changed, for another document.
    """
    agent_guard.refuse("import anything")
    agent_guard.refuse_in_call(ws, "imported")
    workspace.catch_up(ws)  # the checkouts here are known by their sessions
    parts = _checked_parts(document)
    named, patches = _models(parts, "lessons", Lesson), _models(parts, "patches", Patch)
    signatures = parts.get("signatures")
    signed = signatures if isinstance(signatures, dict) else {}
    own = [_is_own(ws.root, lesson.as_json(), signed.get(lesson.id)) for lesson in named]
    own_patches = {patch.id for patch in patches if _is_own(ws.root, patch.as_json(), signed.get(patch.id))}
    confirmed = {"confirmed": parts.get("preferences", {}).get("confirmed", [])}
    is_confirmed = _is_own(ws.root, confirmed, parts.get("signature"))
    folders = checkouts(ws)
    parts = _inward(parts, folders)
    feedback, agents = _models(parts, "feedback", Feedback), _models(parts, "agents", AgentPerformance)
    patches = _models(parts, "patches", Patch)
    signals, beliefs = _checked_preferences(parts.get("preferences", {}))
    lessons = [_in_place(lesson, folders, project) for lesson in named]
    lessons = [each if is_own else as_draft(ws, each) for each, is_own in zip(lessons, own, strict=True)]
    mine = frozenset(id(each) for each, is_own in zip(lessons, own, strict=True) if is_own)
    arrivals = add_lessons.arrivals(ws, lessons, mine)
    add_lessons.add(ws, [*arrivals.new, *arrivals.changed])
    owned = sum(id(lesson) in mine for lesson in arrivals.new)
    nowhere = {lesson.project for lesson in arrivals.new if lesson.project[:1] not in ("", "/")}
    return ImportReport(
        kept=owned, drafts=len(arrivals.new) - owned, changed=len(arrivals.changed), known=arrivals.known,
        nowhere=tuple(sorted(nowhere)), feedback=_enter_feedback(ws, feedback),
        agents=agent_figures.enter_imported(ws, agents) if agents else 0,
        preferences=_enter_preferences(ws, signals, beliefs if is_confirmed else []),
        patches=patch_exchange.enter(ws, patches, own_patches),
        left_tasks=len(tasks) if isinstance(tasks := parts.get("tasks"), list) else 0,
    )  # fmt: skip


def checkouts(ws: Workspace) -> dict[str, str]:
    """The local folder of each project that an export may name; of several checkouts the one seen last."""
    return {
        _outward_name(each.path): each.path
        for each in reversed(sessions.projects(ws))
        if each.path[:1] == "/"
    }


def _in_place(lesson: Lesson, folders: Mapping[str, str], project: str) -> Lesson:
    """A lesson in the local checkout of its project; where there is none, in `project`, or by its name."""
    repo = lesson.repo if origin.is_name(lesson.repo) else ""
    if lesson.scope == "global" or not lesson.project:
        return lesson.with_(repo="")
    place = folders.get(repo or lesson.project) or project or repo
    place = place or str(_inward(lesson.project, folders, "project"))
    return lesson.with_(project=place, repo="" if place == project else repo)


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
        if wrong := oversized(value):
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


def oversized(value: Any, place: str = "") -> str:
    """Which part of a document is larger than any that is exported; empty where none is."""
    if isinstance(value, str):
        most = _LONGEST_STATEMENT if place == "statement" else _LONGEST
        return f"{place} has {len(value):,} characters, the limit is {most:,}" if len(value) > most else ""
    if isinstance(value, list) and len(value) > _MOST_ITEMS:
        return f"{place} has {len(value):,} entries, the limit is {_MOST_ITEMS:,}"
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inner = (oversized(part, f"{place}.{name}".lstrip(".")) for name, part in parts)
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
        "check": call_patterns.derive(statement),
        "keywords": trigger_words.content_words(statement), "created": created, "updated": created,
    }  # fmt: skip
    return defaults | value


def as_draft(ws: Workspace, lesson: Lesson, source: str = "import") -> Lesson:
    """A lesson that nobody has approved here: cleaned, redacted, marked as foreign, without a history."""
    cleaned = workspace.redacted(ws, lesson.as_json())
    for name in _OF_A_HISTORY:
        cleaned.pop(name, None)
    if lesson.priority == "CRITICAL":
        cleaned |= {"priority": "HIGH", "proposed_priority": "CRITICAL"}
    cleaned |= {
        "status": "draft", "paused": False, "stops": False, "reminds": False,
        "trust": "external", "source": source, "held_back": 0,
        "needs_words": not cleaned.get("statement"),
        "seen_count": 1, "confidence": min(lesson.confidence, scorer.CLAIMED_MOST),
        "evidence": _origin_of(lesson, cleaned), "contradicts": "",
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
        draft.with_(fingerprint=meaning.fingerprint_of(words, draft.scope, draft.project))
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
                dated = entry.with_(timestamp=clock.iso(clock.parse_ms(entry.timestamp, default=0)))
                changes.documents("feedback").put(entry.id, workspace.redacted(ws, dated.as_json()))
    return len(new)
