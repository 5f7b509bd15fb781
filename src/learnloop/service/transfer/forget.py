"""Forget everything, a project or a session: remove it wherever it is kept, then search for what is left.

Quarantine and logs go each time, because unreadable text cannot be shown to be free of a name. Files outside
the root (an agent's own transcripts, its settings and their backups) are not touched.
"""

import contextlib
import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from learnloop import settings
from learnloop.errors import Busy, LearnloopError, NotFound, Refused
from learnloop.models.base import Document
from learnloop.service import id_prefix, workspace
from learnloop.service.review import agent_guard
from learnloop.service.transfer import patch_exchange
from learnloop.service.transfer.scrubber import Scrubber
from learnloop.service.workspace import Workspace
from learnloop.store import files, fold, history, locks, repair, seal, segments, swap
from learnloop.store.document_table import KINDS, VIEWS
from learnloop.store.store import Store
from learnloop.wire import journal, paths, session_recalls

if TYPE_CHECKING:
    from learnloop.service.transfer.scrubber import Doc
    from learnloop.store.document_table import DocumentTable
    from learnloop.store.transaction import Table, Transaction


_SHORTEST, _COMPARED = 24, 60
"""Shorter texts are elsewhere by chance; of longer ones the beginning is compared: copies are cut."""


def _texts_in(values: Iterable[object]) -> set[str]:
    """The beginnings of the longer texts in JSON values."""
    texts = (text.strip() for value in values for text in _texts(value))
    return {text[:_COMPARED] for text in texts if len(text) >= _SHORTEST and " " in text}


def _are_in(data: bytes, texts: frozenset[str]) -> bool:
    """Whether a file of JSON, or of a JSON value a line, contains one of the texts.

    What is no JSON is searched as it is.
    """
    if not texts:
        return False
    decoded = data.decode("utf-8", "replace")
    for piece in (decoded, *decoded.splitlines()):
        try:
            value = json.loads(piece.strip().removesuffix(",") or "null")
        except (ValueError, RecursionError):
            continue
        if not texts.isdisjoint(_texts_in([value])):
            return True
        if piece is decoded:
            return False
    return any(text in decoded or json.dumps(text)[1:-1] in decoded for text in texts)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


LOCK_WAIT_S = 5.0
_DATA = ("events", "spool", "store", swap.FOLDER, "recall", "quarantine", "log", "backups/store",
         "backups/patches", "patching", "console", "facts", "days")  # fmt: skip
"""The folders below the root that contain recordings, or what was derived from them."""
_DERIVED = ("backups/store", "quarantine", "log", "console", "facts/known", "facts/checks", "days",
            "recall/tasks", "recall/near", "recall/memories", "recall/vectors")  # fmt: skip
"""Folders that go whole: what is in them is made anew, or cannot be shown to be clean."""
_APPROVED = ("store/lessons.json", "store/decisions.json", "store/patches.json", "recall/index")
"""Documents of words that a person approved."""
_DATED = ("turns", "traces", "moments", "feedback", "primed")
_AT_WORK_S = 2.0
_NOT_DATA = (
    "hooks", "backups", "config.toml", "export.key", "off", "recall-off", "record-off", "redaction",
    "switches", "ballast", "unkept", seal.KEY,
)  # fmt: skip


class ForgetReport(Document):
    """What was removed, and what a search found to be left."""

    events: int = 0
    sessions: int = 0
    documents: int = 0
    """Turns, feedback and the like."""
    lessons: int = 0
    decisions: int = 0
    files: int = 0
    remaining: int = 0
    """Files that still contain a forgotten name, or words that were forgotten."""
    remaining_in: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    """What lies elsewhere, and how it is removed."""


def forget(
    ws: Workspace, *, everything: bool = False, project: str | None = None, session: str | None = None
) -> ForgetReport:
    """Remove everything, one project, or one session (an id or its beginning) for good.

    Raises NotFound where nothing of it is kept, Ambiguous for a beginning of several sessions, Busy where
    another process keeps a lock, Refused inside an agent's session.
    """
    if sum((everything, bool(project), bool(session))) != 1:
        raise Refused("say what is to be forgotten", "everything, one project or one session")
    agent_guard.refuse("have anything forgotten")
    patches = _patches_of(ws.root)
    if everything:
        report = _forget_all(ws.root)
    else:
        Path(ws.root, "ballast").unlink(missing_ok=True)  # before anything is written: the disk may be full
        _remove_folders(ws.root, *_DERIVED)
        with contextlib.suppress(LearnloopError, OSError):  # forgetting works on old documents too
            workspace.ingest(ws, wait_s=LOCK_WAIT_S)
        report = _forget(ws.root, _scrubber(ws.root, project or "", session or ""))
    outside = (*_blocks(ws.root, patches), *_settings_copies(ws.root), *_day_logs())
    return report.with_(outside=outside)


def _forget_all(root: str) -> ForgetReport:
    with (
        _no_analysis(root),
        locks.held(repair.lock(root), wait_s=LOCK_WAIT_S, what="the store"),
        _no_fold(root),
        locks.held(Path(root, "publish.lock"), wait_s=LOCK_WAIT_S, what="the recall index"),
    ):
        counted = _count_all(root)
        removed = sum(1 for path in _data_files(root))
        for name in _DATA:
            shutil.rmtree(Path(root, name), ignore_errors=True)
        for path in [*_data_files(root), *_cut_off(root)]:
            path.unlink(missing_ok=True)
    left = tuple(str(path.relative_to(root)) for path in _data_files(root))
    return counted.with_(files=removed, remaining=len(left), remaining_in=left)


def _count_all(root: str) -> ForgetReport:
    store = Store(root)
    with contextlib.suppress(LearnloopError):
        return ForgetReport(
            events=sum(1 for name in segments.names(root) for _ in segments.read(root, name)),
            sessions=len(store.documents("sessions")),
            documents=sum(len(store.documents(kind)) for kind in (*_DATED, "sightings")),
            lessons=len(store.documents("lessons")),
            decisions=len(store.documents("decisions")),
        )
    return ForgetReport()


def _scrubber(root: str, project: str, session: str) -> Scrubber:
    """Of a project with its sessions, or of one session by its id or a unique beginning of it."""
    project_by_session = _sessions(root)
    if project:
        sessions = [key for key, where in project_by_session.items() if where == project]
    else:
        sessions = [id_prefix.resolve(session, project_by_session, "session", "learn sessions lists them")]
    lessons = Store(root).documents("lessons").values() if project else ()
    if not sessions and all(doc.get("project") != project for doc in lessons):
        raise NotFound(
            f"nothing is kept of {project or session}", "learn sessions --projects lists what there is"
        )
    return Scrubber(filter(None, sessions), project)


def _sessions(root: str) -> dict[str, str]:
    """The project of every session, by the session's id: of stored ones, and of those only events name."""
    store = Store(root)
    every = store.all_documents("sessions")
    project_by_session = {str(doc.get("id", "")): str(doc.get("project", "")) for doc in every}
    for name in segments.names(root):
        for record in segments.read(root, name):
            if record["kind"] != "decision":
                project_by_session.setdefault(record.get("session_id", ""), str(record.get("project", "")))
    return project_by_session


def _forget(root: str, scrubber: Scrubber) -> ForgetReport:
    from learnloop.distill import work

    with _no_analysis(root), Store(root).transaction(wait_s=LOCK_WAIT_S) as changes, _no_fold(root):
        lessons = changes.table("lessons")
        gone = [key for key, doc in lessons.all().items() if scrubber.lesson(doc) is None]
        texts = _forgotten_texts(root, scrubber)
        events = _scrub_segments(root, scrubber, gone)
        removed = _remove_folders(root, *_DERIVED)
        counted = _scrub_store(root, changes, scrubber, gone)
        work.keep_cursors(root, scrubber.scrub_entries(work.read_cursors(root)))
    history.clear(root)
    removed += patch_exchange.scrub_files(root, scrubber)
    for session in scrubber.sessions:
        with contextlib.suppress(OSError):
            removed += session_recalls.forget(root, session)
    for leftover in [*_cut_off(root), *files.listing(Path(root, "console"), "")]:
        leftover.unlink(missing_ok=True)
        removed += 1
    _republish(root)
    left = tuple(_naming(root, scrubber, texts))
    return counted.with_(events=events, files=removed, remaining=len(left), remaining_in=left)


def _scrub_segments(root: str, scrubber: Scrubber, gone: list[str]) -> int:
    """Rewrite segments; returns how many events were removed. A segment stays, even if it is empty."""
    removed = 0
    for name in segments.names(root):
        records = list(segments.read(root, name))
        scrubbed = [scrubber.event(record, gone) for record in records]
        if scrubbed != records:
            left = [
                record if record == before else _resealed(root, record)
                for record, before in zip(scrubbed, records, strict=True)
                if record is not None
            ]
            lines = [json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in left]
            files.replace(segments.path(root, name), lines)
            removed += len(records) - len(left)
    return removed


def _resealed(root: str, record: "Doc") -> "Doc":
    """An event that lost something; one that was sealed is so again."""
    payload = record["payload"]
    if record["kind"] not in seal.KINDS or not payload.get("seal"):
        return record
    return {**record, "payload": {**payload, "seal": seal.seal_of(root, record)}}


def _forgotten_texts(root: str, scrubber: Scrubber) -> frozenset[str]:
    """What is said in events that go, and in none that stays."""
    records = [record for name in segments.names(root) for record in segments.read(root, name)]
    records = [record for record in records if record["kind"] != "decision"]
    gone = _texts_in(record["payload"] for record in records if scrubber.owns(record))
    stay = _texts_in(record["payload"] for record in records if not scrubber.owns(record))
    return frozenset(gone - stay)


def _cut_off(root: str) -> list[Path]:
    """What writers left half written; one that is at work is not older than this."""
    before = time.time() - _AT_WORK_S
    folders = map(Path, filter(None, (root, journal.runtime_spool(root))))
    leftovers = [path for folder in folders for path in folder.rglob(f"*{files.TEMPORARY}") if path.is_file()]
    return [path for path in leftovers if path.stat().st_mtime < before]


def _scrub_store(root: str, changes: "Transaction", scrubber: Scrubber, gone: list[str]) -> ForgetReport:
    """Rewrite every table; the report counts what was removed."""
    from learnloop.ingest import recent_calls

    before = changes.table("decisions").all()
    report = ForgetReport(
        lessons=_rewrite(changes.table("lessons"), scrubber.lesson),
        decisions=_rewrite(changes.table("decisions"), lambda doc: scrubber.decision(doc, gone)),
        sessions=_scrub(changes.documents("sessions"), scrubber),
        documents=sum(_scrub(changes.documents(kind), scrubber) for kind in _DATED)
        + _rewrite(changes.documents("sightings"), scrubber.sighting),
    )
    _scrub(changes.documents(VIEWS), scrubber)
    _relink(root, changes.table("decisions"), before)
    _recount_agents(changes, scrubber)
    _regroup_corrections(changes, scrubber)
    for name in ("told_sessions", "facts", "fact_runs", "imported_memories"):
        _rewrite(changes.table(name), scrubber.scrub)
    _rewrite(changes.table(patch_exchange.TABLE), lambda doc: patch_exchange.scrubbed(doc, scrubber))
    state = {name: value for name, value in changes.state.items() if name != recent_calls.NAME}
    changes.state = scrubber.scrub_entries(state)  # recent words name no session: they begin anew
    return report


def _relink(root: str, decisions: "Table", before: "dict[str, Doc]") -> None:
    """Let the chain of decisions skip those that went."""
    gone = {str(doc["seal"]): str(doc.get("prev", "")) for key, doc in before.items() if key not in decisions
            and doc.get("seal")}  # fmt: skip

    def present(seal_name: str) -> str:
        while seal_name in gone:
            seal_name = gone[seal_name]
        return seal_name

    for key, doc in decisions.all().items():
        if doc.get("prev", "") in gone:
            decisions.put(key, {**doc, "prev": present(doc["prev"])})
    seal.set_head(root, present(seal.head_of(root)))


def _scrub(table: "Table | DocumentTable", scrubber: Scrubber) -> int:
    """Scrub all documents of a kind, and remove those with a forgotten name in their key; how many went."""
    named = [key for key in table.all() if scrubber.is_named_in(key)]
    for key in named:
        table.remove(key)
    return len(named) + _rewrite(table, scrubber.scrub)


def _regroup_corrections(changes: "Transaction", scrubber: Scrubber) -> None:
    """Take remarks out of preferences and corrections, and group anew what is left."""
    from learnloop.ingest import recurring

    corrections = changes.table(recurring.TABLE)
    for name in (recurring.TABLE, recurring.REMARKS, "imported_preferences"):
        _rewrite(changes.table(name), scrubber.scrub, except_key=recurring.RECURRING)
    recurring.regroup(corrections, changes.table(recurring.REMARKS))


def _recount_agents(changes: "Transaction", scrubber: Scrubber) -> None:
    """Count agents anew from what is left of turns and feedback."""
    from learnloop.ingest import agents

    turns, feedback = (changes.documents(kind).all().values() for kind in ("turns", "feedback"))
    changes.table(agents.TABLE).replace_all(agents.rebuilt(turns, feedback))
    _rewrite(changes.table("imported_agents"), scrubber.scrub)


def _rewrite(
    table: "Table | DocumentTable", scrub: "Callable[[Doc], Doc | None]", except_key: str = ""
) -> int:
    """Replace every document by its scrubbed form; returns how many were removed."""
    removed = 0
    for key, doc in table.all().items():
        if key == except_key:
            continue
        scrubbed = scrub(doc)
        if scrubbed is None:
            table.remove(key)
            removed += 1
        else:
            table.put(key, scrubbed)
    return removed


def _remove_folders(root: str, *names: str) -> int:
    removed = sum(1 for name in names for path in Path(root, name).rglob("*") if path.is_file())
    for name in names:
        shutil.rmtree(Path(root, name), ignore_errors=True)
    return removed


def _republish(root: str) -> None:
    """Write the index without the removed lessons; remove it where that fails."""
    from learnloop.ingest.publish import publish

    try:
        publish(root, force=True)
    except LearnloopError:
        Path(paths.index(root)).unlink(missing_ok=True)


def _naming(root: str, scrubber: Scrubber, texts: frozenset[str]) -> Iterator[str]:
    """Read every file under the root and the spools; yields those with a forgotten name or text.

    Approved words stay, so documents that hold them are searched for names alone.
    """
    outside = [Path(folder) for folder in [journal.runtime_spool(root)] if folder]
    spooled = [path for folder in outside for path in files.listing(folder, "")]
    for path in [*_data_files(root), *sorted(Path(root, "backups", "store").glob("*")), *spooled]:
        name = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
        data = (files.read(path) or b"") + (_rows(root) if path == history.path(root) else b"")
        has_texts = name not in _APPROVED and _are_in(data, texts)
        if scrubber.is_named_in(name) or scrubber.is_named_in_file(data) or has_texts:
            yield name


def _rows(root: str) -> bytes:
    """What the history database holds, a line each: in its file a text may be parted by the end of a page."""
    every = (Store(root).state(), *(doc for kind in KINDS for doc in Store(root).all_documents(kind)))
    return "".join(f"\n{json.dumps(doc)}" for doc in every).encode()


def _data_files(root: str) -> list[Path]:
    """Every file under the root except settings, switches, hooks and locks."""
    return [
        path
        for path in sorted(Path(root).rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in _NOT_DATA and path.suffix != ".lock"
    ]


@contextlib.contextmanager
def _no_analysis(root: str) -> Iterator[None]:
    """Keep `learn ingest --all` and a reading out: both would bring back what they read.

    Drop an unfinished analysis, and the note of a call that never ended.
    """
    from learnloop.distill import budget
    from learnloop.ingest import analyze

    with (
        locks.held(Path(root, analyze.LOCK), wait_s=LOCK_WAIT_S, what="the analysis of all history"),
        locks.held(Path(root, budget.LOCK), wait_s=LOCK_WAIT_S, what="the reading of prompts"),
    ):
        Path(root, budget.UNDER_WAY).unlink(missing_ok=True)
        if not swap.is_pending(root):
            swap.clear(root)
        yield


@contextlib.contextmanager
def _no_fold(root: str) -> Iterator[None]:
    """Keep folds of other processes out; everything appended so far is in segments."""
    with fold.alone(root, wait_s=LOCK_WAIT_S):
        if fold.take(root).postponed:
            raise Busy("a stopped process has the journal open", "continue or end it, then try again")
        yield


def _patches_of(root: str) -> "list[Doc]":
    """The stored patches; none where they cannot be read."""
    with contextlib.suppress(LearnloopError):
        return list(Store(root).documents("patches").values())
    return []


def _blocks(root: str, patches: "Iterable[Doc]") -> Iterator[str]:
    active = {doc["id"] for doc in Store(root).documents("lessons").values() if doc.get("status") == "active"}
    staying = {doc["id"] for doc in _patches_of(root) if not _is_item(doc) or doc.get("source_id") in active}
    old = [doc for doc in patches if doc["id"] not in staying]
    targets = [(t, doc) for doc in old for t in doc.get("targets", ()) if t.get("state") == "applied"]
    there = [(t["path"], doc) for t, doc in targets if Path(str(t.get("path", ""))).is_file()]
    for path in dict.fromkeys(path for path, doc in there if doc.get("source") != "facts"):
        yield f"blocks of ours in {path}: delete from each learnloop begin mark to its end mark"
    for path, doc in there:
        if doc.get("source") == "facts":
            yield f"lines of ours in {path}: delete “{' '.join(str(doc.get('block', '')).split())}”"


def _is_item(doc: "Doc") -> bool:
    """Whether a patch is the words of one lesson, in force as long as that is."""
    return doc.get("source") == "facts" and str(doc.get("block", "")).startswith("- ")


def _settings_copies(root: str) -> Iterator[str]:
    folder = Path(paths.backups(root), "settings")
    if files.listing(folder, ""):
        yield f"copies of your agent's settings in {folder}: remove them once learn uninstall is done"


def _day_logs() -> Iterator[str]:
    with contextlib.suppress(LearnloopError):
        if folder := settings.load(environment=False).log.folder:
            yield f"daily logs in {folder}: remove those that name what is forgotten"
