"""Agents: how their work went over, the turns behind each figure, and what promoted lessons changed."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from learnloop.errors import NotFound
from learnloop.learn.profile import agent_tallies, failure_themes
from learnloop.models import Feedback, Turn
from learnloop.models.agent import AgentPerformance, AreaCount, LessonEffect
from learnloop.service import redaction
from learnloop.service.lessons import rows
from learnloop.store.store import Store

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

Doc = dict[str, Any]
Figure = Literal["invocations", "success", "revision", "cancellation", "unknown"]
IMPORTED = "imported_agents"
"""The table of figures that came from elsewhere: no event tells them."""
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

    `project` and `host` narrow down to what was done there. Times are UTC, weeks begin on Monday.
    """
    tallies, imported = _stored(ws, project, host)
    effects = _Effects(ws)
    groups: dict[tuple[str, str, str], list[Doc]] = {}
    for tally in tallies:
        where = (tally["project"], tally["host"]) if split else (project or "", host or "")
        groups.setdefault((tally["agent_name"], *where), []).append(tally)
    made = {key: _performance(key, group, effects) for key, group in groups.items()}
    for doc in imported:
        where = (doc.project, doc.host) if split else (project or "", host or "")
        key = (doc.agent_name, *where)
        made[key] = _joined(made[key], doc) if key in made else doc.with_(project=where[0], host=where[1])
    return sorted(
        made.values(), key=lambda one: (-one.total_invocations, one.agent_name, one.project, one.host)
    )


def of_agent(every: Iterable[AgentPerformance], name: str) -> list[AgentPerformance]:
    """The documents of one agent, by its name or its only one that begins so; raises NotFound."""
    known, documents_ = agent_tallies.stored_name(name), list(every)
    names = {one.agent_name for one in documents_}
    chosen = {known} & names or {one for one in names if one.startswith(known)}
    if len(chosen) != 1:
        told = f"{len(chosen)} agents begin with" if chosen else "nothing is known of an agent"
        raise NotFound(f"{told} {known!r}", "learn agents lists them")
    return [one for one in documents_ if one.agent_name in chosen]


def turns_behind(
    ws: "Workspace", agent: str, figure: Figure, *, project: str | None = None, host: str | None = None,
    limit: int = _MOST_TURNS,
) -> list[JudgedTurn]:  # fmt: skip
    """The turns behind a figure, newest first, each with the feedback that judged it.

    Those of `invocations` are the turns in which the agent was started, of `unknown` those in which it was at
    work and not judged, of the others those whose claim went to it. Only days that count are read.
    """
    tallies = [tally for tally in _stored(ws, project, host)[0] if tally["agent_name"] == agent]
    at = None if figure == "unknown" else agent_tallies.COUNTS.index(figure)
    days = {day for tally in tallies for day, counts in tally["_days"].items() if at is None or counts[at]}
    places = {(tally["project"], tally["host"]) for tally in tallies}
    found: list[Doc] = []
    store = Store(ws.root)
    for day in sorted(days, reverse=True):
        if len(found) >= limit:
            break
        fitting = (one for one in _of_day(store, day) if (one["project"], one["host"]) in places)
        found += [one for one in fitting if _counts(one, agent, figure)]
    newest = sorted(found, key=lambda one: (one["started"], one["id"]), reverse=True)[:limit]
    return _with_feedback(store, newest)


def enter_imported(root: str, found: Iterable[AgentPerformance]) -> int:
    """Keep imported figures of what this store counted nothing of itself; how many were new.

    They stand beside the tallies and are never added to, so importing the same twice changes nothing.
    """
    entered = 0
    with Store(root).transaction() as changes:
        table, counted = changes.table(IMPORTED), changes.table("agents")
        for one in found:
            clean = redaction.redacted(one.with_(lessons=()).as_json())
            clean["agent_name"] = name = agent_tallies.stored_name(str(clean["agent_name"]))
            key = agent_tallies.tally_id(name, clean["project"], clean["host"])
            if key not in table and key not in counted:
                table.put(key, clean)
                entered += 1
    return entered


def _stored(
    ws: "Workspace", project: str | None, host: str | None
) -> tuple[list[Doc], list[AgentPerformance]]:
    """Own tallies, and imported figures of what this store has no own ones of."""
    store = Store(ws.root)
    tallies, imported = (
        [doc for doc in store.documents(name).values()
         if project in (None, doc.get("project")) and host in (None, doc.get("host"))]
        for name in ("agents", IMPORTED)
    )  # fmt: skip
    own = {(doc["agent_name"], doc["project"], doc["host"]) for doc in tallies}
    others = map(AgentPerformance.model_validate, imported)
    return tallies, [one for one in others if (one.agent_name, one.project, one.host) not in own]


def _performance(key: tuple[str, str, str], tallies: list[Doc], effects: "_Effects") -> AgentPerformance:
    name, project, host = key
    tally = tallies[0] if len(tallies) == 1 else agent_tallies.merge_tallies(name, tallies)
    counted = agent_tallies.area_counts(tally["_areas"])
    success = tally["success_count"]
    judged = success + tally["revision_count"] + tally["cancellation_count"]
    return AgentPerformance(
        agent_name=name, project=project, host=host, total_invocations=tally["total_invocations"],
        success_count=success, revision_count=tally["revision_count"],
        cancellation_count=tally["cancellation_count"], success_rate=success / judged if judged else None,
        interval=agent_tallies.wilson(success, judged), enough=judged >= agent_tallies.ENOUGH,
        failure_patterns=failure_themes.find_themes(tally["_remarks"].values()),
        strong_areas=agent_tallies.strong_areas(counted),
        weak_areas=agent_tallies.weak_areas(counted), areas=counted,
        series=agent_tallies.weeks(tally["_days"]), lessons=tuple(effects.of(name, tallies)),
        last_updated=tally["last_updated"],
    )  # fmt: skip


def _joined(one: AgentPerformance, other: AgentPerformance) -> AgentPerformance:
    """Own figures with imported ones of other projects; series and lessons are the own ones."""
    success = one.success_count + other.success_count
    judged = one.judged + other.judged
    sums: dict[str, list[int]] = {}
    for area in (*one.areas, *other.areas):
        known = sums.get(area.area, [0, 0])
        sums[area.area] = [known[0] + area.success_count, known[1] + area.failure_count]
    counted: tuple[AreaCount, ...] = agent_tallies.area_counts(sums)
    return one.with_(
        total_invocations=one.total_invocations + other.total_invocations, success_count=success,
        revision_count=one.revision_count + other.revision_count,
        cancellation_count=one.cancellation_count + other.cancellation_count,
        success_rate=success / judged if judged else None, interval=agent_tallies.wilson(success, judged),
        enough=judged >= agent_tallies.ENOUGH,
        failure_patterns=(*one.failure_patterns, *other.failure_patterns),
        strong_areas=agent_tallies.strong_areas(counted),
        weak_areas=agent_tallies.weak_areas(counted), areas=counted,
        last_updated=max(one.last_updated, other.last_updated),
    )  # fmt: skip


class _Effects:
    """What promoted lessons changed for agents; lessons and the days of their promotion are read once."""

    def __init__(self, ws: "Workspace") -> None:
        self._store = Store(ws.root)
        active = rows.documents_of(ws, lambda row: row.status == "active")
        self._lessons = [doc for doc in active if doc.get("reviewed_at")]
        self._lessons.sort(key=lambda doc: (doc["reviewed_at"], doc["id"]), reverse=True)
        self._days: dict[str, list[Doc]] = {}

    def of(self, agent: str, tallies: list[Doc]) -> Iterator[LessonEffect]:
        """The newest lessons that are scoped to an agent or were told in its turns."""
        made = 0
        for lesson in self._lessons:
            there = [one for one in tallies if _holds(lesson, one["project"])]
            told = sum(one["_told"].get(lesson["id"], 0) for one in there)
            named = (lesson.get("triggers") or {}).get("agent_names") or ()
            if there and (told or agent in map(agent_tallies.stored_name, named)):
                yield self._effect(agent, lesson, there, told)
                made += 1
            if made == _MOST_LESSONS:
                return

    def _effect(self, agent: str, lesson: Doc, tallies: list[Doc], told: int) -> LessonEffect:
        """Whole days before and after, and the day of the promotion turn by turn."""
        promoted = lesson["reviewed_at"]
        sides: tuple[list[list[int]], list[list[int]]] = ([], [])
        for tally in tallies:
            for day, counts in tally["_days"].items():
                if day != promoted[:10]:
                    sides[day > promoted[:10]].append(counts)
        places = {(tally["project"], tally["host"]) for tally in tallies}
        for turn in self._of_day(promoted[:10]):
            mine = [share.counts for share in agent_tallies.contributions(turn) if share.agent == agent]
            if mine and (turn["project"], turn["host"]) in places:
                sides[turn["started"] >= promoted].append(list(mine[0]))
        before, since = map(agent_tallies.period, sides)
        return LessonEffect(
            lesson_id=lesson["id"], statement=lesson.get("statement", ""), promoted=promoted, told=told,
            before=before, since=since, change=agent_tallies.change(before, since),
        )  # fmt: skip

    def _of_day(self, day: str) -> list[Doc]:
        if day not in self._days:
            self._days[day] = list(_of_day(self._store, day))
        return self._days[day]


def _holds(lesson: Doc, project: str) -> bool:
    return lesson.get("scope") == "global" or lesson.get("project") == project


def _of_day(store: Store, day: str) -> Iterator[Doc]:
    """The stored turns that began on a UTC day."""
    for name in store.shards("turns"):
        if name.startswith(f"turns/{day}-"):
            yield from store.documents(name).values()


def _counts(turn: Doc, agent: str, figure: str) -> bool:
    share = next((one for one in agent_tallies.contributions(turn) if one.agent == agent), None)
    if share is None:
        return False
    counts = dict(zip(agent_tallies.COUNTS, share.counts, strict=True))
    if figure == "unknown":
        return not any(share.counts[2:])
    return bool(counts[figure])


def _with_feedback(store: Store, turns: Iterable[Doc]) -> list[JudgedTurn]:
    """Turns as models with their feedback, which was given on the same day or later."""
    every = list(turns)
    wanted = {str(turn["feedback_id"]) for turn in every if turn.get("feedback_id")}
    first = min((str(turn["started"])[:10] for turn in every), default="")
    found: dict[str, Feedback] = {}
    for name in reversed(store.shards("feedback")):
        if name.partition("/")[2][:10] < first:
            continue
        if len(found) == len(wanted):
            break
        docs = store.documents(name)
        found |= {key: Feedback.model_validate(_plain(docs[key])) for key in wanted & docs.keys()}
    return [
        JudgedTurn(Turn.model_validate(_plain(turn)), found.get(str(turn.get("feedback_id"))))
        for turn in every
    ]


def _plain(doc: Doc) -> Doc:
    return {name: value for name, value in doc.items() if name[0] != "_"}
