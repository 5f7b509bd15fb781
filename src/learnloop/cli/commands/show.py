"""`learn show`: print one lesson with its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.registry import VerbCommand

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    options.add_id(parser)
    options.add_json(parser)


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.lessons import lookup

    lesson = lookup.find(ws, args.id)
    if args.json:
        output.as_json(lesson.as_json())
        return 0
    from learnloop.cli import lesson_detail, paging
    from learnloop.service.review import validation

    with paging.paged():
        lesson_detail.show(lesson, validation.recall_text(ws, lesson))
    return 0


COMMAND = VerbCommand(_add, _run)
