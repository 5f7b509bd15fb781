"""What would be asked, written out, and answers that come from elsewhere: the pipeline without a call."""

import dataclasses
import json
from collections.abc import Iterable, Iterator
from typing import Any

from learnloop.distill import budget, recording, work
from learnloop.errors import Unreadable
from learnloop.learn.facts import answers
from learnloop.models.base import Document
from learnloop.service import id_prefix, workspace
from learnloop.service.facts import taking_in
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store

Doc = dict[str, Any]
_WAIT_S = 5.0
_WAY_OUT = "give lines of learn facts requests, each with an answer"


class AnswersReport(Document):
    """What came of answers that were given by hand."""

    runs: int = 0
    facts: int = 0
    failed: tuple[str, ...] = ()
    """A line each: which request, and what is wrong with its answer."""
    known: int = 0
    """Requests that were answered before."""
    taken: int = 0
    """Facts that were approved by a standing approval."""


def requests(
    ws: Workspace, project: str = "", session: str = "", *, allowed: bool = False
) -> Iterator[Doc]:  # fmt: skip
    """What would be asked now: {id, stage, session_id, project, model, system, text, schema, items}.

    Of a named project or session all that was not read; else, and with `allowed`, what a model may read: byte
    for byte what goes next, in its order.
    """
    agent_guard.refuse("read what would be sent to a model")
    workspace.ingest(ws, wait_s=_WAIT_S)
    if session:
        sessions = [each.id for each in Store(ws.root).sessions()]
        session = id_prefix.resolve(session, sessions, "session", "learn sessions lists them")
    reach, may = work.ReadingReach(None, project, session), work.reach(ws.root, ws.settings)
    if allowed or not (project or session):
        reach = dataclasses.replace(reach, since=may.since if may else {})
    for batch in _batches(ws, reach):
        request, facts = recording.ask(ws.root, batch, ws.settings), ws.settings.facts
        yield {
            "id": batch.id, "session_id": batch.session.id, "project": batch.session.project,
            "model": facts.model if batch.stage == "extract" else facts.merge_model,
            **request._asdict(), "items": batch.items,
        }  # fmt: skip


def _batches(ws: Workspace, reach: work.ReadingReach) -> Iterator[work.Batch]:
    yield from work.extractions(ws.root, work.Unread(ws.root, reach, {}))
    yield from work.merges(ws.root, reach)


def take_answers(ws: Workspace, lines: Iterable[str]) -> AnswersReport:
    """Read requests with an `answer` each, an object or a text, as if the model had given it just now.

    Raises Unreadable for a line that is no request; then none of them counts.
    """
    agent_guard.refuse("answer in a model's place")
    answered = [_line(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    workspace.ingest(ws, wait_s=_WAIT_S)
    waiting = _Waiting(_batches(ws, work.ReadingReach()) if answered else ())
    report = AnswersReport()
    for line in answered:
        report = _taken(ws, report, line, waiting.asked(line))
    workspace.ingest(ws, wait_s=_WAIT_S)
    return report.with_(taken=len(taking_in.take_in(ws, ws.settings)))


def _line(number: int, line: str) -> Doc:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise Unreadable(f"line {number} is not JSON", _WAY_OUT) from None
    is_request = isinstance(value, dict) and isinstance(value.get("items"), dict) and "answer" in value
    if not is_request or not all(isinstance(value.get(name), str) for name in ("id", "stage")):
        raise Unreadable(f"line {number} is no request with an answer", _WAY_OUT)
    return dict(value)


class _Waiting:
    """The prompts and facts that wait for an answer, each given out once."""

    def __init__(self, batches: Iterable[work.Batch]) -> None:
        self._by_item = {
            (each.stage, item): (each, name) for each in batches for name, item in each.items.items()
        }

    def asked(self, line: Doc) -> work.Batch | None:
        """The batch of what a line's items name and still waits, under the names that it has there."""
        items = {str(name): (line["stage"], str(item)) for name, item in line["items"].items()}
        waiting = {name: self._by_item[key] for name, key in items.items() if key in self._by_item}
        if not waiting:
            return None
        batch = next(iter(waiting.values()))[0]
        named = {name: was for name, (other, was) in waiting.items() if other is batch}
        for name in named:
            del self._by_item[items[name]]
        prompts = {name: batch.prompts[was] for name, was in named.items() if was in batch.prompts}
        facts = {name: batch.facts[was] for name, was in named.items() if was in batch.facts}
        return work.Batch(batch.stage, batch.session, prompts, facts, batch.folders)


def _taken(ws: Workspace, report: AnswersReport, line: Doc, batch: work.Batch | None) -> AnswersReport:
    if batch is None:
        return report.with_(known=report.known + 1)
    try:
        answer = answers.parse(line["answer"])
    except answers.BadAnswer as error:
        return report.with_(failed=(*report.failed, f"{line['id'][:12]}: {error}"))
    run = recording.run_of(batch, budget.BY_HAND, str(line.get("model", ""))[:100])
    done = recording.record(ws.root, batch, run, answer, ws.settings)
    return report.with_(runs=report.runs + 1, facts=report.facts + done.facts)
