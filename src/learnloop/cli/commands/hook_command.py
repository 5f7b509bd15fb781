"""`learn hook-command`: print the command line that the agent runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import hook_setup
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import Namespace

    from learnloop.service.workspace import Workspace


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.setup import install

    print(install.hook_command(ws, args.host))
    return 0


COMMAND = VerbCommand(hook_setup.add_host, _run, checks_settings=False)
