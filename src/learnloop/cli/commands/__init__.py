"""The verbs of `learn`, one file each: `add_options` declares what a verb takes, `run` does it."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace
else:
    Workspace = object  # importing it would cost each verb's help some milliseconds

__all__ = ["ArgumentParser", "Namespace", "Workspace"]
