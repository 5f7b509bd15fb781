"""recall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.registry import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    parser.add_argument("--tool", metavar="T", help="the tool about to run: Write, Edit, NotebookEdit, Bash")
    parser.add_argument("--file", metavar="F", help="the file it is about to write")
    parser.add_argument("--command", metavar="C", help="the command it is about to run")
    parser.add_argument("--prompt", metavar="P", help="what the person typed")
    parser.add_argument("--agent", metavar="A", help="the subagent at work")
    parser.add_argument(
        "--project", default=".", metavar="FOLDER", help="the project (default: the current one)"
    )
    parser.add_argument("--explain", action="store_true", help="every lesson with every part of its score")
    options.add_json(parser)


def _recall(ws: Workspace, args: Namespace) -> int:
    from learnloop.service import recalls

    found = recalls.explain(
        ws,
        tool=args.tool or _tool(args),
        file=args.file,
        command=args.command,
        prompt=args.prompt,
        agent=args.agent,
        project=options.project_of(args.project),
    )
    shown = found if args.explain else [item for item in found if item.fires]
    output.documents(shown)
    return 0


def _tool(args: Namespace) -> str | None:
    """A file alone is about to be written, a command alone to be run."""
    return "Write" if args.file else "Bash" if args.command else None


COMMANDS = {"recall": Command(_add, _recall)}
