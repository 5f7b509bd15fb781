"""Changing prompt files: what was asked for is worked out file by file, committed with a log, recorded.

A decision is one event a patch, with the patch as it stands afterwards; where the process dies before, the
log has all that is needed to write it later.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from learnloop.errors import Busy, LearnloopError, NotFound, Refused
from learnloop.hosts import agent_files
from learnloop.models.base import Document
from learnloop.models.patch import Patch, PatchTarget, TargetState
from learnloop.patch import blocks, files, steps
from learnloop.wire import clock, event, journal

if TYPE_CHECKING:
    from learnloop.service.patches.board import Board
    from learnloop.service.workspace import Workspace

_MANY = 500
"""Results from which on the ingest follows in the background: it reads every prompt file anew."""
WRITTEN = ("applied", "updated", "reverted")
"""What a result says where the file was changed."""
_WAIT_S = {"cli": 5.0, "console": 0.5}


class Result(Document):
    """What became of one patch in one file."""

    patch: str
    path: str
    did: str
    """applied, updated, unchanged, reverted, conflict, missing, refused, or would apply, would revert."""
    error: str = ""
    hint: str = ""
    sha256_before: str = ""
    sha256_after: str = ""
    backup: str = ""
    sides: dict[str, str] | None = None
    """Of a conflict: before, ours, now."""

    @property
    def ok(self) -> bool:
        """Whether the file is as it was asked for."""
        return self.did in ("applied", "updated", "unchanged", "reverted", "would apply", "would revert")


class Report(Document):
    """What became of everything that was asked for."""

    results: tuple[Result, ...] = ()

    @property
    def failed(self) -> tuple[Result, ...]:
        """The results that are not what was asked for."""
        return tuple(one for one in self.results if not one.ok)


@dataclass
class Job:
    """One file, and what is asked for in it."""

    path: str
    wanted: list[Patch]
    opened: files.Opened | None = None
    after: str = ""
    creates: bool = False
    results: dict[str, Result] = field(default_factory=dict)


def open_target(board: "Board", path: str, target: PatchTarget | None = None) -> files.Opened:
    """A target as it is now, known to be one that may be patched; raises NotFound or Refused."""
    known = board.by_path.get(path)
    inside = (
        agent_files.folders_of(known, board.home)
        if known is not None
        else [board.home]
        if board.home
        else None
    )
    if known is None and target is not None and target.real and os.path.realpath(path) != target.real:
        raise Refused(
            f"{path} leads elsewhere than when it was patched", "name the file that is meant with --file"
        )
    if known is not None and known.name and known.kind == "agent":
        agent_files.check_name(known.name)
    return files.read(path, inside)


# Applying


def apply_jobs(chosen: Sequence[Patch], paths: Sequence[str] | None) -> list[Job]:
    """A job for each file that the chosen patches are to stand in."""
    by_path: dict[str, list[Patch]] = {}
    for patch in chosen:
        wanted = [target.path for target in patch.targets] if paths is None else paths
        for path in dict.fromkeys(wanted):
            by_path.setdefault(path, []).append(patch)
    return [Job(path, wanted) for path, wanted in by_path.items()]


def work_out_apply(board: "Board", job: Job, expected: str = "") -> None:
    """What the file would be with the blocks; nothing is written."""
    if not _open(board, job):
        return
    opened = job.opened
    assert opened is not None
    if expected and expected != opened.sha256:
        why = f"{job.path} changed since it was previewed"
        _refuse(job, Refused(why, "look at it again: learn patches preview"))
        return
    if not files.writable(opened.real):
        _refuse(job, Refused(f"{job.path} cannot be written", "check the permissions of file and folder"))
        return
    job.after, found = steps.apply_all(job.after, job.wanted, board.rank)
    for patch in job.wanted:
        step = found[patch.id]
        if step.did is None:
            error = step.refusal or Refused("it cannot be patched")
            job.results[patch.id] = _result(patch, job, "refused", f"{job.path}: {error.message}", error.hint)
        else:
            job.results[patch.id] = _result(patch, job, step.did)


# Reverting


def revert_jobs(chosen: Sequence[Patch], paths: Sequence[str] | None) -> list[Job]:
    """A job for each file that the chosen patches stand in."""
    by_path: dict[str, list[Patch]] = {}
    for patch in chosen:
        for target in patch.targets:
            is_there = target.state in ("applied", "conflict", "missing")
            if is_there and (paths is None or target.path in paths):
                by_path.setdefault(target.path, []).append(patch)
    return [Job(path, wanted) for path, wanted in by_path.items()]


def work_out_revert(board: "Board", job: Job, resolution: steps.Resolution) -> None:
    """What the file would be without the blocks; nothing is written."""
    try:
        target = target_of(job.wanted[0], job.path)
        job.opened = open_target(board, job.path, target)
        job.after = job.opened.text
    except NotFound as error:
        _work_out_missing(board, job, resolution, error)
        return
    except LearnloopError as error:
        _refuse(job, error)
        return
    if not files.writable(job.opened.real):
        _refuse(job, Refused(f"{job.path} cannot be written", "check the permissions of file and folder"))
        return
    plain = _plain_ones(job, resolution)
    job.after = blocks.remove(job.after, *plain) if plain else job.after
    for patch in job.wanted:
        if patch.id in plain:
            job.results[patch.id] = _result(patch, job, "reverted")
            continue
        target = target_of(patch, job.path)
        kept = files.backup(board.ws.root, target.backup)
        before = kept.decode("utf-8", "replace") if kept is not None else None
        ours = target.block or patch.block
        try:
            job.after = steps.revert(job.path, job.after, patch.id, ours, before, resolution)
        except steps.Conflict as conflict:
            sides = {name: getattr(conflict.sides, name) for name in ("before", "ours", "now")}
            job.results[patch.id] = _result(
                patch, job, "conflict", conflict.message, conflict.hint, sides=sides
            )
            continue
        except Refused as error:
            job.results[patch.id] = _result(patch, job, "refused", error.message, error.hint)
            continue
        job.results[patch.id] = _result(patch, job, "reverted")


def _plain_ones(job: Job, resolution: steps.Resolution) -> frozenset[str]:
    """The patches whose blocks stand there as they were written, or not at all: they go together."""
    if resolution in ("keep", "restore"):
        return frozenset()
    return frozenset(patch.id for patch in job.wanted) - steps.edited(job.after)


def _work_out_missing(board: "Board", job: Job, resolution: steps.Resolution, error: LearnloopError) -> None:
    """A file that is gone: made anew from the backup, or no longer counted, if the person says so."""
    for patch in job.wanted:
        target = target_of(patch, job.path)
        if resolution == "remove":
            job.results[patch.id] = _result(patch, job, "reverted")
            continue
        kept = files.backup(board.ws.root, target.backup)
        if resolution == "restore" and kept is not None:
            real = target.real or job.path
            job.creates, job.after = True, kept.decode("utf-8")
            job.opened = files.Opened(job.path, real, b"", target.mode or 0o644, os.geteuid(), os.getegid())
            job.results[patch.id] = _result(patch, job, "reverted")
            continue
        moved = [one.path for one in board.files if any(held.id == patch.id for held in one.blocks)]
        hint = "--restore brings the backup back, --remove forgets the block"
        where = f"{job.path} is gone" + (f"; its block is in {moved[0]} now" if moved else "")
        if moved:
            hint = f"--file {moved[0]} takes it out there, --remove forgets the block"
        job.results[patch.id] = _result(patch, job, "missing", where if moved else error.message, hint)


def target_of(patch: Patch, path: str) -> PatchTarget:
    """The target of a patch at a path, a new one where it has none."""
    return next((one for one in patch.targets if one.path == path), PatchTarget(path=path))


def _open(board: "Board", job: Job) -> bool:
    try:
        job.opened = open_target(board, job.path, target_of(job.wanted[0], job.path))
    except LearnloopError as error:
        _refuse(job, error)
        return False
    job.after = job.opened.text
    return True


def _refuse(job: Job, error: LearnloopError) -> None:
    did = "missing" if isinstance(error, NotFound) else "refused"
    for patch in job.wanted:
        job.results[patch.id] = _result(patch, job, did, error.message, error.hint)


def _result(
    patch: Patch,
    job: Job,
    did: str,
    error: str = "",
    hint: str = "",
    sides: dict[str, str] | None = None,
) -> Result:
    before = job.opened.sha256 if job.opened is not None and not job.creates else ""
    return Result(
        patch=patch.id, path=job.path, did=did, error=error, hint=hint, sha256_before=before, sides=sides
    )


# Committing and recording


def commit(
    ws: "Workspace",
    jobs: Sequence[Job],
    did: str,
    extra: Mapping[str, Any] | None = None,
    *,
    action: str = "patch",
) -> Report:
    """Write what was worked out, then record it; a file that fails is told and left as it was."""
    changes, changed = [], []
    for job in jobs:
        after = job.after.encode("utf-8")
        if job.opened is not None and (job.creates or after != job.opened.data) and _has_work(job):
            changes.append(files.Change(job.opened, after, job.creates))
            changed.append(job)
    wanted = {patch.id: patch for job in jobs for patch in job.wanted}
    log = {
        "did": did, "by": ws.by, "action": action, "extra": dict(extra or {}),
        "event": clock.new_id(clock.now_ms()),
        "patches": [to_keep(patch) for patch in wanted.values()],
        "results": [one.as_json() for job in jobs for one in job.results.values()],
    }  # fmt: skip
    outcomes, opened = files.commit(ws.root, changes, log) if changes else ([], None)
    for job, outcome, change in zip(changed, outcomes, changes, strict=True):
        _settle(job, outcome, files.sha256(change.after))
    report = Report(results=tuple(one for job in jobs for one in job.results.values()))
    reals = {job.path: (job.opened.real, job.opened.mode) for job in jobs if job.opened is not None}
    record(ws, log, report.results, reals)
    files.close(opened)
    if len(report.results) > _MANY:
        _ingest_later(ws)
    else:
        ingest(ws)
    return report


def _has_work(job: Job) -> bool:
    return any(one.did in WRITTEN for one in job.results.values())


def _settle(job: Job, outcome: files.Outcome, after: str) -> None:
    for key, one in job.results.items():
        if not one.ok:
            continue
        if outcome.done:
            job.results[key] = one.model_copy(update={"sha256_after": after, "backup": outcome.backup})
        else:
            told = {"did": "refused", "error": outcome.error, "hint": outcome.hint}
            job.results[key] = one.model_copy(update=told)


def record(
    ws: "Workspace",
    log: Mapping[str, Any],
    results: Iterable[Result],
    reals: Mapping[str, tuple[str, int]],
) -> None:
    """Append one decision about all that happened, one undo; raises Refused where nothing keeps it."""
    by_patch: dict[str, list[Result]] = {}
    for one in results:
        by_patch.setdefault(one.patch, []).append(one)
    now = clock.now_ms()
    docs, told = [], []
    for doc in log["patches"]:
        patch = Patch.model_validate(doc)
        mine = by_patch.get(patch.id, [])
        after = _after(patch, mine, reals, clock.iso(now), str(log["by"]))
        if after != patch:
            docs.append(to_keep(after))
            told += [{"patch": one.patch, "path": one.path, "did": one.did} for one in mine]
    if docs:
        args = {"did": log["did"], "patches": docs, **log["extra"], "results": told}
        append(ws, [decision(str(log["by"]), args, str(log["event"]), now, str(log["action"]))])


def to_keep(patch: Patch) -> dict[str, Any]:
    """A patch as decisions carry it: quotes stay with the evidence, so that forgetting them is enough."""
    return patch.model_copy(update={"quotes": ()}).as_json()


def decision(
    by: str, args: Mapping[str, Any], event_id: str, ms: int, action: str = "patch"
) -> dict[str, Any]:
    """The event of a decision about a patch."""
    payload = {"action": action, "lesson_ids": [], "args": dict(args), "by": by}
    return event.record(
        "decision", host="learnloop", session_id=by, cwd="", project="", payload=payload, ts_ms=ms,
        event_id=event_id,
    )  # fmt: skip


def append(ws: "Workspace", records: list[dict[str, Any]]) -> None:
    """Write decisions durably; raises Refused where the disk does not take them."""
    if records and not journal.append(ws.root, records, durable=True):
        raise Refused(
            f"the files are changed, but {ws.root} could not be written",
            "make room, then run learn doctor --fix",
        )


def _ingest_later(ws: "Workspace") -> None:
    """What was appended is seen at once; telling hooks which lessons so many files say now may follow."""
    from learnloop.wire import env

    if ws.by == "console" or env.get("LEARNLOOP_BACKGROUND") == "0":
        return  # an open console ingests by itself
    command = [sys.executable, "-m", "learnloop.ingest.background", ws.root]
    with contextlib.suppress(OSError):
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip


def ingest(ws: "Workspace") -> None:
    """Best effort: what was appended is seen at once, and whoever ingests next takes it along."""
    from learnloop.service import workspace

    try:
        workspace.ingest(ws, wait_s=_WAIT_S.get(ws.by, 1.0))
    except (Busy, OSError):
        return


_STATES: Mapping[str, TargetState] = {
    "applied": "applied", "updated": "applied", "unchanged": "applied", "reverted": "reverted",
    "conflict": "conflict", "missing": "missing",
}  # fmt: skip


def _after(
    patch: Patch, results: Sequence[Result], reals: Mapping[str, tuple[str, int]], at: str, by: str
) -> Patch:
    """The patch with what happened to its targets."""
    targets = {target.path: target for target in patch.targets}
    for one in results:
        before = targets.get(one.path) or PatchTarget(path=one.path)
        targets[one.path] = _target_after(before, one, reals.get(one.path), at, by)
    if tuple(targets.values()) == patch.targets:
        return patch
    active = any(target.state in ("applied", "conflict", "missing") for target in targets.values())
    state = "active" if active else "proposed" if patch.state == "active" else patch.state
    return patch.model_copy(update={"targets": tuple(targets.values()), "state": state, "updated": at})


def _target_after(
    target: PatchTarget, one: Result, real: tuple[str, int] | None, at: str, by: str
) -> PatchTarget:
    state = _STATES.get(one.did)
    if state is None or (state == target.state and one.did in ("unchanged", "conflict", "missing")):
        return target
    if one.did == "missing" and target.state == "planned":
        return target
    changes: dict[str, Any] = {"state": state, "at": at, "by": by}
    if state in ("applied", "reverted"):
        changes["sha256_after"] = one.sha256_after or one.sha256_before
    if state == "applied":
        changes |= {
            "block": "",
            "real": real[0] if real else target.real,
            "mode": real[1] if real else target.mode,
        }
        if one.did != "updated" or not target.backup:
            changes |= {"sha256_before": one.sha256_before, "backup": one.backup or target.backup}
    return target.model_copy(update=changes)


# After a crash


def recover(ws: "Workspace") -> list[str]:
    """Finish what was cut off: leftovers removed, what happened recorded; a line for each log.

    Called by whoever changes prompt files next, and by `learn doctor --fix`. The caller holds `files.held`.
    """
    told = []
    for path in files.open_logs(ws.root):
        log = files.read_log(path)
        told.append(_recovered(ws, log) if log is not None and _is_log(log) else f"{path.name}: unreadable")
        files.close(path)
    if told:
        ingest(ws)
    return told


def _is_log(log: Mapping[str, Any]) -> bool:
    wanted = {
        "did": str,
        "by": str,
        "action": str,
        "extra": dict,
        "event": str,
        "patches": list,
        "results": list,
        "files": list,
    }
    return all(isinstance(log.get(name), kind) for name, kind in wanted.items())


def _recovered(ws: "Workspace", log: dict[str, Any]) -> str:
    entries = {entry["path"]: entry for entry in log["files"]}
    stands = {name: files.standing(entry) for name, entry in entries.items()}
    results = []
    for doc in log["results"]:
        one = Result.model_validate(doc)
        entry = entries.get(one.path)
        if entry is None or not one.ok:
            continue
        if stands[one.path] == "new" or (stands[one.path] == "other" and _is_done(one, entry["real"])):
            results.append(one.with_(sha256_after=entry["after"], backup=entry["backup"]))
    reals = {name: (entry["real"], int(entry["mode"])) for name, entry in entries.items()}
    if all(found.id != log["event"] for found in _decisions(ws)):
        record(ws, log, results, reals)
    done = sum(1 for state in stands.values() if state == "new")
    return f"{log['did']} was cut off: {done} of {len(stands)} files are written"


def _is_done(one: Result, real: str) -> bool:
    """Whether a file that was edited meanwhile holds the block, or holds it no more, as it was asked for."""
    try:
        held = any(piece.id == one.patch for piece in blocks.blocks(files.read(real).text))
    except LearnloopError:
        return False
    return held == (one.did in ("applied", "updated"))


def _decisions(ws: "Workspace") -> list[Any]:
    from learnloop.service.lessons import documents

    return documents.decisions(ws.root)
