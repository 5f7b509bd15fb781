"""Sessions, turns, projects and feedback, newest first."""

import contextlib
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple

from learnloop.models import Feedback, Session, Turn
from learnloop.service.lessons import rows
from learnloop.service.workspace import Workspace
from learnloop.wire import origin

_MOST_REMARKS = 300
"""So much of the newest feedback is read for the last correction."""


class Project(NamedTuple):
    """A folder that agents worked in, with its counts and switches."""

    path: str
    name: str
    sessions: int
    drafts: int
    active: int
    last_seen: str
    recording: bool
    recalling: bool

    def as_json(self) -> dict[str, Any]:
        """The project as JSON values."""
        return self._asdict()


def sessions(ws: Workspace, limit: int = 50) -> list[Session]:
    """The last sessions, newest first."""
    from learnloop.store.store import Store

    return Store(ws.root).sessions(limit=limit)


def unseen(ws: Workspace, places: Iterable[str]) -> set[str]:
    """Those of some places, named by `origin.key`, in which no session was ever seen."""
    from learnloop.store.store import Store

    left = set(places)
    with contextlib.closing(Store(ws.root).all_documents("sessions")) as docs:
        while left and (doc := next(docs, None)):
            left.discard(origin.key(doc["project"]))
    return left


def turns(ws: Workspace, session_id: str | None = None, limit: int = 50) -> list[Turn]:
    """The last turns, of one session or of all, newest first."""
    from learnloop.store.store import Store

    return Store(ws.root).turns(session_id=session_id or "", limit=limit)


def feedback(ws: Workspace, limit: int = 50, project: str | None = None) -> list[Feedback]:
    """The last feedback, newest first."""
    from learnloop.store.store import Store

    return Store(ws.root).feedback(limit=limit, project=project or "")


def last_correction(root: str) -> str:
    """When the person last corrected an agent; empty where the newest feedback does not say."""
    from learnloop.learn.hear.prompts import CORRECTING
    from learnloop.store.store import Store

    newest = islice(Store(root).all_documents("feedback"), _MOST_REMARKS)
    remarks = (doc for doc in newest if not doc.get("inferred"))
    return next((doc["timestamp"] for doc in remarks if doc["feedback_category"] in CORRECTING), "")


def projects(ws: Workspace) -> list[Project]:
    """Every project with sessions or lessons, the latest first."""
    from learnloop.wire import switches

    seen: dict[str, str] = {}
    count: Counter[str] = Counter()
    for session in sessions(ws, limit=10_000):
        count[session.project] += 1
        seen[session.project] = max(seen.get(session.project, ""), session.last_seen)
    every = rows.rows(ws, None)
    drafts, active = (
        Counter(row.project for row in every if row.status == status) for status in ("draft", "active")
    )
    paths = {path for path in (*seen, *drafts, *active) if path}
    listed = [
        Project(
            path, path.rpartition("/")[2] or path, count[path], drafts[path], active[path],
            seen.get(path, ""), switches.recording(ws.root, path),
            switches.recalling(ws.root, path) and not switches.of_project(path),
        )
        for path in paths
    ]  # fmt: skip
    return sorted(listed, key=lambda project: (project.last_seen, project.path), reverse=True)
