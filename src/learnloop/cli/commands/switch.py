"""`learn on` and `learn off`: switch recording or recall."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.errors import LearnloopError
from learnloop.wire import paths, switches

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def _switch_options(parser: ArgumentParser) -> None:
    """`--project`, `--all` and `--recall`, of both verbs."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--project", nargs="?", const=".", metavar="FOLDER", help="in one project (default: the current one)"
    )
    where.add_argument("--all", action="store_true", help="everywhere (the default)")
    parser.add_argument("--recall", action="store_true", help="recall only; recording stays as it is")


def _switch(ws: Workspace, args: Namespace, *, on: bool, for_s: int | None = None) -> None:
    """Switch recording, recall or both, for `for_s` seconds or for good."""
    from datetime import datetime, timedelta

    from learnloop.service.setup import settings_file

    project = options.project_of(args.project) if args.project else None
    settings_file.switch(
        ws, on, project=project, everything=project is None, recall_only=args.recall, for_s=for_s
    )
    what = "Recall is" if args.recall else "Recording and recall are"
    where = f"in {project}" if project else "everywhere"
    end = datetime.now().astimezone() + timedelta(seconds=for_s or 0)
    until = f" until {end:%Y-%m-%d %H:%M}" if for_s else ""
    output.line(f"{what} {'on' if on else 'off'} {where}{until}.")
    if not on:
        folder = [] if not project else ["--project"] if args.project == "." else ["--project", args.project]
        output.line(" ".join(["Back on with: learn on", *folder, *(["--recall"] if args.recall else [])]))
        return
    if project and any(map(switches.is_set, (paths.off_switch(ws.root), paths.recall_off_switch(ws.root)))):
        output.note("It is still off everywhere: learn on")
    for key in _set_to_false():
        output.note(f"The setting {key} is still false: learn config {key} true")


def _set_to_false() -> list[str]:
    """Which of the two the settings file keeps off; learn doctor reports a file that cannot be read."""
    if not Path(paths.config_file()).exists():
        return []
    from learnloop import settings

    try:
        stored = settings.load(environment=False)
    except LearnloopError:
        return []
    return [key for key in ("record", "recall") if not getattr(stored, key)]


def _on(ws: Workspace, args: Namespace) -> None:
    _switch(ws, args, on=True)


def _off_options(parser: ArgumentParser) -> None:
    _switch_options(parser)
    parser.add_argument(
        "--for", dest="for_s", type=options.duration, metavar="TIME", help="for a while: 30m, 1h, 2d"
    )


def _off(ws: Workspace, args: Namespace) -> None:
    _switch(ws, args, on=False, for_s=args.for_s)


COMMANDS = {"on": (_switch_options, _on), "off": (_off_options, _off)}
"""By verb what declares its options, and what runs it."""
