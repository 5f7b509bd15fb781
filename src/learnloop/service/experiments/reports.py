"""Experiments with what is known of them, and how long one would take."""

from collections.abc import Iterator
from typing import Any

from learnloop.learn.experiments import counts, experiment_findings, replay
from learnloop.learn.experiments.counts import Counts
from learnloop.learn.statistics import lift
from learnloop.learn.statistics.lift import Pace, size
from learnloop.learn.tasks import days
from learnloop.models import Lesson
from learnloop.models.base import Document
from learnloop.models.experiment import Experiment, ExperimentReport
from learnloop.service import id_prefix
from learnloop.service.lessons import documents, lesson_hosts
from learnloop.service.workspace import Workspace
from learnloop.store.document_table import Span
from learnloop.store.store import Store
from learnloop.wire import clock

WEEK_MS = 7 * 86_400_000
_LEAST_WEEKS = 1.0
_FEW = 5
"""Sessions from which on an experiment shows its own pace."""
ORDER = ("running", "paused", "decided", "stopped")


class SizeReport(Document):
    """What an experiment would take."""

    base: float
    """The rate of corrections per moment without the lesson, 0–1."""
    effect: float
    """The part of them that the lesson saves, 0–1."""
    share: int
    """The percentage of sessions that is held out."""
    sessions_a_week: float
    """Sessions with a moment."""
    moments: int
    sessions: int
    weeks: int | None
    """None where no moments come."""
    price: str
    """What it costs while it runs."""


def experiments(ws: Workspace) -> dict[str, Experiment]:
    """All experiments by id, the oldest first."""
    return replay.experiments(documents.decisions(ws.root))


def find(ws: Workspace, typed: str) -> Experiment:
    """An experiment by its id, a unique beginning of it, or its name; raises NotFound or Ambiguous."""
    every = experiments(ws)
    named = [experiment for experiment in every.values() if experiment.name == typed]
    hint = "learn experiments lists them"
    return named[-1] if named else every[id_prefix.resolve(typed, every, "experiment", hint)]


def reports(ws: Workspace) -> list[ExperimentReport]:
    """All experiments with what is known of them, running ones first, the newest of each state first."""
    every = list(experiments(ws).values())
    if not every:
        return []
    counted = counts.count(_moments(ws, min(each.started for each in every)))
    every.sort(key=lambda experiment: experiment.started, reverse=True)
    every.sort(key=lambda experiment: ORDER.index(experiment.state))
    return [_report(ws, experiment, counted) for experiment in every]


def report(ws: Workspace, experiment: Experiment) -> ExperimentReport:
    """One experiment with what is known of it."""
    moments = list(_moments(ws, experiment.started, experiment.ended))
    known = _report(ws, experiment, counts.count(moments))
    return known.model_copy(update={"scores": counts.scores(experiment, moments)})


def _moments(ws: Workspace, since: str, until: str = "") -> Iterator[dict[str, Any]]:
    """The stored moments of an experiment's time; the turn that ran when it began is among them."""
    first, last = days.around(since[:10], (until or clock.iso(clock.now_ms()))[:10])
    return Store(ws.root).all_documents("moments", Span(first, last))


def of_lesson(ws: Workspace, lesson_id: str) -> ExperimentReport | None:
    """The newest experiment on a lesson; None where there never was one."""
    about = [each for each in experiments(ws).values() if lesson_id in each.lesson_ids]
    return report(ws, about[-1]) if about else None


def per_hundred(known: ExperimentReport) -> str:
    """What is compared per 100 moments of each variant: `12 told, 33 held out (of 41 and 9 moments)`."""
    outcome = known.experiment.outcome
    rates = ", ".join(f"{each.per_hundred(outcome):.0f} {each.name}" for each in known.variants)
    moments = " and ".join(str(variant.moments) for variant in known.variants)
    return f"{rates} (of {moments} moments)"


def size_of(
    ws: Workspace, base: float = experiment_findings.BASE, effect: float = experiment_findings.EFFECT,
    share: int = 20, lesson: Lesson | None = None,
) -> SizeReport:  # fmt: skip
    """What an experiment would take at the pace of a lesson, by default of the one that is told most."""
    told = lesson or _most_told(ws)
    pace = _pace_of_lesson(told) if told else Pace(0.0)
    needed = size(base, effect, share / 100, pace)
    held_a_week = pace.sessions_a_week * pace.moments_a_session * share / 100
    return SizeReport(
        base=base, effect=effect, share=share, sessions_a_week=round(pace.sessions_a_week, 1),
        moments=needed.moments, sessions=needed.sessions, weeks=needed.weeks,
        price=lift.price(base, effect, held_a_week),
    )  # fmt: skip


def _report(ws: Workspace, experiment: Experiment, counted: Counts) -> ExperimentReport:
    arms = counted.get(experiment.id, {})
    sessions = sum(map(len, arms.values()))
    of = experiment.lesson_ids[0] if len(experiment.lesson_ids) == 1 else ""
    advice = lesson_hosts.story(ws, of, advises=True) if of else ""
    moments = sum(one[0] for variant in arms.values() for one in variant.values())
    if sessions >= _FEW:
        until = clock.parse_ms(experiment.ended) or clock.now_ms()
        weeks = max((until - clock.parse_ms(experiment.started)) / WEEK_MS, _LEAST_WEEKS)
        pace = Pace(sessions / weeks, moments / sessions)
        return experiment_findings.report(experiment, arms, pace, advice)
    docs = documents.lessons(ws.root)
    lesson = docs.get(next(iter(experiment.lesson_ids), ""))
    pace = _pace_of_lesson(documents.as_lesson(lesson)) if lesson else Pace(0.0)
    return experiment_findings.report(experiment, arms, pace, advice)


def _most_told(ws: Workspace) -> Lesson | None:
    active = [doc for doc in documents.lessons(ws.root).values() if doc.get("status") == "active"]
    told = max(active, key=lambda doc: (doc.get("usage") or {}).get("told_sessions", 0), default=None)
    return None if told is None else documents.as_lesson(told)


def _pace_of_lesson(lesson: Lesson) -> Pace:
    """How often a lesson has its moment, by the sessions that were told it since it was approved."""
    since = clock.parse_ms(lesson.reviewed_at or lesson.created)
    weeks = max((clock.now_ms() - since) / WEEK_MS, _LEAST_WEEKS)
    return Pace(lesson.usage.told_sessions / weeks)
