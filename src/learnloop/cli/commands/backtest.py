"""`learn backtest`: try a lesson's triggers on everything recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import fields, options, output
from learnloop.cli.columns import SCORE_COLUMNS, Column, score_cells

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.service.recall.backtest import Backtest


_TRIED = tuple(field for field in fields.FIELDS if field.holds == "triggers" or field.name == "priority")


def add_options(parser: ArgumentParser) -> None:
    parser.epilog = "Options try other triggers without changing the lesson; learn edit takes the same ones."
    options.add_id(parser)
    fields.add_options(parser, _TRIED)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.lessons import lookup
    from learnloop.service.recall import backtest

    lesson, edited = lookup.find(ws, args.id), fields.given(args, _TRIED)
    if edited:
        lesson = lesson.with_(**fields.as_changes(lesson, edited))
    report = backtest.backtest(ws, lesson)
    if report is None:
        return 1
    if args.json:
        output.as_json(report.as_json())
    else:
        _show(report)
    return 0


def _show(report: Backtest) -> None:
    from learnloop.service.recall import backtest

    output.line(f"Would have been told: {backtest.summary(report)}")
    if report.led:
        output.line(f"Before the mistakes that you corrected: {report.led_fired} of {report.led}")
    if report.first:
        output.line()
        _shots(report)
    if report.sessions:
        output.line()
        columns = [Column("SESSION", style="cyan"), Column("TIMES", "right"), Column("LAST")]
        cells = ([hit.session_id, hit.fired, output.local(hit.last), hit.project] for hit in report.sessions)
        output.table([*columns, Column("PROJECT")], cells)
    for dead in report.dead:
        nothing = "no file of the repository" if dead.where == "repository" else "nothing that was recorded"
        output.note(f"The {dead.kind} {dead.trigger} matches {nothing}")
    if report.repository:
        output.note(f"The repository was not checked: {report.repository}")


def _shots(report: Backtest) -> None:
    columns = [Column("WHEN", style="cyan"), Column("AT", wide=True), *SCORE_COLUMNS]
    rows = [
        [output.local(shot.ts), output.short(shot.what or shot.moment, 200), *score_cells(shot), shot.why]
        for shot in report.first
    ]
    output.table([*columns, Column("WHY", wide=True)], rows)
