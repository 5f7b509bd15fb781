"""Write prompt files with a log, and record what happened as one decision.

The decision contains each patch as it is afterwards. Where the process dies before it is appended, the log
has all that `recovery` needs to append it later.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from learnloop.errors import Refused
from learnloop.ingest import instruction_files
from learnloop.learn.profile import beliefs
from learnloop.models import Decision
from learnloop.models.base import Document
from learnloop.models.patch import Patch, PatchTarget, TargetState
from learnloop.patch import prompt_files
from learnloop.service import event_log
from learnloop.service.patches.file_jobs import WRITTEN, Job, PatchResult
from learnloop.service.review import agent_guard, trust
from learnloop.service.workspace import Workspace
from learnloop.wire import clock


class Report(Document):
    """The outcomes of all patches in all files."""

    results: tuple[PatchResult, ...] = ()

    @property
    def failed(self) -> tuple[PatchResult, ...]:
        """The results of patches that could not be applied or reverted."""
        return tuple(result for result in self.results if not result.ok)


def commit(
    ws: Workspace, jobs: Sequence[Job], did: str, extra: Mapping[str, Any] | None = None, *,
    action: str = "patch", lessons: Sequence[str] = (),
) -> tuple[Report, Decision | None]:  # fmt: skip
    """Write what was worked out, then record it; a file that fails is reported and left as it was.

    `lessons` are approved by the same decision, of that action, where every file is as it was asked for; else
    written files are put back. The decision is None where nothing changed. Raises Refused during a command of
    an agent, where it cannot be appended, and as `event_log.settle`.
    """
    agent_guard.refuse_in_call(ws, "written")
    patches = {patch.id: patch for job in jobs for patch in job.patches}
    log = {
        "did": did, "by": ws.by, "action": action, "extra": dict(extra or {}), "lessons": list(lessons),
        "event": clock.new_id(clock.now_ms()),
        "trusted": sorted(trust.trusted(ws.root) & {patch.project for patch in patches.values()}),
        "patches": [without_quotes(patch) for patch in patches.values()],
        "results": [result.as_json() for job in jobs for result in job.results.values()],
    }  # fmt: skip
    open_log = _write_files(ws.root, jobs, log)
    report = Report(results=tuple(result for job in jobs for result in job.results.values()))
    if lessons and report.failed and open_log is not None and prompt_files.roll_back(ws.root, open_log):
        prompt_files.close(open_log)
        return report, None
    reals = {job.path: (job.opened.real, job.opened.mode) for job in jobs if job.opened is not None}
    decision = record(ws, log, report.results, reals)
    event_log.settle(ws)
    prompt_files.close(open_log)  # only now: until the decision is in effect, recovery has to bring it about
    return report, decision


def _write_files(root: str, jobs: Sequence[Job], log: Mapping[str, Any]) -> Path | None:
    """Write the files that change and settle their results; returns the log, which is still open."""
    changes, changed = [], []
    for job in jobs:
        after = None if job.removes else job.after.encode("utf-8")
        is_written = any(result.did in WRITTEN for result in job.results.values())
        if job.opened is not None and is_written and (job.creates or after != job.opened.data):
            changed.append(job)
            changes.append(prompt_files.FileChange(job.opened, after, job.creates))
    if not changes:
        return None
    outcomes, open_log = prompt_files.commit(root, changes, log)
    for job, outcome, change in zip(changed, outcomes, changes, strict=True):
        _settle(job, outcome, change.sha256_after)
    return open_log


def _settle(job: Job, outcome: prompt_files.FileOutcome, after: str) -> None:
    for key, result in job.results.items():
        if not result.ok:
            continue
        if outcome.done:
            job.results[key] = result.model_copy(update={"sha256_after": after, "backup": outcome.backup})
        else:
            failure = {"did": "refused", "error": outcome.error, "hint": outcome.hint}
            job.results[key] = result.model_copy(update=failure)


def record(
    ws: Workspace, log: Mapping[str, Any], results: Iterable[PatchResult],
    reals: Mapping[str, tuple[str, int]],
) -> Decision | None:  # fmt: skip
    """Append one decision about everything in the log, one step to undo; None where no patch changed.

    `reals` are the real path and mode of each file. Raises Refused where the decision cannot be written.
    """
    by_patch, lessons = dict[str, list[PatchResult]](), list(log.get("lessons") or ())
    for result in results:
        by_patch.setdefault(result.patch, []).append(result)
    is_whole = all(any(own.ok for own in by_patch.get(doc["id"], ())) for doc in log["patches"])
    action, lessons = ("patch", []) if lessons and not is_whole else (str(log["action"]), lessons)
    now = clock.now_ms()
    docs, outcomes = [], []
    for doc in log["patches"]:
        patch = Patch.model_validate(doc)
        own = by_patch.get(patch.id, [])
        after = _after(patch, own, reals, clock.iso(now), str(log["by"]))
        if after != patch or lessons:
            docs.append(without_quotes(after))
            outcomes += [{"patch": result.patch, "path": result.path, "did": result.did} for result in own]
    if not docs:
        return None
    args = {"did": log["did"], "patches": docs, **log["extra"], "results": outcomes}
    if log.get("trusted"):
        args[beliefs.WRITTEN_FILES] = {
            project: instruction_files.digest_of(project) for project in log["trusted"]
        }
    decision = event_log.decision_record(
        str(log["by"]), action, lessons, args, event_id=str(log["event"]), ms=now
    )
    try:
        event_log.append(ws, [decision])
    except Refused:
        raise Refused(
            f"the files are changed, but {ws.root} could not be written",
            "make room, then run learn doctor --fix",
        ) from None
    return event_log.as_decision(decision)


def without_quotes(patch: Patch) -> dict[str, Any]:
    """A patch as decisions contain it: quotes stay with the evidence, so that forgetting them is enough."""
    return patch.model_copy(update={"quotes": ()}).as_json()


# The patches after a commit

_STATES: Mapping[str, TargetState] = {
    "applied": "applied", "updated": "applied", "unchanged": "applied", "reverted": "reverted",
    "conflict": "conflict", "missing": "missing",
}  # fmt: skip


def _after(
    patch: Patch, results: Sequence[PatchResult], reals: Mapping[str, tuple[str, int]], at: str, by: str
) -> Patch:
    targets = {target.path: target for target in patch.targets}
    for result in results:
        before = targets.get(result.path) or PatchTarget(path=result.path)
        targets[result.path] = _target_after(before, result, reals.get(result.path), at, by)
    if tuple(targets.values()) == patch.targets:
        return patch
    active = any(target.is_applied for target in targets.values())
    state = "active" if active else "proposed" if patch.state == "active" else patch.state
    return patch.model_copy(update={"targets": tuple(targets.values()), "state": state, "updated": at})


def _target_after(
    target: PatchTarget, result: PatchResult, real: tuple[str, int] | None, at: str, by: str
) -> PatchTarget:
    state = _STATES.get(result.did)
    if state is None or (state == target.state and result.did in ("unchanged", "conflict", "missing")):
        return target
    if result.did == "missing" and target.state == "planned":
        return target
    changes: dict[str, Any] = {"state": state, "at": at, "by": by}
    if state in ("applied", "reverted"):
        changes["sha256_after"] = result.sha256_after or result.sha256_before
    if state == "applied":
        changes |= {"block": "", "heading": result.heading, "frame": result.frame}
        changes["real"], changes["mode"] = real or (target.real, target.mode)
        if result.did != "updated" or not target.backup:
            changes |= {"sha256_before": result.sha256_before, "backup": result.backup or target.backup}
    return target.model_copy(update=changes)
