"""What the news tell the person: how the sessions went that were told lessons, and approvals elsewhere.

A session is `{id, project, last_seen, over, told, stopped: {name: calls}, heeded, ignored, corrected}`. Of
approvals outside of the console they say how many since the last visit, and the newest; those by a standing
approval count by themselves.
"""

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from learnloop.ingest import tellings
from learnloop.ingest.effects import SessionTold
from learnloop.learn.lessons import acts
from learnloop.learn.lessons.claims import STANDING, UPKEEP
from learnloop.learn.lessons.decisions import effective_decisions, held_decisions
from learnloop.models import Decision
from learnloop.store.store import Store
from learnloop.wire import clock, paths, regular, text

_APPROVING = ("promote", "add", "replace", "restore", "edit", "confirm", "trust", "resume", "priming")
"""What changes what agents are told for the better or the worse."""


def approved_elsewhere(decisions: Iterable[Decision], since: str) -> list[Decision]:
    """Approvals in effect after a time that came from no terminal with a person at it, oldest first.

    What earlier versions wrote says nothing of its place and is left out.
    """
    return [decision for decision in effective_decisions(decisions) if _is_elsewhere(decision, since)]


def _is_elsewhere(decision: Decision, since: str) -> bool:
    place = decision.place
    if place is None or decision.by == UPKEEP or decision.claimed or decision.ts <= since:
        return False
    return decision.action in _APPROVING and (decision.by == STANDING or not place.attended)


Doc = dict[str, Any]
TABLE = "told_sessions"
MOST_SESSIONS, _A_PROJECT = 24, 4
_NAME, _NAMES = 24, 2
_JUDGED = ("heeded", "ignored", "corrected")


def enter(table: Any, session: SessionTold, lesson: Callable[[str], Doc | None]) -> None:
    """Put a session as it is now into the table, which keeps the newest; `lesson` reads a stored lesson."""
    table.put(session.id, _document(session, lesson))
    newest = sorted(table.all().values(), key=lambda doc: (doc["last_seen"], doc["id"]), reverse=True)
    rank: Counter[str] = Counter()
    for place, doc in enumerate(newest):
        rank[doc["project"]] += 1
        if place >= MOST_SESSIONS or rank[doc["project"]] > _A_PROJECT:
            table.remove(doc["id"])


def _document(session: SessionTold, lesson: Callable[[str], Doc | None]) -> Doc:
    docs = [lesson(lesson_id) or {} for lesson_id in session.lesson_ids]
    outcomes = Counter((doc.get(tellings.TELLINGS) or {}).get(session.id) for doc in docs)
    stopped = Counter(_name([lesson(key) or {} for key in keys], call) for keys, call in session.stopped)
    return {
        "id": session.id, "project": session.project, "last_seen": session.last_seen, "over": session.is_over,
        "told": len(docs), "stopped": dict(stopped), **{name: outcomes[name] for name in _JUDGED},
    }  # fmt: skip


def _name(lessons: Sequence[Doc], call: acts.AgentCall) -> str:
    """What was stopped, as a person calls it: the file, else the program that a lesson does not want."""
    hit = next(filter(None, (acts.breach(lesson, call) for lesson in lessons)), "")
    name = call.file.rpartition("/")[2] or (hit or acts.name(call)).partition(" ")[0]
    return text.cut(" ".join(name.split()), _NAME) or "call"


def summary(doc: Doc) -> str:
    """A session in words: `3 lessons told, 1 npm stopped, 1 ignored`."""
    stopped: Counter[str] = Counter(doc["stopped"])
    named = stopped.most_common(_NAMES)
    more = stopped.total() - sum(calls for _, calls in named)
    counts = (
        (1, f"{doc['told']} lesson{'s' * (doc['told'] != 1)} told"),
        *((calls, f"{calls} {name} stopped") for name, calls in named),
        (more, f"{more} more stopped"),
        (doc["heeded"], f"{doc['heeded']} heeded"),
        (doc["ignored"], f"{doc['ignored']} ignored"),
        (doc["corrected"], f"{doc['corrected']} corrected again"),
    )
    return ", ".join(words for count, words in counts if count)


_WORDS = 120


def approved(root: str, lessons: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """`{approved, approved_words?, taken, taken_words?, claimed}`: counts since the last visit, the newest.

    `claimed` are changes of prompt files that may be an agent's.
    """
    since = last_visit(root)
    recent = Store(root).decisions(lambda doc: bool(doc.get("place")) and str(doc.get("ts", "")) > since)
    claimed = [each for each in held_decisions(recent) if each.args.get("results")]
    elsewhere = approved_elsewhere(recent, since)
    taken = [decision for decision in elsewhere if decision.by == STANDING]
    others = [decision for decision in elsewhere if decision.by != STANDING]
    counts = {**_counted(lessons, "approved", others), **_counted(lessons, "taken", taken)}
    return {**counts, "claimed": len(claimed)}


def _counted(lessons: dict[str, dict[str, Any]], name: str, decisions: list[Decision]) -> dict[str, Any]:
    if not decisions:
        return {name: 0}
    named = [lessons[key] for decision in decisions for key in decision.lesson_ids if key in lessons]
    words = str(named[-1].get("statement", "") if named else decisions[-1].args.get("project", ""))
    return {name: len(decisions), f"{name}_words": words[:_WORDS]}


def last_visit(root: str) -> str:
    """When the last visit to the console ended; empty where there was none."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        return clock.iso(int(json.loads(regular.content(paths.visit(root)))["at"]))
    return ""
