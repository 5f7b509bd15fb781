"""`learn install`: register the hooks."""

from learnloop.cli import hook_setup, output
from learnloop.cli.commands import Namespace, Workspace

add_options = hook_setup.add_options


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.setup import install

    report = install.install(ws, **hook_setup.target(args))
    done, nothing = "The hooks are registered in", "The hooks are registered already in"
    hook_setup.print_report(report, done, nothing, dry_run=args.dry_run)
    if not args.dry_run:
        output.line("\nNext: start a new session with your agent, and correct it where it goes wrong.")
        output.line("Then read the drafts in learn-tui, or with: learn drafts")
        if plugin := install.plugin_folder():
            output.line(
                f"Commands inside Claude Code, /learn:review and others: claude --plugin-dir {plugin}"
            )
