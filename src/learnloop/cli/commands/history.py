"""`learn history`: list the verdicts that were given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.history.sentences import HistoryEntry
    from learnloop.service.workspace import Workspace


def add_options(parser: ArgumentParser) -> None:
    options.add_limit(parser, 50)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.history import sentences

    columns = [Column("TIME"), Column("BY"), Column("DID", wide=True)]
    entries, empty = sentences.history(ws, args.limit), "No verdicts were given yet"
    output.listing(entries, columns, _cells, json=args.json, empty=empty)


def _cells(entry: HistoryEntry) -> list[object]:
    undone = " (undone)" if entry["undone"] else ""
    return [output.local(entry["ts"]), entry["by"], f"{entry['sentence']}{undone}"]
