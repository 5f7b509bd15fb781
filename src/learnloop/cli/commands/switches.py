"""on, off."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.registry import Command
from learnloop.errors import LearnloopError
from learnloop.wire import paths, switches

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--project", nargs="?", const=".", metavar="FOLDER", help="in one project (default: the current one)"
    )
    where.add_argument("--all", action="store_true", help="everywhere (the default)")
    parser.add_argument("--recall", action="store_true", help="recall only; recording stays as it is")


def _add_off(parser: ArgumentParser) -> None:
    _add(parser)
    parser.add_argument(
        "--for", dest="for_s", type=options.duration, metavar="TIME", help="for a while: 30m, 1h, 2d"
    )


def _on(ws: Workspace, args: Namespace) -> int:
    return _switch(ws, args, on=True)


def _off(ws: Workspace, args: Namespace) -> int:
    return _switch(ws, args, on=False)


def _switch(ws: Workspace, args: Namespace, *, on: bool) -> int:
    from learnloop.service.setup import install

    project = options.project_of(args.project) if args.project else None
    for_s = None if on else args.for_s
    install.switch(ws, on, project=project, everything=project is None, recall_only=args.recall, for_s=for_s)
    what = "Recall is" if args.recall else "Recording and recall are"
    where = f"in {project}" if project else "everywhere"
    output.line(f"{what} {'on' if on else 'off'} {where}{_until(for_s)}.")
    if on:
        _warn(ws, project)
    else:
        output.line(f"Back on with: {_opposite(args)}")
    return 0


def _warn(ws: Workspace, project: str | None) -> None:
    """Says what else keeps recording or recall off."""
    if project and any(map(switches.is_set, (paths.off_switch(ws.root), paths.recall_off_switch(ws.root)))):
        output.note("It is still off everywhere: learn on")
    for key in _set_to_false():
        output.note(f"The setting {key} is still false: learn config {key} true")


def _set_to_false() -> list[str]:
    """Which of the two the settings file keeps off; a file that makes no sense is told by learn doctor."""
    if not Path(paths.config_file()).exists():
        return []
    from learnloop import settings

    try:
        found = settings.load(environment=False)
    except LearnloopError:
        return []
    return [key for key in ("record", "recall") if not getattr(found, key)]


def _until(for_s: int | None) -> str:
    if not for_s:
        return ""
    from datetime import datetime, timedelta

    end = datetime.now().astimezone() + timedelta(seconds=for_s)
    return f" until {end:%Y-%m-%d %H:%M}"


def _opposite(args: Namespace) -> str:
    where = [] if not args.project else ["--project"] if args.project == "." else ["--project", args.project]
    return " ".join(["learn on", *where, *(["--recall"] if args.recall else [])])


COMMANDS = {
    "on": Command(_add, _on, checks_settings=False),
    "off": Command(_add_off, _off, checks_settings=False),
}
