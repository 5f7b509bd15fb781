"""Records what a model answered: one event, which ingest turns into facts and drafts."""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from learnloop.distill import switch
from learnloop.distill.work import Batch
from learnloop.errors import Unreadable
from learnloop.learn.facts import fact_findings, requests
from learnloop.learn.facts.answers import ReadFact
from learnloop.models.fact import FactRun, Stage
from learnloop.store import files, seal
from learnloop.wire import clock, codec, event

Doc = dict[str, Any]
_OWN = "learnloop"
"""The host of calls that are about no session."""


def ask(batch: Batch, known: str, fence: str = "") -> requests.Request:
    """The request of a batch, its data inside a fence that nobody can guess."""
    fence = fence or requests.new_fence()
    if batch.stage == "extract":
        prompts = [requests.Quoted(name, source.words) for name, source in batch.prompts.items()]
        return requests.extraction(prompts, known, fence)
    facts = [requests.Quoted(name, fact["text"]) for name, fact in batch.facts.items()]
    return requests.synthesis(facts, known, batch.folders, fence)


def run_of(batch: Batch, client: str, model: str) -> FactRun:
    """A run of a batch that begins now, as one that failed until it is known better."""
    return new_run(batch.stage, client, model, len(batch.prompts)).with_(session_id=batch.session.id)


def new_run(stage: Stage, client: str, model: str, items: int) -> FactRun:
    """A run that begins now, as one that failed until it is known better."""
    return FactRun(
        id=secrets.token_hex(8), stage=stage, client=client, model=model, prompts=items,
        started=clock.iso(clock.now_ms()), outcome="failed",
    )  # fmt: skip


def begin(root: str, batch: Batch, run: FactRun) -> None:
    """Note a call about a session before it is made."""
    note(root, run, batch.session.project, batch.session.host)


def note(root: str, run: FactRun, project: str, host: str = _OWN) -> None:
    """Note a call before it is made: one that nobody saw the end of was paid for too."""
    noted = {**run.with_(error="it was interrupted").as_json(), "project": project, "host": host}
    files.replace(_under_way(root), [codec.encode(noted).encode()])


def record_run(root: str, run: FactRun, project: str) -> None:
    """Append a run that is about no session, and of which no fact comes."""
    _append(root, _OWN, run.session_id, project, {"run": run.as_json(), "facts": []})
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
    return Path(root, switch.UNDER_WAY)


def record(
    root: str,
    batch: Batch,
    run: FactRun,
    facts: Sequence[ReadFact],
    restated: fact_findings.Restated,
    extras: Sequence[str],
) -> FactRun:
    """Append a run that succeeded with what of its facts holds; returns it as it was recorded."""
    if batch.stage == "extract":
        found = fact_findings.of_prompts(facts, batch.prompts, restated, extras)
    else:
        found = fact_findings.of_facts(facts, batch.facts, restated, batch.folders, extras)
    used = {name for finding in found if finding["status"] == "raw" for name in finding["from"]}
    outcome = "failed" if run.error else "done"
    done = run.with_(outcome=outcome, facts=sum(finding["status"] == "raw" for finding in found))
    left = [fact["id"] for fact in batch.facts.values() if fact["id"] not in used]
    read = [source.event_id for source in batch.prompts.values()]
    counted = {"compactions": batch.session.counts.get("compact", 0)}
    payload = {"run": done.as_json(), "read": read, "facts": found, "left": left, **counted}
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
