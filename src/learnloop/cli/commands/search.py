"""`learn search`: find lessons by words."""

from learnloop.cli import lesson_table, options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="WORD", help="all of them have to be in the lesson")
    lesson_table.add_filter(parser)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import queue

    words = " ".join(args.words)
    lessons = lesson_table.filtered(ws, args.filter, queue.search(ws, words))
    if args.json:
        output.documents(lessons)
    else:
        lesson_table.print_matches(ws, lessons, f"No lesson has {words!r} in it")
