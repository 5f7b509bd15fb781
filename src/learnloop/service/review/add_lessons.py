"""Lessons that come from elsewhere: which of them are new or changed, and one decision for each of those."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from learnloop.ingest import statement_index
from learnloop.learn.lessons.decisions import BASE
from learnloop.models import Lesson, ids
from learnloop.service import event_log
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop.wire import text

_LONGEST = 1_000
_VERSION = ("kind", "statement", "content", "triggers", "check", "path", "keywords")
"""What makes another version of a lesson: what agents read, and when."""


class Arrivals(NamedTuple):
    """Lessons that came from elsewhere."""

    new: list[Lesson]
    changed: list[Lesson]
    """Drafts of another version of a lesson that is here, which each names as the one to replace."""
    known: int
    """Here already, by id, by words or by meaning; a rejected one counts."""


def arrivals(ws: Workspace, lessons: Iterable[Lesson], own: frozenset[int] = frozenset()) -> Arrivals:
    """Sort lessons into new, changed and known ones. Those whose `id()` is in `own` are this store's own."""
    docs, new, changed = dict(documents.lessons(ws.root)), list[Lesson](), list[Lesson]()
    index = statement_index.StatementIndex(docs)
    prints = {str(doc.get("fingerprint", "")) for doc in docs.values()} - {""}
    count_known = 0
    for given in lessons:
        lesson = Lesson.model_validate(statement_index.placed(given.as_json()))
        is_own = id(given) in own
        if not is_own and (version := _version(docs, lesson)):
            changed.append(version)
            docs[version.id] = version.as_json()
        elif lesson.id in docs or lesson.fingerprint in prints or (not is_own and _says(docs, index, lesson)):
            count_known += 1
        else:
            docs[lesson.id] = lesson.as_json()
            prints |= {lesson.fingerprint} - {""}
            new.append(given if is_own else lesson)
    return Arrivals(new, changed, count_known)


def _says(docs: dict[str, documents.Document], index: statement_index.StatementIndex, lesson: Lesson) -> bool:
    """Whether a lesson here says the same in the same place."""
    doc = lesson.as_json()
    return any(statement_index.is_same_place(docs[name], doc) for name in index.similar(doc))


def _version(docs: dict[str, documents.Document], lesson: Lesson) -> Lesson | None:
    """The draft of another version of a lesson that is here and not rejected; None where it is none."""
    present, given = docs.get(lesson.id), _versioned(lesson.as_json())
    if present is None or present["status"] == "rejected":
        return None
    if given in (_versioned(present), _versioned({**present, **present.get(BASE, {})})):
        return None
    while present.get("superseded_by") in docs:
        present = docs[str(present["superseded_by"])]
    version, before = ids.draft_id(f"{lesson.id}\0{given}", "version"), _versioned(present)
    if version in docs:
        return None
    differs = (f"{name}: {before[name]} → {given[name]}" for name in _VERSION if before[name] != given[name])
    why = f"{lesson.context} Another version of {present['id'][:6]}: {'; '.join(differs)}"
    return lesson.with_(id=version, contradicts=str(present["id"]), context=text.cut(why.strip(), _LONGEST))


def _versioned(doc: documents.Document) -> dict[str, str]:
    whole = Lesson.model_validate({name: value for name, value in doc.items() if name[:1] != "_"}).as_json()
    return {name: json.dumps(whole.get(name), sort_keys=True, ensure_ascii=False) for name in _VERSION}


def add(ws: Workspace, lessons: Iterable[Lesson]) -> None:
    """Append one decision for each lesson, all in one piece; raises Refused as `event_log.decide` does.

    Another version of a draft that nobody has touched takes its place; any other one waits beside it.
    """
    docs, records = documents.lessons(ws.root), []
    for lesson in lessons:
        present, doc = docs.get(lesson.contradicts) or {}, lesson.as_json()
        if present.get("status") == "draft" and present.get("trust") == "external" and BASE not in present:
            args = {name: doc[name] for name in _VERSION if name != "path"}
            records.append(event_log.decision_record(ws.by, "edit", [lesson.contradicts], args))
        else:
            records.append(event_log.decision_record(ws.by, "add", [lesson.id], {"lesson": doc}))
    if records:
        event_log.append(ws, records)
        event_log.settle(ws)
