"""`learn on`: switch recording and recall on."""

from learnloop.cli import on_off
from learnloop.cli.commands import Namespace, Workspace

add_options = on_off.add_options


def run(ws: Workspace, args: Namespace) -> None:
    on_off.switch(ws, args, on=True)
