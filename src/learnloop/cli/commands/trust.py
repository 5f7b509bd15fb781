"""`learn trust`: allow Learnloop to read a project's own files."""

from learnloop.cli import options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--project", default=".", metavar="FOLDER", help="the project (default: the current one)")
    add("--undo", action="store_true", help="trust it no more")
    add("--list", action="store_true", help="list the trusted projects")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import trust

    if args.list:
        projects = sorted(trust.trusted(ws.root))
        if args.json:
            output.as_json([{"project": project} for project in projects])
        elif projects:
            output.line("\n".join(projects))
        else:
            output.note("No project is trusted: learn trust")
        return
    project = options.project_named(args.project) if args.undo else options.project_of(args.project)
    trust.trust(ws, project, not args.undo)
    if args.undo:
        output.line(f"{project} is trusted no more: its files are not read.")
    else:
        output.line(f"{project} is trusted: its manifests are read. See: learn preferences")
