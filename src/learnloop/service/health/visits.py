"""What is new since the last visit to the console: the time when it ended, and three counts from there.

The console writes `console-visit.json` when it closes. Of two consoles, the one that closes last wins.
"""

import contextlib
import json
from pathlib import Path
from typing import NamedTuple

from learnloop.errors import LearnloopError
from learnloop.ingest import person_news
from learnloop.learn.lessons.claims import STANDING
from learnloop.service.history import undo
from learnloop.service.lessons import documents, rows
from learnloop.service.recall import explain
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, paths


class News(NamedTuple):
    """How much is new since a visit."""

    ms: int
    """When that visit ended, UTC."""
    drafts: int = 0
    """Drafts of what was said since, without the folded ones."""
    recalled: int = 0
    """Lessons that an agent was told since."""
    approved: int = 0
    """Approvals that were not given in the console."""
    taken: int = 0
    """Facts that a standing approval took in."""

    @property
    def is_any(self) -> bool:
        """Whether anything is new at all."""
        return any(self[1:])


def since(ws: Workspace) -> News | None:
    """What is new since the last visit; None where there was none, or its file cannot be read."""
    ended = person_news.last_visit(ws.root)
    if not ended:
        return None
    drafts = sum(row.created > ended for row in rows.rows(ws, "draft") if not row.folded)
    usages = (doc.get("usage") or {} for doc in documents.lessons(ws.root).values())
    recalled = sum((usage.get("last_recalled") or "") > ended for usage in usages)
    elsewhere = undo.approved_elsewhere(ws)
    taken = sum(decision.by == STANDING for decision in elsewhere)
    return News(clock.parse_ms(ended), drafts, recalled, len(elsewhere) - taken, taken)


def leave(ws: Workspace, now_ms: int | None = None) -> None:
    """Write down when this visit ended; raises OSError where the folder cannot be written."""
    from learnloop.store import files

    at = clock.now_ms() if now_ms is None else now_ms
    files.replace(Path(paths.visit(ws.root)), [json.dumps({"at": at}).encode("ascii")])
    with contextlib.suppress(LearnloopError):  # the news count from this visit on
        explain.publish(ws)
