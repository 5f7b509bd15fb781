"""How the sessions went that were told lessons: a document for each of the newest, for the person's news.

`{id, project, last_seen, over, told, stopped: {name: calls}, heeded, ignored, corrected}`
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from learnloop.ingest import tellings
from learnloop.ingest.effects import SessionTold
from learnloop.learn.lessons import acts
from learnloop.wire import text

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
