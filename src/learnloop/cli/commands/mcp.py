"""`learn mcp`: answer agents that ask for lessons, over the Model Context Protocol."""

from learnloop.cli import options
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--project",
        metavar="FOLDER",
        default=".",
        help="whose lessons (default: the folder it is started in)",
    )
    parser.epilog = "For agents without hooks: name it in the agent's MCP settings. It needs learnloop[mcp]."


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.errors import Refused

    try:
        from learnloop.mcp import server
    except ModuleNotFoundError as error:
        raise Refused(f"{error.name} is not installed", "pip install 'learnloop[mcp]' gets it") from None
    server.serve(ws.root, options.project_of(args.project))
