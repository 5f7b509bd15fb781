"""`learn why`: which lessons an agent would see at a moment, and what triggers would have caught."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop.cli import fields, options, output
from learnloop.cli.columns import SCORE_COLUMNS, Column, score_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.service.recall.backtest import Backtest
    from learnloop.service.recall.explain import Explained


def _why_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--tool", metavar="T", help="the tool about to run: Write, Edit, NotebookEdit, Bash")
    add("--file", metavar="F", help="the file it is about to write")
    add("--command", metavar="C", help="the command it is about to run")
    add("--prompt", metavar="P", help="what the person typed")
    add("--agent", metavar="A", help="the subagent at work")
    add("--project", default=".", metavar="FOLDER", help="the project (default: the current one)")
    add("--start", action="store_true", help="all that is told when a session starts, and what does not fit")
    add("--explain", action="store_true", help="every lesson with every part of its score")
    add(
        "--context", action="append", metavar="C",
        help="only lessons about it: a word, or NAME=WORD as in language=python (several times)",
    )  # fmt: skip
    add("--max-lessons", type=options.positive, metavar="N", help="tell at most N lessons")
    add("--max-tokens", type=options.positive, metavar="N", help="in at most N tokens")
    add("--min-score", type=options.score, metavar="S", help="only lessons that score S or more, 0–200")
    add("--examples", action="store_true", help="with the examples of right and wrong")
    parser.epilog = (
        "With --tool, --file, --command or --prompt: what is told at that moment. Without: lessons that\n"
        "apply to an agent's work (--agent, --context, --project), at most 5 in 1,000 tokens that score 60."
    )
    options.add_json(parser)


def _why(ws: Workspace, args: Namespace) -> None:
    if args.start:
        _at_start(ws, args)
    elif args.tool or args.file or args.command or args.prompt:
        if args.context or args.examples:
            options.wrong_usage("--context and --examples go without a moment", "learn why")
        _at_moment(ws, args)
    elif args.explain:
        options.wrong_usage("name the moment with --tool, --file, --command or --prompt", "learn why")
    else:
        _apply(ws, args)


def _at_start(ws: Workspace, args: Namespace) -> None:
    """What a session of the project is told at its start, in that order."""
    from learnloop.service.recall import at_start

    start = at_start.at_start(ws.root, options.project_named(args.project))
    if args.json:
        output.as_json(start._asdict())
        return
    for line in start.says[: len(start.told)]:
        output.line(output.safe(line))
    if start.left_out:
        output.line(f"\nNot told, because {start.budget} tokens are full:")
        for line in start.says[len(start.told) :]:
            output.line(output.safe(line))
    words = f"{start.words}: learn edit ID names a file or command where one is told instead"
    output.note(words if start.words else "Nothing is told at the start of a session here")


def _limits(args: Namespace) -> dict[str, Any]:
    """The limits that the options name."""
    named = ("max_lessons", "max_tokens", "min_score")
    return {name: getattr(args, name) for name in named if getattr(args, name) is not None}


def _apply(ws: Workspace, args: Namespace) -> None:
    """The lessons for an agent's work, without a moment."""
    from learnloop.service.recall import explain

    applicable = explain.applicable(
        ws, agent=args.agent or "main", context=args.context or (),
        project=options.project_named(args.project), examples=args.examples, **_limits(args),
    )  # fmt: skip
    if args.json:
        applied = [lesson.as_json() for lesson in applicable.applied]
        output.as_json({**applicable._asdict(), "applied": applied})
    elif applicable.applied:
        output.line(applicable.formatted)
    else:
        output.note("No approved lesson applies: learn lessons --status active lists what there is")


def _at_moment(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.facts import listing
    from learnloop.service.recall import explain

    explained = explain.explain(
        ws, tool=args.tool, file=args.file, command=args.command, prompt=args.prompt, agent=args.agent,
        project=options.project_named(args.project), **_limits(args),
    )  # fmt: skip
    shown = explained if args.explain else [lesson for lesson in explained if lesson.told]
    if args.json:
        output.documents(shown)
    elif args.explain:
        _print_scores(shown)
    elif shown:  # what the agent reads, and nothing else
        output.line("\n".join(output.safe(f"{lesson.says} ({lesson.short})") for lesson in shown))
    elif not any(lesson.stops for lesson in explained):
        output.note("Nothing is told at this moment; --explain says why")
    for lesson in explained if not args.json else ():
        if lesson.stops:
            says = "" if lesson in shown else f": {output.safe(lesson.statement)}"
            output.note(f"{lesson.short} stops this call once per session, before it runs{says}")
    for line in listing.judged(ws, args.file or args.command or "") if not args.json else ():
        output.note(line)


def _print_scores(lessons: Sequence[Explained]) -> None:
    columns = [Column("ID", style="cyan"), Column("TOLD"), *SCORE_COLUMNS]
    columns += [Column("WHY", wide=True), Column("SAYS", wide=True)]
    rows = [
        [
            lesson.short,
            "yes" if lesson.told else _NOT_RECALLED.get(lesson.held_back, "no"),
            *score_cells(lesson),
            lesson.why,
            lesson.statement,
        ]
        for lesson in lessons
    ]
    output.table(columns, rows, empty="No lesson is in use here: learn triage shows what you can keep")
    if lessons:
        output.note(f"The best lessons that score {lessons[0].threshold} or more are told.")


_NOT_RECALLED = {"top": "better ones", "budget": "no room"}
_TRIED = tuple(field for field in fields.FIELDS if field.holds == "triggers" or field.name == "priority")


def _backtest_options(parser: ArgumentParser) -> None:
    parser.epilog = "Options try other triggers without changing the lesson; learn edit takes the same ones."
    options.add_id(parser)
    fields.add_options(parser, _TRIED)
    options.add_json(parser)


def _backtest(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.lessons import documents
    from learnloop.service.recall import backtest

    lesson, edited = documents.find(ws, args.id), fields.given(args, _TRIED)
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


def _shots(report: Backtest) -> None:
    columns = [Column("WHEN", style="cyan"), Column("AT", wide=True), *SCORE_COLUMNS]
    rows = [
        [output.local(shot.ts), output.short(shot.what or shot.moment, 200), *score_cells(shot), shot.why]
        for shot in report.first
    ]
    output.table([*columns, Column("WHY", wide=True)], rows)


COMMANDS = {"why": (_why_options, _why), "backtest": (_backtest_options, _backtest)}
"""By verb what declares its options, and what runs it."""
