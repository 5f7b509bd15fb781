"""`learn init`: make the summary of what is known of a project already."""

from learnloop.cli import options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace

_HELP = """\
The summary has at most 50 lines: what your directives, instruction files, rules and lessons say.
Its facts are not learned again. A model writes it where one may read along (learn facts), else fixed
rules do. It is rebuilt when one of its sources changes.
The setting facts.sources names them. A project's own files are read once you trust it (learn trust).
"""


def add_options(parser: ArgumentParser) -> None:
    parser.epilog = _HELP
    parser.add_argument(
        "--project", default=".", metavar="FOLDER", help="the project (default: the current one)"
    )
    parser.add_argument("--print", action="store_true", help="print the summary itself")
    parser.add_argument("--show", action="store_true", help="print exactly what a model would be asked")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.profile import project_summary
    from learnloop.service.review import trust

    project = options.project_of(args.project)
    if args.show:
        output.line(output.safe_block(project_summary.asked(ws, project)))
        return
    facts = project_summary.summary(ws, project)
    if args.json:
        output.as_json(facts.as_json())
    elif args.print:
        output.line(facts.text.rstrip("\n"))
    else:
        lines = output.count(sum(map(len, facts.lines.values())), "line")
        parts = ", ".join(f"{name} {len(own)}" for name, own in facts.lines.items())
        by = "" if facts.by == "rules" else f" by {facts.by}"
        output.line(f"{lines}{by} from {output.count(len(facts.sources), 'file')}{parts and f': {parts}'}")
    if facts.error:
        output.note(f"Fixed rules made it, because {facts.error}")
    if not trust.is_trusted(ws.root, project):
        output.note(f"{project} is not trusted, so its own files are not read: learn trust")
