"""rate, gate, keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.registry import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.models.decision import Decision
    from learnloop.service.workspace import Workspace


def _add_rate(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="a lesson's id, or the first 4 characters or more")
    parser.add_argument("verdict", choices=("helpful", "harmful"), help="how its last recall was")


def _add_gate(parser: ArgumentParser) -> None:
    options.add_ids(parser)
    parser.add_argument("--off", action="store_true", help="let calls through again")


def _rate(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    return _told(ws, verdicts.rate(ws, [args.id], args.verdict))


def _gate(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    decision = verdicts.gate(ws, args.ids, on=not args.off)
    done = _told(ws, decision)
    if not args.off:
        output.note("The first call it matters at is stopped once in a session, so that it is read before.")
    return done


def _keep(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import verdicts

    return _told(ws, verdicts.keep(ws, args.ids))


def _told(ws: Workspace, decision: Decision) -> int:
    from learnloop.cli.commands.verdicts import tell

    tell(ws, decision)
    output.note("Take it back with: learn undo")
    return 0


COMMANDS = {
    "rate": Command(_add_rate, _rate),
    "gate": Command(_add_gate, _gate),
    "keep": Command(options.add_ids, _keep),
}
