"""`learn on`: switch recording and recall on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import on_off
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import Namespace

    from learnloop.service.workspace import Workspace


def _run(ws: Workspace, args: Namespace) -> int:
    return on_off.switch(ws, args, on=True)


COMMAND = VerbCommand(on_off.add_options, _run, checks_settings=False)
