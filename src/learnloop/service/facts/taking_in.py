"""Takes facts in where a person gave a standing approval: one decision each, with the words in their file.

What waits is found anew each time, so a run that was cut off is completed by the next one.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from learnloop.distill import consented
from learnloop.errors import LearnloopError, Refused
from learnloop.learn.facts import reading_consent, standing_approval
from learnloop.learn.facts.reading_consent import Consent
from learnloop.learn.lessons import claims
from learnloop.models import Decision
from learnloop.models.lesson import Lesson
from learnloop.models.patch import Patch
from learnloop.patch import placement, prompt_files, propose
from learnloop.service.facts import held_facts, listing
from learnloop.service.lessons import documents, overlaps, rule_drafts
from learnloop.service.lessons.lookup import find
from learnloop.service.patches import block_upkeep, fact_files, fact_imports, file_jobs, inverse
from learnloop.service.patches import preview as previewing
from learnloop.service.patches.board import Board
from learnloop.service.patches.commit import commit
from learnloop.service.review import agent_guard, trust, validation
from learnloop.service.workspace import Workspace
from learnloop.settings import Settings

UNTRUSTED = "files of its project changed since you trusted it: learn trust"
_DECIDED = "you decided about it before"


def take_in(ws: Workspace, settings: Settings, project: str = "") -> list[Decision]:
    """Approve the facts that may be, each with its file; what is left to the person is kept with the reason.

    `settings` limit it; of a `project` only its own facts are looked at. Raises Busy.
    """
    ws = dataclasses.replace(ws, by=claims.STANDING)
    if not any(project in ("", name) for name in _consents(ws, settings)):
        return []
    held, taken = dict(held_facts.read(ws.root)), list[Decision]()
    with prompt_files.held(ws.root):
        block_upkeep.finish_commits(ws)
        for lesson_id, of_project in _waiting(ws, project):
            try:
                taken.append(_taken(ws, settings, lesson_id, of_project))
                held.pop(lesson_id, None)
            except _Held as reason:
                held[lesson_id] = str(reason)
    held_facts.keep(ws.root, {name: why for name, why in held.items() if _is_draft(ws, name)})
    return taken


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


def _is_draft(ws: Workspace, lesson_id: str) -> bool:
    return documents.lessons(ws.root).get(lesson_id, {}).get("status") == "draft"


def _consents(ws: Workspace, settings: Settings) -> dict[str, Consent]:
    """The projects in which facts are taken in now."""
    given = consented.by_project(ws.root, settings).items()
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
        return _written(ws, board, [*imports, patch], lesson_id)
    except LearnloopError as error:
        raise _Held(f"{error.message} – {error.hint}" if error.hint else error.message) from None


def _reason(ws: Workspace, lesson: Lesson, project: str, consent: Consent) -> str:
    """Why a draft is not taken in, by its words, the person's decisions, and other lessons."""
    if any(lesson.id in decision.lesson_ids for decision in documents.decisions(ws.root)):
        return _DECIDED
    if not trust.is_trusted(ws.root, project):
        return UNTRUSTED
    if lesson.source in rule_drafts.muted_rules(ws.root):
        return "you muted what a model reads"
    if reason := standing_approval.why_held(
        lesson, listing.of_lesson(ws, lesson.id), listing.runs(ws), consent
    ):
        return reason
    try:
        validation.refuse_triggers([lesson])
    except Refused as error:
        return error.message
    against = overlaps.contradiction_of(ws, lesson)
    return f"it contradicts “{against.other.statement}”" if against else ""


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
    if choice.path.endswith(f"/{placement.PROJECT_FILE}") or fact_imports.NOWHERE in consent.imports:
        return consent.imports
    return [option.targets[0].path for option in choice.options]


def _written(ws: Workspace, board: Board, chosen: Sequence[Patch], lesson_id: str) -> Decision:
    """Write the patches and approve the lesson by one decision; raises Refused where a file cannot be."""
    jobs = file_jobs.jobs_by_file((target.path, patch) for patch in chosen for target in patch.targets)
    for job in jobs:
        file_jobs.work_out_apply(board, job)
    _refuse_failed(result for job in jobs for result in job.results.values())
    extra: dict[str, Any] = {"project": chosen[-1].project, "stop": False}
    report, decision = commit(ws, jobs, "apply", extra, action="promote", lessons=[lesson_id])
    previewing.update_hashes(ws.root, report)
    _refuse_failed(iter(report.results))
    assert decision is not None
    return decision


def _refuse_failed(results: Iterator[file_jobs.PatchResult]) -> None:
    for result in results:
        if not result.ok:
            raise Refused(result.error, result.hint)
