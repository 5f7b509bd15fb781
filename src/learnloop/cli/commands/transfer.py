"""`learn export`, `learn import` and `learn share`: documents, other tools' files, a repository or team."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from learnloop.cli import files, options, output
from learnloop.cli.progress import progress
from learnloop.errors import Unreadable

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


_SHOWN = 20


def _import_from(ws: Workspace, origin: str, path: str, project: str | None) -> None:
    """Make drafts of another tool's file, print the counts and what was left out."""
    from learnloop.service.intake import imports

    with progress("Importing"):
        report = imports.import_files(ws, origin, path, options.project_of(project) if project else "")
    output.line(str(report))
    for skipped in report.skipped[:_SHOWN]:
        output.note(f"left out: {skipped}")
    if len(report.skipped) > _SHOWN:
        output.note(f"and {len(report.skipped) - _SHOWN} more")


_ORIGINS = ("reflect", "memory", "bullets", "notepads")


def _import_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("file", nargs="?", metavar="FILE", help="what learn export wrote; - is stdin")
    help_ = "read another tool's file or folder; its lessons become drafts"
    add("--from", dest="origin", choices=_ORIGINS, help=help_)
    where = "where lessons apply that name no project, or one without a checkout here"
    add("--project", metavar="FOLDER", help=where)


def _import(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.transfer import exchange

    if args.file is None and args.origin != "notepads":
        options.wrong_usage("name the FILE", "learn import")
    if args.origin:
        _import_from(ws, args.origin, args.file or ".", args.project)
        return
    document = _read(args.file)
    with progress("Importing"):
        project = options.project_of(args.project) if args.project else ""
        report = exchange.import_document(ws, document, project)
    output.line(str(report))


def _read(name: str) -> object:
    data = files.content(name, "name a file that learn export wrote")
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        source = "stdin" if name == "-" else name
        raise Unreadable(f"{source} is not JSON ({error})", "give what learn export wrote") from None


def _export_options(parser: ArgumentParser) -> None:
    what = "where to; - is stdout (default)"
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help=what)
    quotes = "with what was said: the quotes, feedback, figures, patches, tasks and memories"
    parser.add_argument("--quotes", action="store_true", help=quotes)


def _export(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.transfer import exchange

    document = exchange.export_document(ws, quotes=args.quotes)
    if args.file == "-":
        output.as_json(document)
    else:
        files.write(args.file, json.dumps(document, ensure_ascii=False, indent=2) + "\n")
        output.line(f"Exported {output.count(len(document['lessons']), 'lesson')} to {args.file}.")


def _share_options(parser: ArgumentParser) -> None:
    options.add_id(parser)
    where = "write it below .learnloop/lessons of a checkout (default: the current one)"
    parser.add_argument("--repo", nargs="?", const=".", default=".", metavar="FOLDER", help=where)
    parser.add_argument("--team", action="store_true", help="send it to the team's space instead")
    parser.add_argument("--dry-run", action="store_true", help="only show what would leave")
    parser.add_argument("--yes", action="store_true", help="do it without asking")


def _share(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import documents
    from learnloop.service.transfer import share, team

    if args.team:
        text = share.team_text(ws, args.id)
        if _is_wanted(args, "To the team", text, "Send it? Whoever is in the team reads it. [y/N] "):
            team.share(ws, documents.find(ws, args.id).id, text)
            output.line("It goes with the next exchange: learn team sync")
        return
    shared = share.shared_file(ws, args.id, options.project_of(args.repo))
    question = "Write it? Whoever has the repository reads it, for good. [y/N] "
    if _is_wanted(args, output.safe(shared.path), shared.text, question):
        share.write(ws, shared)
        output.line("Written: commit it. Others get it as a draft, once they run learn config --trust there.")


def _is_wanted(args: Namespace, where: str, text: str, question: str) -> bool:
    """Show the exact bytes, and ask unless told not to."""
    output.line(f"{where}:")
    output.line(output.safe_block(text).rstrip("\n"))
    if args.dry_run or not (args.yes or output.ask(question).lower() in ("y", "yes")):
        output.line("Nothing was written.")
        return False
    return True


COMMANDS = {
    "share": (_share_options, _share), "import": (_import_options, _import),
    "export": (_export_options, _export),
}  # fmt: skip
"""By verb what declares its options, and what runs it."""
