"""`learn teach`: put the instructions for recording discoveries into prompt files."""

from shlex import quote

from learnloop.cli import options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
from learnloop.cli.patch_report import here, print_diffs, print_report
from learnloop.service.id_prefix import shown

_HELP = """\
The snippet is a patch like every other: it is shown first, applied by you, and comes out again whole.
Without --agent it is meant for your own instruction files (~/.claude/CLAUDE.md and the like).
"""


def add_options(parser: ArgumentParser) -> None:
    parser.epilog = _HELP
    parser.add_argument("--agent", default="", metavar="NAME", help="only in the prompt file of this agent")
    parser.add_argument("--file", action="append", metavar="PATH", help="in this file (several times)")
    parser.add_argument("--apply", action="store_true", help="put it into the files now")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.patches import patches, proposals

    projects = here()
    patch = proposals.teach(ws, args.agent, projects, is_named=bool(args.file))
    if args.apply:
        return print_report(patches.apply(ws, [patch.id], args.file, projects), json=args.json)
    previews = patches.preview(ws, [patch.id], args.file, projects)
    if args.json:
        output.documents(previews)
        return 0
    code = print_diffs(previews)
    if code == 0 and any(preview.diff for preview in previews):
        files = "".join(f" --file {quote(path)}" for path in args.file or ())
        output.note(f"Put it there with: learn patches apply {shown(patch.id)}{files}")
    return code
