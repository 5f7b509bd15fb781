"""An Olympus learning folder: feedback log, preferences, performance, patterns and discoveries; and back."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from learnloop.errors import Unreadable
from learnloop.importers.pieces import Doc, Piece, Reading, json_lines, json_of, words_of

PROJECTS = "projects"
"""Below it a folder for each project with what is known of that one."""
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


def read(path: Path) -> Reading:
    """What a learning folder holds; raises Unreadable where it holds none of its files."""
    readers = {
        FEEDBACK: _feedback, PREFERENCES: _preferences, PERFORMANCE: _performance, PATTERNS: _patterns,
        DISCOVERIES: _discoveries,
    }  # fmt: skip
    there = [name for name in readers if (path / name).is_file()]
    there += [str(found.relative_to(path)) for found in sorted(path.glob(f"{PROJECTS}/*/{PATTERNS}"))]
    if not there:
        raise Unreadable(f"{path} is no Olympus learning folder", f"it holds {FEEDBACK} or {DISCOVERIES}")
    reading = Reading()
    for name in there:
        readers[name.rpartition("/")[2]](path / name, reading)
    return reading


def _feedback(path: Path, reading: Reading) -> None:
    for number, item in json_lines(path, reading):
        doc = {name: item[name] for name in _FEEDBACK if item.get(name) is not None}
        if not words_of(doc.get("user_message")):
            reading.skip(f"{path}:{number}", "has no user_message")
            continue
        told = f"{doc.get('timestamp')}\0{doc.get('session_id')}\0{doc['user_message']}"
        doc.setdefault("id", hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:32])
        reading.feedback.append({"turn_id": "", "reason": "import:olympus", "project_path": "", **doc})


def _preferences(path: Path, reading: Reading) -> None:
    found = _object(path)
    for number, rule in enumerate(_texts(found.get("explicit_rules")), 1):
        reading.pieces.append(Piece(RULE, rule, f"{path} rule {number}", {"confidence": "0.9"}))
    corrections = found.get("recurring_corrections")
    for number, item in enumerate(corrections if isinstance(corrections, list) else (), 1):
        words = words_of(item.get("pattern")) if isinstance(item, dict) else ""
        if words:
            place = f"{path} correction {number}"
            reading.pieces.append(Piece(RULE, words, place, ts=words_of(item.get("last_seen"), 40)))


def _patterns(path: Path, reading: Reading) -> None:
    found = _object(path)
    project = words_of(found.get("project_path"))
    for name in ("learned_rules", "conventions"):
        for number, rule in enumerate(_texts(found.get(name)), 1):
            reading.pieces.append(Piece(RULE, rule, f"{path} {name} {number}", project=project))


def _performance(path: Path, reading: Reading) -> None:
    for name, item in _object(path).items():
        if not isinstance(item, dict):
            reading.skip(f"{path} {name}", "is no agent's figures")
            continue
        counts = {one: item.get(one, 0) for one in _COUNTS}
        if any(
            isinstance(count, bool) or not isinstance(count, int) or count < 0 for count in counts.values()
        ):
            reading.skip(f"{path} {name}", "counts are no whole numbers")
            continue
        reading.agents.append({"agent_name": words_of(item.get("agent_name"), 100) or name[:100], **counts})


def _discoveries(path: Path, reading: Reading) -> None:
    for number, item in json_lines(path, reading):
        fields = {name: _plain(item[name]) for name in _DISCOVERY if item.get(name) not in (None, "", [])}
        reading.pieces.append(
            Piece(DISCOVERY, words_of(item.get("summary")), f"{path}:{number}", fields,
                  words_of(item.get("timestamp"), 40), words_of(item.get("project_path")))
        )  # fmt: skip


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) else value


def _object(path: Path) -> Doc:
    found = json_of(path)
    if not isinstance(found, dict):
        raise Unreadable(f"{path} is no JSON object", "give the folder that Olympus wrote")
    return found


def _texts(value: Any) -> list[str]:
    return [words for one in value if (words := words_of(one))] if isinstance(value, list) else []


def exported(
    feedback: Iterable[Doc],
    lessons: Iterable[Doc],
    agents: Iterable[Doc],
    preferences: Doc,
    patterns: Iterable[Doc],
) -> dict[str, str]:
    """The files of a learning folder by name, in Olympus' shapes, from documents as `--json` prints them."""
    every = list(lessons)
    rules = [one["statement"] for one in every if one["status"] == "active" and one["statement"]]
    prefs = {
        **{name: (preferences.get(name) or {}).get("value") or "unknown"
           for name in ("verbosity", "autonomy", "explanation_depth")},
        "explicit_rules": rules, "inferred_preferences": [],
        "recurring_corrections": [
            {name: item.get(name) for name in ("pattern", "count", "last_seen", "examples")}
            for item in preferences.get("recurring_corrections", ())
        ],
        "last_updated": preferences.get("last_updated", ""),
    }  # fmt: skip
    found = [
        _as_discovery(one) for one in every if one["source"] in ("discovery", "block:discovery", DISCOVERY)
    ]
    return {
        FEEDBACK: _lines(
            {name: one[name] for name in _FEEDBACK if one.get(name) is not None} for one in feedback
        ),
        PREFERENCES: _pretty(prefs),
        PERFORMANCE: _pretty({one["agent_name"]: _as_performance(one) for one in agents}),
        DISCOVERIES: _lines(found),
        **{f"{PROJECTS}/{one['project_hash']}/{PATTERNS}": _pretty(_as_patterns(one)) for one in patterns},
    }


def _as_discovery(one: Doc) -> Doc:
    seen = (one.get("evidence") or [{}])[0]
    count = max(one["seen_count"] - 1, 0) + one["usage"]["helpful"]
    return {
        "id": one["id"], "timestamp": one["created"], "session_id": seen.get("session_id", ""),
        "project_path": one["project"], "category": one["category"], "summary": one["title"],
        "details": one["description"], "agent_name": seen.get("agent", "main"),
        "files_involved": list(seen.get("files", ())), "confidence": one["confidence"],
        "verified": one["status"] == "active", "verification_count": count,
        "scope": "global" if one["scope"] == "global" else "project",
        **({"expires_at": one["expires_at"]} if one.get("expires_at") else {}),
        "last_useful": one["usage"].get("last_recalled") or one["updated"],
    }  # fmt: skip


def _as_patterns(one: Doc) -> Doc:
    names = ("project_path", "project_hash", "tech_stack", "learned_rules", "last_updated")
    mistakes = [
        {"pattern": found["statement"], "count": found["count"], "examples": found["examples"]}
        for found in one["common_mistakes"]
    ]
    conventions = [found["statement"] for found in one["conventions"]]
    return {**{name: one[name] for name in names}, "conventions": conventions, "common_mistakes": mistakes}


def _as_performance(one: Doc) -> Doc:
    names = ("agent_name", *_COUNTS, "success_rate", "strong_areas", "weak_areas", "last_updated")
    patterns = [
        {name: item.get(name) for name in ("pattern", "count", "examples")}
        for item in one["failure_patterns"]
    ]
    return {**{name: one.get(name) for name in names}, "failure_patterns": patterns}


def _lines(items: Iterable[Doc]) -> str:
    return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
