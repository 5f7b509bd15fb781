"""The verbs of `learn`, one file each: `add_options` declares what a verb takes, `run` does it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the types of these two functions
    from argparse import ArgumentParser as ArgumentParser
    from argparse import Namespace as Namespace

    from learnloop.service.workspace import Workspace as Workspace
