"""Prompt patches: proposals, previews, applying and reverting, wording, history, backups."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from learnloop.errors import Refused
from learnloop.hosts.agent_files import AgentFile
from learnloop.models import Decision
from learnloop.models.patch import Patch, PatchTarget
from learnloop.patch import blocks, files, steps
from learnloop.patch.carried import carried
from learnloop.service import redaction
from learnloop.service.lessons import documents
from learnloop.service.patches import commit, previewed_hashes
from learnloop.service.patches.block_upkeep import GcReport, applied, astray, gc, recover, unfinished
from learnloop.service.patches.board import Board
from learnloop.service.patches.commit import Job, Report, Result
from learnloop.service.patches.patch_history import history, sentence
from learnloop.service.patches.preview import FilePreview, TargetStatus, previewed, statuses
from learnloop.service.review import agent_guard
from learnloop.wire import clock

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

__all__ = [
    "Board", "FilePreview", "GcReport", "Report", "Result", "TargetStatus", "applied", "apply", "astray",
    "board", "dismiss", "edit", "find", "gc", "history", "listing", "preview", "preview_on", "propose",
    "recover", "restore", "revert", "sentence", "statuses", "take_back", "targets", "unfinished", "watched",
]  # fmt: skip

STATES = ("proposed", "dismissed", "active")
_LONGEST = 4000


def board(ws: "Workspace", projects: Sequence[str] = ()) -> Board:
    """All patches and prompt files as they are now."""
    return Board(ws, projects)


def listing(ws: "Workspace", status: str | None = None, projects: Sequence[str] = ()) -> list[Patch]:
    """The patches in a state, or all of them, the most confident first."""
    return [one for one in Board(ws, projects).patches if status in (None, one.state)]


def find(ws: "Workspace", patch_id: str, projects: Sequence[str] = ()) -> Patch:
    """The patch of an id or of a unique beginning of one."""
    return Board(ws, projects).find(patch_id)


def targets(ws: "Workspace", projects: Sequence[str] = ()) -> list[AgentFile]:
    """Every prompt file that was found, with the blocks of ours in it."""
    return Board(ws, projects).files


def watched(now: Board) -> list[str]:
    """The folders whose files are prompt files, for a live view; each by itself, without those below."""
    folders = {os.path.dirname(one.real) for one in now.files}  # noqa: PTH120
    return sorted(folder for folder in folders if Path(folder).is_dir())


# Looking


def preview(
    ws: "Workspace",
    ids: Sequence[str],
    paths: Sequence[str] | None = None,
    projects: Sequence[str] = (),
    *,
    reverting: bool = False,
    resolution: steps.Resolution = "",
) -> list[FilePreview]:
    """What applying, or reverting, would do to each file; remembered, so that a later change is noticed."""
    now = Board(ws, projects)
    chosen = [now.find(patch_id) for patch_id in ids]
    made = preview_on(now, chosen, paths, reverting=reverting, resolution=resolution)
    if not reverting:
        previewed_hashes.remember(ws.root, chosen, made)
    return made


def preview_on(
    now: Board,
    chosen: Sequence[Patch],
    paths: Sequence[str] | None = None,
    *,
    reverting: bool = False,
    resolution: steps.Resolution = "",
) -> list[FilePreview]:
    """The same on a board that was read already; not remembered."""
    return [previewed(job) for job in _jobs(now, chosen, paths, reverting=reverting, resolution=resolution)]


def _jobs(
    now: Board,
    chosen: Sequence[Patch],
    paths: Sequence[str] | None,
    *,
    reverting: bool,
    resolution: steps.Resolution = "",
    expected: Mapping[str, str] | None = None,
) -> list[Job]:
    named = None if paths is None else [_named(now, path) for path in paths]
    if reverting:
        jobs = _revert_jobs(now, chosen, named)
        for job in jobs:
            commit.work_out_revert(now, job, resolution)
        return jobs
    jobs = commit.apply_jobs(chosen, named)
    for job in jobs:
        commit.work_out_apply(now, job, (expected or {}).get(job.path, ""))
    return jobs


def _revert_jobs(now: Board, chosen: Sequence[Patch], named: Sequence[str] | None) -> list[Job]:
    """Where the blocks are known to stand, and files that a person names because one was moved there."""
    jobs = commit.revert_jobs(chosen, named)
    covered = {job.path for job in jobs}
    for path in named or ():
        if path in covered:
            continue
        held = {one.id for one in blocks.blocks(_text_of(now, path))}
        moved = [patch for patch in chosen if patch.id in held]
        if not moved:
            raise Refused(f"{path} holds no block of these patches", "learn patches targets lists what does")
        jobs.append(Job(path, moved))
    return jobs


def _text_of(now: Board, path: str) -> str:
    known = now.by_path.get(path)
    return known.text if known is not None else files.read(path).text


def _named(now: Board, path: str) -> str:
    """A file that a person names, as the board knows it; one that it does not know stays as it is written."""
    full = os.path.abspath(os.path.expanduser(path))  # noqa: PTH100, PTH111  links are to stay
    if full in now.by_path:
        return full
    real = os.path.realpath(full)
    known = next((one.path for one in now.files if one.real == real and not one.refusal), None)
    return known or full


# Doing


def apply(
    ws: "Workspace",
    ids: Sequence[str],
    paths: Sequence[str] | None = None,
    projects: Sequence[str] = (),
    *,
    expected: Mapping[str, str] | None = None,
    dry_run: bool = False,
) -> Report:
    """Put blocks into their files. Each file succeeds or is reported by itself, never half of one.

    `expected` are the hashes of what was previewed; without them those of the last preview count.
    """
    if dry_run:
        now = Board(ws, projects)
        chosen = _appliable(now, ids)
        return _as_if(_jobs(now, chosen, paths, reverting=False), "would apply")
    _guard(ws, ids)
    with files.held(ws.root):
        commit.recover(ws)
        now = Board(ws, projects)
        chosen = _appliable(now, ids)
        wanted = previewed_hashes.expected(ws.root, chosen) if expected is None else expected
        jobs = _jobs(now, chosen, paths, reverting=False, expected=wanted)
        report = commit.commit(ws, jobs, "apply")
        previewed_hashes.carry_on(ws.root, report)
    return report


def _guard(ws: "Workspace", ids: Sequence[str]) -> None:
    """Raises Refused where it is an agent's shell that decides about prompt files."""
    if agent_guard.is_inside(ws):
        agent_guard.check(ws.root, "patches", ids)


def _appliable(now: Board, ids: Sequence[str]) -> list[Patch]:
    chosen = list({one.id: one for one in (now.find(patch_id) for patch_id in ids)}.values())
    if not chosen:
        raise Refused("no patch was named", "give one id or more, or --all")
    for patch in chosen:
        if patch.state == "dismissed":
            raise Refused(f"{patch.id[:6]} is dismissed", "bring it back first: learn patches restore")
    return chosen


def revert(
    ws: "Workspace",
    ids: Sequence[str],
    paths: Sequence[str] | None = None,
    projects: Sequence[str] = (),
    *,
    resolution: steps.Resolution = "",
    dry_run: bool = False,
) -> Report:
    """Take exactly our blocks out again; one that was edited by hand is a conflict until it is decided.

    `resolution`: keep (the words become the person's own), remove, or restore (the whole backup).
    """
    if dry_run:
        now = Board(ws, projects)
        jobs = _jobs(now, _named_ones(now, ids), paths, reverting=True, resolution=resolution)
        return _as_if(jobs, "would revert")
    _guard(ws, ids)
    with files.held(ws.root):
        commit.recover(ws)
        now = Board(ws, projects)
        jobs = _jobs(now, _named_ones(now, ids), paths, reverting=True, resolution=resolution)
        if not jobs:
            raise Refused(
                "none of these stands in a file", "learn patches --status active lists those that do"
            )
        report = commit.commit(ws, jobs, "revert", {"resolution": resolution} if resolution else None)
        previewed_hashes.carry_on(ws.root, report)
    return report


def _named_ones(now: Board, ids: Sequence[str]) -> list[Patch]:
    if not ids:
        raise Refused("no patch was named", "give one id or more, or --all")
    return list({one.id: one for one in (now.find(patch_id) for patch_id in ids)}.values())


def _as_if(jobs: Iterable[Job], did: str) -> Report:
    results = [one for job in jobs for one in job.results.values()]
    return Report(
        results=tuple(one.with_(did=did) if one.ok and one.did != "unchanged" else one for one in results)
    )


def propose(ws: "Workspace", patch: Patch) -> list[Decision]:
    """Put forward a patch that a person asks for; it stands among the proposals until it is decided."""
    return _decide(ws, "propose", [patch], {})


def dismiss(ws: "Workspace", ids: Sequence[str], reason: str = "") -> list[Decision]:
    """Turn proposals down; they are not made again."""
    _guard(ws, ids)
    now = Board(ws)
    chosen = _named_ones(now, ids)
    for patch in chosen:
        if patch.state != "proposed":
            way_out = "revert it first" if patch.state == "active" else "nothing is to be done"
            raise Refused(f"{patch.id[:6]} is {patch.state}", way_out)
    changed = [
        one.with_(state="dismissed", reason_dismissed=reason, targets=_written(one), updated=_now())
        for one in chosen
    ]
    return _decide(ws, "dismiss", changed, {"reason": reason} if reason else {})


def restore(ws: "Workspace", ids: Sequence[str]) -> list[Decision]:
    """Bring dismissed proposals back."""
    _guard(ws, ids)
    now = Board(ws)
    chosen = _named_ones(now, ids)
    for patch in chosen:
        if patch.state != "dismissed":
            raise Refused(f"{patch.id[:6]} is {patch.state}, not dismissed", "nothing is to be done")
    changed = [one.with_(state="proposed", reason_dismissed="", updated=_now()) for one in chosen]
    reasons = {one.id: one.reason_dismissed for one in chosen if one.reason_dismissed}
    return _decide(ws, "restore", changed, {"reasons": reasons} if reasons else {})


def edit(
    ws: "Workspace",
    patch_id: str,
    words: str | None = None,
    placement: str | None = None,
    *,
    is_persons: bool = True,
) -> list[Decision]:
    """Change what a block says or where it goes; files that hold it get that when it is applied again.

    `is_persons` is false where the words are a newer wording of our own.
    """
    if is_persons:
        _guard(ws, [patch_id])
    patch = Board(ws).find(patch_id)
    changes: dict[str, Any] = {}
    if words is not None:
        kept = redaction.redacted(words, ws.settings.redaction.extras)
        body = blocks.safe_body(kept)
        if len(body) > _LONGEST:
            raise Refused(f"the block is {len(body)} characters long", f"say it in {_LONGEST} or less")
        changes["block"] = body
    if placement is not None:
        if placement not in ("append", "prepend"):
            raise Refused(f"{placement!r} is no place", "take append or prepend")
        changes["placement"] = placement
    before = {name: getattr(patch, name) for name in changes}
    if before == changes:
        return []
    if "block" in changes:
        changes["targets"] = [_with_old_words(patch, target) for target in _written(patch)]
        changes["edited"] = is_persons
    return _decide(ws, "edit", [patch.with_(**changes, updated=_now())], {"before": before})


def _with_old_words(patch: Patch, target: PatchTarget) -> PatchTarget:
    is_there = target.state in ("applied", "conflict") and not target.block
    return target.with_(block=patch.block) if is_there else target


def _written(patch: Patch) -> tuple[PatchTarget, ...]:
    """The targets that anything was ever written to: planned ones follow from the files of the moment."""
    return tuple(target for target in patch.targets if target.state != "planned")


def _now() -> str:
    return clock.iso(clock.now_ms())


def _decide(ws: "Workspace", did: str, changed: Sequence[Patch], extra: Mapping[str, Any]) -> list[Decision]:
    return [
        _written_down(ws, "patch", {"did": did, "patches": [commit.to_keep(one) for one in changed], **extra})
    ]


def _written_down(ws: "Workspace", action: str, args: Mapping[str, Any]) -> Decision:
    ms = clock.now_ms()
    record = commit.decision(ws.by, args, clock.new_id(ms), ms, action)
    commit.append(ws, [record])
    commit.ingest(ws)
    return Decision(id=record["id"], ts=record["ts"], **record["payload"])


# Taking back

_INVERSE = {
    "apply": "revert", "revert": "apply", "dismiss": "restore", "restore": "dismiss", "propose": "dismiss",
}  # fmt: skip


def take_back(ws: "Workspace", decision: Decision, *, again: bool) -> Decision:
    """Undo a decision about patches, files and all, or do it again; raises Refused where that fails."""
    _guard(ws, [doc["id"] for doc in carried(decision.args)])
    did = str(decision.args.get("did", ""))
    step, action = did if again else _INVERSE.get(did, did), "redo" if again else "undo"
    with files.held(ws.root):
        commit.recover(ws)
        now = Board(ws)
        chosen = [now.find(doc["id"]) for doc in carried(decision.args)]
        if step in ("apply", "revert"):
            return _file_step(now, chosen, decision, step, action)
        made = [_word_step(patch, decision, step, again=again) for patch in chosen]
    args = {"decision": decision.id, "did": step, "patches": [commit.to_keep(one) for one in made]}
    return _written_down(ws, action, args)


def _word_step(patch: Patch, decision: Decision, step: str, *, again: bool) -> Patch:
    if step == "dismiss":
        reasons = decision.args.get("reasons") or {}
        reason = str(decision.args.get("reason") or reasons.get(patch.id, ""))
        return patch.with_(
            state="dismissed", reason_dismissed=reason, targets=_written(patch), updated=_now()
        )
    if step in ("restore", "propose"):
        return patch.with_(state="proposed", reason_dismissed="", updated=_now())
    if step != "edit":
        raise Refused(f"{step!r} cannot be taken back", "learn patches lists what can be done")
    source = next(carried(decision.args), {}) if again else decision.args.get("before") or {}
    wanted = {name: value for name, value in source.items() if name in ("block", "placement")}
    targets = [_with_old_words(patch, target) for target in _written(patch)]
    return patch.with_(**wanted, targets=targets, updated=_now())


def _file_step(now: Board, chosen: Sequence[Patch], decision: Decision, step: str, action: str) -> Decision:
    """The same files and blocks, the other way round; where one fails, that is told."""
    results = decision.args.get("results", ())
    jobs: dict[str, Job] = {}
    for patch in chosen:
        for one in results:
            if one.get("patch") == patch.id and one.get("did") in commit.WRITTEN:
                jobs.setdefault(one["path"], Job(one["path"], [])).wanted.append(patch)
    if not jobs:
        raise Refused("that changed no file", "learn patches history tells what it did")
    for job in jobs.values():
        if step == "revert":
            commit.work_out_revert(now, job, "")
        else:
            commit.work_out_apply(now, job)
    report = commit.commit(now.ws, list(jobs.values()), step, {"decision": decision.id}, action=action)
    previewed_hashes.carry_on(now.ws.root, report)
    if report.failed:
        raise Refused(report.failed[0].error, report.failed[0].hint)
    return documents.decisions(now.ws.root)[-1]
