"""`learn off`: switch recording or recall off."""

from learnloop.cli import on_off, options
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    on_off.add_options(parser)
    parser.add_argument(
        "--for", dest="for_s", type=options.duration, metavar="TIME", help="for a while: 30m, 1h, 2d"
    )


def run(ws: Workspace, args: Namespace) -> None:
    on_off.switch(ws, args, on=False, for_s=args.for_s)
