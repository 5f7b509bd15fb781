"""`learn config`: show and change settings."""

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
from learnloop.wire import paths


def add_options(parser: ArgumentParser) -> None:
    parser.epilog = "docs/config.md lists every setting."
    parser.add_argument("key", nargs="?", metavar="KEY", help="one setting, such as budgets.per_call")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="its new value, written to the file")
    parser.add_argument("--unset", action="store_true", help="take KEY out of the file again")
    parser.add_argument("--check", action="store_true", help="say what in the settings is invalid")
    parser.add_argument("--path", action="store_true", help="only print where the settings file belongs")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> int:
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
    output.note(f"File: {paths.config_file()}")
    columns = [Column("SETTING", style="cyan"), Column("VALUE"), Column("FROM"), Column("MEANS", wide=True)]
    rows = [[entry.key, settings_file.literal(entry.value), entry.source, entry.meaning] for entry in entries]
    output.table(columns, rows)
