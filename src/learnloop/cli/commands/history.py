"""`learn history`: list the verdicts that were given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    options.add_limit(parser, 50)
    options.add_json(parser)


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.history import sentences

    entries = sentences.history(ws, args.limit)
    if args.json:
        output.documents(entries)
        return 0
    columns = [Column("TIME"), Column("BY"), Column("DID", wide=True)]
    rows = [
        [
            output.local(entry["ts"]),
            entry["by"],
            f"{entry['sentence']}{' (undone)' if entry['undone'] else ''}",
        ]
        for entry in entries
    ]
    output.table(columns, rows, empty="No verdicts were given yet")
    return 0


COMMAND = VerbCommand(_add, _run)
