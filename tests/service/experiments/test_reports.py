"""What experiments know, and how long one takes."""

from learnloop.service.experiments import decide, reports
from learnloop.service.lessons import lookup
from learnloop.service.transfer import exchange
from learnloop.service.workspace import Workspace
from tests.ingest.told_lessons import add
from tests.service.experiments.measured import HELD, PNPM, TOLD, held_out, sessions


def test_a_new_experiment_knows_nothing_and_says_how_far_it_is(ws: Workspace) -> None:
    lesson_id = held_out(ws)
    sessions(ws, lesson_id, TOLD, 5, again=1)
    sessions(ws, lesson_id, HELD, 3, again=2)
    (known,) = reports.reports(ws)
    assert known.moments == 8
    assert known.known.startswith(f"not known yet · 8 of about {known.needed_moments} moments · some ")
    assert known.known.endswith(" at your pace · so far 1 of 5 against 2 of 3")
    assert known.price.startswith("costs ")
    told, held = known.variants
    assert (told.sessions, told.moments, told.own, told.corrected) == (5, 5, 1, 1)
    assert (held.sessions, held.moments, held.own, held.corrected) == (3, 3, 2, 2)


def test_all_unknown_is_said_as_it_is(ws: Workspace) -> None:
    lesson_id = held_out(ws)
    sessions(ws, lesson_id, TOLD, 30, again=0)
    sessions(ws, lesson_id, HELD, 30, again=0)
    (known,) = reports.reports(ws)
    assert known.comparisons[0].difference is None
    assert "not known yet" in known.known or "more than a year" in known.known


def test_an_arm_without_moments_is_said_as_it_is(ws: Workspace) -> None:
    lesson_id = held_out(ws)
    sessions(ws, lesson_id, TOLD, 30, again=12)
    (known,) = reports.reports(ws)
    assert known.known.endswith("so far 12 of 30 against 0 of 0")
    assert known.comparisons[0].difference is None
    shown = reports.report(ws, known.experiment)
    assert [score.score is None for score in shown.scores] == [False, True]


def test_a_moment_after_the_end_still_tells_how_it_went(ws: Workspace) -> None:
    lesson_id = held_out(ws)
    experiment = reports.of_lesson(ws, lesson_id)
    assert experiment is not None
    decide.stop(ws, experiment.experiment.id)
    sessions(ws, lesson_id, HELD, 1, again=1)
    (known,) = reports.reports(ws)
    assert (known.experiment.state, known.variants[1].own) == ("stopped", 1)


def test_the_size_follows_the_pace_of_a_lesson(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    nothing = reports.size_of(ws, 0.33, 0.5, 20, lesson=lookup.find(ws, lesson_id))
    assert (nothing.sessions_a_week, nothing.weeks) == (0, None)
    used = lookup.find(ws, lesson_id)
    told = used.with_(usage={**used.usage.as_json(), "told_sessions": 25})
    sized = reports.size_of(ws, 0.33, 0.5, 20, told)
    assert sized.weeks is not None
    assert 10 <= sized.weeks <= 14


def test_an_experiment_keeps_the_moments_that_were_planned(ws: Workspace) -> None:
    lesson_id = held_out(ws)
    planned = reports.size_of(ws).moments
    sessions(ws, lesson_id, TOLD, 40, again=30)
    sessions(ws, lesson_id, HELD, 40, again=30)
    (known,) = reports.reports(ws)
    assert (known.experiment.moments, planned) == (planned, 372)
    assert known.needed_moments < planned, "the rate of the control is known by now"


def test_an_export_carries_experiments(ws: Workspace) -> None:
    held_out(ws)
    (exported,) = exchange.export_document(ws, quotes=True)["experiments"]
    assert exported["experiment"]["state"] == "running"


def test_one_that_was_stopped_waits_for_nothing(ws: Workspace) -> None:
    lesson_id = held_out(ws, 50)
    sessions(ws, lesson_id, TOLD, 6, again=2)
    sessions(ws, lesson_id, HELD, 5, again=4)
    (known,) = reports.reports(ws)
    assert "at your pace" in known.known
    decide.stop(ws, known.experiment.id)
    (known,) = reports.reports(ws)
    assert known.known.startswith("not known · 11 of about")
    assert "pace" not in known.known
