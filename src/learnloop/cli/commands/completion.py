"""completion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli.completing import SHELLS
from learnloop.cli.registry import Command

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


def _completion(ws: Workspace, args: Namespace) -> int:
    from learnloop.cli.completing import script

    del ws
    print(script(args.shell))
    return 0


COMMANDS = {"completion": Command(_add, _completion, checks_settings=False)}
