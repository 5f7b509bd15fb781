"""`learn import`: read an exported document, or another tool's file."""

import json

from learnloop.cli import input_file, options, other_tools, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
from learnloop.cli.progress import progress
from learnloop.errors import Unreadable

_ORIGINS = ("reflect", "memory", "bullets", "triads", "olympus", "notepads")


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("file", nargs="?", metavar="FILE", help="what learn export wrote; - is stdin")
    help_ = "read another tool's file or folder; its lessons become drafts"
    add("--from", dest="origin", choices=_ORIGINS, help=help_)
    add(
        "--project",
        metavar="FOLDER",
        help="where its lessons apply (default: everywhere, notepads: their project)",
    )


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.transfer import exchange

    if args.file is None and args.origin != "notepads":
        options.wrong_usage("name the FILE", "learn import")
    if args.origin:
        other_tools.import_from(ws, args.origin, args.file or ".", args.project)
        return
    document = _read(args.file)
    with progress("Importing"):
        report = exchange.import_document(ws, document)
    output.line(str(report))


def _read(name: str) -> object:
    data = input_file.content(name, "name a file that learn export wrote")
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        source = "stdin" if name == "-" else name
        raise Unreadable(f"{source} is not JSON ({error})", "give what learn export wrote") from None
