"""`learn discover`: record or list what agents found out; drafts of their outputs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from learnloop.cli import files, lesson_table, options, output
from learnloop.cli.columns import Column
from learnloop.errors import Unreadable
from learnloop.service.lessons.row import wordless_label

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


CATEGORIES = (
    "technical_insight", "workaround", "pattern", "gotcha", "performance", "dependency", "configuration",
)  # fmt: skip


def _discover_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--summary", metavar="TEXT", help="one sentence, 10 to 100 characters; without: list discoveries")
    add("--details", metavar="TEXT", help="what there is to know, 20 characters or more")
    add("--category", choices=CATEGORIES, help="what kind it is (default technical_insight)")
    add("--files", metavar="F,G", help="files that it is about")
    add("--scope", choices=("project", "global"), help="where it applies (default project)")
    add("--expires", metavar="DAY", help="until when it applies, as 2027-01-31")
    add("--confidence", metavar="N", help="how sure you are, 0.5 to 1 (default 0.7)")
    add("--agent", metavar="NAME", help="who found it out")
    add("--useful", metavar="ID", help="say that one was useful; it ranks higher")
    add("--project", metavar="FOLDER", default=".", help="where it was found (default: this folder)")
    options.add_json(parser)


def _discover(ws: Workspace, args: Namespace) -> None:
    from learnloop.errors import Refused
    from learnloop.service.lessons import discoveries

    if args.useful:
        _mark_useful(ws, args.useful)
        return
    names = ("category", "summary", "details", "files", "scope", "expires", "confidence", "agent")
    fields = {name: value for name in names if (value := getattr(args, name)) is not None}
    if not fields:
        _list(ws, args)
        return
    if "summary" not in fields or "details" not in fields:
        raise Refused("a discovery needs --summary and --details", "see learn discover --help")
    project = options.project_of(args.project)
    lesson_id = discoveries.discover(ws, fields, project=project, cwd=str(Path(args.project).resolve()))
    if args.json:
        output.as_json({"id": lesson_id})
    else:
        output.line(
            f"Recorded as draft {lesson_table.short(ws, lesson_id)}: a person decides whether it is kept."
        )


def _mark_useful(ws: Workspace, lesson_id: str) -> None:
    """Rate an approved discovery as helpful; raises Refused where it is no discovery."""
    from learnloop.cli import lesson_table
    from learnloop.errors import Refused
    from learnloop.service.lessons import discoveries, documents
    from learnloop.service.review import verdicts

    if discoveries.ranked_discovery(documents.find(ws, lesson_id)) is None:
        raise Refused(f"{lesson_id} is no discovery", "learn edit --rate ID helpful rates other lessons")
    lesson_table.report(ws, verdicts.rate(ws, [lesson_id], "helpful"))


def _list(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import discoveries

    project = options.project_of(args.project)
    listed = discoveries.listing(ws, project)
    if args.json:
        output.as_json([
            {**row.lesson.as_json(), "verifications": row.verifications, "rank": round(row.rank, 4),
             "last_useful": row.last_useful}
            for row in listed
        ])  # fmt: skip
        return
    columns = [Column("ID", style="cyan"), Column("RANK", "right"), Column("VERIFIED", "right")]
    columns += [Column("DAYS", "right"), Column("KIND"), Column("STATE"), Column("SAYS", wide=True)]
    rows = [
        [
            lesson_table.short(ws, row.lesson.id), round(100 * row.rank), row.verifications, row.days,
            row.lesson.category, row.lesson.status, row.lesson.statement,
        ]
        for row in listed
    ]  # fmt: skip
    output.table(columns, rows, empty="No discoveries yet: agents record them, see learn discover --help")
    counts = discoveries.counts_by_category(ws, project)
    summary = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    if summary:
        output.note(summary)


def _draft_options(parser: ArgumentParser) -> None:
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


def _draft(ws: Workspace, args: Namespace) -> None:
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
    output.note(f"{output.count(len(lessons), 'new draft')}: learn lessons --drafts")


def _read(name: str) -> str:
    try:
        return files.content(name, "name a text file").decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable(f"{name} is no text", "name a text file") from None


COMMANDS = {"discover": (_discover_options, _discover), "draft": (_draft_options, _draft)}
"""By verb what declares its options, and what runs it."""
