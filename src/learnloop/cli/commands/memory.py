"""What was asked for and what it taught: `learn sessions --tasks`, `learn prime` and its memories."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.models.memory import Memory
    from learnloop.models.task import Task
    from learnloop.service.memory.near_tasks import NearTask, PrimingPlace


def _note_obstacle(ws: Workspace) -> None:
    """Print why words alone were searched, where the person asked for more."""
    if ws.settings.vectors.model:
        from learnloop.service.tasks import by_meaning

        message, hint = by_meaning.obstacle(ws)
        if message:
            output.note(f"learn: {message} – {hint}")


_NONE_FITS = "No task fits: learn sessions --tasks lists all"
_EMPTY = "No task was recorded yet: learn backfill reads old sessions, learn ingest --all older history"


def _tasks_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("query", nargs="*", metavar="QUERY", help="a filter, as outcome:failed cart; or show ID for one")
    add("--project", metavar="FOLDER", help="only those of one project, by its folder or the folder's name")
    add("--outcome", metavar="O", help="success, failed, revised, cancelled or unknown; several with commas")
    since = "only those that began since a day (2026-01-31) or in the last 7d, 12h, 2w"
    add("--since", metavar="D", help=since)
    add("--subagents", action="store_true", help="the runs of subagents as well")
    options.add_limit(parser, 50)
    options.add_json(parser)


def _tasks(ws: Workspace, args: Namespace) -> None:
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
    columns = [Column("ID", style="cyan"), *map(Column, ("BEGAN", "OUTCOME", "KIND", "PROJECT"))]
    columns += [Column("TOOK", "right"), Column("CALLS", "right"), Column("TASK", wide=True)]
    output.listing(
        matches[: args.limit], columns, lambda task: _cells(task, folders.get(task.project, "")),
        json=args.json, empty=_NONE_FITS if _line(args) or project else _EMPTY,
    )  # fmt: skip
    if len(matches) > args.limit and not args.json:
        output.note("There are more: --limit, --since or a filter")
    if args.query:
        _note_obstacle(ws)


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
    from learnloop.cli import pages
    from learnloop.faces import task_page
    from learnloop.service.lessons import documents

    told = {name: str(doc.get("statement")) for name, doc in documents.lessons(ws.root).items()}
    pages.show(task_page.task(task, output.local, told, task_list.primed(ws, task.id), runs))
    return True


_MEMORIES_NONE_FITS = "No memory fits: learn prime --memories lists all"
_MEMORIES_EMPTY = "No memory yet: they come from tasks that did something"
_MEMORIES_MARKS = ("hide", "unhide", "pin", "unpin")
_ID = r"(?:episodic|procedural|semantic|technical|context)-[0-9a-z-]+"


def _memories_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("query", nargs="*", metavar="QUERY",
        help="a filter, as type:procedural cart; show ID for one memory; rebuild --vectors")  # fmt: skip
    add("--type", metavar="T", help="only episodic, procedural, semantic, technical or context ones")
    add("--project", metavar="FOLDER", help="only those of one project")
    add("--hide", metavar="ID", help="tell agents no more of it and of its tasks")
    add("--unhide", metavar="ID", help="let it be told again")
    add("--pin", metavar="ID", help="keep it when its events go")
    add("--unpin", metavar="ID", help="let it go with its events")
    model = "with rebuild: read every task with the model of vectors.model"
    add("--vectors", action="store_true", help=model)
    options.add_limit(parser, 50)
    options.add_json(parser)


def _memories(ws: Workspace, args: Namespace) -> None:
    from learnloop.cli.progress import progress
    from learnloop.service.memory import memory_list

    if args.vectors or args.query == ["rebuild"]:
        _rebuild(ws, args)
        return
    for name in _MEMORIES_MARKS:
        if typed := getattr(args, name):
            memory_list.mark(ws, typed, name)
            output.line(f"Done: {name} {typed}. learn undo takes it back.")
            return
    if named := options.shown_id(args.query, _ID):
        _memories_show(memory_list.find(ws, named), args)
        return
    project = options.project_named(args.project) if args.project else ""
    line = " ".join([*args.query, *([f"type:{args.type}"] if args.type else ())])
    with progress("Reading what tasks taught"):
        listed = memory_list.memories(ws, line, args.limit + 1, project)
    columns = [Column("ID", style="cyan"), Column("TYPE"), Column("SEEN", "right")]
    columns += [Column("LAST"), Column("MARK"), Column("MEMORY", wide=True)]
    ids = _short_ids(listed)
    output.listing(
        listed[: args.limit], columns, lambda memory: _memories_cells(ids[memory.id], memory),
        json=args.json, empty=_MEMORIES_NONE_FITS if line or project else _MEMORIES_EMPTY,
    )  # fmt: skip
    if len(listed) > args.limit and not args.json:
        output.note("There are more: --limit or a filter")
    if args.query:
        _note_obstacle(ws)


def _rebuild(ws: Workspace, args: Namespace) -> None:
    from learnloop.cli.progress import progress
    from learnloop.errors import Refused
    from learnloop.service.memory import near_tasks

    if args.query != ["rebuild"] or not args.vectors:
        raise Refused("rebuild and --vectors go together", "learn prime --memories rebuild --vectors")
    with progress("Reading tasks with the model") as report:
        count = near_tasks.rebuild_vectors(ws, report)
    output.line(f"{output.count(count, 'task')} can be found by what they mean.")


def _memories_show(memory: Memory, args: Namespace) -> None:
    """Print all that is known of a memory."""
    if args.json:
        output.as_json(memory)
        return
    from learnloop.cli import pages
    from learnloop.faces import task_page

    pages.show(task_page.memory(memory, output.local))


def _short_ids(listed: Sequence[Memory]) -> dict[str, str]:
    """By id what to type for a memory: type, beginning of its task, and a number where that has several."""
    stems = {memory.id: memory.id[: len(memory.type) + 13] for memory in listed}
    uses, tasks = Counter(stems.values()), dict[str, set[str]]()
    for memory in listed:
        tasks.setdefault(stems[memory.id], set()).add(memory.task)

    def short(name: str, stem: str) -> str:
        number = name.removeprefix(stem).partition("-")[2]
        if len(tasks[stem]) > 1:
            return name
        return f"{stem}-{number or 1}" if number or uses[stem] > 1 else stem

    return {name: short(name, stem) for name, stem in stems.items()}


def _memories_cells(name: str, memory: Memory) -> list[object]:
    from learnloop.faces import task_page

    words, marks = output.short(memory.text, 200), " ".join(task_page.marks(memory))
    return [name, memory.type, memory.seen, output.local(memory.ts), marks, words]


_HELP = """\
  TASK      what is known for a task: lessons, what such work wrote, what was corrected and mended there
  on | off  let agents be told earlier work where a session begins, in a project or everywhere else
  (nothing) where it is on
"""


def _prime_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    parser.epilog = _HELP
    add("task", nargs="?", default="", metavar="TASK", help="the task in your words; or on, or off")
    add("--file", action="append", default=[], metavar="F", help="a file that it is about (several times)")
    add("--agent", default="main", metavar="A", help="the subagent at work")
    add("--project", metavar="FOLDER", help="the project (default: the current one)")
    add("--everywhere", action="store_true", help="on and off: in all projects that nothing was said of")
    add("--explain", action="store_true", help="every near task with every part of its score")
    options.add_json(parser)


def _run_prime(ws: Workspace, args: Namespace) -> None:
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
        output.listing(near, _COLUMNS, _prime_cells, json=args.json, empty=empty)
        _note_obstacle(ws)
        return
    with progress("Reading earlier tasks") as report:
        primed = near_tasks.prime(
            ws, args.task, project=project, files=files, agent=args.agent, progress=report
        )
    if args.json:
        output.as_json(primed)
        return
    if not (words := primed.text()):
        output.note("Nothing earlier is near enough to this task; --explain shows what is nearest")
        return
    output.line(output.safe_block(words))


_COLUMNS = [
    Column("ID", style="cyan"), Column("TOLD"), Column("SCORE", "right"), Column("WORDS", "right"),
    Column("FILES", "right"), Column("AGE", "right"), Column("MEANING", "right"), Column("OUTCOME"),
    Column("TASK", wide=True),
]  # fmt: skip


def _prime_cells(task: NearTask) -> list[object]:
    told = "yes" if task.told else "no"
    line = task.line or "(nothing was corrected or mended there in your words)"
    meaning = "" if task.meaning is None else f"{task.meaning} %"
    parts = [told, task.score, task.words, task.files, f"{task.age} %", meaning, task.outcome]
    return [task.id[:12], *parts, line]


COMMANDS = {
    "tasks": (_tasks_options, _tasks),
    "memories": (_memories_options, _memories),
    "prime": (_prime_options, _run_prime),
}
"""By verb what declares its options, and what runs it."""
