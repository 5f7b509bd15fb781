"""An Olympus learning folder: feedback log, preferences, performance, patterns and discoveries."""

import hashlib
from collections.abc import Iterator
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

PROJECTS = "projects"
"""The folder with a folder for each project."""
RULE, DISCOVERY = "import:olympus-rule", "import:olympus"
FEEDBACK, PREFERENCES = "feedback-log.jsonl", "user-preferences.json"
PERFORMANCE, PATTERNS, DISCOVERIES = "agent-performance.json", "patterns.json", "discoveries.jsonl"
_DISCOVERY = (
    "category", "summary", "details", "confidence", "scope", "expires_at", "agent_name", "task_context",
    "files_involved",
)  # fmt: skip
_FEEDBACK = (
    "id", "timestamp", "session_id", "project_path", "event_type", "feedback_category", "confidence",
    "user_message", "original_task", "agent_used", "completion_claim",
)  # fmt: skip
_COUNTS = ("total_invocations", "success_count", "revision_count", "cancellation_count")


def read(path: Path) -> ImportBatch:
    """The content of a learning folder; raises Unreadable where it has none of the files."""
    readers = {
        FEEDBACK: _feedback, PREFERENCES: _preferences, PERFORMANCE: _performance, PATTERNS: _patterns,
        DISCOVERIES: _discoveries,
    }  # fmt: skip
    batch = ImportBatch()
    patterns = (*readers, f"{PROJECTS}/*/{PATTERNS}")
    files = [file for pattern in patterns for file in files_in(path, pattern, batch)]
    if not files:
        raise Unreadable(
            f"{path} is no Olympus learning folder", f"such a folder has {FEEDBACK} or {DISCOVERIES}"
        )
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
        batch.feedback.append({"turn_id": "", "reason": "import:olympus", "project_path": "", **doc})


def _preferences(path: Path, batch: ImportBatch) -> None:
    stored = _object(path)
    batch.items += _rules(path, stored, "explicit_rules", fields={"confidence": "0.9"})
    corrections = stored.get("recurring_corrections")
    for number, item in enumerate(corrections if isinstance(corrections, list) else (), 1):
        words = words_of(item.get("pattern")) if isinstance(item, dict) else ""
        if words:
            place = f"{path} correction {number}"
            batch.items.append(ImportItem(RULE, words, place, ts=words_of(item.get("last_seen"), 40)))


def _patterns(path: Path, batch: ImportBatch) -> None:
    stored = _object(path)
    project = words_of(stored.get("project_path"))
    for name in ("learned_rules", "conventions"):
        batch.items += _rules(path, stored, name, project=project)


def _performance(path: Path, batch: ImportBatch) -> None:
    for name, item in _object(path).items():
        counts = {key: item.get(key, 0) for key in _COUNTS} if isinstance(item, dict) else {}
        if not counts:
            batch.skip(f"{path} {name}", "is no agent's figures")
        elif not all(type(count) is int and count >= 0 for count in counts.values()):
            batch.skip(f"{path} {name}", "counts are no whole numbers")
        else:
            batch.agents.append({"agent_name": words_of(item.get("agent_name"), 100) or name[:100], **counts})


def _discoveries(path: Path, batch: ImportBatch) -> None:
    for number, item in json_lines(path, batch):
        fields = {
            name: str(value) if isinstance(value, int | float) else value
            for name in _DISCOVERY
            if (value := item.get(name)) not in (None, "", [])
        }
        ts, project = words_of(item.get("timestamp"), 40), words_of(item.get("project_path"))
        words = words_of(item.get("summary"))
        batch.items.append(ImportItem(DISCOVERY, words, f"{path}:{number}", fields, ts, project))


def _object(path: Path) -> Doc:
    value = json_of(path)
    if not isinstance(value, dict):
        raise Unreadable(f"{path} is no JSON object", "give the folder that Olympus wrote")
    return value


def _rules(path: Path, stored: Doc, name: str, **given: Any) -> Iterator[ImportItem]:
    """The rules in a list of texts."""
    values = stored.get(name)
    for number, value in enumerate(values if isinstance(values, list) else (), 1):
        if words := words_of(value):
            yield ImportItem(RULE, words, f"{path} {name} {number}", **given)
