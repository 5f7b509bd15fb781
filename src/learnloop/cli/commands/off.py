"""`learn off`: switch recording or recall off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import on_off, options
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    on_off.add_options(parser)
    parser.add_argument(
        "--for", dest="for_s", type=options.duration, metavar="TIME", help="for a while: 30m, 1h, 2d"
    )


def _run(ws: Workspace, args: Namespace) -> int:
    return on_off.switch(ws, args, on=False, for_s=args.for_s)


COMMAND = VerbCommand(_add, _run, checks_settings=False)
