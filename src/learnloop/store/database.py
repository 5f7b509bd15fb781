"""TinyDB over the files of the store: loaded by what writes, and by what reads through it."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import tinydb
import tinydb.table

from learnloop.store import files
from learnloop.store.tinydb_file import META, Doc, Tables, decode, encode, unread


class Storage(tinydb.Storage):
    """A TinyDB storage that keeps writes until they are all flushed in one atomic replace."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._tables: Tables | None = None
        self._is_read = False
        self.written = b""

    def read(self) -> Tables | None:
        """All tables of the file, unread documents as `Line`; read once, then as written."""
        if not self._is_read:
            data = files.read(self._path)
            if data is not None:
                self._tables = unread(data) or decode(data)
            self._is_read = True
        return self._tables

    def write(self, data: Tables) -> None:
        """Keep the tables until `flush`."""
        self._tables = data
        self._is_read = True

    def flush(self) -> Path:
        """Put all that was written in place of the file; returns the folder, which is left to be synced."""
        tables = self._tables or {}
        ordered = {META: tables.get(META, {}), **tables}
        self.written = encode(ordered)
        files.replace(self._path, [self.written], sync=False)
        return self._path.parent


class TinyTable(tinydb.table.Table):
    """A TinyDB table whose ids are strings and whose changes are made together."""

    document_id_class = str  # type: ignore[assignment]  # TinyDB annotates int; the class is meant to be set

    def documents(self) -> dict[str, Doc]:
        """All documents by id."""
        return dict(self._read_table())  # type: ignore[arg-type]  # JSON objects are dicts

    def apply(self, puts: Mapping[str, Doc], removals: Iterable[str]) -> None:
        """Put and remove documents in one update."""

        def updater(table: dict[Any, Any]) -> None:
            table.update(puts)
            for doc_id in removals:
                table.pop(doc_id, None)

        self._update_table(updater)


class Database(tinydb.TinyDB):
    """A TinyDB of such tables over such a storage."""

    table_class = TinyTable
    default_storage_class = Storage  # type: ignore[assignment]  # annotated with the built-in storage

    @property
    def storage(self) -> Storage:
        """The storage that keeps writes until they are flushed."""
        return self._storage  # type: ignore[return-value]  # annotated with the abstract storage

    def table(self, name: str, **options: Any) -> TinyTable:
        """The table of that name."""
        return super().table(name, **options)  # type: ignore[return-value]  # `table_class` says so
