"""Better words for drafts: what asking would cost, asking a model, and taking its words over."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import Field

from learnloop.distill import consented, model_call
from learnloop.errors import LearnloopError, Refused
from learnloop.ingest import recent_calls
from learnloop.learn.facts import requests, rewording
from learnloop.learn.lessons.trigger_choice import Calls
from learnloop.models import Decision, Lesson
from learnloop.models.base import Document
from learnloop.models.fact import FactRun
from learnloop.service import workspace
from learnloop.service.facts import listing
from learnloop.service.lessons.lookup import find, find_all
from learnloop.service.review import agent_guard, verdicts
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store

_MOST = 20
"""Drafts in one request."""
_TYPICAL = 20
"""Runs whose cost tells what the next will cost."""
_OFF = "learn facts on, and learn config facts.mode draft, let a model read along there"


class RewordPlan(Document):
    """What asking for better words would do."""

    lesson_ids: tuple[str, ...] = ()
    """Drafts that are asked about."""
    left: dict[str, str] = Field(default_factory=dict)
    """By the id of a lesson that is not, why."""
    hint: str = ""
    """How to switch on what is off; empty where nothing is."""
    calls: int = 0
    model: str = ""
    cost_usd: float | None = None
    """About; None where no cost is known."""

    @property
    def why_none(self) -> str:
        """Why none is asked about, and the way out; empty where one is."""
        if self.lesson_ids:
            return ""
        way_out = self.hint or "name a draft in your own words"
        return f"{next(iter(self.left.values()))}: {way_out}"

    @property
    def words(self) -> str:
        """The cost in words: `1 call of sonnet, about $0.0100`."""
        cost = "cost unknown" if self.cost_usd is None else f"about ${self.cost_usd:.4f}"
        return f"{self.calls} {'call' if self.calls == 1 else 'calls'} of {self.model}, {cost}"


class Rewording(Document):
    """Better words for one draft."""

    lesson_id: str
    before: str
    """The statement that it has."""
    statement: str = ""
    """Empty where there are no better words."""
    triggers: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = Field(default_factory=dict)
    """The triggers that would change, before and after."""
    changes: dict[str, Any] = Field(default_factory=dict)
    """What an edit takes to make them the draft's own."""
    caution: str = ""
    """Why the words look as if they spoke to the agent."""
    why_not: str = ""


class RewordReport(Document):
    """What a model said of drafts."""

    rewordings: tuple[Rewording, ...] = ()
    runs: tuple[FactRun, ...] = ()
    stopped: str = ""
    """Why no more was asked."""


def plan(ws: Workspace, ids: str | Sequence[str]) -> RewordPlan:
    """What asking about these drafts would cost, and which are left out; raises NotFound or Ambiguous."""
    allowed, asked = consented.by_project(ws.root, ws.settings), list[Lesson]()
    left: dict[str, str] = {}
    for lesson in find_all(ws, ids):
        if fault := _why_not(lesson, allowed):
            left[lesson.id] = fault
        else:
            asked.append(lesson)
    calls = sum(1 for _ in _batches(asked))
    model, is_off = ws.settings.facts.merge_model, any(why == _NOT_ON for why in left.values())
    typical = _typical_cost(listing.runs(ws), model)
    return RewordPlan(
        lesson_ids=tuple(lesson.id for lesson in asked), left=left, hint=_OFF if is_off else "",
        calls=calls, model=model, cost_usd=None if typical is None else typical * calls,
    )  # fmt: skip


_NOT_ON = "no model may read along in its project"


def _why_not(lesson: Lesson, allowed: Mapping[str, Any]) -> str:
    if lesson.status != "draft":
        return "it is no draft"
    if lesson.trust != "user" or not lesson.evidence:
        return "its words are not yours"
    return "" if lesson.project in allowed else _NOT_ON


def _typical_cost(runs: Sequence[FactRun], model: str) -> float | None:
    """What a call of a model cost lately, on average; None where none told it."""
    costs = [run.cost_usd for run in runs if run.model == model and run.cost_usd is not None][:_TYPICAL]
    return sum(costs) / len(costs) if costs else None


def _batches(lessons: Sequence[Lesson]) -> Iterator[tuple[Lesson, ...]]:
    """The drafts of each request: of one project."""
    for project in dict.fromkeys(lesson.project for lesson in lessons):
        own = tuple(lesson for lesson in lessons if lesson.project == project)
        yield from (own[at : at + _MOST] for at in range(0, len(own), _MOST))


def ask(ws: Workspace, ids: str | Sequence[str], stopped: model_call.Stopped = lambda: False) -> RewordReport:
    """Ask a model about those of these drafts that it may be asked about, now."""
    agent_guard.refuse("have a model asked")
    planned = plan(ws, ids)
    rewordings, runs, reason = list[Rewording](), list[FactRun](), planned.why_none
    for drafts in _batches([find(ws, name) for name in planned.lesson_ids]):
        workspace.ingest(ws)  # the limits count what was asked before
        try:
            given, run = _asked(ws, drafts, stopped)
        except LearnloopError as error:
            reason = str(error)
            break
        rewordings += given
        runs.append(run)
    workspace.ingest(ws)
    return RewordReport(rewordings=tuple(rewordings), runs=tuple(runs), stopped=reason)


def _asked(
    ws: Workspace, drafts: Sequence[Lesson], stopped: model_call.Stopped
) -> tuple[list[Rewording], FactRun]:
    by_name = {f"p{number}": lesson for number, lesson in enumerate(drafts, 1)}
    quoted = [
        (requests.Quoted(name, lesson.statement or lesson.title), rewording.typed(lesson))
        for name, lesson in by_name.items()
    ]
    question = model_call.Question(
        requests.rewording(quoted, requests.new_fence()), ws.settings.facts.merge_model,
        drafts[0].project, len(drafts),
    )  # fmt: skip
    facts, run = model_call.ask_alone(ws.root, ws.settings, question, stopped)
    judged = rewording.of_answer(facts, by_name, ws.settings.redaction.extras)
    history = recent_calls.of(Store(ws.root).state(), drafts[0].project)
    return [_rewording(by_name[name], words, run, history) for name, words in judged.items()], run


def _rewording(lesson: Lesson, words: rewording.BetterWords, run: FactRun, history: Calls) -> Rewording:
    before = lesson.statement
    if words.why_not:
        return Rewording(lesson_id=lesson.id, before=before, why_not=run.error or words.why_not)
    old = lesson.triggers.model_dump()
    new = rewording.triggers_of(words.statement, lesson, history).model_dump()
    changed = {name: (old[name], new[name]) for name in old if tuple(old[name]) != tuple(new[name])}
    triggers = {"triggers": {name: list(values) for name, values in new.items()}} if changed else {}
    return Rewording(
        lesson_id=lesson.id, before=before, statement=words.statement, triggers=changed,
        changes={"statement": words.statement, **triggers}, caution=words.caution,
    )  # fmt: skip


def accept(ws: Workspace, better: Rewording) -> Decision:
    """Take better words over by an edit; raises Refused where the draft changed meanwhile."""
    lesson = find(ws, better.lesson_id)
    if lesson.status != "draft" or lesson.statement != better.before:
        raise Refused("it changed since it was asked about", "learn reword asks again")
    return verdicts.edit(ws, lesson.id, better.changes)
