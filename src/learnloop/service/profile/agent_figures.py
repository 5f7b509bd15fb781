"""Figures of agents: how their work went over, and what lessons changed.

A *tally* has the counts of one agent in one project and host, by day, area and lesson.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from learnloop.errors import NotFound
from learnloop.learn.profile import agent_tallies, beliefs, remark_groups
from learnloop.models.agent import AgentPerformance, LessonEffect
from learnloop.models.preferences import Belief
from learnloop.service import workspace
from learnloop.service.lessons import rows
from learnloop.service.profile import project_findings
from learnloop.service.workspace import Workspace
from learnloop.store.document_table import Span
from learnloop.store.store import Store

Doc = dict[str, Any]
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


_Key = tuple[str, str, str]
"""Agent, project and host."""


def performance(
    ws: Workspace, *, project: str | None = None, host: str | None = None, split: bool = False,
    since: str = "", own_only: bool = False,
) -> list[AgentPerformance]:  # fmt: skip
    """Every agent, those with most invocations first; with `split` one document per project and host.

    `project` and `host` count only what was done there. `since` (a day, YYYY-MM-DD) counts only what began
    then or later; imported figures have no days. With `own_only` nothing counts that was imported. Times
    are UTC, weeks begin on Monday.
    """

    def key_of(name: str, its_project: str, its_host: str) -> _Key:
        return (name, its_project, its_host) if split else (name, project or "", host or "")

    tallies, imported = stored_figures(ws.root, project, host)
    if since:
        tallies = [agent_tallies.since(tally, since) for tally in tallies]
    imported = [] if since or own_only else imported
    effects, text_by_id = LessonEffects(ws), {each.id: each.text for each in project_findings.compared(ws)}
    tallies_by_key: dict[_Key, list[Doc]] = {}
    for tally in tallies:
        key = key_of(tally["agent_name"], tally["project"], tally["host"])
        tallies_by_key.setdefault(key, []).append(tally)
    agent_by_key = {
        key: _performance(key, group, effects, text_by_id) for key, group in tallies_by_key.items()
    }
    for doc in imported:
        key = key_of(doc.agent_name, doc.project, doc.host)
        own = agent_by_key.get(key)
        agent_by_key[key] = _sum(own, doc) if own else _imported(doc, key)
    return sorted(
        agent_by_key.values(),
        key=lambda agent: (-agent.total_invocations, agent.agent_name, agent.project, agent.host),
    )


def of_agent(performances: Iterable[AgentPerformance], name: str) -> list[AgentPerformance]:
    """The documents of one agent, by its name or a unique beginning; raises NotFound."""
    beginning, documents = agent_tallies.stored_name(name), list(performances)
    names = {document.agent_name for document in documents}
    chosen = {beginning} & names or {each for each in names if each.startswith(beginning)}
    if len(chosen) != 1:
        problem = f"{len(chosen)} agents begin with" if chosen else "nothing is known of an agent"
        raise NotFound(f"{problem} {beginning!r}", "learn agents lists them")
    return [document for document in documents if document.agent_name in chosen]


def weak_area_beliefs(ws: Workspace) -> list[Belief]:
    """Beliefs about the areas where an agent's work was often corrected."""
    return [
        Belief(
            id=beliefs.belief_id("weak_area", f"{agent.agent_name}\0{area}"),
            kind="weak_area",
            subject=area,
            statement=f"Earlier work of {agent.agent_name} on {area} was often corrected.",
            agent=agent.agent_name,
        )
        for agent in performance(ws)
        if agent.enough
        for area in agent.weak_areas
    ]


def _performance(
    key: _Key, tallies: list[Doc], effects: "LessonEffects", text_by_id: Mapping[str, str]
) -> AgentPerformance:
    name, project, host = key
    tally = tallies[0] if len(tallies) == 1 else agent_tallies.merge_tallies(name, tallies)
    return AgentPerformance(
        agent_name=name, project=project, host=host, total_invocations=tally["total_invocations"],
        **_rates(
            tally["_claims"], tally["success_count"], tally["revision_count"], tally["cancellation_count"]
        ),
        praised_count=max(0, tally["success_count"] - tally.get("_silent", 0)),
        **_areas(tally["_areas"]),
        failure_patterns=remark_groups.find_themes(tally["_remarks"].values(), text_by_id),
        series=agent_tallies.weeks(tally["_days"]), lessons=tuple(effects.on_agent(name, tallies)),
        last_updated=tally["last_updated"],
    )  # fmt: skip


def _imported(doc: AgentPerformance, key: _Key) -> AgentPerformance:
    """Imported figures by the rules of today."""
    return doc.with_(
        project=key[1], host=key[2], strong_areas=agent_tallies.strong_areas(doc.areas),
        weak_areas=agent_tallies.weak_areas(doc.areas),
        **_rates(_turns(doc), doc.success_count, doc.revision_count, doc.cancellation_count),
    )  # fmt: skip


def _turns(imported: AgentPerformance) -> int:
    """The turns of imported figures; older ones do not count them."""
    return max(imported.turns or imported.total_invocations, imported.judged)


def _sum(own: AgentPerformance, imported: AgentPerformance) -> AgentPerformance:
    """Own figures and imported ones of other projects; series and lessons are the own ones."""
    counts_by_area: dict[str, list[int]] = {}
    for area in (*own.areas, *imported.areas):
        counts = counts_by_area.setdefault(area.area, [0, 0, 0])
        counts[0] += area.success_count
        counts[1] += area.failure_count
        counts[2] += area.turns
    return own.with_(
        total_invocations=own.total_invocations + imported.total_invocations,
        praised_count=own.praised_count + imported.praised_count,
        **_rates(
            own.turns + _turns(imported),
            own.success_count + imported.success_count,
            own.revision_count + imported.revision_count,
            own.cancellation_count + imported.cancellation_count,
        ),
        **_areas(counts_by_area),
        failure_patterns=(*own.failure_patterns, *imported.failure_patterns),
        last_updated=max(own.last_updated, imported.last_updated),
    )


def _rates(turns: int, success: int, revision: int, cancellation: int) -> dict[str, Any]:
    """The fields of AgentPerformance that follow from the counts of turns and verdicts."""
    judged = success + revision + cancellation
    return {
        "turns": turns, "corrected_rate": revision / turns if turns else None,
        "corrected_interval": agent_tallies.wilson(revision, turns), "success_count": success,
        "revision_count": revision, "cancellation_count": cancellation,
        "success_rate": success / judged if judged else None,
        "interval": agent_tallies.wilson(success, judged), "enough": judged >= agent_tallies.ENOUGH,
    }  # fmt: skip


def _areas(counts_by_area: dict[str, list[int]]) -> dict[str, Any]:
    """The fields of AgentPerformance that follow from [successes, failures, turns] by area."""
    areas = agent_tallies.area_counts(counts_by_area)
    return {
        "areas": areas,
        "strong_areas": agent_tallies.strong_areas(areas),
        "weak_areas": agent_tallies.weak_areas(areas),
    }


IMPORTED = "imported_agents"
"""The table of imported figures, which no event contains."""


def stored_figures(
    root: str, project: str | None, host: str | None
) -> tuple[list[Doc], list[AgentPerformance]]:
    """Own tallies, and imported figures of agents without one there."""
    store = Store(root)
    tallies, imported = (
        [doc for doc in store.documents(name).values()
         if project in (None, doc.get("project")) and host in (None, doc.get("host"))]
        for name in ("agents", IMPORTED)
    )  # fmt: skip
    own = {(doc["agent_name"], doc["project"], doc["host"]) for doc in tallies}
    others = map(AgentPerformance.model_validate, imported)
    return tallies, [agent for agent in others if (agent.agent_name, agent.project, agent.host) not in own]


def enter_imported(ws: Workspace, performances: Iterable[AgentPerformance]) -> int:
    """Store imported figures of agents without own ones; returns how many were new.

    They are stored beside the tallies and never added to, so importing twice changes nothing.
    """
    entered = 0
    with Store(ws.root).transaction() as changes:
        table, tallies = changes.table(IMPORTED), changes.table("agents")
        for agent in performances:
            clean = workspace.redacted(ws, agent.with_(lessons=()).as_json())
            clean["agent_name"] = name = agent_tallies.stored_name(str(clean["agent_name"]))
            key = agent_tallies.tally_id(name, clean["project"], clean["host"])
            if key not in table and key not in tallies:
                table.put(key, clean)
                entered += 1
    return entered


def places(tallies: Iterable[Doc]) -> set[tuple[str, str]]:
    """Where tallies count: project and host."""
    return {(tally["project"], tally["host"]) for tally in tallies}


def turns_of_day(store: Store, day: str) -> Iterator[Doc]:
    """The stored turns that began on a UTC day."""
    return store.all_documents("turns", Span(day, day))
