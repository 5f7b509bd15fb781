"""`learn memories`: list what tasks taught; hide or pin one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from learnloop.cli import options, output, searching
from learnloop.cli.columns import Column

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.models.memory import Memory

_NONE_FITS = "No memory fits: learn memories lists all"
_EMPTY = "No memory yet: they come from tasks that did something"
_MARKS = ("hide", "unhide", "pin", "unpin")
_ID = r"(?:episodic|procedural|semantic|technical|context)-[0-9a-z-]+"


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("query", nargs="*", metavar="QUERY",
        help="a filter, as type:procedural cart; show ID for one memory; rebuild --vectors")  # fmt: skip
    add("--project", metavar="FOLDER", help="only those of one project")
    add("--hide", metavar="ID", help="tell agents no more of it and of its tasks")
    add("--unhide", metavar="ID", help="let it be told again")
    add("--pin", metavar="ID", help="keep it when its events go")
    add("--unpin", metavar="ID", help="let it go with its events")
    add(
        "--vectors", action="store_true", help="with rebuild: read every task with the model of vectors.model"
    )
    options.add_limit(parser, 50)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.cli.progress import progress
    from learnloop.service.memory import memory_list

    if args.vectors or args.query == ["rebuild"]:
        _rebuild(ws, args)
        return
    for name in _MARKS:
        if typed := getattr(args, name):
            memory_list.mark(ws, typed, name)
            output.line(f"Done: {name} {typed}. learn undo takes it back.")
            return
    if named := options.shown_id(args.query, _ID):
        _show(memory_list.find(ws, named), args)
        return
    project = options.project_named(args.project) if args.project else ""
    with progress("Reading what tasks taught"):
        listed = memory_list.memories(ws, " ".join(args.query), args.limit + 1, project)
    columns = [Column("ID", style="cyan"), Column("TYPE"), Column("SEEN", "right"), Column("SURE", "right")]
    columns += [Column("BEGAN"), Column("MARK"), Column("MEMORY", wide=True)]
    ids = _short_ids(listed)
    output.listing(
        listed[: args.limit],
        columns,
        lambda memory: _cells(ids[memory.id], memory),
        json=args.json,
        empty=_NONE_FITS if args.query or project else _EMPTY,
    )
    if len(listed) > args.limit and not args.json:
        output.note("There are more: --limit or a filter")
    if args.query:
        searching.note_obstacle(ws)


def _rebuild(ws: Workspace, args: Namespace) -> None:
    from learnloop.cli.progress import progress
    from learnloop.errors import Refused
    from learnloop.service.memory import near_tasks

    if args.query != ["rebuild"] or not args.vectors:
        raise Refused("rebuild and --vectors go together", "learn memories rebuild --vectors")
    with progress("Reading tasks with the model") as report:
        count = near_tasks.rebuild_vectors(ws, report)
    output.line(f"{output.count(count, 'task')} can be found by what they mean.")


def _show(memory: Memory, args: Namespace) -> None:
    """Print all that is known of a memory."""
    if args.json:
        output.as_json(memory)
        return
    print(output.safe(memory.text))
    output.fields(_facts(memory), indent="  ")


def _facts(memory: Memory) -> Iterator[tuple[str, object]]:
    yield "id", memory.id
    yield "type", " · ".join(filter(None, (memory.type, _marks(memory))))
    yield "sure", f"{memory.confidence:.0%}"
    yield "seen", f"in {output.count(memory.seen, 'task')}, last {output.local(memory.ts)}"
    yield "agent", memory.agent
    yield "project", memory.project
    yield "files", ", ".join(memory.files)
    yield "about", ", ".join(memory.relevance)
    yield "tasks", ", ".join(task[:12] for task in memory.tasks)
    yield "until", output.local(memory.expires) if memory.expires else ""


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


def _marks(memory: Memory) -> str:
    names = (("pinned", memory.pinned), ("hidden", memory.hidden), ("external", memory.trust == "external"))
    return " ".join(name for name, holds in names if holds)


def _cells(name: str, memory: Memory) -> list[object]:
    return [
        name, memory.type, memory.seen, f"{memory.confidence:.0%}",
        output.local(memory.ts), _marks(memory), output.short(memory.text, 200),
    ]  # fmt: skip
