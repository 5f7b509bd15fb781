"""What `learn patches` and `learn patches --teach` print about patches and files."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.errors import Refused
from learnloop.service.id_prefix import shown

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence

    from learnloop.service.patches.commit import Report
    from learnloop.service.patches.fact_imports import ImportChoice
    from learnloop.service.patches.preview import FilePreview

    Choices = Sequence[tuple[ImportChoice, list[FilePreview]]]

_NO_FILE = ("there is no file to put it in", "name one with --file; learn patches targets lists them")


def here() -> list[str]:
    """The project of the working folder, whose prompt files count too."""
    return [options.project_of(str(Path.cwd()))]


def print_diffs(previews: Sequence[FilePreview]) -> int:
    """Print what would change in each file; returns 1 where nothing could, raises Refused without a file."""
    failed = [result for preview in previews for result in preview.results if not result.ok]
    changed = [preview for preview in previews if preview.diff]
    for preview in changed:
        output.diff(preview.diff)
    for result in failed:
        output.note(f"{result.error}{f' – {result.hint}' if result.hint else ''}")
    if not previews:
        raise Refused(*_NO_FILE)
    if not changed and not failed:
        output.note("Nothing would change: the files say it already")
    return 1 if failed and not changed else 0


def print_choices(choices: Choices) -> None:
    """Show where the line may go that makes agents read a file of facts, with the diff of each place."""
    for choice, previews in choices:
        output.note(f"No agent reads {choice.path} yet. The line that names it may go into:")
        for number, preview in enumerate(previews, 1):
            output.note(f"{number}  --import {quote(preview.path)}\n{preview.diff}")
        output.note("n  --import none: you see to it yourself")


def add_import(parser: ArgumentParser, verb: str) -> None:
    """`--import PATH`, for the line that makes agents read a file of facts."""
    words = f"{verb}: the file for the line that makes agents read a file of facts, or none (several times)"
    parser.add_argument("--import", dest="imports", action="append", metavar="PATH", help=words)


def chosen_imports(args: Namespace, choices: Callable[[], Choices]) -> list[str]:
    """The files for import lines that the options name; a person at a terminal is asked."""
    if args.imports or args.json or not output.can_ask():
        return [
            name if name == "none" else str(Path(name).expanduser().absolute()) for name in args.imports or ()
        ]
    return _ask_imports(choices())


def _ask_imports(choices: Choices) -> list[str]:
    """Ask a person at a terminal which of the places it is; raises Refused for no clear answer."""
    places = []
    for choice in choices:
        print_choices([choice])
        by_answer = {str(number): preview.path for number, preview in enumerate(choice[1], 1)} | {"n": "none"}
        answer = output.ask(f"{'/'.join(by_answer)}? ").strip()
        if answer not in by_answer:
            raise Refused("nothing was chosen, so nothing is changed", "answer with one of the numbers, or n")
        places.append(by_answer[answer])
    return places


def print_report(report: Report, *, json: bool) -> int:
    """Print the result for each file; returns 1 where one failed, raises Refused where there was no file."""
    if json:
        output.as_json([result.as_json() for result in report.results])
        return 1 if report.failed else 0
    for result in report.results:
        if result.ok:
            output.line(f"{result.did:<13} {shown(result.patch)}  {result.path}")
    for result in report.failed:
        hint = f" – {result.hint}" if result.hint else ""
        output.note(f"{result.did:<13} {shown(result.patch)}  {result.error}{hint}")
        for name, text in (result.sides or {}).items():
            output.note(f"  {name}:")
            output.note("\n".join(f"    {part}" for part in text.splitlines()) or "    (nothing)")
    if not report.results:
        raise Refused(*_NO_FILE)
    return 1 if report.failed else 0
