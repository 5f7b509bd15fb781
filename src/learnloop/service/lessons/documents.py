"""The stored lessons and decisions, and lessons by an id or its first characters.

Both are cached and read again only when one of their files changed, so a list of 2,000 lessons costs no parse
per key press. Documents are shared: callers must not change them.
"""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.errors import Refused, Unreadable
from learnloop.models import ids
from learnloop.service import id_prefix
from learnloop.wire import paths

if TYPE_CHECKING:
    from learnloop.models import Decision, Lesson
    from learnloop.service.workspace import Workspace


Document = dict[str, Any]
_Signature = tuple[Any, ...]


class _Stored(NamedTuple):
    signature: _Signature
    documents: Mapping[str, Document]


_lessons: dict[str, _Stored] = {}
_decisions: dict[str, tuple[_Signature, "list[Decision]"]] = {}
_shorts: list[tuple[Mapping[str, Document], Mapping[str, str]]] = []
"""The documents that short ids were worked out for last, and those."""


def lessons(root: str) -> Mapping[str, Document]:
    """Every lesson's document by id.

    The same mapping while nothing changes, and the same document while that one does not.
    """
    signature = _stamp(f"{paths.store(root)}/lessons.json")
    cached = _lessons.get(root)
    if cached is None or cached.signature != signature:
        from learnloop.store.store import Store

        before = cached.documents if cached else {}
        now = Store(root).documents("lessons")
        same = {key: before[key] for key, document in now.items() if before.get(key) == document}
        cached = _lessons[root] = _Stored(signature, now | same)
    return cached.documents


def short(root: str, lesson_id: str) -> str:
    """The id of a lesson as lists show it: as many characters as no other lesson begins with."""
    return short_in(lessons(root), lesson_id)


def short_in(docs: Mapping[str, Document], lesson_id: str) -> str:
    """The same among the documents that `lessons` gave."""
    if not _shorts or _shorts[0][0] is not docs:
        _shorts[:] = [(docs, ids.short_ids(docs))]
    return _shorts[0][1].get(lesson_id) or lesson_id[: ids.SHORTEST]


def decisions(root: str) -> "list[Decision]":
    """Every decision ever made, oldest first."""
    signature = _stamp(f"{paths.store(root)}/decisions.json")
    cached = _decisions.get(root)
    if cached is None or cached[0] != signature:
        from learnloop.store.store import Store

        cached = _decisions[root] = (signature, Store(root).decisions())
    return cached[1]


def _stamp(path: str) -> _Signature:
    """The identity, size and time of a file, which change when it does; empty if there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116  a key press pays for this
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def find(ws: "Workspace", lesson_id: str) -> "Lesson":
    """The lesson of an id or of a unique prefix of 4 characters or more.

    Raises NotFound, Ambiguous, or Unreadable where the store's document is no lesson.
    """
    docs = lessons(ws.root)
    hint = "learn lessons and learn lessons --drafts list what there is"
    return as_lesson(docs[id_prefix.resolve(lesson_id, docs, "lesson", hint)])


def find_all(ws: "Workspace", ids: str | Sequence[str]) -> "list[Lesson]":
    """The lessons of ids or prefixes, each once, in the order given.

    Raises Refused where none is named, NotFound or Ambiguous where one is not found.
    """
    names = [ids] if isinstance(ids, str) else list(ids)
    if not names:
        raise Refused("no lesson was named", "give one id or more")
    return list({lesson.id: lesson for lesson in (find(ws, name) for name in names)}.values())


def came_from(ws: "Workspace", lesson: "Lesson") -> str:
    """The project of a lesson, also of one that holds everywhere by now; empty where none is known."""
    from learnloop.learn.lessons.decisions import BASE
    from learnloop.store.store import Store

    replaced = lessons(ws.root)[lesson.id].get(BASE) or {}
    if project := lesson.project or replaced.get("project"):
        return str(project)
    seen = (Store(ws.root).session(evidence.session_id) for evidence in lesson.evidence)
    return next((session.project for session in seen if session and session.project), "")


def as_lesson(document: Document) -> "Lesson":
    """A stored document as a model, without the store's own fields; raises Unreadable if it is malformed."""
    from pydantic import ValidationError

    from learnloop.models import Lesson
    from learnloop.store.tinydb_file import public_fields

    try:
        return Lesson.model_validate(public_fields(document))
    except ValidationError as error:
        name, count = str(document.get("id", "a lesson"))[:6], error.error_count()
        message = f"{name} in the store is no lesson ({count} wrong fields)"
        raise Unreadable(message, "run learn doctor") from None
