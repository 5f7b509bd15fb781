"""What other tools keep as JSON: claude-reflect's queue, triads' graphs, an Olympus learning folder."""

import hashlib
from pathlib import Path
from typing import Any

from learnloop.errors import Unreadable
from learnloop.importers.import_items import (
    Doc,
    ImportBatch,
    ImportItem,
    files_in,
    json_lines,
    json_of,
    words_of,
)

OLYMPUS = (
    "feedback-log.jsonl", "user-preferences.json", "agent-performance.json", "patterns.json",
    "discoveries.jsonl",
)  # fmt: skip
"""The files of a learning folder."""
REFLECT, TRIADS = "import:reflect", "import:triads"
OLYMPUS_RULE, DISCOVERY = "import:olympus-rule", "import:olympus"
_NODE = (
    "process_type", "priority", "label", "description", "confidence", "evidence", "trigger_conditions",
    "checklist", "pattern", "warning", "requirement",
)  # fmt: skip
_DISCOVERY = (
    "category", "summary", "details", "confidence", "scope", "expires_at", "agent_name", "task_context",
    "files_involved",
)  # fmt: skip
_FEEDBACK = (
    "id", "timestamp", "session_id", "project_path", "event_type", "feedback_category", "confidence",
    "user_message", "original_task", "agent_used", "completion_claim",
)  # fmt: skip
_COUNTS = ("total_invocations", "success_count", "revision_count", "cancellation_count")


def reflect(path: Path) -> ImportBatch:
    """The messages of a queue, without praise; raises Unreadable where the file has no queue."""
    batch = ImportBatch()
    for number, item in enumerate(json_of(path, list, "claude-reflect queue"), 1):
        place, given = f"{path} item {number}", item if isinstance(item, dict) else {}
        words, sure = words_of(given.get("message")), given.get("confidence")
        if not words or "positive" in (given.get("sentiment"), given.get("type")):
            batch.skip(place, "is praise: nothing for an agent to learn" if words else "has no message")
            continue
        fields = {"confidence": str(min(max(sure, 0.0), 1.0) if isinstance(sure, int | float) else 0.6)}
        ts, project, about = (words_of(given.get(name)) for name in ("timestamp", "project", "patterns"))
        batch.items.append(ImportItem(REFLECT, words, place, fields, ts, project, about))
    return batch


def triads(path: Path) -> ImportBatch:
    """The process knowledge of a graph, or of a folder of graphs; raises Unreadable where there is none.

    Of a folder, a file that is no graph is left out by name.
    """
    batch = ImportBatch()
    files = files_in(path, "*.json", batch) if path.is_dir() else [path]
    if not files:
        raise Unreadable(f"there are no graphs in {path}", "name .claude/graphs or a file in it")
    for file in files:
        try:
            nodes = json_of(file, dict, "graph").get("nodes")
            if not isinstance(nodes, list):
                raise Unreadable(f"{file} is no graph: it has no list of nodes", "name .claude/graphs")
        except Unreadable as error:
            if len(files) == 1:
                raise
            batch.skip(str(file), error.message.removeprefix(str(file)).lstrip(": "))
            continue
        for number, node in enumerate(nodes, 1):
            if isinstance(node, dict) and node.get("type") == "Concept" and node.get("process_type"):
                batch.items.append(_concept(file, number, node))
    return batch


def _concept(file: Path, number: int, node: Doc) -> ImportItem:
    name = words_of(node.get("id"), 100) or f"node {number}"
    words = words_of(node.get("label")) or words_of(node.get("description"))
    return ImportItem(
        TRIADS, words, f"{file} {name}", _given(node, _NODE), words_of(node.get("created_at"), 40)
    )


def _given(item: Doc, names: tuple[str, ...]) -> Doc:
    return {name: item[name] for name in names if item.get(name) not in (None, "", {}, [])}


def olympus(path: Path) -> ImportBatch:
    """The content of a learning folder; raises Unreadable where it has none of the files."""
    readers = dict(
        zip(OLYMPUS, (_feedback, _preferences, _performance, _patterns, _discoveries), strict=True)
    )
    batch = ImportBatch()
    files = [file for name in (*readers, "projects/*/patterns.json") for file in files_in(path, name, batch)]
    if not files:
        raise Unreadable(f"{path} is no Olympus learning folder", f"such a folder has {' or '.join(readers)}")
    for file in files:
        readers[file.name](file, batch)
    return batch


def _feedback(path: Path, batch: ImportBatch) -> None:
    for number, item in json_lines(path, batch):
        doc = {name: item[name] for name in _FEEDBACK if item.get(name) is not None}
        if not words_of(doc.get("user_message")):
            batch.skip(f"{path}:{number}", "has no user_message")
            continue
        identity = f"{doc.get('timestamp')}\0{doc.get('session_id')}\0{doc['user_message']}"
        doc.setdefault("id", hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:32])
        batch.feedback.append({"turn_id": "", "reason": DISCOVERY, "project_path": "", **doc})


def _preferences(path: Path, batch: ImportBatch) -> None:
    stored = json_of(path, dict, "JSON object")
    _rules(path, stored, "explicit_rules", batch, fields={"confidence": "0.9"})
    for number, item in enumerate(_listed(stored, "recurring_corrections"), 1):
        if words := words_of(item.get("pattern")) if isinstance(item, dict) else "":
            ts = words_of(item.get("last_seen"), 40)
            batch.items.append(ImportItem(OLYMPUS_RULE, words, f"{path} correction {number}", ts=ts))


def _patterns(path: Path, batch: ImportBatch) -> None:
    stored = json_of(path, dict, "JSON object")
    for name in ("learned_rules", "conventions"):
        _rules(path, stored, name, batch, project=words_of(stored.get("project_path")))


def _performance(path: Path, batch: ImportBatch) -> None:
    for name, item in json_of(path, dict, "JSON object").items():
        counts = {key: item.get(key, 0) for key in _COUNTS} if isinstance(item, dict) else {}
        if counts and all(type(count) is int and count >= 0 for count in counts.values()):
            batch.agents.append({"agent_name": words_of(item.get("agent_name"), 100) or name[:100], **counts})
        else:
            batch.skip(f"{path} {name}", "counts are no whole numbers" if counts else "is no agent's figures")


def _discoveries(path: Path, batch: ImportBatch) -> None:
    for number, item in json_lines(path, batch):
        given = _given(item, _DISCOVERY).items()
        fields = {name: str(value) if isinstance(value, int | float) else value for name, value in given}
        words, ts, project = (words_of(item.get(name)) for name in ("summary", "timestamp", "project_path"))
        batch.items.append(ImportItem(DISCOVERY, words, f"{path}:{number}", fields, ts[:40], project))


def _rules(path: Path, stored: Doc, name: str, batch: ImportBatch, **given: Any) -> None:
    """The rules in a list of texts."""
    for number, value in enumerate(_listed(stored, name), 1):
        if words := words_of(value):
            batch.items.append(ImportItem(OLYMPUS_RULE, words, f"{path} {name} {number}", **given))


def _listed(stored: Doc, name: str) -> list[Any]:
    return values if isinstance(values := stored.get(name), list) else []
