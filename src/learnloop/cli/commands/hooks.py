"""install, uninstall, hook-command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.registry import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.setup.install import InstallReport
    from learnloop.service.workspace import Workspace


def _add_install(parser: ArgumentParser) -> None:
    _add_host(parser)
    parser.add_argument(
        "--scope",
        choices=("user", "local"),
        default="user",
        help="user: every project of yours (default); local: this project, in a file that is not committed",
    )
    parser.add_argument("--dry-run", action="store_true", help="show the change and make none")


def _add_host(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--host", choices=options.HOSTS, default="claude", help="the agent (default claude, Claude Code)"
    )


def _install(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.setup import install

    report = install.install(
        ws, host=args.host, scope=args.scope, project=_local_project(args), dry_run=args.dry_run
    )
    _tell(report, args, "The hooks are registered in", "The hooks are registered already in")
    if not args.dry_run:
        output.line("\nNext: start a new session with your agent, and correct it where it goes wrong.")
        output.line("Then read the drafts in learn-tui, or with: learn drafts")
    return 0


def _uninstall(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.setup import install

    report = install.uninstall(
        ws, host=args.host, scope=args.scope, project=_local_project(args), dry_run=args.dry_run
    )
    _tell(report, args, "The hooks are taken out of", "There is nothing to change in")
    if report.changed and not args.dry_run:
        output.line("What was recorded is still there; to remove it too: learn forget --all")
    return 0


def _local_project(args: Namespace) -> str | None:
    return options.project_of(".") if args.scope == "local" else None


def _tell(report: InstallReport, args: Namespace, done: str, nothing: str) -> None:
    """The outcome on stdout, remarks beside it; a dry run prints the diff and nothing else."""
    if args.dry_run and report.changed:
        output.diff(report.diff)
        output.note("Nothing was changed: this is what would be.")
    else:
        output.line(f"{done if report.changed else nothing} {report.path}.")
    if report.backup:
        output.line(f"The file as it was is kept in {report.backup}.")
    for message in report.messages:
        output.note(f"Note: {message}")


def _hook_command(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.setup import install

    print(install.hook_command(ws, args.host))
    return 0


COMMANDS = {
    "install": Command(_add_install, _install),
    "uninstall": Command(_add_install, _uninstall, checks_settings=False),
    "hook-command": Command(_add_host, _hook_command, checks_settings=False),
}
