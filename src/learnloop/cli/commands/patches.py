"""`learn patches`: propose, preview, apply and revert blocks in agents' prompt files."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from learnloop.cli import options, output, patch_report
from learnloop.cli.columns import Column
from learnloop.errors import Refused
from learnloop.service.id_prefix import shown

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.models import Decision
    from learnloop.models.patch import Patch


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

A repository's agent files are only patched when named with --file. Facts of a project go as plain list
items into its LEARNED.md. Agents read that file only where a line @LEARNED.md stands in one that they
read: preview shows where it may go, and apply asks for --import with the first fact.
"""


def _patches_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    parser.epilog = _HELP
    add("verb", nargs="?", choices=tuple(_ACTIONS), default="list", metavar="WHAT", help="see below")
    add("ids", nargs="*", metavar="ID", help="a patch's id, or the first 4 characters or more")
    add("--status", choices=_STATES, help="only patches in this state")
    add("--all", action="store_true", help="every proposal, or with revert every active one")
    in_file = "only in this file, or in this one too (several times)"
    add("--file", action="append", metavar="PATH", help=in_file)
    patch_report.add_import(parser, "apply")
    add("--dry-run", action="store_true", help="say what would be done, and change nothing")
    decided = parser.add_mutually_exclusive_group()
    for name, result in (
        ("keep", "its words become yours"), ("remove", "it goes with the edits"),
        ("restore", "the whole file from before comes back"),
    ):  # fmt: skip
        decided.add_argument(
            f"--{name}", dest="resolution", action="store_const", const=name, default="",
            help=f"revert where a block was edited: {result}",
        )  # fmt: skip
    add("--words", metavar="TEXT", help="edit: what the block says")
    add("--place", choices=("append", "prepend"), help="edit: at the end, or below the title")
    add("--reason", default="", metavar="TEXT", help="dismiss: why, for the history")
    options.add_limit(parser, 50)
    options.add_json(parser)


def _patches(ws: Workspace, args: Namespace) -> int | None:
    return _ACTIONS[args.verb](ws, args)


def _list(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.patches import patches

    columns = [Column("ID", style="cyan"), Column("STATE"), Column("SURE", "right"), Column("FILES", "right")]
    columns += [Column("FOR"), Column("SAYS", wide=True)]
    listed = patches.listing(ws, args.status, patch_report.here())
    empty = "" if listed else patches.why_nothing(ws, patch_report.here())
    audiences = patches.audiences(listed)
    output.listing(
        listed, columns, lambda patch: _cells(patch, audiences[patch.id]), json=args.json, empty=empty
    )
    homeless = [patch for patch in listed if not patch.targets]
    if homeless and not args.json and (missing := patches.missing_file(ws, patch_report.here())):
        output.note(missing)


def _cells(patch: Patch, audience: str) -> list[object]:
    applied = sum(target.state in ("applied", "conflict") for target in patch.targets)
    return [
        shown(patch.id), patch.state, round(100 * patch.confidence), f"{applied}/{len(patch.targets)}",
        audience, output.short(patch.gist, 300),
    ]  # fmt: skip


def _targets(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.patches import patches

    columns = [Column("READ BY"), Column("SCOPE"), Column("KIND"), Column("NAME"), Column("BLOCKS", "right")]
    columns += [Column("FILE", wide=True)]
    output.listing(
        patches.targets(ws, patch_report.here()), columns,
        lambda file: [
            ", ".join(file.readers), file.scope, file.kind, file.name, len(file.blocks),
            file.refusal or file.path,
        ],
        json=args.json, empty="No prompt files were found",
    )  # fmt: skip


def _show(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.patches import board, patch_outcomes, patches, preview

    now = board.Board(ws, patch_report.here())
    shown = [now.find(patch_id) for patch_id in _ids(ws, args)]
    if args.json:
        output.documents(_document(ws, now, patch) for patch in shown)
        return
    audiences = patches.audiences(now.patches)
    for patch in shown:
        output.line(patch.block)
        output.fields([
            ("id", patch.id), ("state", patch.state), ("for", audiences[patch.id]),
            ("placed", patch.placement),
            ("reason", patch.reason), ("trust", patch.trust if patch.trust != "user" else ""),
            ("confidence", round(100 * patch.confidence)),
            ("dismissed", patch.reason_dismissed), ("helps", patch_outcomes.summary(ws, patch)),
        ])  # fmt: skip
        for words in patch.quotes:
            output.line(f"  > {output.short(words, 300)}")
        for file in preview.statuses(now, patch):
            readers = f" · read by {', '.join(file.readers)}" if file.readers else ""
            output.line(f"  {file.standing:<9} {file.path}{f' ({file.note})' if file.note else ''}{readers}")


def _document(ws: Workspace, now: Any, patch: Patch) -> dict[str, Any]:
    from learnloop.service.patches import patch_outcomes, preview

    standing = [file.as_json() for file in preview.statuses(now, patch)]
    return {**patch.as_json(), "standing": standing, "outcome": patch_outcomes.outcome(ws, patch).as_json()}


def _ids(ws: Workspace, args: Namespace, state: str = "proposed") -> list[str]:
    """The ids that the options name; raises Refused where --all names none."""
    from learnloop.service.patches import patches

    if args.ids and args.all:
        options.wrong_usage("ids and --all together", "learn patches")
    if args.all:
        state = args.status or state
        ids = [patch.id for patch in patches.listing(ws, state, patch_report.here())]
        if not ids:
            raise Refused(f"there is no patch that is {state}", "learn patches lists what there is")
        return ids
    if not args.ids:
        options.wrong_usage("which patches? Name ids, or say --all", "learn patches")
    return list(args.ids)


def _preview(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches

    ids = _ids(ws, args)
    previews = patches.preview(ws, ids, args.file, patch_report.here())
    if args.json:
        output.documents(previews)
        return 0
    code = patch_report.print_diffs(previews)
    patch_report.print_choices(patches.import_choices(ws, ids, patch_report.here()))
    return code


def _apply(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches

    ids = _ids(ws, args)
    if args.dry_run and not args.json:
        return patch_report.print_diffs(patches.preview(ws, ids, args.file, patch_report.here()))
    if args.all and not args.dry_run and (args.status or "proposed") == "proposed":
        ids, left = patches.ready(ws, patch_report.here())
        if not ids:
            raise Refused("no proposal in your words was previewed", "learn patches preview --all shows them")
        if left:
            output.note(f"{output.count(left, 'proposal')} left out: not previewed, or not your words")
    imports = patch_report.chosen_imports(args, lambda: patches.import_choices(ws, ids, patch_report.here()))
    report = patches.apply(ws, ids, args.file, patch_report.here(), imports=imports, dry_run=args.dry_run)
    return patch_report.print_report(report, json=args.json)


def _revert(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches

    ids = _ids(ws, args, "active")
    if args.dry_run and not args.json:
        previews = patches.preview(
            ws, ids, args.file, patch_report.here(), reverting=True, resolution=args.resolution
        )
        return patch_report.print_diffs(previews)
    report = patches.revert(
        ws, ids, args.file, patch_report.here(), resolution=args.resolution, dry_run=args.dry_run
    )
    return patch_report.print_report(report, json=args.json)


def _edit(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.patches import proposals

    if len(args.ids) != 1 or (args.words is None and args.place is None):
        options.wrong_usage("name one patch, and --words or --place", "learn patches")
    _print_decision(proposals.edit(ws, args.ids[0], args.words, args.place))


def _dismiss(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.patches import inverse, patch_history, proposals

    ids = _ids(ws, args)
    for decision in (discarded := inverse.discard(ws, ids)):
        output.line(f"Discarded, files and all: {patch_history.sentence(decision)}")
    if not discarded:
        _print_decision(proposals.dismiss(ws, ids, args.reason))


def _restore(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.patches import proposals

    _print_decision(proposals.restore(ws, _ids(ws, args, "dismissed")))


def _print_decision(decision: Decision | None) -> None:
    from learnloop.service.patches import patch_history

    if decision is None:
        output.note("Nothing changed")
        return
    output.line(patch_history.sentence(decision))
    output.note("Take it back with: learn undo")


def _history(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.patches import patch_history

    entries = [
        entry
        for patch_id in (args.ids or [None])
        for entry in patch_history.history(ws, patch_id, args.limit)
    ]
    if args.json:
        output.as_json(entries)
        return
    columns = [Column("TIME"), Column("BY"), Column("DID", wide=True)]
    rows = [[output.local(entry["ts"]), entry["by"], entry["sentence"]] for entry in entries]
    output.table(columns, rows, empty="Nothing was proposed or done yet")


def _gc(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.patches import block_upkeep

    report = block_upkeep.gc(ws, dry_run=args.dry_run)
    if args.json:
        output.as_json(report.as_json())
        return
    did = "Would remove" if report.dry_run else "Removed"
    rest = output.count(report.kept, "backup")
    output.line(f"{did} {output.count(report.removed, 'backup')} ({report.bytes:,} bytes); {rest} stay.")


_ACTIONS = {
    "list": _list, "targets": _targets, "show": _show, "preview": _preview, "apply": _apply,
    "revert": _revert, "edit": _edit, "dismiss": _dismiss, "restore": _restore, "history": _history,
    "gc": _gc,
}  # fmt: skip
_TEACHING = """\
The snippet is a patch like every other: it is shown first, applied by you, and comes out again whole.
Without --agent it is meant for your own instruction files (~/.claude/CLAUDE.md and the like).
"""


def _teach_options(parser: ArgumentParser) -> None:
    parser.epilog = _TEACHING
    parser.add_argument("--agent", default="", metavar="NAME", help="only in the prompt file of this agent")
    parser.add_argument("--file", action="append", metavar="PATH", help="in this file (several times)")
    parser.add_argument("--apply", action="store_true", help="put it into the files now")
    options.add_json(parser)


def _teach(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches, proposals

    projects = patch_report.here()
    patch = proposals.teach(ws, args.agent, projects, is_named=bool(args.file))
    if args.apply:
        return patch_report.print_report(patches.apply(ws, [patch.id], args.file, projects), json=args.json)
    previews = patches.preview(ws, [patch.id], args.file, projects)
    if args.json:
        output.documents(previews)
        return 0
    code = patch_report.print_diffs(previews)
    if code == 0 and any(preview.diff for preview in previews):
        files = "".join(f" --file {quote(path)}" for path in args.file or ())
        output.note(f"Put it there with: learn patches apply {shown(patch.id)}{files}")
    return code


COMMANDS = {"patches": (_patches_options, _patches), "teach": (_teach_options, _teach)}
"""By verb what declares its options, and what runs it."""
