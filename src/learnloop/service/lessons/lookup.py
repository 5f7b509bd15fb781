"""Finding lessons by what a person types: an id, or the first characters of one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import ValidationError

from learnloop.errors import Ambiguous, NotFound, Refused, Unreadable
from learnloop.models import Lesson
from learnloop.models.ids import SHORTEST
from learnloop.service.lessons import documents

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


def find(ws: "Workspace", lesson_id: str) -> Lesson:
    """The lesson of an id or of a unique prefix of 4 characters or more."""
    docs = documents.lessons(ws.root)
    wanted = lesson_id.strip().lower()
    if wanted in docs:
        return as_lesson(docs[wanted])
    if len(wanted) < SHORTEST:
        raise NotFound(f"{lesson_id!r} is too short for an id", "give its first 4 characters or more")
    near = [key for key in docs if key.startswith(wanted)]
    if not near:
        raise NotFound(f"no lesson {lesson_id!r}", "learn lessons and learn drafts list what there is")
    if len(near) > 1:
        listed = ", ".join(sorted(key[: len(wanted) + 2] for key in near)[:8])
        raise Ambiguous(f"{len(near)} lessons begin with {lesson_id!r}", f"say more of it: {listed}")
    return as_lesson(docs[near[0]])


def found(ws: "Workspace", ids: str | Sequence[str]) -> list[Lesson]:
    """The lessons of ids or prefixes, each once, in the order given; nothing happens where one is unknown."""
    names = [ids] if isinstance(ids, str) else list(ids)
    if not names:
        raise Refused("no lesson was named", "give one id or more")
    return list({lesson.id: lesson for lesson in (find(ws, name) for name in names)}.values())


def as_lesson(document: documents.Document) -> Lesson:
    """A stored document as a model, without what only the store needs; raises Unreadable where it is none."""
    shown = dict(document)
    for key in document.keys() - Lesson.model_fields:
        if key[:1] == "_":
            del shown[key]
    try:
        return Lesson.model_validate(shown)
    except ValidationError as error:
        name, count = str(document.get("id", "a lesson"))[:6], error.error_count()
        raise Unreadable(
            f"{name} in the store is no lesson ({count} wrong fields)", "run learn doctor"
        ) from None
