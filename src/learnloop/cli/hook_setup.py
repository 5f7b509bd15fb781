"""What install, uninstall and hook-command share: their options, and the report of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop.cli import options, output
from learnloop.wire import hosts

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.setup.install import InstallReport


def add_options(parser: ArgumentParser) -> None:
    """`--host`, `--scope`, `--dry-run` and `--diff`, of install and uninstall."""
    parser.add_argument(
        "--host", choices=hosts.NAMES, help="the agent (default: those on this machine); cursor was not run"
    )
    parser.add_argument(
        "--scope",
        choices=("user", "local"),
        default="user",
        help="user: every project of yours (default); local: this project, in a file that is not committed",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would change, and change nothing")
    parser.add_argument(
        "--diff", action="store_true", help="show every line that would change, and change nothing"
    )


def add_host(parser: ArgumentParser) -> None:
    """`--host`, which agent is meant."""
    add = parser.add_argument
    add(
        "--host",
        choices=hosts.NAMES,
        default="claude",
        help="the agent (default claude, Claude Code); cursor was not run",
    )


def target(args: Namespace) -> dict[str, Any]:
    """The scope, project and dry run that the options name, as the service takes them."""
    project = options.project_of(".") if args.scope == "local" else None
    return {"scope": args.scope, "project": project, "dry_run": args.dry_run or args.diff}


def print_report(report: InstallReport, done: str, nothing: str, args: Namespace) -> None:
    """Print the outcome on stdout and remarks on stderr; a dry run prints only the change on stdout."""
    if args.diff and report.changed:
        output.diff(report.diff)
        output.note("Nothing was changed: this is what would be.")
    elif args.dry_run and report.changed:
        for text in report.plan or (f"Would take Learnloop's hooks out of {report.path}.",):
            output.line(text)
        output.note("Nothing was changed. --diff shows every line.")
    else:
        output.line(f"{done if report.changed else nothing} {report.path}.")
    if report.backup:
        output.line(f"The file as it was is kept in {report.backup}.")
    for message in report.messages:
        output.note(f"Note: {message}")
