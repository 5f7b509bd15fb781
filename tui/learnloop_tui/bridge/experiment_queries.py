"""Queries on experiments: what each knows, and what a person decides about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.view.experiment_state import ExperimentItem

if TYPE_CHECKING:
    from learnloop.models.experiment import ExperimentReport
    from learnloop.service.workspace import Workspace
    from learnloop_tui.view.state import Verdict


def experiments(ws: Workspace) -> tuple[ExperimentItem, ...]:
    """Every experiment with what it knows, and its lessons in words."""
    from learnloop.service.experiments import reports
    from learnloop.service.lessons import documents

    def item(known: ExperimentReport) -> ExperimentItem:
        words = (str((docs.get(name) or {}).get("statement", "")) for name in known.experiment.lesson_ids)
        return ExperimentItem(known.experiment.id, known, tuple(words))

    docs = documents.lessons(ws.root)
    return tuple(map(item, reports.reports(ws)))


def price(ws: Workspace, row_id: str) -> tuple[str, bool]:
    """What holding a lesson out would take and cost, and whether a second question is due.

    Raises Refused for a lesson that cannot be held out.
    """
    from learnloop.service.experiments import decide, reports
    from learnloop.service.lessons import documents

    lesson = documents.find(ws, row_id)
    decide.refuse_hold_out(ws, lesson)
    sized = reports.size_of(ws, lesson=lesson)
    weeks = "no moments have come yet" if sized.weeks is None else f"some {sized.weeks} weeks at your pace"
    words = f"{decide.USUAL_SHARE} % of the sessions are not told it · about {sized.moments} moments, {weeks}"
    return f"{words} · it {sized.price}", decide.needs_second_question(lesson)


def write(ws: Workspace, verdict: Verdict) -> None:
    """Write a decision about an experiment down; raises LearnloopError where it is refused."""
    from learnloop.service.experiments import decide

    name, args = verdict.ids[0], verdict.args
    match verdict.action:
        case "hold_out":
            decide.hold_out(ws, name, args.get("share", decide.USUAL_SHARE), is_sure=args["sure"])
        case "experiment_pause":
            decide.pause(ws, name)
        case "experiment_resume":
            decide.resume(ws, name)
        case "experiment_stop":
            decide.stop(ws, name)
        case _:
            decide.promote(ws, name, args["winner"])
