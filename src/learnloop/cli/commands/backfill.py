"""`learn backfill`: learn from existing transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.progress import progress
from learnloop.cli.registry import Command
from learnloop.errors import Refused

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from learnloop.service.intake.backfill import TranscriptProject
    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    parser.epilog = "Safe to run twice: what is known already, from hooks or from an earlier run, is skipped."
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="transcripts, folders of them, or projects; without: asks"
    )
    parser.add_argument("--all", action="store_true", help="every project that has transcripts")
    options.add_json(parser)


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.intake import backfill

    if args.paths:
        return _backfill_paths(ws, args.paths)
    found = backfill.projects(ws)
    if args.json:
        output.documents(found)
        return 0
    if not found:
        raise Refused("there are no transcripts yet", "work with your agent, or name a folder of transcripts")
    return _backfill_paths(ws, _chosen(found, args))


def _chosen(found: Sequence[TranscriptProject], args: Namespace) -> list[str]:
    if args.all:
        return [item.path for item in found]
    _listing(found)
    answer = output.ask("Which projects? Numbers such as 1 3 5-7, or all: ")
    if not answer and not output.can_ask():
        options.wrong_usage("which projects? Name their paths, or say --all", "learn backfill")
    return [found[number - 1].path for number in numbers(answer, len(found))]


def numbers(answer: str, most: int) -> list[int]:
    """What a person chose of a numbered list; raises Refused for anything else."""
    if answer.lower() == "all":
        return list(range(1, most + 1))
    chosen: list[int] = []
    for part in answer.replace(",", " ").split():
        first, _, last = part.partition("-")
        if not (first.isdecimal() and (last or first).isdecimal()):
            raise Refused(f"{part!r} is no number of the list", "answer with numbers, or all")
        chosen += range(int(first), int(last or first) + 1)
    if not chosen or min(chosen) < 1 or max(chosen) > most:
        raise Refused("no project was chosen", f"answer with numbers from 1 to {most}, or all")
    return list(dict.fromkeys(chosen))


def _listing(found: Sequence[TranscriptProject]) -> None:
    columns = [Column("", "right"), Column("SESSIONS", "right"), Column("LAST"), Column("PROJECT", wide=True)]
    rows = [
        [number, one.sessions, output.local(one.last), one.project] for number, one in enumerate(found, 1)
    ]
    output.table(columns, rows)


def _backfill_paths(ws: Workspace, paths: Sequence[str]) -> int:
    from learnloop.service.intake import backfill

    with progress("Sessions") as on_progress:
        report = backfill.backfill(ws, paths, on_progress)
    output.line(f"{report}.")
    for name in report.unreadable:
        output.note(f"Not read: {name}")
    if report.drafts:
        output.line("Next: read the drafts in learn-tui, or with: learn drafts")
    return 0


COMMAND = Command(_add, _run)
