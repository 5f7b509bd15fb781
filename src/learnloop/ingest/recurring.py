"""What a person says again: corrections, of which the newest are grouped anew, and remarks by trait."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from learnloop import settings
from learnloop.errors import Unreadable
from learnloop.ingest import lessons, statement_index
from learnloop.ingest.effects import TraitSignalled
from learnloop.learn.hear import candidates
from learnloop.learn.lessons import drafts
from learnloop.learn.profile import remark_groups, traits
from learnloop.models.ids import draft_id
from learnloop.models.preferences import RecurringCorrection

Doc = dict[str, Any]
TABLE = "patterns"
RECURRING = "recurring"
MOST = 500
"""Corrections kept, the newest: grouping compares each with each."""
_EXAMPLES = 5
_MADE_OF = "_made_of"
_MESSAGE = 300
_CATEGORIES = ("correction", "rejection", "clarification", "explicit_preference")


class Recurring:
    """The corrections within one transaction."""

    def __init__(self, tx: Any, load_lessons: Callable[[], lessons.LessonTable]) -> None:
        self._table = tx.table(TABLE)
        self._preferences = tx.table(REMARKS)
        self._load_lessons = load_lessons
        self._is_changed = False
        self.drafts = 0

    def heard(self, feedback: Doc, lesson: Doc | None) -> None:
        """Keep a correction; `lesson` is what would be learned from it alone."""
        entry = _entry(feedback, lesson)
        if entry is None:
            return
        self._table.put(entry["id"], entry)
        self._is_changed |= entry["id"] in self._table

    def judged(self, before: Doc | None, feedback: Doc | None) -> None:
        """Keep a correction that a model heard, and drop what it says was none."""
        was, now = (_entry(doc, None) if doc else None for doc in (before, feedback))
        if now and not was:
            self.heard(feedback or {}, None)
        elif was and not now and was["id"] in self._table:
            self._table.remove(was["id"])
            self._is_changed = True

    def finish(self) -> None:
        """Group all that is kept where a segment brought something; large groups become drafts."""
        if not self._is_changed:
            return
        self._is_changed = False
        for entry in sorted(self._table.all().values(), key=_when)[:-MOST]:
            self._table.remove(entry["id"])
        stored = self._preferences.peek(RECURRING) or {"id": RECURRING, "items": {}}
        item_by_members = {item.get(_MADE_OF): item for item in stored["items"].values()}
        items = [
            item_by_members.get(_members_hash(cluster)) or self._learn(cluster)
            for cluster in _large_clusters(self._table.all())
        ]
        learned = {item["_key"]: item for item in items if item.get("lesson_id")}
        self._preferences.put(RECURRING, {**stored, "items": learned})

    def _learn(self, cluster: remark_groups.Cluster) -> Doc:
        """Return a new or changed group, after it has strengthened a lesson or become a draft."""
        entries = (self._table.peek(entry_id) for entry_id in cluster.ids)
        members = sorted((entry for entry in entries if entry), key=_when)
        return _item(cluster, members, self._lesson_of(cluster, members))

    def _lesson_of(self, cluster: remark_groups.Cluster, members: list[Doc]) -> str:
        table = self._load_lessons()
        counts: Counter[str] = Counter(entry["lesson"] for entry in members if entry["lesson"])
        strengthened = []
        for lesson_id in sorted(counts, key=lambda lesson_id: (-counts[lesson_id], lesson_id)):
            own = [entry for entry in members if entry["lesson"] in ("", lesson_id) and _is_persons(entry)]
            there = [entry for entry in own if table.holds_in(lesson_id, entry["project"])]
            if len(there) > 1 and table.strengthen(lesson_id, _evidence(there), len(there)):
                strengthened.append(lesson_id)
        if strengthened:
            return strengthened[0]
        if counts:
            return max(counts, key=lambda lesson_id: (counts[lesson_id], lesson_id))
        if max(entry.get("chance", 0.0) for entry in members) < candidates.LEAST_SIGHTING:
            return ""
        lesson_id, is_new = table.learn(_draft(members))
        table.strengthen(lesson_id, _evidence(members), cluster.count)
        self.drafts += is_new
        return lesson_id


def _large_clusters(entries: Mapping[str, Doc]) -> list[remark_groups.Cluster]:
    try:
        least = settings.load(environment=False).min_pattern_occurrences
    except Unreadable:  # then the default counts
        least = settings.Settings().min_pattern_occurrences
    clusters = remark_groups.cluster(
        remark_groups.Remark(entry["id"], entry["text"]) for entry in entries.values()
    )
    return [cluster for cluster in clusters if cluster.count >= least]


def regroup(corrections: Any, groups: Any) -> None:
    """Group the table of corrections anew and put the groups into the table of preferences.

    For a store from which something was removed: lessons stay as they are.
    """
    entries = corrections.all()
    before = (groups.get(RECURRING) or {"items": {}})["items"]
    items = {}
    for cluster in _large_clusters(entries):
        members = sorted((entries[entry_id] for entry_id in cluster.ids), key=_when)
        lesson_ids = [before[entry_id].get("lesson_id") for entry_id in cluster.ids if entry_id in before]
        lesson_ids += [entry["lesson"] for entry in members]
        items[members[0]["id"]] = _item(cluster, members, next(filter(None, lesson_ids), None))
    if items or RECURRING in groups:
        groups.put(RECURRING, {"id": RECURRING, "items": items})


def _entry(feedback: Doc, lesson: Doc | None) -> Doc | None:
    """Return what is kept of a feedback; None of praise, of what nobody typed, and of what has no words."""
    message = str(feedback.get("user_message", ""))
    if feedback.get("inferred") or feedback["feedback_category"] not in _CATEGORIES:
        return None
    of_lesson = statement_index.normal(lesson) if lesson else ""
    normal = of_lesson or remark_groups.normal(message)
    if not normal:
        return None
    seen = lesson["evidence"][0] if lesson and lesson.get("evidence") else {}
    quote = str(seen.get("quote") or message)
    return {
        "id": feedback["id"], "text": normal, "message": quote[:_MESSAGE],
        "statement": (lesson or {}).get("statement", ""), "title": (lesson or {}).get("title", ""),
        "chance": (lesson or {}).get("confidence", 0.0),
        "session_id": feedback["session_id"], "project": feedback["project_path"],
        "ts": feedback["timestamp"], "confidence": feedback["confidence"],
        "lesson": feedback.get("extracted_lesson") or "",
        "agent": feedback.get("agent_used") or "main", "trust": (lesson or {}).get("trust", "user"),
        "files": list(seen.get("files", ()))[:5], "commands": list(seen.get("commands", ()))[-3:],
    }  # fmt: skip


def _item(cluster: remark_groups.Cluster, members: list[Doc], lesson_id: str | None) -> Doc:
    messages, projects = _messages(cluster, members), _projects(members)
    item = RecurringCorrection(
        id=draft_id(members[0]["id"], "pattern"),
        pattern=remark_groups.description(messages, _statements(cluster, members)),
        count=cluster.count,
        first_seen=members[0]["ts"],
        last_seen=members[-1]["ts"],
        examples=tuple(entry["message"] for entry in members[::-1][:_EXAMPLES]),
        scope="project" if len(projects) == 1 else "global",
        projects=projects,
        counts=dict(Counter(entry["project"] for entry in members)),
        sessions=len({entry["session_id"] for entry in members}),
        category=remark_groups.category_of(messages),
        confidence=remark_groups.confidence(
            [entry["text"] for entry in members], cluster.centre, [entry["confidence"] for entry in members]
        ),
        lesson_id=lesson_id or None,
    )
    return {**item.as_json(), "_key": members[0]["id"], _MADE_OF: _members_hash(cluster)}


def _members_hash(cluster: remark_groups.Cluster) -> str:
    """Return a hash of a group's centre and members, by which an unchanged group is recognised."""
    words = "\0".join((cluster.centre, *cluster.ids)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(words).hexdigest()[:16]


def _draft(members: list[Doc]) -> Doc:
    """Return the draft of a group, in the words that a reviewer keeps most surely."""
    projects = _projects(members)
    best = max(members, key=lambda entry: (entry.get("chance", 0.0), entry["ts"]))
    return drafts.draft_from_recurring(
        best.get("statement", ""),
        best.get("title") or best["message"],
        best.get("chance", 0.0),
        evidence=_evidence(members),
        project=projects[0] if len(projects) == 1 else "",
        external=not all(map(_is_persons, members)),
    ).as_json()


def _statements(cluster: remark_groups.Cluster, members: list[Doc]) -> list[str]:
    """Return what the corrections ask for in words, the centre's first, then the newest."""
    newest = members[::-1]
    centre = [entry for entry in newest if entry["text"] == cluster.centre]
    return [entry["statement"] for entry in (*centre, *newest) if entry.get("statement")]


def _is_persons(entry: Doc) -> bool:
    return bool(entry["trust"] == "user")


def _messages(cluster: remark_groups.Cluster, members: list[Doc]) -> list[str]:
    """Return the corrections' words, the centre's first, then the newest."""
    newest = members[::-1]
    centre = [entry["message"] for entry in newest if entry["text"] == cluster.centre]
    return list(dict.fromkeys([*centre, *(entry["message"] for entry in newest)]))


def _projects(members: Iterable[Doc]) -> tuple[str, ...]:
    return tuple(sorted({entry["project"] for entry in members}))


def _evidence(members: Iterable[Doc]) -> list[Doc]:
    return [
        {
            "quote": entry["message"], "session_id": entry["session_id"], "event_id": entry["id"],
            "ts": entry["ts"], "agent": entry["agent"], "files": entry["files"],
            "commands": entry["commands"],
        }
        for entry in members
    ]  # fmt: skip


def _when(entry: Doc) -> tuple[str, str]:
    return entry["ts"], entry["id"]


REMARKS = "preferences"


def signalled(event: Doc, words: str) -> list[TraitSignalled]:
    """What a person's words say about how they want to be worked with."""
    return [
        TraitSignalled(
            remark.trait,
            {
                "side": remark.side, "quote": remark.quote, "session_id": event["session_id"],
                "event_id": event["id"], "ts": event["ts"], "project": event.get("project", ""),
            },
        )
        for remark in traits.find_remarks(words)
    ]  # fmt: skip


def enter_remarks(table: Any, trait: str, signals: list[Doc]) -> None:
    """Add remarks to those of a trait, of which the newest stay."""
    doc_id = f"trait:{trait}"
    doc = table.get(doc_id) or {"id": doc_id, "signals": []}
    table.put(doc_id, {**doc, "signals": traits.newest_signals([*doc["signals"], *signals])})
