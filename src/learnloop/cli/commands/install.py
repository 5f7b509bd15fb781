"""`learn install`: register the hooks."""

from shlex import quote

from learnloop.cli import hook_setup, options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
from learnloop.wire import hosts


def add_options(parser: ArgumentParser) -> None:
    hook_setup.add_options(parser)
    what = "also add the client's own rules that deny agents Learnloop's files and verdicts"
    parser.add_argument("--deny-rules", action="store_true", help=what)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.setup import install

    chosen = [args.host] if args.host else _chosen(install.present(), args)
    for host in chosen:
        report = install.install(ws, host, **hook_setup.target(args), deny=args.deny_rules)
        done, nothing = "The hooks are registered in", "The hooks are registered already in"
        hook_setup.print_report(report, done, nothing, args)
    if not (args.dry_run or args.diff):
        output.line("\nNext: start a new session with your agent, and correct it where it goes wrong.")
        output.line("Then decide on the drafts in learn-tui, or with: learn triage")
        if hosts.CLAUDE in chosen:
            _print_next_of_claude(args)


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
