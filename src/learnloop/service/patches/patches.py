"""Prompt patches: the list, previews, applying and reverting. `proposals` decides what changes no file."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from learnloop.errors import Refused
from learnloop.hosts.agent_files import AgentFile
from learnloop.models.patch import Patch
from learnloop.patch import blocks, prompt_files, steps
from learnloop.service import project_names
from learnloop.service.id_prefix import shown
from learnloop.service.patches import fact_imports, file_jobs
from learnloop.service.patches import preview as previewing
from learnloop.service.patches.block_upkeep import finish_commits
from learnloop.service.patches.board import Board
from learnloop.service.patches.commit import Report, commit
from learnloop.service.patches.fact_imports import ImportChoice
from learnloop.service.patches.file_jobs import Job
from learnloop.service.patches.preview import FilePreview
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace


def listing(ws: Workspace, status: str | None = None, projects: Sequence[str] = ()) -> list[Patch]:
    """The patches in a state, or all of them, the most confident first."""
    return [patch for patch in Board(ws, projects).patches if status in (None, patch.state)]


def audiences(patches: Sequence[Patch]) -> Mapping[str, str]:
    """By id whom each patch is for, in few words: an agent, a project, the main agent, or all agents."""
    folders = project_names.names(patch.project for patch in patches)
    return {patch.id: _audience(patch, folders) for patch in patches}


def _audience(patch: Patch, folders: Mapping[str, str]) -> str:
    if patch.audience == "agent":
        return patch.agent
    return folders.get(patch.project, "main agent") if patch.audience == "main" else "all agents"


def targets(ws: Workspace, projects: Sequence[str] = ()) -> list[AgentFile]:
    """Every prompt file that was found, with the blocks of ours in it."""
    return Board(ws, projects).files


def why_nothing(ws: Workspace, projects: Sequence[str]) -> str:
    """Why nothing is proposed, and what to do about it."""
    from learnloop.service.lessons import rows

    if not any(row.state == "active" for row in rows.rows(ws, "active")):
        return "Nothing to propose: approve a lesson first (learn triage)"
    if Board(ws, projects).without_a_place:
        return "Nothing to propose: create ~/.claude/CLAUDE.md for lessons of every project"
    return "Nothing to propose: no lesson came back, and none applies in every project"


def missing_file(ws: Workspace, projects: Sequence[str]) -> str:
    """Which project has no prompt file yet; empty where each has one."""
    files = targets(ws, projects)
    missing = [path for path in projects if not any(file.project == path for file in files)]
    if not missing:
        return ""
    path = Path(file_jobs.path_in(missing[0]))
    return f"No {path.name} in {path.parent.name} yet: create it, and the lessons that apply there can go in"


def watched_folders(now: Board) -> list[str]:
    """The folders whose files are prompt files, for a live view; each by itself, without those below."""
    facts = (target.path for patch in now.patches if patch.is_plain for target in patch.targets)
    folders = {os.path.dirname(path) for path in (*(file.real for file in now.files), *facts)}  # noqa: PTH120
    return sorted(folder for folder in folders if Path(folder).is_dir())


# Looking


def preview(
    ws: Workspace, ids: Sequence[str], paths: Sequence[str] | None = None, projects: Sequence[str] = (), *,
    reverting: bool = False, resolution: steps.Resolution = "",
) -> list[FilePreview]:  # fmt: skip
    """Preview applying or reverting in each file; the hashes are stored, so a later change is noticed."""
    now = Board(ws, projects)
    chosen = [now.find(patch_id) for patch_id in ids]
    previews = preview_on(now, chosen, paths, reverting=reverting, resolution=resolution)
    if not reverting:
        previewing.remember(ws.root, chosen, previews)
    return previews


def preview_on(
    now: Board, chosen: Sequence[Patch], paths: Sequence[str] | None = None, *, reverting: bool = False,
    resolution: steps.Resolution = "",
) -> list[FilePreview]:  # fmt: skip
    """The same on a board that was read already; not remembered."""
    named = _named(now, paths)
    jobs = _revert_jobs(now, chosen, named, resolution) if reverting else _apply_jobs(now, chosen, named, {})
    return list(map(previewing.preview_of, jobs))


def _apply_jobs(
    now: Board, chosen: Sequence[Patch], named: Sequence[str] | None, expected: Mapping[str, str]
) -> list[Job]:
    """A job for each file that the patches go into: their targets, or the named ones."""
    jobs = file_jobs.jobs_by_file(
        (path, patch)
        for patch in chosen
        for path in dict.fromkeys(
            [target.path for target in patch.targets] if named is None or patch.is_plain else named
        )
    )
    for job in jobs:
        file_jobs.work_out_apply(now, job, expected.get(job.path, ""))
    return jobs


def _revert_jobs(
    now: Board, chosen: Sequence[Patch], named: Sequence[str] | None, resolution: steps.Resolution
) -> list[Job]:
    """A job for each file with blocks of the patches, and for named files where a block was moved to."""
    jobs = file_jobs.jobs_by_file(
        (target.path, patch)
        for patch in chosen
        for target in patch.targets
        if target.is_applied and (named is None or target.path in named)
    )
    covered = {job.path for job in jobs}
    for path in (path for path in named or () if path not in covered):
        file = now.by_path.get(path)
        text = file.text if file is not None else prompt_files.read(path).text
        in_file = {block.id for block in blocks.blocks(text)}
        moved = [patch for patch in chosen if patch.id in in_file]
        if not moved:
            raise Refused(f"{path} has no block of these patches", "learn patches targets lists what does")
        jobs.append(Job(path, moved))
    for job in jobs:
        file_jobs.work_out_revert(now, job, resolution)
    return jobs


def _named(now: Board, paths: Sequence[str] | None) -> list[str] | None:
    """The files that a person names, as the board knows them; others stay as they are written."""
    if paths is None:
        return None
    by_real_path = {file.real: file.path for file in reversed(now.files) if not file.refusal}
    named = [os.path.abspath(os.path.expanduser(path)) for path in paths]  # noqa: PTH100, PTH111  links stay
    return [path if path in now.by_path else by_real_path.get(os.path.realpath(path), path) for path in named]


def import_choices(
    ws: Workspace, ids: Sequence[str], projects: Sequence[str] = ()
) -> list[tuple[ImportChoice, list[FilePreview]]]:
    """The files of facts that no agent would read after applying, with a preview of each option."""
    now = Board(ws, projects)
    return [_with_previews(now, choice) for choice in fact_imports.choices(now, now.find_all(ids))]


def import_choices_of(ws: Workspace, project: str) -> list[tuple[ImportChoice, list[FilePreview]]]:
    """The same for a project's own file of facts, before there is any fact."""
    now = Board(ws, [project])
    return [_with_previews(now, choice) for choice in fact_imports.of_project(now, project)]


def _with_previews(now: Board, choice: ImportChoice) -> tuple[ImportChoice, list[FilePreview]]:
    previews = [preview for option in choice.options for preview in preview_on(now, [option])]
    previewing.remember(now.ws.root, choice.options, previews)
    return choice, previews


# Doing


def ready(ws: Workspace, projects: Sequence[str] = ()) -> tuple[list[str], int]:
    """The proposals that may be applied all at once, and how many others there are.

    The person has seen each of them in a preview, and their words are the person's.
    """
    proposals = listing(ws, "proposed", projects)
    ids = [patch.id for patch in proposals if patch.trust == "user" and previewing.expected(ws.root, [patch])]
    return ids, len(proposals) - len(ids)


def apply(
    ws: Workspace, ids: Sequence[str], paths: Sequence[str] | None = None, projects: Sequence[str] = (), *,
    expected: Mapping[str, str] | None = None, imports: Sequence[str] | None = None, dry_run: bool = False,
) -> Report:  # fmt: skip
    """Put blocks into their files. Each file succeeds or is reported by itself, never half of one.

    `imports` are the files, or `none`, for the lines that make agents read a file of facts. `expected` are
    the hashes of what was previewed; without them those of the last preview count. Raises NotFound,
    Ambiguous, Busy, or Refused where nothing of it is done or the decision cannot be written.
    """

    def work_out(now: Board) -> list[Job]:
        chosen = now.find_all(ids)
        for patch in chosen:
            if patch.state == "dismissed":
                raise Refused(f"{shown(patch.id)} is dismissed", "bring it back first: learn patches restore")
        foreign = [shown(patch.id) for patch in chosen if patch.trust != "user"]
        if foreign and len(chosen) > 1:
            raise Refused(
                f"{', '.join(foreign)} has words that are not yours, so it is not applied with others",
                "read it, then apply it by itself",
            )
        if imports or not dry_run:
            chosen += fact_imports.import_patches(now, chosen, imports)
        hashes = previewing.expected(ws.root, chosen) if expected is None else expected
        return _apply_jobs(now, chosen, _named(now, paths), {} if dry_run else hashes)

    return _run(ws, ids, projects, work_out, "apply", dry_run=dry_run)


def revert(
    ws: Workspace, ids: Sequence[str], paths: Sequence[str] | None = None, projects: Sequence[str] = (), *,
    resolution: steps.Resolution = "", dry_run: bool = False,
) -> Report:  # fmt: skip
    """Take exactly our blocks out again; one that was edited by hand is a conflict until it is decided.

    `resolution`: keep (the words become the person's own), remove, or restore (the whole backup). Raises
    NotFound, Ambiguous, Busy, or Refused where nothing of it is done or the decision cannot be written.
    """

    def work_out(now: Board) -> list[Job]:
        jobs = _revert_jobs(now, now.find_all(ids), _named(now, paths), resolution)
        if not jobs and not dry_run:
            raise Refused("none of these is in a file", "learn patches --status active lists those that do")
        return jobs

    extra = {"resolution": resolution} if resolution else {}
    return _run(ws, ids, projects, work_out, "revert", extra, dry_run=dry_run)


def _run(
    ws: Workspace, ids: Sequence[str], projects: Sequence[str], work_out: Callable[[Board], list[Job]],
    did: str, extra: Mapping[str, str] | None = None, *, dry_run: bool,
) -> Report:  # fmt: skip
    """Write what is worked out on the board of the moment, or report it as if it were written."""
    if dry_run:
        results = (result for job in work_out(Board(ws, projects)) for result in job.results.values())
        return Report(
            results=tuple(
                result.with_(did=f"would {did}") if result.ok and result.did != "unchanged" else result
                for result in results
            )
        )
    agent_guard.check(ws, "patches", ids)
    with prompt_files.held(ws.root):
        finish_commits(ws)
        report, _ = commit(ws, work_out(Board(ws, projects)), did, extra)
        previewing.update_hashes(ws.root, report)
    return report
