"""`learn sessions` and its views: sessions, projects, feedback, the log of a day."""

from __future__ import annotations

import contextlib
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from learnloop.cli import lesson_table, options, output
from learnloop.cli.columns import Column
from learnloop.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.service.sessions.live_sessions import LiveSession, TimelineEntry
    from learnloop.service.sessions.sessions import Project


_RUNNING = ("waiting", "tool", "working")
_LISTS = "learn sessions lists them; 4 characters of the id or more"
_NONE_FITS = "No session fits: learn sessions lists all"
_EMPTY = "No session was recorded yet: run learn install, then give your agent a task"


def _sessions_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("id", nargs="?", metavar="ID", help="the timeline of one session; its first 4 characters will do")
    add("--running", action="store_true", help="only those at work, or waiting for you")
    add("--project", metavar="FOLDER", help="only those of one project, by its folder or the folder's name")
    options.add_limit(parser, 50)
    options.add_json(parser)


def _sessions(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.sessions import live_sessions, session_docs

    now = session_docs.now_ms()
    listed: Sequence[LiveSession] = live_sessions.sessions(ws, now)
    if args.id:
        _print_timeline(ws, _named(ws, listed, args.id, now), args)
        return
    if args.project:
        project = options.project_named(args.project)
        listed = [each for each in listed if project == each.project or args.project == _name(each)]
    if args.running:
        listed = [session for session in listed if live_sessions.phase(session, now) in _RUNNING]
    listed = listed[: args.limit]
    if args.json:
        output.as_json([session_docs.document(session, now) for session in listed])
        return
    from learnloop.service import project_names

    folders = project_names.names(session.project for session in listed)
    columns = [Column("ID", style="cyan"), Column("NOW"), Column("PROJECT"), Column("HOST"), Column("LAST")]
    columns += [Column("PROMPTS", "right"), Column("TOOLS", "right"), Column("TASK", wide=True)]
    rows = [
        [
            session.id[:8], live_sessions.phase(session, now), folders.get(session.project, ""), session.host,
            output.local(session_docs.time(session.last_ms)), session.prompts,
            session.calls,
            output.short(session.asks or session.task, 200),
        ]
        for session in listed
    ]  # fmt: skip
    output.table(columns, rows, empty=_NONE_FITS if args.project or args.running else _EMPTY)


def _name(session: LiveSession) -> str:
    """A project as people call it."""
    return session.project.rstrip("/").rpartition("/")[2]


def _named(ws: Workspace, listed: Sequence[LiveSession], typed: str, now: int) -> LiveSession:
    """The session of an id or a unique beginning: one of those that are listed, else an older one."""
    from learnloop.service import id_prefix
    from learnloop.service.sessions import live_sessions

    by_id = {session.id: session for session in listed}
    try:
        return by_id[id_prefix.resolve(typed, by_id, "session", _LISTS)]
    except NotFound:
        older = {session.id for session in live_sessions.session_names(ws, now)}
        session = live_sessions.Watcher(ws).find(id_prefix.resolve(typed, older, "session", _LISTS))
        if session is None:
            raise
        return session


def _print_timeline(ws: Workspace, session: LiveSession, args: Namespace) -> None:
    from learnloop.service.sessions import live_sessions, session_docs

    story = live_sessions.story(ws, session.id, session.started_ms, session.last_ms)
    if args.json:
        output.as_json([session_docs.entry(entry) for entry in story.entries])
        return
    columns = [Column("TIME"), Column("WHAT", style="cyan"), Column("TOOL"), Column("AGENT")]
    rows = [
        [output.local(session_docs.time(entry.ms)), entry.kind, entry.tool, entry.agent, _words(ws, entry)]
        for entry in story.entries
    ]
    columns.append(Column("SAYS", wide=True))
    output.table(columns, rows, empty="Nothing is kept of this session any more")


def _words(ws: Workspace, entry: TimelineEntry) -> str:
    recalled = " ".join(f"{lesson_table.short(ws, lesson.id)} {lesson.score}" for lesson in entry.lessons)
    heard = f"[{entry.heard}]" if entry.heard else ""
    return " ".join(filter(None, (recalled, output.short(entry.words, 300), heard)))


def _projects(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.sessions import sessions

    columns = [Column("PROJECT", wide=True), Column("SESSIONS", "right"), Column("DRAFTS", "right")]
    columns += [Column("ACTIVE", "right"), Column("LAST SEEN"), Column("SWITCHED")]
    empty = "No project was recorded yet: learn install, then work with your agent"
    output.listing(sessions.projects(ws), columns, _cells, json=args.json, empty=empty)


def _cells(project: Project) -> list[object]:
    last_seen = output.local(project.last_seen)
    counts = [project.sessions, project.drafts, project.active]
    switched = "off" if not project.recording else "on" if project.recalling else "recall off"
    return [project.path, *counts, last_seen, switched]


def _feedback_options(parser: ArgumentParser) -> None:
    options.add_limit(parser, 50)
    options.add_json(parser)


def _feedback(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import rows
    from learnloop.service.sessions import sessions

    columns = [Column("TIME"), Column("CATEGORY"), Column("SURE", "right"), Column("SAID", wide=True)]
    output.listing(
        sessions.feedback(ws, args.limit), columns,
        lambda entry: [
            output.local(entry.timestamp), entry.feedback_category, round(100 * entry.confidence),
            entry.user_message,
        ],
        json=args.json, empty="No feedback was detected yet",
    )  # fmt: skip
    typed = sum(row.source == "told" for row in rows.rows(ws, None))
    if typed and not args.json:
        output.note(f"{output.count(typed, 'rule')} that you typed: learn lessons --filter source:told")


_WORDS = {"today": 0, "yesterday": 1}


def _log_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("date", nargs="?", metavar="DATE", help="2026-01-31, yesterday, today (default); week")
    add("--since", metavar="D", help="every day from that one on, or of the last 7d, 2w")
    add("--project", metavar="FOLDER", help="of one project (default: of all)")
    options.add_json(parser)


def _log(ws: Workspace, args: Namespace) -> None:
    from learnloop.cli import paging
    from learnloop.service.tasks import daily

    today = daily.today()
    is_week = args.date == "week" and not args.since
    first = _day(args.since or ("6d" if is_week else args.date) or today, today)
    last = max(first, today) if args.since or is_week else first
    project = options.project_named(args.project) if args.project else None
    logs = daily.logs(ws, first, last, project, joined=is_week)
    if args.json:
        output.as_json([log.as_json() for log in logs])
        return
    if not (args.date or args.since or any(log.tasks for log in logs)):
        output.note("No task on this day: learn sessions --log yesterday, or a date, shows another")
        return
    with paging.paged():
        output.line("\n".join(map(daily.page, logs)))


def _day(typed: str, today: str) -> str:
    """The day that was typed; wrong usage where it is none."""
    if typed in _WORDS:
        return (date.fromisoformat(today) - timedelta(days=_WORDS[typed])).isoformat()
    if since := re.fullmatch(r"(\d{1,3})([dw])", typed):
        days = int(since[1]) * (7 if since[2] == "w" else 1)
        return (date.fromisoformat(today) - timedelta(days=days)).isoformat()
    with contextlib.suppress(ValueError):
        if re.fullmatch(r"20\d{2}-\d{2}-\d{2}", typed):
            return date.fromisoformat(typed).isoformat()
    return options.wrong_usage(
        f"{typed!r} is no day such as 2026-01-31, yesterday or 7d", "learn sessions --log"
    )


COMMANDS = {
    "sessions": (_sessions_options, _sessions),
    "projects": (options.add_json, _projects),
    "feedback": (_feedback_options, _feedback),
    "log": (_log_options, _log),
}
"""By verb what declares its options, and what runs it."""
