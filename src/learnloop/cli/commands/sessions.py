"""`learn sessions`: list sessions, or the timeline of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.registry import Command
from learnloop.errors import Ambiguous, NotFound

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from learnloop.service.sessions.watching import LiveSession, TimelineEntry
    from learnloop.service.workspace import Workspace

_RUNNING = ("waiting", "tool", "working")
_SHORTEST = 4
_NONE_FITS = "No session fits: learn sessions lists all"
_EMPTY = "No session was recorded yet: run learn install, then give your agent a task"


def _add(parser: ArgumentParser) -> None:
    parser.add_argument(
        "id", nargs="?", metavar="ID", help="the story of one session; its first 4 characters do"
    )
    parser.add_argument("--running", action="store_true", help="only those at work, or waiting for you")
    parser.add_argument(
        "--project", metavar="FOLDER", help="only those of one project, by its folder or the folder's name"
    )
    options.add_limit(parser, 50)
    options.add_json(parser)


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.sessions import session_docs, watching

    now = session_docs.now_ms()
    found: Sequence[LiveSession] = watching.sessions(ws, now)
    if args.id:
        return _story(ws, _older(ws, found, args.id, now) or _named(found, args.id), args)
    if args.project:
        project = options.project_named(args.project)
        found = [one for one in found if project == one.project or args.project == _name(one)]
    if args.running:
        found = [one for one in found if watching.phase(one, now) in _RUNNING]
    found = found[: args.limit]
    if args.json:
        output.as_json([session_docs.document(one, now) for one in found])
        return 0
    columns = [Column("ID", style="cyan"), Column("NOW"), Column("PROJECT"), Column("HOST"), Column("LAST")]
    columns += [Column("PROMPTS", "right"), Column("TOOLS", "right"), Column("TASK", wide=True)]
    rows = [
        [
            one.id[:8], watching.phase(one, now), _name(one), one.host,
            output.local(session_docs.time(one.last_ms)), one.prompts,
            sum(calls for calls, _ in one.tools.values()),
            output.short(one.asks or one.task, 200),
        ]
        for one in found
    ]  # fmt: skip
    output.table(columns, rows, empty=_NONE_FITS if args.project or args.running else _EMPTY)
    return 0


def _name(one: LiveSession) -> str:
    """A project as people call it."""
    return one.project.rstrip("/").rpartition("/")[2]


def _older(ws: Workspace, found: Sequence[LiveSession], wanted: str, now: int) -> LiveSession | None:
    """One that is older than those that are listed."""
    from learnloop.service.sessions import session_names, watching

    if len(wanted) < _SHORTEST or any(one.id.startswith(wanted) for one in found):
        return None
    near = [one.id for one in session_names.session_names(ws, now) if one.id.startswith(wanted)]
    return watching.Watcher(ws).find(near[0]) if len(near) == 1 else None


def _named(found: Sequence[LiveSession], wanted: str) -> LiveSession:
    near = [one for one in found if one.id.startswith(wanted)] if len(wanted) >= _SHORTEST else []
    exact = [one for one in near if one.id == wanted]
    if len(exact or near) == 1:
        return (exact or near)[0]
    if near:
        raise Ambiguous(f"{len(near)} sessions begin with {wanted!r}", "say more of its id")
    raise NotFound(f"no session {wanted!r}", "learn sessions lists them; 4 characters of the id or more")


def _story(ws: Workspace, one: LiveSession, args: Namespace) -> int:
    from learnloop.service.sessions import session_docs, watching

    story = watching.story(ws, one.id, one.started_ms, one.last_ms)
    if args.json:
        output.as_json([session_docs.entry(one) for one in story.entries])
        return 0
    columns = [
        Column("TIME"),
        Column("WHAT", style="cyan"),
        Column("TOOL"),
        Column("AGENT"),
        Column("SAYS", wide=True),
    ]
    rows = [
        [output.local(session_docs.time(entry.ms)), entry.kind, entry.tool, entry.agent, _says(entry)]
        for entry in story.entries
    ]
    output.table(columns, rows, empty="Nothing is kept of this session any more")
    return 0


def _says(entry: TimelineEntry) -> str:
    told = " ".join(f"{lesson.id[:6]} {lesson.score / 100:.2f}" for lesson in entry.lessons)
    heard = f"[{entry.heard}]" if entry.heard else ""
    return " ".join(filter(None, (told, output.short(entry.words, 300), heard)))


COMMAND = Command(_add, _run)
