"""The store: documents read without a lock, changed in transactions."""

from __future__ import annotations

import contextlib
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from learnloop import models
from learnloop.errors import Busy
from learnloop.store import locks, repair, seal, swap, tinydb_file
from learnloop.store.document_table import EVERY, KINDS, DayEntry, Position, Span, newest, position, turn_days

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Generator, Iterator, Mapping

    from learnloop.models import Decision, Feedback, Lesson, Session, TaskTrace, Turn
    from learnloop.models.base import Document
    from learnloop.store.transaction import Transaction

_Model = TypeVar("_Model", bound="Document")
Days = tuple[str, str]
"""The first and the last UTC day."""
EVER: Days = ("", "~")


class Store:
    """The documents of one root. Creating it reads nothing; each method reads the files that it needs."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._misfits: set[str] = set()

    @contextlib.contextmanager
    def transaction(self, wait_s: float = 5.0) -> Iterator[Transaction]:
        """Read and change documents as the only writer; on an exception nothing is written.

        Raises Busy if another process holds the store for longer than `wait_s`, and Repaired if a file was
        unreadable: it has been repaired by then, and the caller starts again.
        """
        from learnloop.store.transaction import Transaction

        held = locks.held(repair.lock(self.root), wait_s=wait_s, what="the store")
        with held, contextlib.ExitStack() as resources:
            swap.finish(self.root)
            changes = Transaction(self.root, resources)
            yield changes
            changes.commit()

    def lessons(self) -> list[Lesson]:
        """All lessons, of every status."""
        return self._models("lessons", models.Lesson, self.documents("lessons"))

    def decisions(self, is_included: Callable[[tinydb_file.Doc], bool] = lambda _: True) -> list[Decision]:
        """The ingested decisions whose documents are included, oldest first."""
        from learnloop.models.decision import DecisionClock

        docs = self.documents("decisions")
        times = DecisionClock().times(docs)
        included = {name: doc for name, doc in docs.items() if is_included(doc)}
        return sorted(self._models("decisions", models.Decision, included), key=lambda each: times[each.id])

    def state(self) -> dict[str, Any]:
        """What ingest keeps between runs."""
        return self._position().state

    def cursor(self) -> str:
        """The last segment that the whole store has taken in."""
        return self._position().cursor

    def _position(self) -> Position:
        """How far ingest is; nothing where it is to start over."""
        head = repair.load(self.root, "state").get(tinydb_file.META, {}).get(tinydb_file.META, {})
        with self._history() as connection:
            return position(connection) if connection and head.get("cursor") else Position()

    def sessions(self, limit: int | None = None, since: str = "") -> list[Session]:
        """Sessions last seen at or after `since`, newest first."""
        return self._newest("sessions", models.Session, Span(since), limit)

    def session(self, session_id: str) -> Session | None:
        """One session by its id."""
        return next(iter(self._newest("sessions", models.Session, Span(owner=session_id))), None)

    def turns(self, session_id: str = "", limit: int | None = None, days: Days = EVER) -> list[Turn]:
        """Turns, of one session if named, of some days if named, newest first."""
        return self._newest("turns", models.Turn, Span(*days, session_id), limit)

    def traces(self, days: Days = EVER) -> list[TaskTrace]:
        """What turns add to tasks, of some days if named, newest first."""
        return self._newest("traces", models.TaskTrace, Span(*days))

    def turn_days(self) -> list[DayEntry]:
        """The UTC days with turns, oldest first."""
        with self._history() as connection:
            return turn_days(connection) if connection else []

    def feedback(
        self, limit: int | None = None, project: str = "", session_id: str = "", days: Days = EVER
    ) -> list[Feedback]:
        """Feedback, of one project or session if named, of some days if named, newest first."""
        return self._newest("feedback", models.Feedback, Span(*days, session_id), limit, project)

    def damage(self) -> list[str]:
        """What was unreadable and how it was repaired, a line each; empty when all is well."""
        return repair.damage(self.root) + sorted(self._misfits)

    def documents(self, name: str) -> dict[str, tinydb_file.Doc]:
        """The stored documents of a table, by id."""
        if name in KINDS:
            return {str(doc["id"]): doc for doc in self.all_documents(name)}
        table = repair.load(self.root, name).get(name, {})
        return {key: seal.unsealed(doc) for key, doc in table.items()} if name in seal.TABLES else table

    def all_documents(self, kind: str, span: Span = EVERY) -> Generator[tinydb_file.Doc]:
        """The documents of a kind that follow from events, newest first."""
        with self._history() as connection:
            yield from newest(connection, kind, span) if connection else ()

    @contextlib.contextmanager
    def _history(self) -> Iterator[sqlite3.Connection | None]:
        """The history database, if there is one; a store of an earlier program gets it now."""
        from learnloop.store import former, history

        if former.is_due(self.root):
            with contextlib.suppress(Busy), self.transaction(wait_s=repair.LOCK_WAIT_S):
                pass
        if not history.is_there(self.root):
            yield None
            return
        with history.opened(self.root, only_reads=True) as connection:
            yield connection

    def _models(self, name: str, model: type[_Model], docs: Mapping[str, tinydb_file.Doc]) -> list[_Model]:
        """The documents that fit their model; those that do not are counted as damage."""
        fitting = []
        for doc_id, document in docs.items():
            try:
                fitting.append(model.model_validate(tinydb_file.public_fields(document)))
            except (ValueError, IndexError):
                place = "history.db" if name in KINDS else f"{name}.json"
                self._misfits.add(f"store/{place}: the document {doc_id} does not fit its model")
        return fitting

    def _newest(
        self, kind: str, model: type[_Model], span: Span, limit: int | None = None, project: str = ""
    ) -> list[_Model]:
        with contextlib.closing(self.all_documents(kind, span)) as docs:
            of_project = (doc for doc in docs if not project or doc["project_path"] == project)
            return self._models(kind, model, {doc["id"]: doc for doc in islice(of_project, limit)})
