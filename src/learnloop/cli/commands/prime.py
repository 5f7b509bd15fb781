"""`learn prime`: show the earlier tasks near to a task, and say where agents are told them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output, searching
from learnloop.cli.columns import Column

if TYPE_CHECKING:
    from collections.abc import Iterable

    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.service.memory.near_tasks import NearTask, PrimingPlace

_HELP = """\
  TASK      what is known for a task: lessons, earlier tasks that went well, what they share, what went wrong
  on | off  let agents be told earlier tasks in a project, or everywhere else, or no more
  (nothing) where they are

Agents are told nothing until you switch it on: then up to two earlier tasks at a prompt, behind the lessons.
"""


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    parser.epilog = _HELP
    add("task", nargs="?", default="", metavar="TASK", help="the task in your words; or on, or off")
    add("--file", action="append", default=[], metavar="F", help="a file that it is about (several times)")
    add("--agent", default="main", metavar="A", help="the subagent at work")
    add("--project", metavar="FOLDER", help="the project (default: the current one)")
    add("--everywhere", action="store_true", help="on and off: in all projects that nothing was said of")
    add("--explain", action="store_true", help="every near task with every part of its score")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    if args.task in ("on", "off"):
        _switch(ws, args)
    elif args.task:
        _prime(ws, args)
    else:
        _places(ws, args)


def _switch(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.memory import near_tasks

    project = "" if args.everywhere else options.project_named(args.project or ".")
    near_tasks.set_priming(ws, project, on=args.task == "on")
    where = project or "all projects that nothing was said of"
    if args.task == "on":
        output.line(f"Agents are told earlier tasks in {where}: your words, files, commands, how it went.")
        output.line("See what at any task: learn prime TASK. learn undo stops it.")
    else:
        output.line(f"Agents are told no earlier tasks in {where}.")


def _places(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.memory import near_tasks

    def cells(place: PrimingPlace) -> list[object]:
        return [place.project or "everywhere else", "on" if place.on else "off"]

    columns = [Column("PROJECT", wide=True), Column("PRIMING")]
    empty = "Agents are told no earlier tasks anywhere: learn prime on --project FOLDER"
    output.listing(near_tasks.places(ws), columns, cells, json=args.json, empty=empty)


def _prime(ws: Workspace, args: Namespace) -> None:
    from learnloop.cli.progress import progress
    from learnloop.service.memory import near_tasks

    project = options.project_named(args.project or ".")
    files = tuple(name.removeprefix(f"{project}/") for name in args.file)
    if args.explain:
        with progress("Reading earlier tasks") as report:
            near = near_tasks.nearest(ws, args.task, project=project, files=files, progress=report)
        empty = "No earlier task of this project has a word or file in common"
        output.listing(near, _COLUMNS, _cells, json=args.json, empty=empty)
        searching.note_obstacle(ws)
        return
    with progress("Reading earlier tasks") as report:
        primed = near_tasks.prime(
            ws, args.task, project=project, files=files, agent=args.agent, progress=report
        )
    if args.json:
        output.as_json(primed)
        return
    groups = (
        ("Previous Learnings", primed.learnings),
        ("Similar Successful Tasks", _lines(primed.similar)),
        ("Domain Knowledge", primed.knowledge),
        ("Previous Attempt Insights", _lines(primed.attempts)),
    )
    sections = [
        "\n".join([f"### {title}", *(f"- {line}" for line in lines)]) for title, lines in groups if lines
    ]
    if not sections:
        output.note("Nothing earlier is near enough to this task; --explain shows what is nearest")
        return
    output.line(output.safe_block("\n\n".join(["## Relevant Experience", *sections])))


def _lines(tasks: Iterable[NearTask]) -> list[str]:
    unknown = "nobody said how it went, "
    return [f"{task.line} ({unknown * (task.outcome == 'unknown')}{task.id[:8]})" for task in tasks]


_COLUMNS = [
    Column("ID", style="cyan"), Column("TOLD"), Column("SCORE", "right"), Column("WORDS", "right"),
    Column("FILES", "right"), Column("AGE", "right"), Column("MEANING", "right"), Column("OUTCOME"),
    Column("TASK", wide=True),
]  # fmt: skip


def _cells(task: NearTask) -> list[object]:
    told = "yes" if task.told else "no"
    line = task.line or "(nothing in it is surely your words)"
    meaning = "" if task.meaning is None else f"{task.meaning} %"
    return [
        task.id[:12],
        told,
        task.score,
        task.words,
        task.files,
        f"{task.age} %",
        meaning,
        task.outcome,
        line,
    ]
