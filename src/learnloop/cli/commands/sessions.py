"""`learn sessions`: list sessions, or the timeline of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.registry import Command
from learnloop.errors import NotFound

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from learnloop.service.sessions.watching import LiveSession, TimelineEntry
    from learnloop.service.workspace import Workspace

_RUNNING = ("waiting", "tool", "working")
_LISTS = "learn sessions lists them; 4 characters of the id or more"
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
        return _story(ws, _named(ws, found, args.id, now), args)
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


def _named(ws: Workspace, listed: Sequence[LiveSession], typed: str, now: int) -> LiveSession:
    """The session of an id or a unique beginning: one of those that are listed, else an older one."""
    from learnloop.service import id_prefix
    from learnloop.service.sessions import session_names, watching

    by_id = {session.id: session for session in listed}
    try:
        return by_id[id_prefix.resolve(typed, by_id, "session", _LISTS)]
    except NotFound:
        older = {session.id for session in session_names.session_names(ws, now)}
        session = watching.Watcher(ws).find(id_prefix.resolve(typed, older, "session", _LISTS))
        if session is None:
            raise
        return session


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
