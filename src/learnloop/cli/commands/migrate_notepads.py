"""`learn migrate-notepads`: read a project's Olympus notepads."""

from learnloop.cli import other_tools
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="the project (default: here)"
    )


def run(ws: Workspace, args: Namespace) -> None:
    other_tools.import_from(ws, "notepads", args.folder, None)
