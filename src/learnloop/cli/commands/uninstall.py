"""`learn uninstall`: take the hooks out again."""

from learnloop.cli import hook_setup, output
from learnloop.cli.commands import Namespace, Workspace

add_options = hook_setup.add_options


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.setup import install

    report = install.uninstall(ws, **hook_setup.target(args))
    done, nothing = "The hooks are taken out of", "There is nothing to change in"
    hook_setup.print_report(report, done, nothing, args)
    if report.changed and not (args.dry_run or args.diff):
        output.line("What was recorded is still there; to remove it too: learn forget --all")
