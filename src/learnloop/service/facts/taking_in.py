"""Takes facts in where a person gave a standing approval: one decision each, with the words in their file.

What waits is found anew each time, so a run that was cut off is completed by the next one.
"""

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from learnloop.distill import work
from learnloop.errors import LearnloopError, Refused
from learnloop.ingest import recent_calls
from learnloop.learn.facts import reading_consent, standing_approval
from learnloop.learn.facts.reading_consent import Consent
from learnloop.learn.lessons import claims
from learnloop.models import Decision
from learnloop.models.fact import Fact
from learnloop.models.lesson import Lesson
from learnloop.models.patch import Patch
from learnloop.patch import plain_bullets, prompt_files, propose
from learnloop.service.facts import listing
from learnloop.service.lessons import documents, overlaps
from learnloop.service.lessons.documents import find
from learnloop.service.patches import block_upkeep, fact_files, fact_imports, file_jobs, inverse
from learnloop.service.patches import preview as previewing
from learnloop.service.patches.board import Board
from learnloop.service.patches.commit import commit
from learnloop.service.review import agent_guard, trust, verdicts
from learnloop.service.workspace import Workspace
from learnloop.settings import Settings
from learnloop.store.store import Store

UNTRUSTED = "files of its project changed since you trusted it: learn config --trust"
_DECIDED = "you decided about it before"


def take_in(ws: Workspace, settings: Settings, project: str = "") -> list[Decision]:
    """Approve the facts that may be, each with its file; what is left to the person is kept with the reason.

    `settings` limit it; of a `project` only its own facts are looked at. A line whose lesson the person
    rejects meanwhile goes again. Raises Busy.
    """
    ws = dataclasses.replace(ws, by=claims.STANDING)
    is_given = any(project in ("", name) for name in _consents(ws, settings))
    taken = _approved(ws, settings, project) if is_given else []
    gone = _withdrawn(dataclasses.replace(ws, by=claims.UPKEEP))
    return [decision for decision in taken if decision.id not in gone]


def _approved(ws: Workspace, settings: Settings, project: str) -> list[Decision]:
    """Facts of a project go in as they were said: one that cannot be written holds up those after it."""
    held, taken, unwritten = listing.held(ws.root), list[Decision](), dict[str, str]()
    with prompt_files.held(ws.root):
        block_upkeep.finish_commits(ws)
        for lesson_id, of_project in _waiting(ws, project):
            if of_project in unwritten:
                held[lesson_id] = unwritten[of_project]
                continue
            try:
                taken.append(_taken(ws, settings, lesson_id, of_project))
                held.pop(lesson_id, None)
            except _Held as reason:
                held[lesson_id] = str(reason)
                unwritten |= {of_project: str(reason)} if isinstance(reason, _Unwritten) else {}
    listing.keep_held(ws.root, {name: why for name, why in held.items() if _is_draft(ws, name)})
    return taken


def _withdrawn(ws: Workspace) -> set[str]:
    """Take out what the person rejected; the ids of the approvals that are undone by it."""
    gone = set()
    for decision in standing_approval.rejected(documents.decisions(ws.root)):
        with contextlib.suppress(Refused):  # the next run tries again
            inverse.invert(ws, decision)
            gone.add(decision.id)
    return gone


def take_back(ws: Workspace, project: str) -> tuple[list[Decision], list[str]]:
    """Undo what a project's standing approval took in, files and all; with a line for each that stays.

    Those that were undone before stay drafts, and none is taken in again.
    """
    agent_guard.refuse("take back what was approved")
    block_upkeep.recover(ws)
    done, failed = list[Decision](), list[str]()
    for decision in reversed(standing_approval.approvals(documents.decisions(ws.root))):
        if decision.args.get("project") == project:
            try:
                done.append(inverse.take_back(ws, decision, again=False))
            except Refused as error:
                failed.append(error.message)
    return done, failed


class _Held(Exception):
    """A fact is left to the person, for this reason."""


class _Unwritten(_Held):
    """Its file could not be written."""


def _is_draft(ws: Workspace, lesson_id: str) -> bool:
    return documents.lessons(ws.root).get(lesson_id, {}).get("status") == "draft"


def _consents(ws: Workspace, settings: Settings) -> dict[str, Consent]:
    """The projects in which facts are taken in now."""
    given = work.consents(ws.root, settings).items()
    return {project: consent for project, consent in given if consent.mode == reading_consent.AUTO}


def _waiting(ws: Workspace, project: str) -> Iterator[tuple[str, str]]:
    """The drafts that hold facts of a project, each with it, the oldest fact first."""
    every = {
        fact.lesson_id: fact.project
        for fact in reversed(listing.facts(ws))
        if fact.lesson_id and project in ("", fact.project)
    }
    return ((name, of_project) for name, of_project in every.items() if _is_draft(ws, name))


def _taken(ws: Workspace, settings: Settings, lesson_id: str, project: str) -> Decision:
    """Approve one draft and write it; raises _Held where it is left to the person."""
    consent = _consents(ws, settings).get(project)
    if consent is None:
        raise _Held("")
    lesson = find(ws, lesson_id)
    if reason := _reason(ws, lesson, project, consent):
        raise _Held(reason)
    board = Board(ws, [project])
    patch = _patch(board, lesson, project)
    try:
        imports = [
            option
            for target in patch.targets
            for choice in fact_imports.unread_choices(board, {target.path: project})
            for option in fact_imports.placed(choice, _places(consent, choice))
        ]
        jobs = _jobs(board, [*imports, patch])
    except LearnloopError as error:
        raise _Held(_words(error)) from None
    try:
        return _written(ws, jobs, project, lesson_id)
    except LearnloopError as error:
        raise _Unwritten(_words(error)) from None


def _words(error: LearnloopError) -> str:
    return f"{error.message} – {error.hint}" if error.hint else error.message


def _reason(ws: Workspace, lesson: Lesson, project: str, consent: Consent) -> str:
    """Why a draft is not taken in, by its words, the person's decisions, and other lessons."""
    if any(lesson.id in decision.lesson_ids for decision in documents.decisions(ws.root)):
        return _DECIDED
    if not trust.is_trusted(ws.root, project):
        return UNTRUSTED
    if against := overlaps.contradiction_of(ws, lesson):
        return f"it contradicts “{against.other.statement}”"
    facts = listing.of_lesson(ws, lesson.id)
    prompts = work.prompts(ws.root, {seen.event_id: seen.ts for seen in lesson.evidence})
    if reason := standing_approval.why_held(lesson, facts, listing.runs(ws), consent, prompts):
        return reason
    if _leads_out(ws, lesson, facts, project):
        return "it leads out of the project, or names a command never run there"
    try:
        verdicts.refuse_triggers([lesson])
    except Refused as error:
        return error.message
    return ""


def _leads_out(ws: Workspace, lesson: Lesson, facts: Sequence[Fact], project: str) -> bool:
    words = [lesson.statement, *(fact.text for fact in facts), *(seen.quote for seen in lesson.evidence)]
    ran = recent_calls.of(Store(ws.root).state(), project).commands
    return standing_approval.leads_out(
        "\n".join(words), project, ran, lambda name: Path(project, name).exists()
    )


def _patch(board: Board, lesson: Lesson, project: str) -> Patch:
    """The list item of a fact in its file; raises _Held where it has none, or the person refused it."""
    doc = {**lesson.as_json(), "status": "active", "project": project}
    doc |= {"scope": "project"} if lesson.scope == "global" else {}
    for proposal in propose.from_facts([doc], partial(fact_files.file_of, board.ws.root)):
        patch = board.by_id.get(proposal.id, proposal)
        if patch.state == "dismissed" or any(target.state == "reverted" for target in patch.targets):
            raise _Held(_DECIDED)
        return patch
    raise _Held("it makes no list item")


def _places(consent: Consent, choice: fact_imports.ImportChoice) -> Sequence[str]:
    """Where the person lets the line for a file go: of a folder's file beside it, unless nowhere."""
    if choice.path.endswith(f"/{plain_bullets.PROJECT_FILE}") or fact_imports.NOWHERE in consent.imports:
        return consent.imports
    return [option.targets[0].path for option in choice.options]


def _jobs(board: Board, chosen: Sequence[Patch]) -> list[file_jobs.Job]:
    """What the files become; raises Refused where one may not be."""
    jobs = file_jobs.jobs_by_file((target.path, patch) for patch in chosen for target in patch.targets)
    for job in jobs:
        file_jobs.work_out_apply(board, job)
    _refuse_failed(result for job in jobs for result in job.results.values())
    return jobs


def _written(ws: Workspace, jobs: Sequence[file_jobs.Job], project: str, lesson_id: str) -> Decision:
    """Write the files and approve the lesson by one decision; raises Refused where a file cannot be."""
    extra: dict[str, Any] = {"project": project, "stop": True}
    report, decision = commit(ws, jobs, "apply", extra, action="promote", lessons=[lesson_id])
    previewing.update_hashes(ws.root, report)
    _refuse_failed(iter(report.results))
    assert decision is not None
    return decision


def _refuse_failed(results: Iterator[file_jobs.PatchResult]) -> None:
    for result in results:
        if not result.ok:
            raise Refused(result.error, result.hint)
