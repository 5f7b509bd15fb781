"""`learn drafts`: list the drafts that wait, the likeliest first."""

from learnloop.cli import lesson_table, options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--all", action="store_true", help="the folded ones too: weak, without words, of muted rules"
    )
    lesson_table.add_filter(parser)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import rows
    from learnloop.service.lessons.row import fold_words

    if args.json:
        from learnloop.service.lessons import queue

        output.documents(queue.listed_drafts(ws, lesson_table.matching_ids(ws, args.filter)))
        return
    if args.filter:
        from learnloop.service.lessons import query

        drafts = query.matching_rows(ws, args.filter, "draft")
        lesson_table.print_drafts(drafts, "No draft fits that filter")
        return
    page = rows.queue_page(ws, everything=args.all)
    empty = "There are no drafts: correct your agent where it goes wrong, then run learn ingest"
    if page.top or not page.folded:
        lesson_table.print_drafts(page.top, empty)
    if page.folded:
        output.note(f"{fold_words(page.folded)} (learn drafts --all)")
