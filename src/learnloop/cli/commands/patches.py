"""patches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from learnloop.cli import options, output
from learnloop.cli.output import Column
from learnloop.cli.registry import Command
from learnloop.errors import Refused

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from learnloop.models import Decision
    from learnloop.models.patch import Patch
    from learnloop.service.patches.patches import FilePreview, Report
    from learnloop.service.workspace import Workspace

VERBS = (
    "list",
    "targets",
    "show",
    "preview",
    "apply",
    "revert",
    "edit",
    "dismiss",
    "restore",
    "history",
    "gc",
)
_STATES = ("proposed", "dismissed", "active")
_HELP = """\
Without a word: lists the patches. A patch is a marked block in an agent's prompt file.

  targets        the prompt files that were found, with the blocks in them
  show ID        one patch with its evidence, its files, and whether it helps
  preview ID …   what applying would change, as a unified diff; patch and git apply read it
  apply ID …     put blocks into their files; what was previewed and has changed since is refused
  revert ID …    take exactly our blocks out; where one was edited by hand, you decide:
                 --keep (the words become yours), --remove, or --restore (the whole backup)
  edit ID        --words TEXT changes what the block says, --place where it goes
  dismiss ID …   turn proposals down for good; restore ID … brings them back
  history [ID]   what was proposed, decided and done
  gc             remove old backups, never the last one of an applied patch

A repository's agent files are only patched when named with --file.
"""


def _add(parser: ArgumentParser) -> None:
    parser.epilog = _HELP
    parser.add_argument("verb", nargs="?", choices=VERBS, default="list", metavar="WHAT", help="see below")
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="a patch's id, or the first 4 characters or more"
    )
    parser.add_argument("--status", choices=_STATES, help="only patches in this state")
    parser.add_argument("--all", action="store_true", help="every proposal, or with revert every active one")
    parser.add_argument(
        "--file",
        action="append",
        metavar="PATH",
        help="only in this file, or in this one too (several times)",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and change nothing")
    decided = parser.add_mutually_exclusive_group()
    for name in ("keep", "remove", "restore"):
        decided.add_argument(
            f"--{name}", dest="resolution", action="store_const", const=name, default="",
            help=f"revert where a block was edited: {_RESOLUTIONS[name]}",
        )  # fmt: skip
    parser.add_argument("--words", metavar="TEXT", help="edit: what the block says")
    parser.add_argument("--place", choices=("append", "prepend"), help="edit: at the end, or below the title")
    parser.add_argument("--reason", default="", metavar="TEXT", help="dismiss: why, for the history")
    options.add_limit(parser, 50)
    options.add_json(parser)


_RESOLUTIONS = {
    "keep": "its words become yours",
    "remove": "it goes with the edits",
    "restore": "the whole file of before comes back",
}


def _patches(ws: Workspace, args: Namespace) -> int:
    return _RUN[args.verb](ws, args)


def here() -> list[str]:
    """The project of the working folder, whose prompt files count too."""
    return [options.project_of(str(Path.cwd()))]


def _list(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches

    found = patches.listing(ws, args.status, here())
    if args.json:
        output.documents(found)
        return 0
    columns = [Column("ID", style="cyan"), Column("STATE"), Column("SURE", "right"), Column("FILES", "right")]
    columns += [Column("FOR"), Column("SAYS", wide=True)]
    rows = [
        [
            one.id[:6],
            one.state,
            f"{one.confidence:.2f}",
            _files(one),
            audience(one),
            output.short(_words(one), 300),
        ]
        for one in found
    ]
    output.table(columns, rows, empty="There is nothing to patch: proposals come from lessons you approved")
    return 0


def _words(patch: Patch) -> str:
    return patch.block.split("\n\n")[0].lstrip("#").strip().removeprefix("- ")


def _files(patch: Patch) -> str:
    """How many of its files hold the block."""
    applied = sum(target.state in ("applied", "conflict") for target in patch.targets)
    return f"{applied}/{len(patch.targets)}"


def audience(patch: Patch) -> str:
    """Whom a patch is for."""
    if patch.audience == "agent":
        return patch.agent
    where = f" in {patch.project.rstrip('/').rpartition('/')[2]}" if patch.project else ""
    return f"main agent{where}" if patch.audience == "main" else "all agents"


def _targets(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches

    found = patches.targets(ws, here())
    if args.json:
        output.documents(found)
        return 0
    columns = [Column("HOST"), Column("SCOPE"), Column("KIND"), Column("NAME"), Column("BLOCKS", "right")]
    columns += [Column("FILE", wide=True)]
    rows = [
        [one.host, one.scope, one.kind, one.name, len(one.blocks), one.refusal or one.path] for one in found
    ]
    output.table(columns, rows, empty="No prompt files were found")
    return 0


def _show(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patch_outcomes, patches

    now = patches.board(ws, here())
    found = [now.find(patch_id) for patch_id in _named(ws, args)]
    if args.json:
        output.documents(_shown(ws, now, one) for one in found)
        return 0
    for patch in found:
        output.line(patch.block)
        output.fields([
            ("id", patch.id), ("state", patch.state), ("for", audience(patch)), ("placed", patch.placement),
            ("reason", patch.reason), ("confidence", f"{patch.confidence:.2f}"),
            ("dismissed", patch.reason_dismissed), ("helps", patch_outcomes.told(ws, patch)),
        ])  # fmt: skip
        for quote in patch.quotes:
            output.line(f"  > {output.short(quote, 300)}")
        for one in patches.statuses(now, patch):
            output.line(f"  {one.standing:<9} {one.path}{f' ({one.note})' if one.note else ''}")
    return 0


def _shown(ws: Workspace, now: Any, patch: Patch) -> dict[str, Any]:
    from learnloop.service.patches import patch_outcomes, patches

    standing = [one.as_json() for one in patches.statuses(now, patch)]
    return {**patch.as_json(), "standing": standing, "outcome": patch_outcomes.outcome(ws, patch).as_json()}


def _named(ws: Workspace, args: Namespace, state: str = "proposed") -> list[str]:
    """The patches that are meant; without ids only --all says so."""
    from learnloop.service.patches import patches

    if args.ids and args.all:
        options.wrong_usage("ids and --all together", "learn patches")
    if args.all:
        found = [one.id for one in patches.listing(ws, args.status or state, here())]
        if not found:
            raise Refused(
                f"there is no patch that is {args.status or state}", "learn patches lists what there is"
            )
        return found
    if not args.ids:
        options.wrong_usage("which patches? Name ids, or say --all", "learn patches")
    return list(args.ids)


def _preview(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches

    found = patches.preview(ws, _named(ws, args), args.file, here())
    if args.json:
        output.documents(found)
        return 0
    return diffs(found)


def diffs(found: Sequence[FilePreview]) -> int:
    """Show what would change in each file; 1 where nothing could."""
    failed = [one for preview in found for one in preview.results if not one.ok]
    changed = [preview for preview in found if preview.diff]
    for preview in changed:
        output.diff(preview.diff)
    for one in failed:
        output.note(f"{one.error}{f' – {one.hint}' if one.hint else ''}")
    if not changed and not failed:
        output.note("Nothing would change: the files say it already")
    return 1 if failed and not changed else 0


def _apply(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches

    ids = _named(ws, args)
    if args.dry_run:
        if not args.json:
            return diffs(patches.preview(ws, ids, args.file, here()))
        return told(patches.apply(ws, ids, args.file, here(), dry_run=True), args)
    return told(patches.apply(ws, ids, args.file, here()), args)


def _revert(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches

    ids = _named(ws, args, "active")
    if args.dry_run and not args.json:
        found = patches.preview(ws, ids, args.file, here(), reverting=True, resolution=args.resolution)
        return diffs(found)
    report = patches.revert(ws, ids, args.file, here(), resolution=args.resolution, dry_run=args.dry_run)
    return told(report, args)


def told(report: Report, args: Namespace) -> int:
    """Say what became of each file; 1 where one failed."""
    if args.json:
        output.as_json([one.as_json() for one in report.results])
        return 1 if report.failed else 0
    for one in report.results:
        if one.ok:
            output.line(f"{one.did:<13} {one.patch[:6]}  {one.path}")
    for one in report.failed:
        output.note(f"{one.did:<13} {one.patch[:6]}  {one.error}{f' – {one.hint}' if one.hint else ''}")
        _sides(one.sides or {})
    if not report.results:
        raise Refused("there is no file to put it in", "learn patches targets lists them; --file names one")
    return 1 if report.failed else 0


def _sides(sides: dict[str, str]) -> None:
    for name, text in sides.items():
        output.note(f"  {name}:")
        output.note("\n".join(f"    {part}" for part in text.splitlines()) or "    (nothing)")


def _edit(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import proposals

    if len(args.ids) != 1 or (args.words is None and args.place is None):
        options.wrong_usage("name one patch, and --words or --place", "learn patches")
    _sentence(proposals.edit(ws, args.ids[0], args.words, args.place))
    return 0


def _dismiss(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import proposals

    _sentence(proposals.dismiss(ws, _named(ws, args), args.reason))
    return 0


def _restore(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import proposals

    _sentence(proposals.restore(ws, _named(ws, args, "dismissed")))
    return 0


def _sentence(decision: Decision | None) -> None:
    from learnloop.service.patches import patch_history

    if decision is None:
        output.note("Nothing changed")
        return
    output.line(patch_history.sentence(decision))
    output.note("Take it back with: learn undo")


def _history(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches

    found = [
        entry for patch_id in (args.ids or [None]) for entry in patches.history(ws, patch_id, args.limit)
    ]
    if args.json:
        output.as_json(found)
        return 0
    columns = [Column("TIME"), Column("BY"), Column("DID", wide=True)]
    rows = [[output.local(one["ts"]), one["by"], one["sentence"]] for one in found]
    output.table(columns, rows, empty="Nothing was proposed or done yet")
    return 0


def _gc(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches

    report = patches.gc(ws, dry_run=args.dry_run)
    if args.json:
        output.as_json(report.as_json())
        return 0
    did = "Would remove" if report.dry_run else "Removed"
    kept = output.count(report.kept, "backup")
    output.line(f"{did} {output.count(report.removed, 'backup')} ({report.bytes:,} bytes); {kept} stay.")
    return 0


_RUN = {
    "list": _list, "targets": _targets, "show": _show, "preview": _preview, "apply": _apply,
    "revert": _revert, "edit": _edit, "dismiss": _dismiss, "restore": _restore, "history": _history,
    "gc": _gc,
}  # fmt: skip
COMMANDS = {"patches": Command(_add, _patches)}
