"""Undo and redo of decisions about patches, files and all."""

from collections.abc import Sequence

from learnloop.errors import Refused
from learnloop.models import Decision
from learnloop.models.patch import Patch
from learnloop.patch import prompt_files
from learnloop.patch.carried import carried
from learnloop.service import event_log
from learnloop.service.patches import block_upkeep, commit, file_jobs, preview, proposals
from learnloop.service.patches.board import Board
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace

_INVERSE = {
    "apply": "revert", "revert": "apply", "dismiss": "restore", "restore": "dismiss", "propose": "dismiss",
}  # fmt: skip


def take_back(ws: Workspace, decision: Decision, *, again: bool) -> Decision:
    """Undo a decision about patches, or make it again; returns the decision that was appended.

    Raises Refused where a file cannot be changed, or the decision changed none.
    """
    ids = [doc["id"] for doc in carried(decision.args)]
    agent_guard.check(ws, "patches", ids)
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
    written = (*file_jobs.WRITTEN, *(("unchanged",) if decision.lesson_ids else ()))
    jobs = file_jobs.jobs_by_file(
        (result["path"], patch)
        for patch in patches
        for result in decision.args.get("results", ())
        if result.get("patch") == patch.id and result.get("did") in written
    )
    if not jobs:
        raise Refused("that changed no file", "learn patches history shows what it did")
    for job in jobs:
        if step == "revert":
            file_jobs.work_out_revert(board, job, "")
        else:
            file_jobs.work_out_apply(board, job)
    report, appended = commit.commit(board.ws, jobs, step, {"decision": decision.id}, action=action)
    preview.update_hashes(board.ws.root, report)
    if report.failed:
        raise Refused(report.failed[0].error, report.failed[0].hint)
    if appended is None:
        raise Refused("no file is different now", "learn patches shows what is in which file")
    return appended
