"""`learn export`: write lessons, feedback, tasks and memories as one JSON document."""

import json

from learnloop.cli import output, whole_file
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("file", nargs="?", default="-", metavar="FILE", help="where to; - is stdout (default)")
    add("--olympus", metavar="FOLDER", help="write an Olympus learning folder instead")


def run(ws: Workspace, args: Namespace) -> None:
    if args.olympus:
        from learnloop.service.intake import imports

        for path in imports.export_olympus(ws, args.olympus):
            output.line(f"Wrote {path}")
        return
    from learnloop.service.transfer import exchange

    document = exchange.export_document(ws)
    if args.file == "-":
        output.as_json(document)
    else:
        whole_file.write(args.file, json.dumps(document, ensure_ascii=False, indent=2) + "\n")
        output.line(f"Exported {output.count(len(document['lessons']), 'lesson')} to {args.file}.")
