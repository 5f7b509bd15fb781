"""Records what a model answered: one event, which ingest turns into facts and drafts."""

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

from learnloop.distill.work import Batch
from learnloop.learn.facts import fact_findings, requests
from learnloop.learn.facts.answers import ReadFact
from learnloop.models.fact import FactRun
from learnloop.wire import clock, event, journal

Doc = dict[str, Any]


def ask(batch: Batch, known: str, fence: str = "") -> requests.Request:
    """The request of a batch, its data inside a fence that nobody can guess."""
    fence = fence or f"=={secrets.token_hex(16)}=="
    if batch.stage == "extract":
        prompts = [requests.Quoted(name, source.words) for name, source in batch.prompts.items()]
        return requests.extraction(prompts, known, fence)
    facts = [requests.Quoted(name, fact["text"]) for name, fact in batch.facts.items()]
    return requests.synthesis(facts, known, batch.folders, fence)


def run_of(batch: Batch, client: str, model: str) -> FactRun:
    """A run of a batch that begins now, as one that failed until it is known better."""
    started = clock.iso(clock.now_ms())
    name = hashlib.sha256(f"{batch.id}\0{started}\0{secrets.token_hex(4)}".encode()).hexdigest()[:16]
    return FactRun(
        id=name, stage=batch.stage, client=client, model=model, session_id=batch.session.id,
        prompts=len(batch.prompts), started=started, outcome="failed",
    )  # fmt: skip


def record(
    root: str, batch: Batch, run: FactRun, facts: Sequence[ReadFact], known: str, extras: Sequence[str]
) -> FactRun:
    """Append a run that succeeded with what of its facts holds; returns it as it was recorded."""
    if batch.stage == "extract":
        found = fact_findings.of_prompts(facts, batch.prompts, known, extras)
    else:
        found = fact_findings.of_facts(facts, batch.facts, known, batch.folders, extras)
    used = {name for finding in found if finding["status"] == "raw" for name in finding["from"]}
    done = run.with_(outcome="done", facts=sum(finding["status"] == "raw" for finding in found))
    left = [fact["id"] for fact in batch.facts.values() if fact["id"] not in used]
    read = [source.event_id for source in batch.prompts.values()]
    _append(root, batch, {"run": done.as_json(), "read": read, "facts": found, "left": left})
    return done


def record_failure(root: str, batch: Batch, run: FactRun) -> None:
    """Append a run that came to nothing: its prompts stay unread."""
    _append(root, batch, {"run": run.as_json(), "read": [], "facts": [], "left": []})


def _append(root: str, batch: Batch, payload: Doc) -> None:
    session = batch.session
    compactions = session.counts.get("compact", 0)
    journal.append(root, [event.record(
        "facts", host=session.host, session_id=session.id, cwd=session.project, project=session.project,
        payload={**payload, "compactions": compactions},
    )], durable=True)  # fmt: skip
