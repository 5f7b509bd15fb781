"""What promoted lessons changed for agents."""

from collections.abc import Iterator
from functools import cache

from learnloop.learn.profile import agent_tallies
from learnloop.models.agent import LessonEffect
from learnloop.service.lessons import rows
from learnloop.service.profile.stored_agents import Doc, places, turns_of_day
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store

_MOST_LESSONS = 20


class LessonEffects:
    """What promoted lessons changed for agents; lessons and the days of their promotion are read once."""

    def __init__(self, ws: Workspace) -> None:
        self._store = Store(ws.root)
        active = rows.documents_of(ws, lambda row: row.status == "active")
        self._lessons = [doc for doc in active if doc.get("reviewed_at")]
        self._lessons.sort(key=lambda doc: (doc["reviewed_at"], doc["id"]), reverse=True)
        self._turns_of_day = cache(lambda day: list(turns_of_day(self._store, day)))

    def on_agent(self, agent: str, tallies: list[Doc]) -> Iterator[LessonEffect]:
        """The newest lessons that are scoped to an agent or were recalled in its turns."""
        count = 0
        for lesson in self._lessons:
            is_global, project = lesson.get("scope") == "global", lesson.get("project")
            there = [tally for tally in tallies if is_global or tally["project"] == project]
            recalled = sum(tally["_told"].get(lesson["id"], 0) for tally in there)
            names = (lesson.get("triggers") or {}).get("agent_names") or ()
            if there and (recalled or agent in map(agent_tallies.stored_name, names)):
                yield self._effect(agent, lesson, there, recalled)
                count += 1
            if count == _MOST_LESSONS:
                return

    def _effect(self, agent: str, lesson: Doc, tallies: list[Doc], recalled: int) -> LessonEffect:
        """Compare whole days before and after; the day of the promotion turn by turn."""
        promoted = lesson["reviewed_at"]
        sides: tuple[list[list[int]], list[list[int]]] = ([], [])
        for tally in tallies:
            for day, counts in tally["_days"].items():
                if day != promoted[:10]:
                    sides[day > promoted[:10]].append(counts)
        where = places(tallies)
        for turn in self._turns_of_day(promoted[:10]):
            own = [share.counts for share in agent_tallies.contributions(turn) if share.agent == agent]
            if own and (turn["project"], turn["host"]) in where:
                sides[turn["started"] >= promoted].append(list(own[0]))
        before, since = map(agent_tallies.period, sides)
        return LessonEffect(
            lesson_id=lesson["id"], statement=lesson.get("statement", ""), promoted=promoted, told=recalled,
            before=before, since=since, change=agent_tallies.change(before, since),
        )  # fmt: skip
