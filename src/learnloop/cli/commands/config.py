"""`learn config`: show and change settings, and trust projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.wire import paths

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.service.setup.settings_file import Entry


def _config_options(parser: ArgumentParser) -> None:
    parser.epilog = "Without a KEY: the settings of every day and those that you set."
    parser.add_argument("key", nargs="?", metavar="KEY", help="one setting, such as budgets.per_call")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="its new value, written to the file")
    parser.add_argument("--all", action="store_true", help="list every setting")
    parser.add_argument("--unset", action="store_true", help="take KEY out of the file again")
    parser.add_argument("--check", action="store_true", help="say what in the settings is invalid")
    parser.add_argument("--path", action="store_true", help="only print where the settings file belongs")
    options.add_json(parser)


def _config(ws: Workspace, args: Namespace) -> int:
    if args.path:
        print(paths.config_file())
    elif args.check:
        return _check()
    elif args.unset and not args.key:
        options.wrong_usage("--unset needs a KEY", "learn config")
    elif args.unset or args.value is not None:
        _change(ws, args)
    else:
        _print(args)
    return 0


def _check() -> int:
    """Print what is invalid; 1 where anything is."""
    from learnloop import settings
    from learnloop.keymap import keymap

    problems = keymap.resolved(settings.load().keys).problems
    for problem in problems:
        output.line(f"{problem}.")
    if not problems:
        output.line("All settings make sense.")
    return 1 if problems else 0


def _change(ws: Workspace, args: Namespace) -> None:
    """Change the file, publish what hooks read of it, and say what is wrong with what a setting names."""
    from learnloop.service.health import doctor
    from learnloop.service.recall import explain
    from learnloop.service.review import agent_guard
    from learnloop.service.setup import settings_file

    agent_guard.refuse("change settings")
    if not args.unset:
        value = settings_file.set_(args.key, args.value)
        output.line(f"{args.key} = {settings_file.literal(value)}")
    elif settings_file.unset(args.key):
        output.line(f"{args.key} = {settings_file.literal(settings_file.default_of(args.key))} (default)")
    else:
        output.line(f"{args.key} is not in the file; its default applies.")
    if args.key.startswith("keys"):
        _check()
    explain.publish(ws, force=True)
    for check in doctor.problems_of(ws, args.key):
        output.note(f"learn: {check.message} – {check.hint}")


def _print(args: Namespace) -> None:
    from learnloop.service.setup import settings_file

    if args.key:
        value = settings_file.get(args.key)
        if args.json:
            output.as_json(value)
        else:
            output.line(settings_file.literal(value))
        return
    entries = settings_file.entries()
    if args.json:
        output.documents(entries)
        return
    from learnloop.settings import EVERYDAY

    shown = [each for each in entries if args.all or each.key in EVERYDAY or each.source != "default"]
    columns = [Column("SETTING", style="cyan"), Column("VALUE"), Column("MEANS", wide=True)]
    output.table(columns, [[entry.key, _value(entry), entry.meaning] for entry in shown])
    output.note(f"File: {paths.config_file()}")
    if len(shown) < len(entries):
        output.note(f"{len(entries) - len(shown)} more: learn config --all")


def _value(entry: Entry) -> str:
    """The value, cut where it is long, and where it comes from if that is not the default."""
    from learnloop.service.setup.settings_file import literal

    return output.short(literal(entry.value), 16) + (f" ({entry.source})" * (entry.source != "default"))


def _trust_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--project", default=".", metavar="FOLDER", help="the project (default: the current one)")
    add("--undo", action="store_true", help="trust it no more")
    add("--list", action="store_true", help="list the trusted projects")
    options.add_json(parser)


def _trust(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import trust
    from learnloop.service.transfer import share

    if args.list:
        projects = sorted(trust.trusted(ws.root))
        if args.json:
            output.as_json([{"project": project} for project in projects])
        elif projects:
            output.line("\n".join(projects))
        else:
            output.note("No project is trusted: learn config --trust")
        return
    project = options.project_named(args.project) if args.undo else options.project_of(args.project)
    trust.trust(ws, project, not args.undo)
    if args.undo:
        output.line(f"{project} is trusted no more: its files are not read.")
    else:
        output.line(f"{project} is trusted: its instruction files are read. See: learn lessons --drafts")
        if any(taken := share.take_in(ws)):
            output.line(taken)


COMMANDS = {"config": (_config_options, _config), "trust": (_trust_options, _trust)}
"""By verb what declares its options, and what runs it."""
