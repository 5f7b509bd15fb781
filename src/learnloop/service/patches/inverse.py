"""Undo and redo of decisions about patches, files and all."""

from collections.abc import Mapping, Sequence

from learnloop.errors import Refused
from learnloop.learn.lessons.decisions import held_decisions
from learnloop.models import Decision
from learnloop.models.patch import Patch, carried
from learnloop.patch import prompt_files
from learnloop.patch.steps import Resolution
from learnloop.service import event_log, place
from learnloop.service.lessons import documents
from learnloop.service.patches import block_upkeep, commit, file_jobs, preview, proposals
from learnloop.service.patches.board import Board
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace

_INVERSE = {
    "apply": "revert", "revert": "apply", "dismiss": "restore", "restore": "dismiss", "propose": "dismiss",
}  # fmt: skip
_LEFT_ALONE: Mapping[str, Resolution] = {"conflict": "keep", "missing": "remove"}
"""How what a person changed, or a file that is gone, is settled where nobody was asked before."""


def take_back(ws: Workspace, decision: Decision, *, again: bool) -> Decision:
    """Undo a decision about patches, or make it again, as a person asks; returns the decision appended.

    Raises Refused where a file cannot be changed, or the decision changed none.
    """
    agent_guard.check(ws, "patches", [doc["id"] for doc in carried(decision.args)])
    return invert(ws, decision, again=again)


def discard(ws: Workspace, ids: Sequence[str]) -> list[Decision]:
    """Put back the files that claimed decisions about patches wrote; returns those, the last one first.

    Raises Refused where no person sits, and where a file cannot be put back.
    """
    named = {patch.id for patch in Board(ws).find_all(ids)}
    held = [
        each
        for each in reversed(held_decisions(documents.decisions(ws.root)))
        if each.args.get("results") and named.intersection(doc["id"] for doc in carried(each.args))
    ]
    if held and not place.here().attended:
        raise Refused("a claimed patch is discarded at a terminal", "run it in a terminal of your own")
    for decision in held:
        take_back(ws, decision, again=False)
        event_log.decide(ws, "discard", [], {"decisions": [decision.id]})
    return held


def invert(ws: Workspace, decision: Decision, *, again: bool = False) -> Decision:
    """As `take_back`, as a consequence of what a person decided."""
    ids = [doc["id"] for doc in carried(decision.args)]
    did = str(decision.args.get("did", ""))
    step, action = did if again else _INVERSE.get(did, did), "redo" if again else "undo"
    with prompt_files.held(ws.root):
        block_upkeep.finish_commits(ws)
        board = Board(ws)
        patches = [board.find(patch_id) for patch_id in ids]
        if step in ("apply", "revert"):
            return _file_step(board, patches, decision, step, action)
        changed = [_word_step(patch, decision, step, again=again) for patch in patches]
    docs = [commit.without_quotes(patch) for patch in changed]
    return event_log.decide(ws, action, [], {"decision": decision.id, "did": step, "patches": docs})


def _word_step(patch: Patch, decision: Decision, step: str, *, again: bool) -> Patch:
    if step == "dismiss":
        reasons = decision.args.get("reasons") or {}
        return proposals.dismissed(patch, str(decision.args.get("reason") or reasons.get(patch.id, "")))
    if step in ("restore", "propose"):
        return proposals.restored(patch)
    if step != "edit":
        raise Refused(f"{step!r} cannot be taken back", "learn patches lists what can be done")
    source = next(carried(decision.args), {}) if again else decision.args.get("before") or {}
    return proposals.reworded(
        patch, {name: value for name, value in source.items() if name in ("block", "placement")}
    )


def _file_step(
    board: Board, patches: Sequence[Patch], decision: Decision, step: str, action: str
) -> Decision:
    """Apply or revert the same blocks in the same files; raises Refused where one fails."""
    approved = decision.lesson_ids
    jobs = file_jobs.jobs_by_file(
        (result["path"], patch)
        for patch in patches
        for result in decision.args.get("results", ())
        if result.get("patch") == patch.id
        and (_is_open(patch, result["path"], step) if approved else result.get("did") in file_jobs.WRITTEN)
    )
    if not jobs and not approved:
        raise Refused("that changed no file", "learn patches history shows what it did")
    for job in jobs:
        if step == "apply":
            file_jobs.work_out_apply(board, job)
        elif not approved:
            file_jobs.work_out_revert(board, job, "")
        else:
            _work_out_taking_back(board, job)
    extra = {"decision": decision.id}
    report, appended = commit.commit(board.ws, jobs, step, extra, action=action, lessons=approved)
    preview.update_hashes(board.ws.root, report)
    if report.failed:
        raise Refused(report.failed[0].error, report.failed[0].hint)
    if appended is None:
        raise Refused("no file is different now", "learn patches shows what is in which file")
    return appended


def _is_open(patch: Patch, path: str, step: str) -> bool:
    """Whether a file still lacks a step; a crash may have left some of the files of a decision done."""
    return file_jobs.target_of(patch, path).is_applied == (step == "revert")


def _work_out_taking_back(board: Board, job: file_jobs.Job) -> None:
    """Take lines out that were written without a question; what a person changed of them is theirs."""
    file_jobs.work_out_revert(board, job, "")
    did = next((result.did for result in job.results.values() if not result.ok), "")
    if resolution := _LEFT_ALONE.get(did):
        job.results.clear()
        file_jobs.work_out_revert(board, job, resolution)
