"""`learn drafts`: list the drafts that wait, strongest first."""

from learnloop.cli import lesson_table, options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="the weaker ones too, not only the strongest")
    lesson_table.add_filter(parser)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import rows

    if args.json:
        from learnloop.service.lessons import queue

        output.documents(lesson_table.filtered(ws, args.filter, queue.listing(ws, "draft")))
        return
    if args.filter:
        from learnloop.service.lessons import query

        drafts = query.matching_rows(ws, args.filter, "draft")
        lesson_table.print_drafts(drafts, "No draft fits that filter")
        return
    page = rows.queue_page(ws, everything=args.all)
    empty = "There are no drafts: correct your agent where it goes wrong, then run learn ingest"
    lesson_table.print_drafts(page.top, empty)
    if page.weaker:
        output.note(f"{output.count(page.weaker, 'weaker draft')} more: learn drafts --all")
