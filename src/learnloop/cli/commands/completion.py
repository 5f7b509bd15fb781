"""`learn completion`: print what a shell needs to complete `learn`."""

from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
from learnloop.cli.suggestions import SHELLS

_HELP = """\
Add the line of your shell to its start file:

  bash   eval "$(learn completion bash)"       in ~/.bashrc
  zsh    eval "$(learn completion zsh)"        in ~/.zshrc, after compinit
  fish   learn completion fish | source        in ~/.config/fish/config.fish
"""


def add_options(parser: ArgumentParser) -> None:
    parser.epilog = _HELP
    parser.add_argument("shell", choices=SHELLS, help="the shell that completes")


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.cli.suggestions import script

    del ws
    print(script(args.shell))
