"""`learn log`: the log of a day, or of the days since one."""

from __future__ import annotations

import contextlib
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from learnloop.cli import options, output

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace

_WORDS = {"today": 0, "yesterday": 1}


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("date", nargs="?", metavar="DATE", help="2026-01-31, yesterday or today (default)")
    add("--since", metavar="D", help="every day from that one on, or of the last 7d, 2w")
    add("--project", metavar="FOLDER", help="of one project (default: of each that has tasks)")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.cli import paging
    from learnloop.service.tasks import daily

    today = daily.today()
    first = _day(args.since or args.date or today, today)
    last = max(first, today) if args.since else first
    project = options.project_named(args.project) if args.project else None
    logs = daily.logs(ws, first, last, project)
    if args.json:
        output.as_json([log.as_json() for log in logs])
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
    return options.wrong_usage(f"{typed!r} is no day such as 2026-01-31, yesterday or 7d", "learn log")
