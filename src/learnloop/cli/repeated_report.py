"""What a backfill found: what the person said more than once, and how to keep it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnloop.service.intake.backfill import BackfillReport
    from learnloop.service.intake.repeated_corrections import Repeated


def lines(report: BackfillReport, *, with_commands: bool) -> Iterator[str]:
    """The report; `with_commands` names the command that keeps each thing."""
    said = report.said
    yield f"{report}."
    yield f"\n{said}"
    if said.repeated:
        yield ""
    for thing in said.repeated:
        yield f"{thing.times:>3}×  “{output.safe(thing.quote)}”{_place(thing)}"
        if with_commands or thing.approved:
            yield f"      {_command(thing)}"
    if left := said.things - len(said.repeated):
        yield f"      and {left} more: learn triage"
    if said.share:
        yield f"\n{said.share}"
    if report.drafts and (with_commands or not said.repeated):
        yield "Next: read the drafts in learn-tui, or with: learn triage"


def _place(thing: Repeated) -> str:
    if thing.projects > 1:
        return f"  in {thing.projects} projects"
    return f"  {output.safe(thing.folder)}" if thing.folder else ""


def _command(thing: Repeated) -> str:
    if thing.approved:
        return f"{thing.short} is a lesson already"
    words = ' --statement "what to do instead"' if thing.needs_words else ""
    everywhere = f" && learn edit {thing.short} --scope global" if thing.others else ""
    return f"learn promote {thing.short}{words}{everywhere}"
