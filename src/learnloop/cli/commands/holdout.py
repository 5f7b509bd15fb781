"""`learn holdout`: tell a lesson to most sessions only, to see what it changes."""

from learnloop.cli import options, output, verdict_report
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    options.add_id(parser)
    add = parser.add_argument
    add("--share", type=options.positive, default=20, metavar="P", help="percent of sessions (default 20)")
    add("--sure", action="store_true", help="do not ask about a CRITICAL or gated lesson")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.experiments import decide, reports
    from learnloop.service.lessons import lookup

    lesson = lookup.find(ws, args.id)
    is_sure = args.sure
    if decide.needs_second_question(lesson) and not is_sure and output.can_ask():
        question = f"Some sessions will run without “{output.safe(lesson.statement)}”. Type yes to go on: "
        is_sure = output.ask(question).lower() in ("y", "yes")
    if verdict_report.is_claimed(ws, decide.hold_out(ws, lesson.id, args.share, is_sure=is_sure)):
        return
    known = reports.of_lesson(ws, lesson.id)
    if args.json:
        output.as_json(known)
        return
    output.line(f"Held out of {args.share} % of the sessions from now on: {output.safe(lesson.statement)}")
    if known is not None:
        output.note(f"{known.known}; it {known.price}. See: learn experiments")
