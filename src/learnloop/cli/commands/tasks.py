"""`learn tasks`: list what was asked for and how it went, or show one task."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from learnloop.cli import options, output, searching
from learnloop.cli.columns import Column
from learnloop.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.models.task import Task
    from learnloop.service.tasks.task_list import PrimedSession

_MOST_TELLINGS = 20
_MARKS = {"done": "✓", "failed": "✗", "refused": "⊘"}
_NONE_FITS = "No task fits: learn tasks lists all"
_EMPTY = "No task was recorded yet: learn backfill reads old sessions, learn ingest --all older history"


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("query", nargs="*", metavar="QUERY", help="a filter, as outcome:failed cart; or show ID for one")
    add("--project", metavar="FOLDER", help="only those of one project, by its folder or the folder's name")
    add("--outcome", metavar="O", help="success, failed, revised, cancelled or unknown; several with commas")
    add(
        "--since",
        metavar="D",
        help="only those that began since a day (2026-01-31) or in the last 7d, 12h, 2w",
    )
    add("--subagents", action="store_true", help="the runs of subagents as well")
    options.add_limit(parser, 50)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    named = options.shown_id(args.query, r"[0-9a-fA-F]{4,32}")
    if named and _show(ws, args, named):
        return
    from learnloop.service.tasks import task_list

    project = options.project_named(args.project) if args.project else ""
    matches = task_list.tasks(
        ws, _line(args), args.limit + 1, subagents=args.subagents,
        in_project=lambda folder: not project or folder == project or args.project == _name(folder),
    )  # fmt: skip
    from learnloop.service import project_names

    folders = project_names.names(task.project for task in matches)
    columns = [Column("ID", style="cyan"), Column("BEGAN"), Column("OUTCOME"), Column("KIND")]
    columns += [
        Column("PROJECT"),
        Column("TOOK", "right"),
        Column("CALLS", "right"),
        Column("TASK", wide=True),
    ]
    output.listing(
        matches[: args.limit], columns, lambda task: _cells(task, folders.get(task.project, "")),
        json=args.json, empty=_NONE_FITS if _line(args) or project else _EMPTY,
    )  # fmt: skip
    if len(matches) > args.limit and not args.json:
        output.note("There are more: --limit, --since or a filter")
    if args.query:
        searching.note_obstacle(ws)


def _line(args: Namespace) -> str:
    """The filter of the options and the words."""
    line = [*args.query]
    if args.outcome:
        line.append(f"outcome:{args.outcome}")
    if args.since:
        is_day = re.fullmatch(r"\d{4}-\d{2}-\d{2}", args.since)
        line.append(f"started:{'>=' if is_day else '<'}{args.since}")
    return " ".join(line)


def _cells(task: Task, folder: str) -> list[object]:
    from learnloop.service.elapsed import elapsed

    turns = f" ({len(task.turns)} turns)" if len(task.turns) > 1 else ""
    return [
        task.id[:12], output.local(task.started), _outcome(task), task.kind, folder,
        elapsed(task.duration_ms), task.calls, output.short(task.title, 100) + turns,
    ]  # fmt: skip


def _outcome(task: Task) -> str:
    return f"{task.outcome}?" if task.known == "inferred" else task.outcome


def _name(folder: str) -> str:
    return folder.rstrip("/").rpartition("/")[2]


def _show(ws: Workspace, args: Namespace, named: str) -> bool:
    """Print one task; whether there is one of that id. A lone word that is none may be meant as a word."""
    from learnloop.service.tasks import task_list

    try:
        task, runs = task_list.find(ws, named)
    except NotFound:
        if len(args.query) > 1:
            raise
        return False
    if args.json:
        output.as_json(task)
        return True
    print(output.safe(task.title))
    output.fields([*_facts(task), *_tellings(task_list.primed(ws, task.id))], indent="  ")
    _print_steps(task)
    for each in runs:
        print(output.safe(f"\n{each.agent}  {_outcome(each)}  {each.calls} calls  {each.id[:12]}"))
        _print_steps(each)
    return True


def _facts(task: Task) -> Iterator[tuple[str, object]]:
    from learnloop.service.elapsed import elapsed

    asked = " ".join(task.input.split())
    yield "asked", output.short(asked, 400) if asked != task.title else ""
    how = {"said": ", as you said", "inferred": ", inferred", "none": ""}[task.known]
    yield (
        "outcome",
        f"{task.outcome}{how}" + (f", quality {task.quality:g}" if task.quality is not None else ""),
    )
    yield "error", output.short(task.error, 300)
    yield "began", output.local(task.started)
    yield "took", f"{elapsed(task.duration_ms)}, {elapsed(task.busy_ms)} at work"
    yield "agent", f"{task.agent} · {task.host}"
    yield "project", " · ".join(filter(None, (task.project, task.branch)))
    yield "session", task.session_id
    yield "kind", " · ".join((task.kind, *task.tags))
    yield "needs", " · ".join(task.prerequisites)
    yield "done when", " · ".join(task.criteria)
    yield "files", ", ".join(task.files)
    yield "told", ", ".join(task.told)
    yield "turns", len(task.turns) if len(task.turns) > 1 else ""
    yield "continues", (task.continues or "")[:12]
    yield "part of", (task.parent or "")[:12]


def _tellings(primed: Sequence[PrimedSession]) -> Iterator[tuple[str, object]]:
    for each in primed[:_MOST_TELLINGS]:
        yield (
            "told to",
            f"{each.agent} · session {each.session_id} · {output.local(each.ts)} · score {each.score}",
        )


def _print_steps(task: Task) -> None:
    for step in task.steps:
        error = f" – {step.error_class}" if step.error_class else ""
        words = f"{_MARKS[step.result]} {step.tool} {output.short(step.target, 120)}{error}"
        print(f"  {output.safe(words)}")
    if task.calls > len(task.steps):
        print(f"  {output.count(task.calls - len(task.steps), 'more call')} between are left out")
