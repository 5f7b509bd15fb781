"""Find lessons by an id, or by the first characters of one."""

from collections.abc import Sequence

from pydantic import ValidationError

from learnloop.errors import Refused, Unreadable
from learnloop.learn.lessons.decisions import BASE
from learnloop.models import Lesson
from learnloop.service import id_prefix
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop.store.tinydb_file import public_fields


def find(ws: Workspace, lesson_id: str) -> Lesson:
    """The lesson of an id or of a unique prefix of 4 characters or more.

    Raises NotFound, Ambiguous, or Unreadable where the store's document is no lesson.
    """
    docs = documents.lessons(ws.root)
    hint = "learn lessons and learn lessons --drafts list what there is"
    return as_lesson(docs[id_prefix.resolve(lesson_id, docs, "lesson", hint)])


def find_all(ws: Workspace, ids: str | Sequence[str]) -> list[Lesson]:
    """The lessons of ids or prefixes, each once, in the order given.

    Raises Refused where none is named, NotFound or Ambiguous where one is not found.
    """
    names = [ids] if isinstance(ids, str) else list(ids)
    if not names:
        raise Refused("no lesson was named", "give one id or more")
    return list({lesson.id: lesson for lesson in (find(ws, name) for name in names)}.values())


def came_from(ws: Workspace, lesson: Lesson) -> str:
    """The project of a lesson, also of one that holds everywhere by now; empty where none is known."""
    replaced = documents.lessons(ws.root)[lesson.id].get(BASE) or {}
    if project := lesson.project or replaced.get("project"):
        return str(project)
    from learnloop.store.store import Store

    seen = (Store(ws.root).session(evidence.session_id) for evidence in lesson.evidence)
    return next((session.project for session in seen if session and session.project), "")


def as_lesson(document: documents.Document) -> Lesson:
    """A stored document as a model, without the store's own fields; raises Unreadable if it is malformed."""
    try:
        return Lesson.model_validate(public_fields(document))
    except ValidationError as error:
        name, count = str(document.get("id", "a lesson"))[:6], error.error_count()
        message = f"{name} in the store is no lesson ({count} wrong fields)"
        raise Unreadable(message, "run learn doctor") from None
