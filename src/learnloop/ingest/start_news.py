"""The news: what hooks show the person when a session starts. They cannot compute it, so ingest writes it.

`{drafts, created, approved, approved_words?, taken, taken_words?, changed: [project], sessions: [session]}`,
the newest session first, each `{session, project, over, last_ms, words}`
"""

import json
from itertools import islice
from pathlib import Path
from typing import Any

from learnloop.ingest import approval_news, told_sessions
from learnloop.store import files, tinydb_file
from learnloop.store.store import Store
from learnloop.wire import clock, paths

_MOST, _BYTES = 12, 1_000
"""Sessions, and bytes of each: a hook reads 64 KiB."""


def is_stale(root: str) -> bool:
    """Whether sessions that were told lessons have changed since the news were written."""
    try:
        sessions_ns = tinydb_file.path(root, told_sessions.TABLE).stat().st_mtime_ns
        return Path(paths.news(root)).stat().st_mtime_ns <= sessions_ns
    except FileNotFoundError:
        return False


def write(root: str, drafts: int, changed: list[str]) -> None:
    """Write the news, and remove marks of earlier days; `changed` are projects whose trusted files did."""
    news = Path(paths.news(root))
    document = {
        "drafts": drafts, "created": clock.iso(clock.now_ms()), "changed": changed,
        "sessions": _sessions(root), **approval_news.approved(root),
    }  # fmt: skip
    files.replace(news, [json.dumps(document).encode("ascii")])
    for old_mark in sorted(news.parent.glob(f"{news.name}.[0-9]*"))[:-2]:  # days of notifications
        old_mark.unlink(missing_ok=True)


def _sessions(root: str) -> list[dict[str, Any]]:
    docs = Store(root).documents(told_sessions.TABLE).values()
    newest = map(_entry, sorted(docs, key=lambda doc: (doc["last_seen"], doc["id"]), reverse=True))
    return list(islice((entry for entry in newest if len(json.dumps(entry)) <= _BYTES), _MOST))


def _entry(doc: dict[str, Any]) -> dict[str, Any]:
    return {
        "session": doc["id"], "project": doc["project"], "over": doc["over"],
        "last_ms": clock.parse_ms(doc["last_seen"]), "words": told_sessions.summary(doc),
    }  # fmt: skip
