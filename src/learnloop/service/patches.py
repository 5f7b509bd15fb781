"""Prompt patches: proposals, previews, applying and reverting, wording, history, backups."""

import contextlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from learnloop.errors import LearnloopError, Refused
from learnloop.hosts.agent_files import AgentFile
from learnloop.learn.patch_docs import carried
from learnloop.models import Decision
from learnloop.models.base import Document
from learnloop.models.patch import Patch, PatchTarget
from learnloop.patch import blocks, diff, files, steps
from learnloop.service import documents, patch_store, patching, redaction
from learnloop.service.patch_store import Board
from learnloop.service.patching import Job, Report, Result
from learnloop.store import files as store_files
from learnloop.wire import clock

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

__all__ = [
    "Board", "FilePreview", "GcReport", "Report", "Result", "TargetStatus", "applied", "apply", "astray",
    "board", "dismiss", "edit", "find", "gc", "history", "listing", "preview", "preview_on", "recover",
    "restore", "revert", "sentence", "statuses", "take_back", "targets", "unfinished", "watched",
]  # fmt: skip

STATES = ("proposed", "dismissed", "active")
_SEEN = "patching/previewed"
_LONGEST = 4000


class FilePreview(Document):
    """What applying would do to one file."""

    path: str
    sha256: str = ""
    patches: tuple[str, ...] = ()
    """Those that would change it."""
    diff: str = ""
    before: str = ""
    after: str = ""
    results: tuple[Result, ...] = ()

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """The diff side by side: (what, left, right), what being ` `, `-`, `+`, `~` or `@`."""
        return diff.side_by_side(self.before, self.after)

    def as_json(self) -> dict[str, Any]:
        """Without the texts: the diff says what is different."""
        return self.model_dump(mode="json", exclude={"before", "after"})


class TargetStatus(Document):
    """How a patch stands in one file just now."""

    path: str
    standing: steps.Standing
    host: str = ""
    note: str = ""


class GcReport(Document):
    """What was cleared away, or would be."""

    removed: int = 0
    bytes: int = 0
    kept: int = 0
    dry_run: bool = False


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
        _remember(ws.root, chosen, made)
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
    return [_previewed(job) for job in _jobs(now, chosen, paths, reverting=reverting, resolution=resolution)]


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
            patching.work_out_revert(now, job, resolution)
        return jobs
    jobs = patching.apply_jobs(chosen, named)
    for job in jobs:
        patching.work_out_apply(now, job, (expected or {}).get(job.path, ""))
    return jobs


def _revert_jobs(now: Board, chosen: Sequence[Patch], named: Sequence[str] | None) -> list[Job]:
    """Where the blocks are known to stand, and files that a person names because one was moved there."""
    jobs = patching.revert_jobs(chosen, named)
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


def _previewed(job: Job) -> FilePreview:
    before = job.opened.text if job.opened is not None and not job.creates else ""
    results = tuple(job.results.values())
    return FilePreview(
        path=job.path,
        sha256=job.opened.sha256 if job.opened is not None and not job.creates else "",
        patches=tuple(one.patch for one in results if one.ok and one.did != "unchanged"),
        diff=diff.unified(job.path, before, job.after) if job.opened is not None else "",
        before=before,
        after=job.after if job.opened is not None else "",
        results=results,
    )


def statuses(now: Board, patch: Patch) -> list[TargetStatus]:
    """How a patch stands in each of its files just now."""
    latest = _latest(now)
    return [_status(now, patch, target, latest) for target in patch.targets]


def _latest(now: Board) -> dict[str, str]:
    """The hash that each file had after the last thing done to it here."""
    found: dict[str, tuple[str, str]] = {}
    for patch in now.patches:
        for target in patch.targets:
            if target.sha256_after:
                found[target.path] = max(found.get(target.path, ("", "")), (target.at, target.sha256_after))
    return {path: digest for path, (_, digest) in found.items()}


def _status(now: Board, patch: Patch, target: PatchTarget, latest: Mapping[str, str]) -> TargetStatus:
    known = now.by_path.get(target.path)
    host = known.host if known is not None else ""
    try:
        opened = patching.open_target(now, target.path, target)
    except LearnloopError as error:
        is_applied = target.state in ("applied", "conflict", "missing")
        return TargetStatus(
            path=target.path, standing="missing" if is_applied else "planned", host=host, note=error.message
        )
    if target.state in ("planned", "reverted"):
        note = "reverted" if target.state == "reverted" else ""
        return TargetStatus(path=target.path, standing="planned", host=host, note=note)
    standing = steps.standing(opened.text, opened.sha256, patch, latest.get(target.path, ""))
    note = "" if files.writable(opened.real) else "cannot be written"
    return TargetStatus(path=target.path, standing=standing, host=host, note=note)


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
    with files.held(ws.root):
        patching.recover(ws)
        now = Board(ws, projects)
        chosen = _appliable(now, ids)
        wanted = _last_seen(ws.root, chosen) if expected is None else expected
        jobs = _jobs(now, chosen, paths, reverting=False, expected=wanted)
        report = patching.commit(ws, jobs, "apply")
        _carry_on(ws.root, report)
    return report


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
    with files.held(ws.root):
        patching.recover(ws)
        now = Board(ws, projects)
        jobs = _jobs(now, _named_ones(now, ids), paths, reverting=True, resolution=resolution)
        if not jobs:
            raise Refused(
                "none of these stands in a file", "learn patches --status active lists those that do"
            )
        report = patching.commit(ws, jobs, "revert", {"resolution": resolution} if resolution else None)
        _carry_on(ws.root, report)
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


def dismiss(ws: "Workspace", ids: Sequence[str], reason: str = "") -> list[Decision]:
    """Turn proposals down; they are not made again."""
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
    now = Board(ws)
    chosen = _named_ones(now, ids)
    for patch in chosen:
        if patch.state != "dismissed":
            raise Refused(f"{patch.id[:6]} is {patch.state}, not dismissed", "nothing is to be done")
    changed = [one.with_(state="proposed", reason_dismissed="", updated=_now()) for one in chosen]
    return _decide(ws, "restore", changed, {})


def edit(
    ws: "Workspace", patch_id: str, words: str | None = None, placement: str | None = None
) -> list[Decision]:
    """Change what a block says or where it goes; files that hold it get that when it is applied again."""
    patch = Board(ws).find(patch_id)
    changes: dict[str, Any] = {}
    if words is not None:
        kept = redaction.kept(words, ws.settings.redaction.extras)
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
        changes["edited"] = True
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
        _written_down(
            ws, "patch", {"did": did, "patches": [patching.to_keep(one) for one in changed], **extra}
        )
    ]


def _written_down(ws: "Workspace", action: str, args: Mapping[str, Any]) -> Decision:
    ms = clock.now_ms()
    record = patching.decision(ws.by, args, clock.new_id(ms), ms, action)
    patching.append(ws, [record])
    patching.ingest(ws)
    return Decision(id=record["id"], ts=record["ts"], **record["payload"])


# Taking back

_INVERSE = {"apply": "revert", "revert": "apply", "dismiss": "restore", "restore": "dismiss"}


def take_back(ws: "Workspace", decision: Decision, *, again: bool) -> Decision:
    """Undo a decision about patches, files and all, or do it again; raises Refused where that fails."""
    did = str(decision.args.get("did", ""))
    step, action = did if again else _INVERSE.get(did, did), "redo" if again else "undo"
    with files.held(ws.root):
        patching.recover(ws)
        now = Board(ws)
        chosen = [now.find(doc["id"]) for doc in carried(decision.args)]
        if step in ("apply", "revert"):
            return _file_step(now, chosen, decision, step, action)
        made = [_word_step(patch, decision, step, again=again) for patch in chosen]
    args = {"decision": decision.id, "did": step, "patches": [patching.to_keep(one) for one in made]}
    return _written_down(ws, action, args)


def _word_step(patch: Patch, decision: Decision, step: str, *, again: bool) -> Patch:
    if step == "dismiss":
        reason = str(decision.args.get("reason", ""))
        return patch.with_(
            state="dismissed", reason_dismissed=reason, targets=_written(patch), updated=_now()
        )
    if step == "restore":
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
            if one.get("patch") == patch.id and one.get("did") in patching.WRITTEN:
                jobs.setdefault(one["path"], Job(one["path"], [])).wanted.append(patch)
    if not jobs:
        raise Refused("that changed no file", "learn patches history tells what it did")
    for job in jobs.values():
        if step == "revert":
            patching.work_out_revert(now, job, "")
        else:
            patching.work_out_apply(now, job)
    report = patching.commit(now.ws, list(jobs.values()), step, {"decision": decision.id}, action=action)
    _carry_on(now.ws.root, report)
    if report.failed:
        raise Refused(report.failed[0].error, report.failed[0].hint)
    return documents.decisions(now.ws.root)[-1]


# Remembering previews


def _seen(root: str) -> dict[str, dict[str, str]]:
    """Which hash each file had when it was previewed for which patch."""
    try:
        found = json.loads(store_files.read(Path(root, _SEEN)) or b"{}")
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _last_seen(root: str, chosen: Sequence[Patch]) -> dict[str, str]:
    """The hash that each file had at the last preview of any of these."""
    found = _seen(root)
    return {path: digest for patch in chosen for path, digest in found.get(patch.id, {}).items()}


def _remember(root: str, chosen: Sequence[Patch], made: Sequence[FilePreview]) -> None:
    found = _seen(root)
    for patch in chosen:
        mine = {
            one.path: one.sha256
            for one in made
            if one.sha256 and any(result.patch == patch.id for result in one.results)
        }
        found[patch.id] = {**found.get(patch.id, {}), **mine}
    _keep_seen(root, found)


def _carry_on(root: str, report: Report) -> None:
    """What we changed ourselves is no change since the preview."""
    moved = {
        (one.path, one.sha256_before): one.sha256_after
        for one in report.results
        if one.ok and one.sha256_after
    }
    found = _seen(root)
    if moved and found:
        for seen in found.values():
            for path, digest in seen.items():
                seen[path] = moved.get((path, digest), digest)
        _keep_seen(root, found)


def _keep_seen(root: str, found: Mapping[str, Any]) -> None:
    with contextlib.suppress(OSError):  # without it a later change is noticed only while it is written
        store_files.replace(Path(root, _SEEN), [json.dumps(found).encode("ascii")], sync=False)


# History, recovery, backups


def history(ws: "Workspace", patch_id: str | None = None, limit: int = 50) -> list[dict[str, Any]]:
    """What was proposed, decided and done, newest first: {ts, did, patch, by, sentence, results}."""
    now = Board(ws)
    wanted = now.find(patch_id).id if patch_id else None
    entries: list[dict[str, Any]] = [
        {"ts": one.created, "did": "propose", "patch": one.id, "by": "learnloop",
         "sentence": f"Proposed {one.id[:6]}: {one.reason}", "results": []}
        for one in now.patches if wanted in (None, one.id)
    ]  # fmt: skip
    for decision in documents.decisions(ws.root):
        for doc in carried(decision.args):
            if wanted in (None, doc["id"]):
                entries.append({
                    "ts": decision.ts, "did": decision.args.get("did", ""), "patch": doc["id"],
                    "by": decision.by, "sentence": _about(decision, [doc]), "results": _told(decision, doc),
                })  # fmt: skip
    return sorted(entries, key=lambda one: str(one["ts"]), reverse=True)[:limit]


def _told(decision: Decision, patch: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What happened to each file, with the hashes of before and after."""
    found = {one.get("path"): one for one in patch.get("targets", ())}
    names = ("sha256_before", "sha256_after", "backup")
    return [
        {"path": one["path"], "did": one["did"]}
        | {name: found.get(one["path"], {}).get(name, "") for name in names}
        for one in decision.args.get("results", ())
        if one.get("patch") == patch.get("id")
    ]


_DID = {
    "apply": "Applied", "revert": "Reverted", "dismiss": "Dismissed", "restore": "Brought back",
    "edit": "Reworded", "import": "Imported",
}  # fmt: skip


def sentence(decision: Decision) -> str:
    """A decision about patches in words."""
    return _about(decision, list(carried(decision.args)))


def _about(decision: Decision, docs: Sequence[Mapping[str, Any]]) -> str:
    args, ids = decision.args, {doc["id"] for doc in docs}
    did = str(args.get("did", ""))
    said = f"{_DID.get(did, did.capitalize())} {_patches(docs)}"
    results = [one for one in args.get("results", ()) if one.get("patch") in ids]
    places = {one["path"] for one in results}
    done = {one["path"] for one in results if one.get("did") in patching.WRITTEN}
    if places:
        said += (
            f" in {len(done)} of {len(places)} files" if len(places) > 1 or not done else f" in {min(done)}"
        )
    conflicts = sum(1 for one in results if one.get("did") == "conflict")
    said += f", {conflicts} in conflict" if conflicts else ""
    why = args.get("reason") or ("" if decision.action == "patch" else decision.action)
    return f"{said} ({why})" if why else said


def _patches(docs: Sequence[Mapping[str, Any]]) -> str:
    if len(docs) != 1:
        return f"{len(docs)} patches"
    first = str(docs[0].get("block", "")).split("\n")[0].removeprefix("- ")
    return f"patch {str(docs[0]['id'])[:6]} “{first}”"


def recover(ws: "Workspace") -> list[str]:
    """Finish what was cut off; a line for each."""
    if not files.open_logs(ws.root):
        return []
    with files.held(ws.root):
        return patching.recover(ws)


def unfinished(ws: "Workspace") -> int:
    """How many commits were cut off and are not recorded yet."""
    return len(files.open_logs(ws.root))


def applied(ws: "Workspace") -> int:
    """How many blocks stand in prompt files."""
    return sum(
        one.state == "applied" for patch in patch_store.stored(ws.root).values() for one in patch.targets
    )


def astray(ws: "Workspace") -> list[str]:
    """Files that are gone, or whose block was edited or removed by hand; a line each."""
    if not any(patch.state == "active" for patch in patch_store.stored(ws.root).values()):
        return []
    now, found = Board(ws), []
    for patch in now.patches:
        for one in statuses(now, patch) if patch.state == "active" else ():
            if one.standing in _ASTRAY:
                found.append(f"{one.path}: {_ASTRAY[one.standing]} (patch {patch.id[:6]})")
    return found


_ASTRAY = {
    "conflict": "its block was edited by hand", "removed": "its block was taken out by hand",
    "missing": "the file is gone",
}  # fmt: skip


def gc(ws: "Workspace", *, dry_run: bool = False) -> GcReport:
    """Remove backups that are older than the settings say, never the last one of an applied patch."""
    with files.held(ws.root):
        needed = {
            target.backup
            for patch in Board(ws).patches
            for target in patch.targets
            if target.state in ("applied", "conflict", "missing")
        }
        oldest = clock.iso(clock.now_ms() - ws.settings.backup_days * 86_400_000)
        used: dict[str, str] = {}
        for note in files.backup_notes(ws.root):
            digest = str(note["sha256"])
            used[digest] = max(used.get(digest, ""), str(note.get("at", "")))
        present = [path for path in store_files.listing(files.backups(ws.root), "") if len(path.name) == 64]
        gone = [one for one in present if one.name not in needed and used.get(one.name, "") < oldest]
        freed = sum(one.stat().st_size for one in gone)
        if not dry_run:
            files.remove_backups(ws.root, [one.name for one in gone])
    return GcReport(removed=len(gone), bytes=freed, kept=len(present) - len(gone), dry_run=dry_run)
