"""Discoveries of agents: checked, merged if two say the same, and ranked. Pure.

Limits, the overlap of duplicates and the ranking are those of the discovery specification (tasks 6.1 and
6.3). A discovery is a draft like any other. Its verifications are repeated sightings plus helpful ratings.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from learnloop.learn.lessons import scorer, trigger_limits
from learnloop.learn.lessons.origins import is_discovery, is_less_trusted, rank
from learnloop.learn.offers import knowledge
from learnloop.learn.offers.knowledge import Origin
from learnloop.learn.offers.plain_yaml import Malformed, YamlMapping
from learnloop.models.lesson import Lesson
from learnloop.wire import clock
from learnloop.wire import text as wire_text

CATEGORIES = (
    "technical_insight", "workaround", "pattern", "gotcha", "performance", "dependency", "configuration",
)  # fmt: skip
SUMMARY = (10, 100)
"""Characters of a summary, at least and at most."""
DETAILS = (20, 1000)
LEAST_CONFIDENCE = 0.5
OVERLAP = 0.8
"""Two summaries that share more than this of their words are the same discovery."""
_CONFIDENCE = 0.7
_MOST_FILES = 20
_MOST_EVIDENCE = 20
_KNOWN = ("category", "summary", "details", "files", "files_involved", "scope", "expires", "expires_at",
          "confidence", "agent", "agent_name", "task_context")  # fmt: skip

Doc = dict[str, Any]


def lesson_from_discovery(read: YamlMapping, origin: Origin) -> Lesson:
    """The draft for a discovery's fields; raises Malformed with line and reason if they are invalid."""
    get = read.value.get
    category = _word(read, "category").lower() or "technical_insight"
    if category not in CATEGORIES:
        allowed = f"not one of {', '.join(CATEGORIES)}"
        raise Malformed(f"category is {category[:40]!r}, {allowed}", read.line("category"))
    summary = _measured(read, "summary", SUMMARY)
    details = _measured(read, "details", DETAILS)
    files = _files(read, "files" if "files" in read.value else "files_involved")
    scope = _word(read, "scope").lower() or "project"
    if scope not in ("project", "global"):
        raise Malformed(f"scope is {scope[:40]!r}, not project or global", read.line("scope"))
    statement = summary if summary[-1] in ".!?" else f"{summary}."
    unknown = [name for name in read.value if name not in _KNOWN]
    fields = {
        "kind": "fact", "statement": statement, "title": wire_text.cut(summary.rstrip("."), 100),
        "description": details, "category": category, "priority": "MEDIUM", "scope": scope,
        "confidence": _confidence(read), "expires_at": _expiry(read, origin.ts),
        "context": f"Not understood: {', '.join(name[:40] for name in unknown[:10])}." if unknown else "",
    }  # fmt: skip
    agent = str(get("agent_name") or get("agent") or origin.before.get("agent") or "main")[:100]
    before = {**origin.before, "agent": agent}
    if files:
        before["files"] = files
    if get("task_context"):
        before["task"] = _word(read, "task_context")
    lesson = knowledge.build_lesson(fields, {}, replace(origin, before=before, quote=origin.quote or details))
    if not files:
        return lesson
    triggers = lesson.triggers.with_(file_patterns=_file_patterns(files, origin.project))
    return scorer.with_score(lesson.with_(triggers=triggers))


def _file_patterns(files: Iterable[str], project: str) -> tuple[str, ...]:
    """The patterns under which a discovery's files are met, wherever the agent's folder was."""
    patterns = []
    for file in files:
        name = file.removeprefix(f"{project}/" if project else "").removeprefix("./").replace("[", "\\[")
        pattern = name if name.startswith(("/", "**/")) else f"**/{name}"
        if trigger_limits.problem({"file_patterns": [pattern]}) is None:
            patterns.append(pattern)
    return tuple(dict.fromkeys(patterns))


def _word(read: YamlMapping, name: str) -> str:
    value = read.value.get(name) or ""
    if isinstance(value, dict | list):
        raise Malformed(f"{name} is no text", read.line(name))
    return " ".join(str(value).split())


def _measured(read: YamlMapping, name: str, bounds: tuple[int, int]) -> str:
    """A text whose length is within bounds."""
    text = _word(read, name)
    least, most = bounds
    if len(text) < least:
        reason = f"{name} has {len(text)} characters, {least} is the least" if text else f"{name} is missing"
        raise Malformed(reason, read.line(name))
    if len(text) > most:
        raise Malformed(f"{name} has {len(text)} characters, {most} is the most", read.line(name))
    return text


def _files(read: YamlMapping, name: str) -> tuple[str, ...]:
    given = read.value.get(name) or []
    values = given if isinstance(given, list) else str(given).split(",")
    if any(isinstance(value, dict | list) for value in values):
        raise Malformed(f"{name} is no list of texts", read.line(name))
    return tuple(str(value).strip()[:300] for value in values if str(value).strip())[:_MOST_FILES]


def _confidence(read: YamlMapping) -> float:
    given = _word(read, "confidence")
    try:
        confidence = float(given) if given else _CONFIDENCE
    except ValueError:
        raise Malformed("confidence is not a number", read.line("confidence")) from None
    if not LEAST_CONFIDENCE <= confidence <= 1:
        reason = f"confidence is {given}, it goes from {LEAST_CONFIDENCE} to 1"
        raise Malformed(reason, read.line("confidence"))
    return confidence


def _expiry(read: YamlMapping, ts: str) -> str | None:
    """The end of its validity, after `ts`: a day or a time, UTC if no zone is named."""
    name = "expires" if "expires" in read.value else "expires_at"
    given = _word(read, name)
    if not given:
        return None
    ms = clock.parse_ms(given, default=-1)
    if ms < 0:
        raise Malformed(f"{name} is {given[:40]!r}, not a date like 2026-12-31", read.line(name))
    if ms <= clock.parse_ms(ts):
        raise Malformed(f"{name} is {given[:40]}, which was over when it was found", read.line(name))
    return clock.iso(ms)


def overlap(first: str, second: str) -> float:
    """The common words as a share of the longer text's words, 0–1."""
    left, right = (set(summary.lower().rstrip(".!?").split()) for summary in (first, second))
    return len(left & right) / max(len(left), len(right), 1)


def is_same_discovery(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Whether two discoveries are the same: same scope and project, nearly all words in common."""
    here = first.get("scope") == second.get("scope") and first.get("project", "") == second.get("project", "")
    return here and overlap(str(first.get("statement", "")), str(second.get("statement", ""))) > OVERLAP


def merge_sighting(stored: Doc, new: Doc) -> Doc:
    """A stored discovery with a new sighting of it: one verification more.

    A draft also gets the higher confidence, the longer details and the further files. An approved one keeps
    its words, a rejected one only counts how often it was held back. Words that are trusted less add nothing.
    """
    if is_less_trusted(new, stored):
        return stored
    seen = {item["event_id"] for item in stored.get("evidence", ())}
    more = [item for item in new.get("evidence", ()) if item["event_id"] not in seen]
    every = [*stored.get("evidence", ()), *more]
    merged = {
        **stored, "seen_count": stored.get("seen_count", 1) + 1,
        "evidence": every[:1] + every[1:][1 - _MOST_EVIDENCE :],
        "updated": max(str(stored.get("updated", "")), str(new.get("updated", ""))),
    }  # fmt: skip
    if stored.get("status") == "rejected":
        return {**stored, "held_back": stored.get("held_back", 0) + 1}
    if stored.get("status") == "draft":
        merged["confidence"] = max(stored.get("confidence", 0.0), new.get("confidence", 0.0))
        merged["description"] = max(stored.get("description", ""), new.get("description", ""), key=len)
        merged["expires_at"] = new.get("expires_at") if stored.get("expires_at") else None
        merged["triggers"] = _with_files(stored.get("triggers") or {}, new.get("triggers") or {})
    return merged


def _with_files(triggers: Doc, new: Doc) -> Doc:
    """The triggers with the file patterns of both."""
    both = dict.fromkeys([*triggers.get("file_patterns", ()), *new.get("file_patterns", ())])
    return {**triggers, "file_patterns": list(both)[:_MOST_FILES]}


def ranked(docs: Iterable[Mapping[str, Any]], now_ms: int) -> list[Mapping[str, Any]]:
    """The discoveries that have not expired, highest rank first."""
    now = clock.iso(now_ms)
    alive = (doc for doc in docs if not doc.get("expires_at") or str(doc["expires_at"]) > now)
    return sorted(filter(is_discovery, alive), key=lambda doc: (-rank(doc, now_ms), str(doc.get("id", ""))))


def by_category(docs: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The number of discoveries by category, for every category."""
    counts = Counter(str(doc.get("category", "")) for doc in docs if is_discovery(doc))
    return {name: counts[name] for name in CATEGORIES}
