"""`learn discover`: record or list what agents found out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from learnloop.cli import lesson_table, options, output
from learnloop.cli.columns import Column

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
    add("--project", metavar="FOLDER", default=".", help="where it was found (default: this folder)")
    options.add_json(parser)


def _discover(ws: Workspace, args: Namespace) -> None:
    from learnloop.errors import Refused
    from learnloop.service.lessons import discoveries

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


COMMANDS = {"discover": (_discover_options, _discover)}
"""By verb what declares its options, and what runs it."""
