"""An Olympus learning folder: feedback log, preferences, performance, patterns and discoveries; and back."""

import hashlib
import json
from collections.abc import Iterable, Iterator
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
from learnloop.learn.lessons import origins

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


def exported(
    feedback: Iterable[Doc],
    lessons: Iterable[Doc],
    agents: Iterable[Doc],
    preferences: Doc,
    patterns: Iterable[Doc],
) -> dict[str, str]:
    """The files of a learning folder by name, of documents as `--json` prints them."""
    every = list(lessons)
    sources = ("discovery", "block:discovery", DISCOVERY)
    projects = {f"{PROJECTS}/{doc['project_hash']}/{PATTERNS}": _json(_as_patterns(doc)) for doc in patterns}
    return {
        FEEDBACK: _lines(
            {name: doc[name] for name in _FEEDBACK if doc.get(name) is not None} for doc in feedback
        ),
        PREFERENCES: _json(_as_preferences(preferences, every)),
        PERFORMANCE: _json({doc["agent_name"]: _as_performance(doc) for doc in agents}),
        DISCOVERIES: _lines(_as_discovery(doc) for doc in every if doc["source"] in sources),
        **projects,
    }


def _as_preferences(preferences: Doc, lessons: list[Doc]) -> Doc:
    traits = ("verbosity", "autonomy", "explanation_depth")
    return {
        **{name: (preferences.get(name) or {}).get("value") or "unknown" for name in traits},
        "explicit_rules": [
            doc["statement"] for doc in lessons if doc["status"] == "active" and doc["statement"]
        ],
        "inferred_preferences": [],
        "recurring_corrections": [
            _picked(group, "pattern", "count", "last_seen", "examples")
            for group in preferences.get("recurring_corrections", ())
        ],
        "last_updated": preferences.get("last_updated", ""),
    }


def _as_discovery(lesson: Doc) -> Doc:
    evidence, usage = (lesson.get("evidence") or [{}])[0], lesson["usage"]
    return {
        "id": lesson["id"], "timestamp": lesson["created"], "session_id": evidence.get("session_id", ""),
        "project_path": lesson["project"], "category": lesson["category"], "summary": lesson["title"],
        "details": lesson["description"], "agent_name": evidence.get("agent", "main"),
        "files_involved": list(evidence.get("files", ())), "confidence": lesson["confidence"],
        "verified": lesson["status"] == "active",
        "verification_count": max(lesson["seen_count"] - 1, 0) + usage["helpful"],
        "scope": "global" if lesson["scope"] == "global" else "project",
        **({"expires_at": lesson["expires_at"]} if lesson.get("expires_at") else {}),
        "last_useful": origins.last_useful(lesson) or lesson["updated"],
    }  # fmt: skip


def _as_patterns(patterns: Doc) -> Doc:
    return {
        **_picked(patterns, "project_path", "project_hash", "tech_stack", "learned_rules", "last_updated"),
        "conventions": [belief["statement"] for belief in patterns["conventions"]],
        "common_mistakes": [
            {"pattern": belief["statement"], "count": belief["count"], "examples": belief["examples"]}
            for belief in patterns["common_mistakes"]
        ],
    }


def _as_performance(agent: Doc) -> Doc:
    names = ("agent_name", *_COUNTS, "success_rate", "strong_areas", "weak_areas", "last_updated")
    themes = [_picked(theme, "pattern", "count", "examples") for theme in agent["failure_patterns"]]
    return {**_picked(agent, *names), "failure_patterns": themes}


def _picked(doc: Doc, *names: str) -> Doc:
    return {name: doc.get(name) for name in names}


def _lines(items: Iterable[Doc]) -> str:
    return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
