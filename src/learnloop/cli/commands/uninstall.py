"""`learn uninstall`: take the hooks out again."""

from learnloop.cli import hook_setup, output
from learnloop.cli.commands import Namespace, Workspace
from learnloop.wire import hosts

add_options = hook_setup.add_options


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.setup import install

    installed = [each.host for each in install.installed(ws) if each.scope == args.scope and not each.error]
    is_changed = False
    for host in [args.host] if args.host else dict.fromkeys(installed or [hosts.CLAUDE]):
        report = install.uninstall(ws, host, **hook_setup.target(args))
        done, nothing = "The hooks are taken out of", "There is nothing to change in"
        hook_setup.print_report(report, done, nothing, args)
        is_changed |= report.changed
    if is_changed and not (args.dry_run or args.diff):
        output.line("What was recorded is still there; to remove it too: learn forget --all")
