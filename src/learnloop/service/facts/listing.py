"""Facts and runs, as they are listed and shown, and why a standing approval leaves some to the person."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from learnloop.ingest.facts_read import RUNS
from learnloop.learn.lessons.origins import TAKEN
from learnloop.learn.sessions import timeline
from learnloop.models.base import Document
from learnloop.models.fact import FACTS, Fact, FactRun
from learnloop.service import id_prefix
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.store.tinydb_file import public_fields

_Model = TypeVar("_Model", bound=Document)
_HELD = "facts/held"
_LISTS = "learn facts list names them"


def facts(ws: Workspace) -> list[Fact]:
    """All facts, the newest first."""
    return sorted(_models(ws, FACTS, Fact), key=lambda fact: (fact.created, fact.id), reverse=True)


def with_verdicts(ws: Workspace, listed: Iterable[Fact]) -> list[Fact]:
    """The facts with what the standing approval made of drafts: taken in, or left to the person and why."""
    docs, reasons = documents.lessons(ws.root), held(ws.root)
    return [_with_verdict(fact, docs.get(fact.lesson_id, {}), reasons) for fact in listed]


def _with_verdict(fact: Fact, lesson: Mapping[str, Any], held: Mapping[str, str]) -> Fact:
    if fact.status != "draft":
        return fact
    if lesson.get(TAKEN) and lesson.get("status") == "active":
        return fact.with_(status="taken", reason="your standing approval of the project took it in")
    return fact.with_(reason=held.get(fact.lesson_id, "")) if lesson.get("status") == "draft" else fact


def held(root: str) -> dict[str, str]:
    """Why drafts are left to the person although their project has a standing approval, by lesson."""
    try:
        reasons = json.loads(files.read(Path(root, _HELD)) or b"{}")
    except (OSError, ValueError):
        return {}
    return {str(key): str(why) for key, why in reasons.items()} if isinstance(reasons, dict) else {}


def keep_held(root: str, reasons: Mapping[str, str]) -> None:
    """Keep these reasons until the next run."""
    if reasons != held(root):
        files.replace(Path(root, _HELD), [json.dumps(reasons).encode()])


def runs(ws: Workspace) -> list[FactRun]:
    """All runs, the newest first."""
    return sorted(_models(ws, RUNS, FactRun), key=lambda run: (run.started, run.id), reverse=True)


def fact(ws: Workspace, name: str) -> Fact:
    """The fact of an id or a unique beginning; raises NotFound or Ambiguous."""
    by_id = {each.id: each for each in with_verdicts(ws, facts(ws))}
    return by_id[id_prefix.resolve(name, by_id, "fact", _LISTS)]


def of_lesson(ws: Workspace, lesson_id: str) -> list[Fact]:
    """The facts that a lesson holds, the newest first."""
    return [each for each in facts(ws) if each.lesson_id == lesson_id]


def story(ws: Workspace, lesson_id: str) -> list[tuple[str, str]]:
    """What a lesson was made of: each fact with its state, then the runs that read and merged them."""
    held = with_verdicts(ws, of_lesson(ws, lesson_id))
    run_ids = {name for each in held for name in each.run_ids}
    lines = [(each.status, each.text) for each in reversed(held)]
    why = [("left to you", each.reason) for each in held if each.status == "draft" and each.reason][:1]
    read_by = [("", timeline.in_words(run.as_json())) for run in reversed(runs(ws)) if run.id in run_ids]
    return [*lines, *why, *read_by]


def judged(ws: Workspace, place: str) -> list[str]:
    """What models said that turns broke in a file or by a command, the newest first."""
    return [
        f"“{breach.words}” was broken in {breach.place}, {run.model} says: {breach.why}"
        for run in runs(ws)
        for breach in run.broken
        if place == breach.place or place.endswith(f"/{breach.place}")
    ]


def _models(ws: Workspace, table: str, model: type[_Model]) -> list[_Model]:
    models = []
    for doc in Store(ws.root).documents(table).values():
        try:
            models.append(model.model_validate(public_fields(doc)))
        except ValidationError:
            continue
    return models
