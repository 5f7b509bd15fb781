"""`learn export`: write lessons and feedback as one JSON document."""

import json
import os
from pathlib import Path

from learnloop.cli import output
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
        _write(args.file, json.dumps(document, ensure_ascii=False, indent=2) + "\n")
        output.line(f"Exported {output.count(len(document['lessons']), 'lesson')} to {args.file}.")


def _write(name: str, text: str) -> None:
    """A whole file or none: written beside its place, then renamed; only its owner may read it."""
    path = Path(name).resolve()  # a link stays a link
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        beside.touch(0o600, exist_ok=False)
        beside.write_text(text, "utf-8", "surrogatepass")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
