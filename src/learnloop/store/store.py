"""The store: documents read without a lock, changed in transactions."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from learnloop import models
from learnloop.store import files, locks, migrations, repair, swap, tinydb_file
from learnloop.wire import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from learnloop.models import Decision, Feedback, Lesson, Session, Turn
    from learnloop.models.base import Document
    from learnloop.store.transaction import Transaction

_Model = TypeVar("_Model", bound="Document")
Days = tuple[str, str]
"""The first and the last UTC day, as in the names of shards."""
EVER: Days = ("", "~")


class Store:
    """The documents of one root. Cheap to make; reads a file when it is asked for what stands in it."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._misfits: set[str] = set()

    @contextlib.contextmanager
    def transaction(self, wait_s: float = 5.0) -> Iterator[Transaction]:
        """Read and change documents as the only writer; on an exception nothing is written.

        Raises Busy where another process keeps the store for longer than `wait_s`, and Repaired where a file
        was unreadable: it has been repaired then, and the caller starts again.
        """
        from learnloop.store.transaction import Transaction

        with locks.held(repair.lock(self.root), wait_s=wait_s, what="the store"):
            if swap.is_pending(self.root):
                swap.finish(self.root)
            changes = Transaction(self.root)
            yield changes
            changes.commit()

    def lessons(self) -> list[Lesson]:
        """All lessons, of every status."""
        return self._models("lessons", models.Lesson)

    def lesson_docs(self) -> dict[str, tinydb_file.Doc]:
        """The lessons as they are stored, by id, with what ingest keeps in them besides."""
        return self.documents("lessons")

    def recallable(self) -> list[tinydb_file.Doc]:
        """The lessons as they are stored, of those that are surely not in use the id alone."""
        tables = tinydb_file.unread(files.read(tinydb_file.path(self.root, "lessons")) or b"")
        if tables is not None and "lessons" in tables:
            with contextlib.suppress(tinydb_file.DamagedError):
                return [
                    line.parsed() if line.holds(b'"active"') else {"id": key}
                    for key, line in tables["lessons"].items()
                ]
        return list(self.lesson_docs().values())

    def decisions(self) -> list[Decision]:
        """All ingested decisions, oldest first."""
        return sorted(self._models("decisions", models.Decision), key=lambda found: (found.ts, found.id))

    def state(self) -> dict[str, Any]:
        """The running view that ingest keeps between runs."""
        return self.documents("state").get("state", {})

    def cursor(self) -> str:
        """The last segment that the whole store has taken in."""
        return tinydb_file.cursor(self.root)

    def generation(self) -> int:
        """How often what can be recalled has changed; read without reading the lessons."""
        return int(tinydb_file.meta(tinydb_file.path(self.root, "lessons")).get("generation", 0))

    def drafts(self) -> int | None:
        """How many drafts wait, from the head of the lessons' file; None where that does not say."""
        found = tinydb_file.meta(tinydb_file.path(self.root, "lessons")).get("drafts")
        return found if isinstance(found, int) else None

    def version(self) -> int:
        """The format that the store was last written in."""
        return int(tinydb_file.meta(tinydb_file.path(self.root, "state")).get("version", migrations.VERSION))

    def sessions(self, limit: int | None = None, since: str = "") -> list[Session]:
        """Sessions last seen at or after `since`, newest first."""
        found = self._newest("sessions", models.Session, limit, "", lambda one: one.last_seen >= since)
        return sorted(found, key=lambda one: one.last_seen, reverse=True)[:limit]

    def session(self, session_id: str) -> Session | None:
        """One session by its id; files that do not name it are not parsed."""
        found = self._newest("sessions", models.Session, None, session_id, lambda one: one.id == session_id)
        return max(found, key=lambda one: one.last_seen, default=None)

    def turns(self, session_id: str | None = None, limit: int | None = None, days: Days = EVER) -> list[Turn]:
        """Turns, of one session if named, of some days if named, newest first."""

        def is_wanted(one: Turn) -> bool:
            return session_id in (None, one.session_id)

        found = self._newest("turns", models.Turn, limit, session_id or "", is_wanted, days)
        return sorted(found, key=lambda one: (one.started, one.id), reverse=True)[:limit]

    def feedback_of(self, session_id: str, days: Days = EVER) -> list[Feedback]:
        """The feedback of a session, of some days if named, newest first."""
        found = self._newest(
            "feedback", models.Feedback, None, session_id, lambda one: one.session_id == session_id, days
        )
        return sorted(found, key=lambda one: (one.timestamp, one.id), reverse=True)

    def feedback(self, limit: int | None = None, project: str | None = None) -> list[Feedback]:
        """Feedback, of one project if named, newest first."""
        found = self._newest(
            "feedback", models.Feedback, limit, project or "", lambda one: project in (None, one.project_path)
        )
        return sorted(found, key=lambda one: (one.timestamp, one.id), reverse=True)[:limit]

    def health(self) -> dict[str, tinydb_file.Doc]:
        """What ingest measured of hooks, by id."""
        return self.documents("health")

    def shards(self, table: str) -> list[str]:
        """The names of a table's files, newest day and highest number first."""
        stems = [file.stem for file in files.listing(Path(paths.store(self.root), table), ".json")]
        return [f"{table}/{stem}" for stem in sorted(stems, key=_shard_key, reverse=True)]

    def damage(self) -> list[str]:
        """What was unreadable and what became of it, a line each; empty when all is well."""
        return repair.damage(self.root) + sorted(self._misfits)

    def documents(self, name: str) -> dict[str, tinydb_file.Doc]:
        """The documents of a table or shard as they are stored, by id."""
        return repair.load(self.root, name).get(tinydb_file.table_name(name), {})

    def _models(self, name: str, model: type[_Model]) -> list[_Model]:
        """The documents that fit their model; those that do not are counted as damage."""
        fitting = []
        for doc_id, document in self.documents(name).items():
            try:
                fitting.append(model.model_validate({k: v for k, v in document.items() if k[0] != "_"}))
            except (ValueError, IndexError):
                self._misfits.add(f"store/{name}.json: the document {doc_id} does not fit its model")
        return fitting

    def _newest(
        self,
        table: str,
        model: type[_Model],
        limit: int | None,
        needle: str,
        wanted: Callable[[_Model], bool],
        days: Days = EVER,
    ) -> list[_Model]:
        """Documents of the newest files until there are enough; files without the needle are not parsed.

        Of sessions the whole day is read, because a session stays where it began.
        """
        found: dict[str, _Model] = {}
        enough = ""
        encoded = json.dumps(needle).encode() if needle else b""
        for name in self.shards(table):
            day = name.partition("/")[2][:10]
            if not days[0] <= day <= days[1]:
                continue
            if enough and (table != "sessions" or day != enough):
                break
            if encoded and encoded not in (files.read(tinydb_file.path(self.root, name)) or b""):
                continue
            for one in self._models(name, model):
                if wanted(one):
                    found.setdefault(one.id, one)  # type: ignore[attr-defined]  # every document has an id
            if limit is not None and len(found) >= limit:
                enough = enough or day
        return list(found.values())


def _shard_key(stem: str) -> tuple[str, int]:
    day, _, number = stem.rpartition("-")
    return (day, int(number)) if number.isdigit() else (stem, 0)
