"""`learn feedback`: state a preference, or list the feedback that was detected."""

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
from learnloop.cli.verdict_report import print_decision


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("text", nargs="?", metavar="TEXT", help="a preference, approved by your saying it; without: list")
    where = "counts in one project (default: everywhere)"
    add("--project", nargs="?", const=".", metavar="FOLDER", help=where)
    options.add_limit(parser, 50)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    if args.text is None:
        _list(ws, args)
        return
    from learnloop.service.lessons import lookup
    from learnloop.service.recall import moments
    from learnloop.service.review import verdicts

    project = options.project_of(args.project) if args.project else None
    scope = "project" if project else "global"
    decision = verdicts.tell(ws, args.text, scope=scope, project=project or "")
    print_decision(ws, decision)
    when = moments.describe_moments(lookup.find(ws, decision.lesson_ids[0]))
    output.note(f"It is {when}. Take it back with: learn undo")


def _list(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import rows
    from learnloop.service.sessions import sessions

    columns = [Column("TIME"), Column("CATEGORY"), Column("SURE", "right"), Column("SAID", wide=True)]
    output.listing(
        sessions.feedback(ws, args.limit), columns,
        lambda entry: [
            output.local(entry.timestamp), entry.feedback_category, f"{entry.confidence:.2f}",
            entry.user_message,
        ],
        json=args.json, empty="No feedback was detected yet",
    )  # fmt: skip
    typed = sum(row.source == "told" for row in rows.rows(ws, None))
    if typed and not args.json:
        output.note(f"{output.count(typed, 'rule')} that you typed: learn lessons --filter source:told")
