"""`learn on`: switch recording and recall on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import on_off

if TYPE_CHECKING:
    from learnloop.cli.commands import Namespace, Workspace


add_options = on_off.add_options


def run(ws: Workspace, args: Namespace) -> None:
    on_off.switch(ws, args, on=True)
