"""`learn completion`: print what a shell needs to complete `learn`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli.registry import VerbCommand
from learnloop.cli.suggestions import SHELLS

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace

_HELP = """\
Put one of these where your shell begins:

  bash   eval "$(learn completion bash)"       in ~/.bashrc
  zsh    eval "$(learn completion zsh)"        in ~/.zshrc, after compinit
  fish   learn completion fish | source        in ~/.config/fish/config.fish
"""


def _add(parser: ArgumentParser) -> None:
    parser.epilog = _HELP
    parser.add_argument("shell", choices=SHELLS, help="the shell that completes")


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.cli.suggestions import script

    del ws
    print(script(args.shell))
    return 0


COMMAND = VerbCommand(_add, _run, checks_settings=False)
