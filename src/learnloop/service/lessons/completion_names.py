"""Names for a shell to complete: ids, projects, agents, as the store has them.

A shell waits for this at every tab, so neither the store nor pydantic is loaded. What cannot be read gives no
names.
"""

import contextlib
import json
import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from learnloop.models import ids
from learnloop.wire import paths, regular

Doc = Mapping[str, Any]
_MOST = 500
_SAID = 120
_TASK_ID = 12


def lessons(root: str, prefix: str, states: Sequence[str] = ()) -> dict[str, str]:
    """Short ids that begin with `prefix`, with the statement; only of lessons in `states`, if any."""
    docs = _documents(root, "lessons")
    chosen = {key for key, doc in docs.items() if not states or doc.get("status") in states}
    return _ids(docs, chosen, prefix, ("statement", "title"))


def patches(root: str, prefix: str) -> dict[str, str]:
    """Short ids of patches that begin with `prefix`, with the first words of each."""
    docs = _documents(root, "patches")
    return _ids(docs, docs.keys(), prefix, ("block",))


def _ids(
    docs: Mapping[str, Doc], chosen: Iterable[str], prefix: str, fields: Sequence[str]
) -> dict[str, str]:
    named = ids.short_ids(docs)
    offered = sorted(key for key in chosen if key.startswith(prefix))[:_MOST]
    return {
        named[key] if named[key].startswith(prefix) else key: next(
            filter(None, (_text(docs[key], name) for name in fields)), ""
        )[:_SAID]
        for key in offered
    }


def sessions(root: str, prefix: str) -> dict[str, str]:
    """The newest sessions whose ids begin with `prefix`, with their projects."""
    ids_ = {_text(doc, "id"): _text(doc, "project") for doc in _newest(root, "sessions")}
    return {name: project for name, project in ids_.items() if name.startswith(prefix)}


def tasks(root: str, prefix: str) -> dict[str, str]:
    """The newest tasks whose ids begin with `prefix`, with their titles."""
    titles = {_text(doc, "id")[:_TASK_ID]: _text(doc, "title") for doc in _newest(root, "traces")}
    return {name: title for name, title in titles.items() if name.startswith(prefix)}


def projects(root: str) -> list[str]:
    """The folders that the newest sessions and all lessons are of."""
    return _distinct([*_newest(root, "sessions"), *_documents(root, "lessons").values()], "project")


def agents(root: str) -> list[str]:
    """The agents that lessons come from."""
    docs = _documents(root, "lessons").values()
    return _distinct((seen for doc in docs for seen in doc.get("evidence", ())), "agent")


def _newest(root: str, kind: str) -> list[Doc]:
    """The newest documents of a kind in the history database; none where it cannot be read."""
    import sqlite3

    file = f"file:{urllib.parse.quote(paths.store(root))}/history.db?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(file, uri=True)) as connection:
            rows = connection.execute(f"SELECT doc FROM {kind} ORDER BY at DESC LIMIT ?", (_MOST,))
            return [json.loads(text) for (text,) in rows]
    except sqlite3.Error:
        return []


def _documents(root: str, name: str) -> Mapping[str, Doc]:
    """The documents of a file of the store."""
    try:
        tables = json.loads(regular.content(f"{paths.store(root)}/{name}.json"))
        return {key: doc for key, doc in tables[name].items() if isinstance(doc, dict)}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def _distinct(docs: Iterable[Doc], field: str) -> list[str]:
    return sorted({_text(doc, field) for doc in docs} - {""})


def _text(doc: Doc, field: str) -> str:
    return " ".join(str(doc.get(field) or "").split())
