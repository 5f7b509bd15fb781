"""`learn feedback`: list the feedback that was detected; with a text the same as `learn add`."""

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace, add


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="?", metavar="TEXT", help="a lesson in your words; without: list")
    add.add_project(parser)
    options.add_limit(parser, 50)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    if args.text is None:
        _list(ws, args)
    else:
        add.run(ws, args)


def _list(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import rows
    from learnloop.service.sessions import sessions

    columns = [Column("TIME"), Column("CATEGORY"), Column("SURE", "right"), Column("SAID", wide=True)]
    output.listing(
        sessions.feedback(ws, args.limit), columns,
        lambda entry: [
            output.local(entry.timestamp), entry.feedback_category, round(100 * entry.confidence),
            entry.user_message,
        ],
        json=args.json, empty="No feedback was detected yet",
    )  # fmt: skip
    typed = sum(row.source == "told" for row in rows.rows(ws, None))
    if typed and not args.json:
        output.note(f"{output.count(typed, 'rule')} that you typed: learn lessons --filter source:told")
