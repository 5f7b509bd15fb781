"""Export and import: one JSON document with all that a person may want to take elsewhere.

Each exported lesson is signed with a key that stays under the root. Only what bears this store's signature,
unchanged to the letter, keeps its status when it comes back; everything else comes in as a draft, because
nobody has approved it here.
"""

import hmac
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from learnloop.errors import Unreadable
from learnloop.learn.lessons import fingerprint, scorer, triggers
from learnloop.models import AgentPerformance, Feedback, Lesson, Patch, ids
from learnloop.models.base import Document
from learnloop.service import redaction
from learnloop.service.lessons import documents
from learnloop.service.lessons.lookup import as_lesson
from learnloop.service.review import add_lessons, agent_guard
from learnloop.service.transfer import patch_exchange, preference_exchange
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import clock, text

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

_Model = TypeVar("_Model", bound=Document)

VERSION = 1
KEY_FILE = "export.key"
IMPORTED_SHARD = "0"
"""Imported feedback has shards of its own: those of ingest are numbered from 1."""

_PARTS: dict[str, type] = {
    "lessons": list, "feedback": list, "preferences": dict, "agents": list, "patches": list,
}  # fmt: skip
_ID_LETTERS = set("abcdefghijklmnopqrstuvwxyz234567")
_TITLE, _DESCRIPTION = 100, 1000


class ImportReport(Document):
    """What an import did."""

    kept: int = 0
    """Lessons that came back as they were: this store had exported them."""
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
    """Patches that were new: as they were if this store exported them, else proposals."""

    def __str__(self) -> str:
        told = [f"Imported {self.kept + self.drafts} lessons"]
        if self.drafts:
            told.append(f"{self.drafts} as drafts (this store did not export them)")
        told += [f"{self.known} were here already", f"{self.feedback} new feedback entries"]
        if self.agents:
            told.append(f"figures of {self.agents} agents")
        if self.preferences:
            told.append(f"{self.preferences} remarks and beliefs about your ways")
        if self.patches:
            told.append(f"{self.patches} patches")
        return "; ".join(told) + "."


def export_document(ws: "Workspace") -> dict[str, Any]:
    """Everything worth taking elsewhere, as the documents that `--json` listings print."""
    lessons = [as_lesson(document).as_json() for document in documents.lessons(ws.root).values()]
    key = _key(ws.root)
    told, patches = preference_exchange.exported(ws), patch_exchange.exported(ws)
    return {
        "version": VERSION,
        "lessons": lessons,
        "feedback": [found.as_json() for found in Store(ws.root).feedback()],
        "preferences": told,
        "agents": [found.as_json() for found in _agents(ws)],
        "patches": patches,
        "signatures": {one["id"]: _signature(key, one) for one in (*lessons, *patches)},
        "signature": _signature(key, {"confirmed": told["confirmed"]}),
    }


def import_document(ws: "Workspace", document: object) -> ImportReport:
    """Take in such a document, any part missing; raises Unreadable, with nothing changed, for another one.

    Safe to run twice: what is here already stays as it is. Inside an agent's session nothing counts as
    approved, whoever signed it.
    """
    parts = _checked(document)
    lessons = _models(parts, "lessons", Lesson)
    feedback = _models(parts, "feedback", Feedback)
    agents = _models(parts, "agents", AgentPerformance)
    patches = _models(parts, "patches", Patch)
    signals, told = preference_exchange.checked(parts.get("preferences", {}))
    is_trusted = not agent_guard.is_inside(ws)
    own, foreign, known = _sorted(ws, lessons, parts, is_trusted)
    add_lessons.add(ws, [*own, *foreign])
    entered = _enter_feedback(ws.root, feedback)
    return ImportReport(
        kept=len(own),
        drafts=len(foreign),
        known=known,
        feedback=entered,
        agents=_enter_agents(ws.root, agents),
        preferences=preference_exchange.enter(
            ws, signals, told if is_trusted and _signed_beliefs(ws, parts) else []
        ),
        patches=patch_exchange.enter(ws, patches, _own_patches(ws, patches, parts) if is_trusted else []),
    )


def _own_patches(ws: "Workspace", found: list[Patch], parts: dict[str, Any]) -> list[str]:
    """Those that this store exported, unchanged."""
    key, signatures = _key(ws.root), parts.get("signatures")
    return [patch.id for patch in found if _is_signed(key, patch, signatures)]


def _checked(document: object) -> dict[str, Any]:
    """The document, known to have the outer shape of an export."""
    if not isinstance(document, dict) or not any(name in document for name in _PARTS):
        raise Unreadable("this is no Learnloop export", "give what learn export wrote")
    version = document.get("version", VERSION)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise Unreadable(
            f"this is no Learnloop export: version is {version!r}", "give what learn export wrote"
        )
    if version > VERSION:
        raise Unreadable(
            f"the export has format {version}, this Learnloop reads {VERSION}", "update Learnloop"
        )
    for name, kind in _PARTS.items():
        if not isinstance(document.get(name, kind()), kind):
            raise Unreadable(f"{name} is not a {kind.__name__}", "give what learn export wrote")
    return document


def _models(parts: dict[str, Any], name: str, model: type[_Model]) -> list[_Model]:
    """The documents of a part, all of them valid."""
    made = []
    for number, found in enumerate(parts.get(name, ()), 1):
        try:
            made.append(model.model_validate(_completed(found) if model is Lesson else found))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "it"
            raise Unreadable(
                f"{name} {number}: {place}: {first['msg']}", "nothing was imported; mend or remove it"
            ) from None
    return made


def _completed(found: Any) -> Any:
    """A lesson as it came; where somebody wrote it by hand, with what follows from its statement."""
    said = found.get("statement") if isinstance(found, dict) else None
    if not isinstance(said, str) or not said.strip():
        return found
    where = [str(found.get(name, "")) for name in ("scope", "project", "path")]
    created = found.get("created", clock.iso(clock.now_ms()))
    follows = {
        "id": ids.draft_id("\0".join([said, *where]), "import"), "title": text.cut(said.rstrip("."), _TITLE),
        "scope": "project" if found.get("project") else "global", "triggers": triggers.derive(said),
        "keywords": triggers.content_words(said), "created": created, "updated": created,
    }  # fmt: skip
    return follows | found


def _sorted(
    ws: "Workspace", lessons: list[Lesson], parts: dict[str, Any], is_trusted: bool
) -> tuple[list[Lesson], list[Lesson], int]:
    """New lessons that this store signed, new ones that it did not, and how many are here already."""
    key, signatures = _key(ws.root), parts.get("signatures")
    entering: list[Lesson] = []
    signed: set[int] = set()
    for lesson in lessons:
        is_own = is_trusted and _is_signed(key, lesson, signatures)
        entering.append(lesson if is_own else _as_draft(lesson))
        if is_own:  # this very document: another one may claim its id
            signed.add(id(lesson))
    found, known = add_lessons.new(ws, entering)
    own = [lesson for lesson in found if id(lesson) in signed]
    return own, [lesson for lesson in found if id(lesson) not in signed], known


def _as_draft(lesson: Lesson) -> Lesson:
    """A lesson that nobody has approved here: cleaned, redacted, marked as foreign, without a history."""
    cleaned = redaction.redacted(lesson.as_json())
    words = str(cleaned.get("statement", ""))
    for name in ("archived_reason", "reviewed_at", "superseded_by", "rejection_reason", "usage"):
        cleaned.pop(name, None)
    cleaned |= {"status": "draft", "paused": False, "gate": False, "trust": "external", "source": "import"}
    cleaned |= {"held_back": 0, "needs_words": not words}
    cleaned["title"] = text.cut(str(cleaned.get("title", "")), _TITLE)
    cleaned["description"] = text.cut(str(cleaned.get("description", "")), _DESCRIPTION)
    if not _is_id(lesson.id):
        cleaned["id"] = ids.draft_id(lesson.id, "import")
    made = Lesson.model_validate(cleaned)
    words = made.statement or (made.evidence[0].quote if made.evidence else made.title)
    return scorer.with_score(
        made.with_(fingerprint=fingerprint.fingerprint_of(words, made.scope, made.project))
    )


def _is_id(value: str) -> bool:
    return ids.SHORTEST <= len(value) <= ids.LENGTH and set(value) <= _ID_LETTERS


def _enter_feedback(root: str, feedback: list[Feedback]) -> int:
    known = {found.id for found in Store(root).feedback()} if feedback else set()
    new = {found.id: found for found in feedback if found.id not in known}
    if new:
        with Store(root).transaction() as changes:
            for found in new.values():
                table = changes.table(f"feedback/{_day(found.timestamp)}-{IMPORTED_SHARD}")
                table.put(found.id, redaction.redacted(found.as_json()))
    return len(new)


def _agents(ws: "Workspace") -> list[AgentPerformance]:
    """Every agent's figures, a document for each project and host."""
    from learnloop.service.profile import agent_figures

    return agent_figures.performance(ws, split=True)


def _enter_agents(root: str, found: list[AgentPerformance]) -> int:
    """Keep figures that came from elsewhere beside the own ones, which stay as they are."""
    from learnloop.service.profile import agent_figures

    return agent_figures.enter_imported(root, found) if found else 0


def _day(timestamp: str) -> str:
    """The UTC day of a time; the first of days where it is none, so that no name is made of foreign text."""
    day = timestamp[:10]
    is_day = len(day) == 10 and day.replace("-", "").isdigit() and day.isascii()
    return day if is_day else clock.iso(0)[:10]


def _signature(key: bytes, lesson: dict[str, Any]) -> str:
    canonical = json.dumps(lesson, sort_keys=True, separators=(",", ":")).encode("ascii")
    return hmac.new(key, canonical, "sha256").hexdigest()


def _is_signed(key: bytes, lesson: Lesson | Patch, signatures: object) -> bool:
    found = signatures.get(lesson.id) if isinstance(signatures, dict) else None
    return isinstance(found, str) and hmac.compare_digest(
        found.encode("utf-8", "surrogatepass"), _signature(key, lesson.as_json()).encode()
    )


def _signed_beliefs(ws: "Workspace", parts: dict[str, Any]) -> bool:
    """Whether this store has exported the confirmed beliefs of a document, exactly as they stand there."""
    found = parts.get("signature")
    confirmed = parts.get("preferences", {}).get("confirmed", [])
    if not isinstance(found, str) or not confirmed:
        return False
    expected = _signature(_key(ws.root), {"confirmed": confirmed})
    return hmac.compare_digest(found.encode("utf-8", "surrogatepass"), expected.encode())


def _key(root: str) -> bytes:
    """The key that this store signs with, made when first needed; it never leaves the root."""
    path = Path(root, KEY_FILE)
    found = files.read(path)
    if not found or len(found) != 32:
        found = os.urandom(32)
        files.replace(path, [found])
    return found
