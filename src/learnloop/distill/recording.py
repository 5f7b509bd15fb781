"""Records what a model answered: one event, which ingest turns into facts and drafts."""

import secrets
from pathlib import Path
from typing import Any

from learnloop.distill import budget, work
from learnloop.distill.work import Batch
from learnloop.errors import Unreadable
from learnloop.ingest import known_facts
from learnloop.learn.facts import fact_findings, requests
from learnloop.learn.facts.answers import Answer
from learnloop.models.fact import FactRun, Stage
from learnloop.settings import Settings
from learnloop.store import files, seal
from learnloop.wire import clock, codec, event

Doc = dict[str, Any]
OWN = "learnloop"
"""The host of calls that are about no session."""


def ask(root: str, batch: Batch, settings: Settings) -> requests.Request:
    """The request of a batch."""
    project = batch.session.project
    known = known_facts.given(root, project, settings, batch.text)
    if batch.stage == "extract":
        with_answer = settings.facts.answers
        prompts = [
            work.quoted(name, prompt, project, with_answer=with_answer)
            for name, prompt in batch.prompts.items()
        ]
        return requests.extraction(prompts, known)
    asked = {fact["lesson_id"] for fact in batch.facts.values()}
    others = {name: words for name, words in known.lessons.items() if known.ids[name] not in asked}
    known = known._replace(lessons=others)
    facts = [requests.Quoted(name, fact["text"]) for name, fact in batch.facts.items()]
    return requests.synthesis(facts, known, batch.folders)


def run_of(batch: Batch, client: str, model: str) -> FactRun:
    """A run of a batch that begins now, as one that failed until it is known better."""
    return new_run(batch.stage, client, model, len(batch.prompts)).with_(session_id=batch.session.id)


def new_run(stage: Stage, client: str, model: str, items: int) -> FactRun:
    """A run that begins now, as one that failed until it is known better."""
    return FactRun(
        id=secrets.token_hex(8), stage=stage, client=client, model=model, prompts=items,
        started=clock.iso(clock.now_ms()), outcome="failed",
    )  # fmt: skip


def note(root: str, run: FactRun, project: str, host: str = OWN) -> None:
    """Note a call before it is made: one that nobody saw the end of was paid for too."""
    noted = {**run.with_(error="it was interrupted").as_json(), "project": project, "host": host}
    files.replace(_under_way(root), [codec.encode(noted).encode()])


def record_run(root: str, run: FactRun, project: str, host: str) -> None:
    """Append a run of which no fact comes."""
    _append(root, host, run.session_id, project, {"run": run.as_json(), "facts": []})
    _under_way(root).unlink(missing_ok=True)


def settle(root: str) -> None:
    """Record a call that was begun and never ended."""
    data = files.read(_under_way(root))
    noted = codec.decode(data.decode("utf-8", "replace")) if data else None
    if isinstance(noted, dict):
        host, project = str(noted.pop("host", "")), str(noted.pop("project", ""))
        _append(root, host, str(noted.get("session_id", "")), project, {"run": noted, "facts": []})
        _under_way(root).unlink(missing_ok=True)


def _under_way(root: str) -> Path:
    return Path(root, budget.UNDER_WAY)


def record(root: str, batch: Batch, run: FactRun, answer: Answer, settings: Settings) -> FactRun:
    """Append a run that succeeded with what of its answer holds; returns it as it was recorded."""
    project = batch.session.project
    checks = fact_findings.Checks(
        known_facts.given(root, project, settings, batch.text),
        known_facts.restating(root, project, settings),
        settings.redaction.extras,
    )
    if batch.stage == "extract":
        findings = fact_findings.of_prompts(answer.facts, batch.prompts, checks)
    else:
        findings = fact_findings.of_facts(answer.facts, batch.facts, batch.folders, checks)
    used = {name for finding in findings if finding["status"] == "raw" for name in finding["from"]}
    outcome = "failed" if run.error else "done"
    done = run.with_(outcome=outcome, facts=sum(finding["status"] == "raw" for finding in findings))
    left = [fact["id"] for fact in batch.facts.values() if fact["id"] not in used]
    read = [source.event_id for source in batch.prompts.values()]
    counted = {"compactions": batch.session.counts.get("compact", 0)}
    judged = fact_findings.judgements(answer.judged, batch.prompts)
    payload = {
        "run": done.as_json(), "read": read, "facts": findings, "judged": judged, "left": left, **counted
    }  # fmt: skip
    _append_of(root, batch, payload)
    return done


def record_failure(root: str, batch: Batch, run: FactRun, *, is_content: bool) -> None:
    """Append a run that came to nothing: its prompts stay unread. A bad answer counts against the batch."""
    _append_of(root, batch, {"run": run.as_json(), "facts": [], "batch": batch.id if is_content else ""})


def _append_of(root: str, batch: Batch, payload: Doc) -> None:
    session = batch.session
    _append(root, session.host, session.id, session.project, payload)
    _under_way(root).unlink(missing_ok=True)


def _append(root: str, host: str, session_id: str, project: str, payload: Doc) -> None:
    """Append an event; raises Unreadable where that cannot be done, and then the call is not forgotten."""
    one = event.record(
        "facts", host=host, session_id=session_id, cwd=project, project=project, payload=payload
    )
    if not seal.append(root, [one]):
        raise Unreadable("what a model answered cannot be written", "run: learn doctor")
