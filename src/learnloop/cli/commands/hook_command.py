"""`learn hook-command`: print the command line that the agent runs."""

from learnloop.cli import hook_setup
from learnloop.cli.commands import Namespace, Workspace

add_options = hook_setup.add_host


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.setup import install

    print(install.hook_command(ws, args.host))
