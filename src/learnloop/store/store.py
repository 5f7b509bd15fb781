"""The store: documents read without a lock, changed in transactions."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from learnloop import models
from learnloop.store import files, locks, repair, seal, swap, tinydb_file
from learnloop.wire import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from learnloop.models import Decision, Feedback, Lesson, Session, TaskTrace, Turn
    from learnloop.models.base import Document
    from learnloop.store.transaction import Transaction

_Model = TypeVar("_Model", bound="Document")
_Dated = TypeVar("_Dated", bound="Session | Turn | TaskTrace | Feedback")
Days = tuple[str, str]
"""The first and the last UTC day, as in the names of shards."""
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

        with locks.held(repair.lock(self.root), wait_s=wait_s, what="the store"):
            swap.finish(self.root)
            changes = Transaction(self.root)
            yield changes
            changes.commit()

    def lessons(self) -> list[Lesson]:
        """All lessons, of every status."""
        return self._models("lessons", models.Lesson, self.documents("lessons"))

    def recallable(self) -> list[tinydb_file.Doc]:
        """The stored lessons; only the ids of those that are certainly not in use."""
        return self._lessons_with(b'"active"')

    def told(self) -> list[tinydb_file.Doc]:
        """The stored lessons that sessions were told."""
        return [doc for doc in self._lessons_with(b'"_tellings"') if doc.get("_tellings")]

    def _lessons_with(self, mark: bytes) -> list[tinydb_file.Doc]:
        """The stored lessons; only the ids of those whose lines lack a mark."""
        tables = tinydb_file.unread(files.read(tinydb_file.path(self.root, "lessons")) or b"")
        if tables is not None and "lessons" in tables:
            with contextlib.suppress(tinydb_file.DamagedError):
                return [
                    line.parsed() if line.holds(mark) else {"id": key}
                    for key, line in tables["lessons"].items()
                ]
        return list(self.documents("lessons").values())

    def decisions(self, is_included: Callable[[tinydb_file.Doc], bool] = lambda _: True) -> list[Decision]:
        """The ingested decisions whose documents are included, oldest first."""
        from learnloop.models.decision import DecisionClock

        docs = self.documents("decisions")
        times = DecisionClock().times(docs)
        included = {name: doc for name, doc in docs.items() if is_included(doc)}
        return sorted(self._models("decisions", models.Decision, included), key=lambda each: times[each.id])

    def state(self) -> dict[str, Any]:
        """The state that ingest keeps between runs."""
        return self.documents("state").get("state", {})

    def cursor(self) -> str:
        """The last segment that the whole store has applied."""
        return tinydb_file.cursor(self.root)

    def drafts(self) -> int | None:
        """How many drafts wait, from the head of the lessons' file; None if it does not say."""
        count = tinydb_file.meta(tinydb_file.path(self.root, "lessons")).get("drafts")
        return count if isinstance(count, int) else None

    def sessions(self, limit: int | None = None, since: str = "") -> list[Session]:
        """Sessions last seen at or after `since`, newest first."""
        return self._newest(
            "sessions", models.Session, lambda session: session.last_seen >= since, limit=limit
        )

    def session(self, session_id: str) -> Session | None:
        """One session by its id; files that do not name it are not parsed."""
        matches = self._newest(
            "sessions", models.Session, lambda session: session.id == session_id, needle=session_id
        )
        return matches[0] if matches else None

    def turns(self, session_id: str | None = None, limit: int | None = None, days: Days = EVER) -> list[Turn]:
        """Turns, of one session if named, of some days if named, newest first."""
        return self._newest(
            "turns", models.Turn, lambda turn: session_id in (None, turn.session_id),
            needle=session_id or "", limit=limit, days=days,
        )  # fmt: skip

    def traces(self, days: Days = EVER) -> list[TaskTrace]:
        """What turns add to tasks, of some days if named, newest first."""
        return self._newest("tasks", models.TaskTrace, lambda _trace: True, days=days)

    def imported_memories(self) -> list[models.Memory]:
        """The memories of other stores."""
        return self._models("imported_memories", models.Memory, self.documents("imported_memories"))

    def feedback(
        self, limit: int | None = None, project: str | None = None, session_id: str | None = None,
        days: Days = EVER,
    ) -> list[Feedback]:  # fmt: skip
        """Feedback, of one project or session if named, of some days if named, newest first."""
        return self._newest(
            "feedback", models.Feedback,
            lambda item: project in (None, item.project_path) and session_id in (None, item.session_id),
            needle=session_id or project or "", limit=limit, days=days,
        )  # fmt: skip

    def shards(self, table: str) -> list[str]:
        """The names of a table's files, newest day and highest number first."""
        stems = [file.stem for file in files.listing(Path(paths.store(self.root), table), ".json")]
        return [f"{table}/{stem}" for stem in sorted(stems, key=_shard_key, reverse=True)]

    def damage(self) -> list[str]:
        """What was unreadable and how it was repaired, a line each; empty when all is well."""
        return repair.damage(self.root) + sorted(self._misfits)

    def documents(self, name: str) -> dict[str, tinydb_file.Doc]:
        """The stored documents of a table or shard, by id."""
        table = repair.load(self.root, name).get(tinydb_file.table_name(name), {})
        return {key: seal.unsealed(doc) for key, doc in table.items()} if name in seal.TABLES else table

    def all_documents(self, table: str) -> Iterator[tinydb_file.Doc]:
        """The documents of all shards of a table, newest day first, a file at a time."""
        for name in self.shards(table):
            yield from self.documents(name).values()

    def _models(self, name: str, model: type[_Model], docs: Mapping[str, tinydb_file.Doc]) -> list[_Model]:
        """The documents that fit their model; those that do not are counted as damage."""
        fitting = []
        for doc_id, document in docs.items():
            try:
                fitting.append(model.model_validate(tinydb_file.public_fields(document)))
            except (ValueError, IndexError):
                self._misfits.add(f"store/{name}.json: the document {doc_id} does not fit its model")
        return fitting

    def _newest(
        self, table: str, model: type[_Dated], is_match: Callable[[_Dated], bool], *, needle: str = "",
        limit: int | None = None, days: Days = EVER,
    ) -> list[_Dated]:  # fmt: skip
        """Matching documents, newest first, up to `limit`; files without the needle are not parsed.

        Sessions are read to the end of a day, because a session stays in the file of its first day.
        """
        by_id: dict[str, _Dated] = {}
        last_day = ""
        encoded = json.dumps(needle).encode() if needle else b""
        for name in self.shards(table):
            day = name.partition("/")[2][:10]
            if not days[0] <= day <= days[1]:
                continue
            if last_day and (table != "sessions" or day != last_day):
                break
            if encoded and encoded not in (files.read(tinydb_file.path(self.root, name)) or b""):
                continue
            for document in self._models(name, model, self.documents(name)):
                if is_match(document):
                    by_id.setdefault(document.id, document)
            if limit is not None and len(by_id) >= limit:
                last_day = last_day or day
        return sorted(by_id.values(), key=_time, reverse=True)[:limit]


def _time(document: Session | Turn | TaskTrace | Feedback) -> tuple[str, str]:
    match document:
        case models.Session():
            return document.last_seen, ""
        case models.Turn() | models.TaskTrace():
            return document.started, document.id
    return document.timestamp, document.id


def _shard_key(stem: str) -> tuple[str, int]:
    day, _, number = stem.rpartition("-")
    return (day, int(number)) if number.isdigit() else (stem, 0)
