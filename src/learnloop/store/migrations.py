"""The store's format and the way to it from older ones, a file at a time, when a file is read."""

from collections.abc import Callable, Mapping
from typing import Any

from learnloop import errors

VERSION = 3

Documents = dict[str, dict[str, Any]]
Migration = Callable[[str, Documents], Documents]
"""From the documents of a table in one format to those in the next, by table name (`turns`, `lessons`, …)."""

REGISTRY: dict[int, Migration] = dict.fromkeys((1, 2), lambda _table, documents: documents)
"""By the version that a migration starts from: files stay as they are. A program of the first loses tables of
the second, and one of the second writes files that have become tables (`store.former`)."""

ALIKE = (1, 2, VERSION)
"""The formats of which a document's line may be taken over as it is."""


def upgrade(tables: Mapping[str, Documents], version: int) -> dict[str, Documents]:
    """Tables in the present format; raises Refused for a newer format, or where no way leads here."""
    if version > VERSION:
        raise errors.Refused(
            f"the store was written by a newer Learnloop (format {version}, this one knows {VERSION})",
            "update Learnloop, or point LEARNLOOP_HOME at another store",
        )
    upgraded = dict(tables)
    for step in range(version, VERSION):
        if upgraded and step not in REGISTRY:
            raise errors.Refused(f"no migration leads from store format {step}", "use an older Learnloop")
        upgraded = {name: REGISTRY[step](name, documents) for name, documents in upgraded.items()}
    return upgraded
