"""config."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.output import Column
from learnloop.cli.registry import Command
from learnloop.wire import paths

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    parser.add_argument("key", nargs="?", metavar="KEY", help="only this setting, such as budgets.per_call")
    parser.add_argument("--path", action="store_true", help="only print where the settings file belongs")
    options.add_json(parser)


def _config(ws: Workspace, args: Namespace) -> int:
    if args.path:
        print(paths.config_file())
        return 0
    from learnloop import settings

    if args.key:
        value = settings.value_of(ws.settings, args.key)
        output.as_json(value) if args.json else output.line(_written(value))
    elif args.json:
        output.as_json(ws.settings.model_dump(mode="json"))
    else:
        _show(ws)
    return 0


def _show(ws: Workspace) -> None:
    from learnloop import settings

    output.note(f"File: {paths.config_file()}")
    rows = [
        [key, _written(settings.value_of(ws.settings, key)), _origin(key), about.description or ""]
        for key, about in settings.fields()
    ]
    columns = [Column("SETTING", style="cyan"), Column("VALUE"), Column("FROM"), Column("MEANS", wide=True)]
    output.table(columns, rows)


def _origin(key: str) -> str:
    """Where a value comes from, the strongest first."""
    from learnloop import settings
    from learnloop.wire import env

    if env.get(settings.variable(key)):
        return "environment"
    found: object = settings.read(paths.config_file())
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return "default" if found is None else "file"


def _written(value: object) -> str:
    """A value as it is written in TOML."""
    import json

    return json.dumps(value, ensure_ascii=False)


COMMANDS = {"config": Command(_add, _config, checks_settings=False)}
