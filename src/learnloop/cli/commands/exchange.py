"""export, import."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from learnloop.cli import output
from learnloop.cli.commands import notepads
from learnloop.cli.progress import progress
from learnloop.cli.registry import Command
from learnloop.errors import Unreadable

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add_export(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="where to; - is stdout (default)"
    )
    parser.add_argument("--olympus", metavar="FOLDER", help="write an Olympus learning folder instead")


def _add_import(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="what learn export wrote; - is stdin")
    notepads.add_origin(parser)


def _export(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.transfer import exchange

    if args.olympus:
        return notepads.export_olympus(ws, args.olympus)
    document = exchange.export_document(ws)
    if args.file == "-":
        output.as_json(document)
        return 0
    _write(args.file, json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    output.line(f"Exported {output.count(len(document['lessons']), 'lesson')} to {args.file}.")
    return 0


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


def _import(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.transfer import exchange

    if args.origin:
        return notepads.bring(ws, args.origin, args.file, args.project)
    document = _read(args.file)
    with progress("Importing"):
        report = exchange.import_document(ws, document)
    output.line(str(report))
    return 0


def _read(name: str) -> object:
    source = "stdin" if name == "-" else name
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return json.loads(data)
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise Unreadable(f"{source}: {reason}", "name a file that learn export wrote") from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{source} is not JSON ({error})", "give what learn export wrote") from None


COMMANDS = {
    "export": Command(_add_export, _export),
    "import": Command(_add_import, _import),
}
