"""backtest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import fields, options, output
from learnloop.cli.output import Column
from learnloop.cli.registry import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.models.lesson import Lesson
    from learnloop.service.recall.backtest import Backtest
    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    parser.epilog = "Options try other triggers without changing the lesson; learn edit takes the same ones."
    parser.add_argument("id", metavar="ID", help="a lesson's id, or the first 4 characters or more")
    for field in fields.FIELDS:
        if field.holds == "triggers" or field.name == "priority":
            parser.add_argument(
                field.option,
                dest=field.name,
                action="append" if field.many else "store",
                choices=field.choices or None,
                metavar=None if field.choices else "TEXT",
                help=f"{field.help}{' (several times)' if field.many else ''}",
            )
    options.add_json(parser)


def _backtest(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.lessons import lookup
    from learnloop.service.recall import backtest

    found = backtest.backtest(ws, _tried(lookup.find(ws, args.id), args))
    if found is None:
        return 1
    if args.json:
        output.as_json(found.as_json())
    else:
        _show(found)
    return 0


def _tried(lesson: Lesson, args: Namespace) -> Lesson:
    """The lesson with the triggers that are to be tried."""
    wanted: fields.Values = {}
    for field in fields.FIELDS:
        value = getattr(args, field.name, None)
        if value is not None and (field.holds == "triggers" or field.name == "priority"):
            wanted[field.name] = [item for item in value if item] if field.many else value
    return lesson.with_(**fields.as_changes(lesson, wanted)) if wanted else lesson


def _show(found: Backtest) -> None:
    from learnloop.service.recall import backtest

    output.line(f"Would have fired: {backtest.summary(found)}")
    if found.led:
        output.line(f"In the turns that led to the correction: {found.led_fired} of {found.led}")
    if found.first:
        output.line()
        _shots(found)
    if found.sessions:
        output.line()
        columns = [
            Column("SESSION", style="cyan"),
            Column("TIMES", "right"),
            Column("LAST"),
            Column("PROJECT"),
        ]
        rows = [[one.session_id, one.fired, output.local(one.last), one.project] for one in found.sessions]
        output.table(columns, rows)
    for one in found.dead:
        nothing = "no file of the repository" if one.where == "repository" else "nothing that was recorded"
        output.note(f"The {one.kind} {one.trigger} matches {nothing}")
    if found.repository:
        output.note(f"The repository was not looked at: {found.repository}")


def _shots(found: Backtest) -> None:
    columns = [Column("WHEN", style="cyan"), Column("AT", wide=True)]
    columns += [
        Column(name, "right") for name in ("TOOL", "TARGET", "ACTION", "CONTEXT", "SUM", "TIMES", "SCORE")
    ]
    columns.append(Column("WHY", wide=True))
    rows = []
    for one in found.first:
        parts = (one.tool, one.target, one.action, one.context, one.base, one.multiplier, one.final)
        numbers = [f"{part / 100:.2f}" for part in parts]
        rows.append([output.local(one.ts), output.short(one.what or one.moment, 200), *numbers, one.why])
    output.table(columns, rows)


COMMANDS = {"backtest": Command(_add, _backtest)}
