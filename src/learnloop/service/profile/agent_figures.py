"""Figures of agents: how their work went over, the turns behind each figure, and the effect of lessons.

Ingest keeps one *tally* per agent, project and host: counts by day, area and lesson.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from learnloop.errors import NotFound
from learnloop.learn.profile import agent_tallies, beliefs, failure_themes
from learnloop.models import Feedback, Turn
from learnloop.models.agent import AgentPerformance, LessonEffect
from learnloop.models.preferences import Belief
from learnloop.service import redaction
from learnloop.service.lessons import rows
from learnloop.store.store import Store

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

Doc = dict[str, Any]
_Key = tuple[str, str, str]
"""Agent, project and host."""
Figure = Literal["invocations", "success", "revision", "cancellation", "unknown"]
IMPORTED = "imported_agents"
"""The table of imported figures, which no event contains."""
_MOST_LESSONS = 20
_MOST_TURNS = 200


class JudgedTurn(NamedTuple):
    """A turn behind a figure, with the feedback that judged it."""

    turn: Turn
    feedback: Feedback | None


def performance(
    ws: "Workspace", *, project: str | None = None, host: str | None = None, split: bool = False
) -> list[AgentPerformance]:
    """Every agent, those with most invocations first; with `split` one document per project and host.

    `project` and `host` count only what was done there. Times are UTC, weeks begin on Monday.
    """

    def key_of(name: str, its_project: str, its_host: str) -> _Key:
        return (name, its_project, its_host) if split else (name, project or "", host or "")

    tallies, imported = _stored(ws, project, host)
    effects = _LessonEffects(ws)
    tallies_by_key: dict[_Key, list[Doc]] = {}
    for tally in tallies:
        key = key_of(tally["agent_name"], tally["project"], tally["host"])
        tallies_by_key.setdefault(key, []).append(tally)
    agent_by_key = {key: _performance(key, group, effects) for key, group in tallies_by_key.items()}
    for doc in imported:
        key = key_of(doc.agent_name, doc.project, doc.host)
        own = agent_by_key.get(key)
        agent_by_key[key] = _sum(own, doc) if own else doc.with_(project=key[1], host=key[2])
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


def turns_behind(
    ws: "Workspace", agent: str, figure: Figure, *, project: str | None = None, host: str | None = None,
    limit: int = _MOST_TURNS,
) -> list[JudgedTurn]:  # fmt: skip
    """The turns behind a figure, newest first, each with the feedback that judged it.

    `invocations`: the turns that started the agent. `unknown`: turns in which it worked and nobody judged it.
    The others: turns whose verdict went to it. Only days with a count are read.
    """
    tallies = [tally for tally in _stored(ws, project, host)[0] if tally["agent_name"] == agent]
    at = None if figure == "unknown" else agent_tallies.COUNTS.index(figure)
    days = {day for tally in tallies for day, counts in tally["_days"].items() if at is None or counts[at]}
    places = _places(tallies)
    turns: list[Doc] = []
    store = Store(ws.root)
    for day in sorted(days, reverse=True):
        if len(turns) >= limit:
            break
        there = (turn for turn in _turns_of_day(store, day) if (turn["project"], turn["host"]) in places)
        turns += [turn for turn in there if _is_counted(turn, agent, figure)]
    turns.sort(key=lambda turn: (turn["started"], turn["id"]), reverse=True)
    return _with_feedback(store, turns[:limit])


def weak_area_beliefs(ws: "Workspace") -> list[Belief]:
    """What agents could be told about areas where their work was often corrected."""
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


def enter_imported(root: str, performances: Iterable[AgentPerformance]) -> int:
    """Store imported figures of agents without own ones; returns how many were new.

    They are stored beside the tallies and never added to, so importing twice changes nothing.
    """
    entered = 0
    with Store(root).transaction() as changes:
        table, tallies = changes.table(IMPORTED), changes.table("agents")
        for agent in performances:
            clean = redaction.redacted(agent.with_(lessons=()).as_json())
            clean["agent_name"] = name = agent_tallies.stored_name(str(clean["agent_name"]))
            key = agent_tallies.tally_id(name, clean["project"], clean["host"])
            if key not in table and key not in tallies:
                table.put(key, clean)
                entered += 1
    return entered


def _stored(
    ws: "Workspace", project: str | None, host: str | None
) -> tuple[list[Doc], list[AgentPerformance]]:
    """Own tallies, and imported figures of agents without one there."""
    store = Store(ws.root)
    tallies, imported = (
        [doc for doc in store.documents(name).values()
         if project in (None, doc.get("project")) and host in (None, doc.get("host"))]
        for name in ("agents", IMPORTED)
    )  # fmt: skip
    own = {(doc["agent_name"], doc["project"], doc["host"]) for doc in tallies}
    others = map(AgentPerformance.model_validate, imported)
    return tallies, [agent for agent in others if (agent.agent_name, agent.project, agent.host) not in own]


def _performance(key: _Key, tallies: list[Doc], effects: "_LessonEffects") -> AgentPerformance:
    """The figures of an agent from its tallies, and the effects of lessons on it."""
    name, project, host = key
    tally = tallies[0] if len(tallies) == 1 else agent_tallies.merge_tallies(name, tallies)
    return AgentPerformance(
        agent_name=name, project=project, host=host, total_invocations=tally["total_invocations"],
        **_rates(tally["success_count"], tally["revision_count"], tally["cancellation_count"]),
        **_areas(tally["_areas"]),
        failure_patterns=failure_themes.find_themes(tally["_remarks"].values()),
        series=agent_tallies.weeks(tally["_days"]), lessons=tuple(effects.on_agent(name, tallies)),
        last_updated=tally["last_updated"],
    )  # fmt: skip


def _sum(own: AgentPerformance, imported: AgentPerformance) -> AgentPerformance:
    """Own figures and imported ones of other projects; series and lessons are the own ones."""
    counts_by_area: dict[str, list[int]] = {}
    for area in (*own.areas, *imported.areas):
        counts = counts_by_area.setdefault(area.area, [0, 0])
        counts[0] += area.success_count
        counts[1] += area.failure_count
    return own.with_(
        total_invocations=own.total_invocations + imported.total_invocations,
        **_rates(
            own.success_count + imported.success_count,
            own.revision_count + imported.revision_count,
            own.cancellation_count + imported.cancellation_count,
        ),
        **_areas(counts_by_area),
        failure_patterns=(*own.failure_patterns, *imported.failure_patterns),
        last_updated=max(own.last_updated, imported.last_updated),
    )


def _rates(success: int, revision: int, cancellation: int) -> dict[str, Any]:
    """The fields of AgentPerformance that follow from the counts of verdicts."""
    judged = success + revision + cancellation
    return {
        "success_count": success,
        "revision_count": revision,
        "cancellation_count": cancellation,
        "success_rate": success / judged if judged else None,
        "interval": agent_tallies.wilson(success, judged),
        "enough": judged >= agent_tallies.ENOUGH,
    }


def _areas(counts_by_area: dict[str, list[int]]) -> dict[str, Any]:
    """The fields of AgentPerformance that follow from [successes, failures] by area."""
    areas = agent_tallies.area_counts(counts_by_area)
    return {
        "areas": areas,
        "strong_areas": agent_tallies.strong_areas(areas),
        "weak_areas": agent_tallies.weak_areas(areas),
    }


class _LessonEffects:
    """What promoted lessons changed for agents; lessons and the days of their promotion are read once."""

    def __init__(self, ws: "Workspace") -> None:
        self._store = Store(ws.root)
        active = rows.documents_of(ws, lambda row: row.status == "active")
        self._lessons = [doc for doc in active if doc.get("reviewed_at")]
        self._lessons.sort(key=lambda doc: (doc["reviewed_at"], doc["id"]), reverse=True)
        self._turns_by_day: dict[str, list[Doc]] = {}

    def on_agent(self, agent: str, tallies: list[Doc]) -> Iterator[LessonEffect]:
        """The newest lessons that are scoped to an agent or were recalled in its turns."""
        count = 0
        for lesson in self._lessons:
            there = [tally for tally in tallies if _is_for_project(lesson, tally["project"])]
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
        places = _places(tallies)
        for turn in self._turns_of_day(promoted[:10]):
            own = [share.counts for share in agent_tallies.contributions(turn) if share.agent == agent]
            if own and (turn["project"], turn["host"]) in places:
                sides[turn["started"] >= promoted].append(list(own[0]))
        before, since = map(agent_tallies.period, sides)
        return LessonEffect(
            lesson_id=lesson["id"], statement=lesson.get("statement", ""), promoted=promoted, told=recalled,
            before=before, since=since, change=agent_tallies.change(before, since),
        )  # fmt: skip

    def _turns_of_day(self, day: str) -> list[Doc]:
        if day not in self._turns_by_day:
            self._turns_by_day[day] = list(_turns_of_day(self._store, day))
        return self._turns_by_day[day]


def _places(tallies: Iterable[Doc]) -> set[tuple[str, str]]:
    """Where tallies count: project and host."""
    return {(tally["project"], tally["host"]) for tally in tallies}


def _is_for_project(lesson: Doc, project: str) -> bool:
    return lesson.get("scope") == "global" or lesson.get("project") == project


def _turns_of_day(store: Store, day: str) -> Iterator[Doc]:
    """The stored turns that began on a UTC day."""
    for name in store.shards("turns"):
        if name.startswith(f"turns/{day}-"):
            yield from store.documents(name).values()


def _is_counted(turn: Doc, agent: str, figure: Figure) -> bool:
    """Whether a turn is counted in a figure of an agent."""
    share = next((share for share in agent_tallies.contributions(turn) if share.agent == agent), None)
    if share is None:
        return False
    if figure == "unknown":
        return not any(share.counts[2:])
    return bool(share.counts[agent_tallies.COUNTS.index(figure)])


def _with_feedback(store: Store, turns: list[Doc]) -> list[JudgedTurn]:
    """Turns as models with their feedback, which was given on the same day or later."""
    ids = {str(turn["feedback_id"]) for turn in turns if turn.get("feedback_id")}
    first_day = min((str(turn["started"])[:10] for turn in turns), default="")
    feedback_by_id: dict[str, Feedback] = {}
    for name in reversed(store.shards("feedback")):
        if name.partition("/")[2][:10] < first_day:
            continue
        if len(feedback_by_id) == len(ids):
            break
        docs = store.documents(name)
        feedback_by_id |= {key: Feedback.model_validate(_public(docs[key])) for key in ids & docs.keys()}
    return [
        JudgedTurn(Turn.model_validate(_public(turn)), feedback_by_id.get(str(turn.get("feedback_id"))))
        for turn in turns
    ]


def _public(doc: Doc) -> Doc:
    """A stored document without its private fields."""
    return {name: value for name, value in doc.items() if name[0] != "_"}
