"""`learn draft`: make drafts of an output, a rating, a test or a review."""

from learnloop.cli import input_file, lesson_table, options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
from learnloop.errors import Unreadable
from learnloop.service.lessons.row import wordless_label


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("file", nargs="?", default="-", metavar="FILE", help="what to read; - is stdin (default)")
    add(
        "--from", dest="source", required=True, choices=("output", "feedback", "test", "review"),
        help="what it is: an agent's output, a rated remark, a test's error, review comments (one a line)",
    )  # fmt: skip
    add("--rating", type=options.positive, default=0, metavar="N", help="of feedback, 1 to 5")
    add("--name", default="", metavar="TEST", help="the test's name")
    add("--fix", default="", metavar="TEXT", help="what made the test pass")
    add("--agent", default="", metavar="NAME", help="whose output it is")
    add("--project", metavar="FOLDER", help="where it applies (default: everywhere)")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.intake import draft_from_text

    project = options.project_of(args.project) if args.project else ""
    lessons = draft_from_text.draft(
        ws, args.source, _read(args.file), project=project, agent=args.agent, rating=args.rating,
        name=args.name, fix=args.fix,
    )  # fmt: skip
    if args.json:
        output.documents(lessons)
        return
    for lesson in lessons:
        statement = lesson.statement or wordless_label(lesson.title)
        output.line(f"{lesson_table.short(ws, lesson.id)}  {lesson.category}  {statement}")
    output.note(f"{output.count(len(lessons), 'new draft')}: learn drafts")


def _read(name: str) -> str:
    try:
        return input_file.content(name, "name a text file").decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable(f"{name} is no text", "name a text file") from None
