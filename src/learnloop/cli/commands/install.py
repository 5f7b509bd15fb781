"""`learn install` and `learn uninstall`: register the hooks, and take them out again."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from learnloop.cli import options, output
from learnloop.cli.commands import triage
from learnloop.wire import hosts

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.service.setup.install import InstallReport


def _setup_options(parser: ArgumentParser) -> None:
    """`--host`, `--scope`, `--dry-run` and `--diff`, of install and uninstall."""
    parser.add_argument(
        "--host", choices=hosts.NAMES, help="the agent (default: those on this machine); cursor was not run"
    )
    parser.add_argument(
        "--scope", choices=("user", "local"), default="user",
        help="user: every project of yours (default); local: this project, in a file that is not committed",
    )  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="say what would change, and change nothing")
    parser.add_argument(
        "--diff", action="store_true", help="show every line that would change, and change nothing"
    )


def _host_option(parser: ArgumentParser) -> None:
    """`--host`, which agent is meant."""
    add = parser.add_argument
    add(
        "--host", choices=hosts.NAMES, default="claude",
        help="the agent (default claude, Claude Code); cursor was not run",
    )  # fmt: skip


def _target(args: Namespace) -> dict[str, Any]:
    """The scope, project and dry run that the options name, as the service takes them."""
    project = options.project_of(".") if args.scope == "local" else None
    return {"scope": args.scope, "project": project, "dry_run": args.dry_run or args.diff}


def _print_report(report: InstallReport, done: str, nothing: str, args: Namespace) -> None:
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


def _install_options(parser: ArgumentParser) -> None:
    _setup_options(parser)
    what = "also add the client's own rules that deny agents Learnloop's files and verdicts"
    parser.add_argument("--deny-rules", action="store_true", help=what)


def _install(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.setup import install

    chosen = [args.host] if args.host else _chosen(install.present(), args)
    for host in chosen:
        report = install.install(ws, host, **_target(args), deny=args.deny_rules)
        done, nothing = "The hooks are registered in", "The hooks are registered already in"
        _print_report(report, done, nothing, args)
    if not (args.dry_run or args.diff):
        output.line("\nNext: start a new session with your agent, and correct it where it goes wrong.")
        output.line("Then decide on the drafts in learn-tui, or with: learn triage")
        if hosts.CLAUDE in chosen:
            _print_next_of_claude(args)
        triage.ask_once(ws)


def _chosen(present: list[str], args: Namespace) -> list[str]:
    """The agents to install for: those on this machine that the person picks, where there are several."""
    if args.scope == "local" or args.deny_rules or present in ([], [hosts.CLAUDE]):
        return [hosts.CLAUDE]
    if len(present) > 1 and output.can_ask():
        output.line("Agents on this machine:")
        for number, host in enumerate(present, 1):
            output.line(f"  {number} {_marked(host)}")
        question = "Which? Numbers such as 1 3, or enter for all: "
        return [present[number - 1] for number in options.ask_numbers(question, len(present), "all")]
    first = hosts.CLAUDE if hosts.CLAUDE in present else present[0]
    for other in (host for host in present if host != first):
        output.note(f"{_marked(other)} is on this machine too: learn install --host {other}")
    return [first]


def _marked(host: str) -> str:
    from learnloop.service import hosts as installable

    return f"{host} (not run)" if installable.host(host).not_run else host


def _print_next_of_claude(args: Namespace) -> None:
    from learnloop.service.setup import install

    if not args.deny_rules:
        output.line("Claude Code can also keep agents away from Learnloop's files and verdicts.")
        output.line("See its rules: learn install --deny-rules --diff (they end /learn:promote, too)")
    if plugin := install.plugin_folder():
        output.line(f"Commands in Claude Code, as /learn:review: claude --plugin-dir {quote(plugin)}")


def _uninstall(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.patches import block_upkeep
    from learnloop.service.setup import install

    installed = [each.host for each in install.installed(ws) if each.scope == args.scope and not each.error]
    is_changed = False
    for host in [args.host] if args.host else dict.fromkeys(installed or [hosts.CLAUDE]):
        report = install.uninstall(ws, host, **_target(args))
        done, nothing = "The hooks are taken out of", "There is nothing to change in"
        _print_report(report, done, nothing, args)
        is_changed |= report.changed
    if is_changed and not (args.dry_run or args.diff):
        for path in block_upkeep.files_with_blocks(ws):
            output.line(f"What you applied stays in {path}; to take it out too: learn patches revert --all")
        output.line("What was recorded is still there; to remove it too: learn forget --all")


def _hook_command(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.setup import install

    print(install.hook_command(ws, args.host))


COMMANDS = {
    "install": (_install_options, _install),
    "uninstall": (_setup_options, _uninstall),
    "hook-command": (_host_option, _hook_command),
}
"""By verb what declares its options, and what runs it."""
