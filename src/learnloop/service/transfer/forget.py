"""Forgetting: everything, a project or a session is removed wherever it is kept, and the removal is proved.

What cannot be read cannot be shown to be free of anything, so the quarantine and the logs go each time. What
stands outside the root (an agent's own transcripts, its settings and their backups) is not ours to remove.
"""

import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from learnloop.errors import Busy, LearnloopError, NotFound, Refused
from learnloop.models.base import Document
from learnloop.service import workspace
from learnloop.service.review import agent_guard
from learnloop.service.transfer import patch_exchange
from learnloop.service.transfer.scrubbing import Target
from learnloop.store import files, fold, locks, repair, segments, swap
from learnloop.store.store import Store
from learnloop.wire import paths, session_recalls

if TYPE_CHECKING:
    from learnloop.service.transfer.scrubbing import Doc
    from learnloop.service.workspace import Workspace
    from learnloop.store.transaction import Table, Transaction

_WAIT_S = 5.0
_SHARDED = ("turns", "feedback", "sessions", "sightings")
_DATA = ("events", "spool", "store", swap.FOLDER, "recall", "quarantine", "log", "backups/store",
         "backups/patches", "patching", "console")  # fmt: skip
"""The folders below the root that hold what was recorded, or what came of it."""
_NOT_DATA = ("hooks", "backups", "config.toml", "export.key", "off", "recall-off", "ballast")


class ForgetReport(Document):
    """What was removed, and what a second look found to be left."""

    events: int = 0
    sessions: int = 0
    documents: int = 0
    """Turns, feedback and the like."""
    lessons: int = 0
    decisions: int = 0
    files: int = 0
    remaining: int = 0
    """Files that still name what was to be forgotten."""
    remaining_in: tuple[str, ...] = ()


def forget(
    ws: "Workspace", *, everything: bool = False, project: str | None = None, session: str | None = None
) -> ForgetReport:
    """Remove exactly one of these for good; raises NotFound where nothing of it is kept, Busy, or Refused."""
    if sum((everything, bool(project), bool(session))) != 1:
        raise Refused("say what is to be forgotten", "everything, one project or one session")
    agent_guard.refuse(ws, "have anything forgotten")
    if everything:
        return _forget_all(ws.root)
    with contextlib.suppress(LearnloopError):  # documents are complete then, but forgetting does without
        workspace.ingest(ws, wait_s=_WAIT_S)
    target = _target(ws.root, project or "", session or "")
    return _forget(ws.root, target)


def _forget_all(root: str) -> ForgetReport:
    with _alone(root):
        counted = _count_all(root)
        removed = sum(1 for path in _data_files(root))
        for name in _DATA:
            shutil.rmtree(Path(root, name), ignore_errors=True)
        for path in _data_files(root):
            path.unlink(missing_ok=True)
    left = tuple(str(path.relative_to(root)) for path in _data_files(root))
    return counted.with_(files=removed, remaining=len(left), remaining_in=left)


def _count_all(root: str) -> ForgetReport:
    store = Store(root)
    shards = [name for table in ("turns", "feedback", "sightings") for name in store.shards(table)]
    with contextlib.suppress(LearnloopError):
        return ForgetReport(
            events=sum(1 for name in segments.names(root) for _ in segments.read(root, name)),
            sessions=sum(len(store.documents(name)) for name in store.shards("sessions")),
            documents=sum(len(store.documents(name)) for name in shards),
            lessons=len(store.lesson_docs()),
            decisions=len(store.documents("decisions")),
        )
    return ForgetReport()


def _target(root: str, project: str, session: str) -> Target:
    """What is forgotten: the sessions of a project, or one session by its id or a unique beginning of it."""
    store = Store(root)
    documents = [doc for name in store.shards("sessions") for doc in store.documents(name).values()]
    known = {str(doc.get("id", "")): str(doc.get("project", "")) for doc in documents}
    for name in segments.names(root):
        for record in segments.read(root, name):
            if record["kind"] != "decision":
                known.setdefault(record.get("session_id", ""), str(record.get("project", "")))
    chosen = [key for key, where in known.items() if where == project] if project else _one(known, session)
    if not chosen and not _is_kept(root, project):
        raise NotFound(f"nothing is kept of {project or session}", "learn projects lists what there is")
    return Target(filter(None, chosen), project)


def _one(known: dict[str, str], session: str) -> list[str]:
    near = [key for key in known if key == session] or [key for key in known if key.startswith(session)]
    if len(near) > 1:
        raise Refused(f"{len(near)} sessions begin with {session!r}", "give the whole id")
    return near


def _is_kept(root: str, project: str) -> bool:
    docs = Store(root).lesson_docs().values()
    return bool(project) and any(doc.get("project") == project for doc in docs)


def _forget(root: str, target: Target) -> ForgetReport:
    with _analyzing(root), Store(root).transaction(wait_s=_WAIT_S) as changes, _folding(root):
        lessons = changes.table("lessons")
        gone = [key for key, doc in lessons.all().items() if target.lesson(doc) is None]
        events = _scrub_segments(root, target, gone)
        removed = _remove_folders(root, "backups/store", "quarantine", "log", "console")
        counted = _scrub_store(root, changes, target, gone)
    removed += patch_exchange.scrub_files(root, target)
    removed += _remove_markers(root, target)
    _republish(root)
    left = tuple(_naming(root, target))
    return counted.with_(events=events, files=removed, remaining=len(left), remaining_in=left)


def _scrub_segments(root: str, target: Target, gone: list[str]) -> int:
    """Write segments anew without what goes; how many events went. A segment stays, even if empty."""
    removed = 0
    for name in segments.names(root):
        records = list(segments.read(root, name))
        kept = [target.event(record, gone) for record in records]
        if kept != records:
            lines = [
                json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in kept if one is not None
            ]
            files.replace(segments.path(root, name), lines)
            removed += kept.count(None)
    return removed


def _scrub_store(root: str, changes: "Transaction", target: Target, gone: list[str]) -> ForgetReport:
    lessons, decisions = changes.table("lessons"), changes.table("decisions")
    counts = dict.fromkeys(("sessions", "documents", "lessons", "decisions"), 0)
    for key, doc in lessons.all().items():
        counts["lessons"] += _put(lessons, key, target.lesson(doc))
    for key, doc in decisions.all().items():
        counts["decisions"] += _put(decisions, key, target.decision(doc, gone))
    for name in [shard for table in _SHARDED for shard in Store(root).shards(table)]:
        table = changes.table(name)
        for key, doc in table.all().items():
            is_sighting = name.startswith("sightings/")
            kept = target.sighting(doc) if is_sighting else target.scrub(doc)
            named = target.is_named_in(key) and not is_sighting
            counts["sessions" if name.startswith("sessions/") else "documents"] += _put(
                table, key, None if named else kept
            )
    _recount(root, changes, target)
    _regroup(changes, target)
    patch_exchange.scrub(changes.table(patch_exchange.TABLE), target)
    changes.state = target.scrub_entries(changes.state)
    changes.bump_generation()
    return ForgetReport.model_validate(counts)


def _regroup(changes: "Transaction", target: Target) -> None:
    """Take remarks out of preferences and corrections, and group anew what is left."""
    from learnloop.ingest import preferences, recurring

    corrections = changes.table(recurring.TABLE)
    for name in (recurring.TABLE, preferences.TABLE, "imported_preferences"):
        table = changes.table(name)
        for key, doc in table.all().items():
            if key != recurring.RECURRING:
                _put(table, key, target.scrub(doc))
    recurring.regroup(corrections, changes.table(preferences.TABLE))


def _recount(root: str, changes: "Transaction", target: Target) -> None:
    """Count agents anew from what is left of turns and feedback."""
    from learnloop.ingest import agents

    turns, feedback = (
        (doc for shard in Store(root).shards(name) for doc in changes.table(shard).all().values())
        for name in ("turns", "feedback")
    )
    agents.recount(changes.table(agents.TABLE), turns, feedback)
    imported = changes.table("imported_agents")
    for key, doc in imported.all().items():
        _put(imported, key, target.scrub(doc))


def _put(table: "Table", key: str, kept: "Doc | None") -> int:
    """Put a scrubbed document, or remove it; 1 where it was removed."""
    if kept is None:
        table.remove(key)
        return 1
    table.put(key, kept)
    return 0


def _remove_markers(root: str, target: Target) -> int:
    removed = 0
    for session in target.sessions:
        with contextlib.suppress(OSError):
            removed += session_recalls.forget(root, session)
    return removed


def _remove_folders(root: str, *names: str) -> int:
    removed = sum(1 for name in names for path in Path(root, name).rglob("*") if path.is_file())
    for name in names:
        shutil.rmtree(Path(root, name), ignore_errors=True)
    return removed


def _republish(root: str) -> None:
    """The index without the lessons that went; none at all where it cannot be made."""
    from learnloop.ingest.publish import publish

    try:
        publish(root, force=True)
    except LearnloopError:
        Path(paths.index(root)).unlink(missing_ok=True)


def _naming(root: str, target: Target) -> Iterator[str]:
    """The files under the root that name what was forgotten, after reading every one of them."""
    for path in [*_data_files(root), *sorted(Path(root, "backups", "store").glob("*"))]:
        name = str(path.relative_to(root))
        if target.is_named_in(name) or target.is_named_in_file(files.read(path) or b""):
            yield name


def _data_files(root: str) -> list[Path]:
    """Every file under the root but those that hold nothing recorded: settings, switches, hooks, locks."""
    found = []
    for path in sorted(Path(root).rglob("*")):
        first = path.relative_to(root).parts[0]
        if path.is_file() and first not in _NOT_DATA and path.suffix != ".lock":
            found.append(path)
    return found


@contextlib.contextmanager
def _alone(root: str) -> Iterator[None]:
    with (
        _analyzing(root),
        locks.held(repair.lock(root), wait_s=_WAIT_S, what="the store"),
        _folding(root),
        locks.held(Path(root, "publish.lock"), wait_s=_WAIT_S, what="the recall index"),
    ):
        yield


@contextlib.contextmanager
def _analyzing(root: str) -> Iterator[None]:
    """Hold off a new reading of history: it would bring back what it has read. Drop an unfinished one."""
    from learnloop.ingest import analyze

    with locks.held(Path(root, analyze.LOCK), wait_s=_WAIT_S, what="the analysis of all history"):
        if not swap.is_pending(root):
            swap.clear(root)
        yield


@contextlib.contextmanager
def _folding(root: str) -> Iterator[None]:
    """Hold off folds of other processes; everything appended so far is in segments."""
    with fold.alone(root, wait_s=_WAIT_S):
        if fold.take(root).postponed:
            raise Busy(
                "a process that does not go on holds the journal", "continue or end it, then try again"
            )
        yield
