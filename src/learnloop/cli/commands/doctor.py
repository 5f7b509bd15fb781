"""`learn doctor`: check the whole installation."""

from learnloop.cli import options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace

_MARKS = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red")}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--fix", action="store_true", help="mend what can be mended without asking")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.health import doctor

    checks = doctor.examine(ws, fix=args.fix)
    if args.json:
        output.documents(checks)
    else:
        for check in checks:
            output.marked(*_MARKS[check.level], f"{check.name}: {check.message}")
            if check.hint and check.level != "ok":
                output.line(f"    → {check.hint}")
    return 1 if any(check.level == "fail" for check in checks) else 0
