"""`learn install`: register the hooks."""

from learnloop.cli import hook_setup, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    hook_setup.add_options(parser)
    what = "also add the client's own rules that deny agents Learnloop's files and verdicts"
    parser.add_argument("--deny-rules", action="store_true", help=what)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.setup import install

    report = install.install(ws, **hook_setup.target(args), deny=args.deny_rules)
    done, nothing = "The hooks are registered in", "The hooks are registered already in"
    hook_setup.print_report(report, done, nothing, args)
    if not (args.dry_run or args.diff):
        output.line("\nNext: start a new session with your agent, and correct it where it goes wrong.")
        output.line("Then decide on the drafts in learn-tui, or with: learn triage")
        if not args.deny_rules:
            output.line("Claude Code can also keep agents away from Learnloop's files and verdicts.")
            output.line("See its rules: learn install --deny-rules --diff (they end /learn:promote, too)")
        if plugin := install.plugin_folder():
            output.line(f"Commands in Claude Code, as /learn:review: claude --plugin-dir {plugin}")
