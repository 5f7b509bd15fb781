"""`learn report`: one page to look at and to send."""

from pathlib import Path

from learnloop.cli import options, output, whole_file
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace

_FILE = "learnloop-report.html"


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--since",
        type=options.duration,
        metavar="AGE",
        help="what happened since then, like 30d (default: all)",
    )
    add("--project", metavar="FOLDER", help="only what was done in one project")
    add("-o", "--output", default=_FILE, metavar="FILE", help=f"where to; - is stdout (default {_FILE})")
    add("--no-quotes", action="store_true", help="leave out what was said, word for word")


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.report import report_file

    project = options.project_named(args.project) if args.project else ""
    html = report_file.page(ws, days_ms=(args.since or 0) * 1000, project=project, quotes=not args.no_quotes)
    if args.output == "-":
        output.line(html)
        return
    Path(args.output).expanduser().parent.mkdir(0o700, parents=True, exist_ok=True)
    whole_file.write(args.output, html)
    quotes = "" if args.no_quotes else " It quotes you: before you send it, read it, or use --no-quotes."
    output.line(f"Wrote {args.output}. It needs no network.{quotes}")
