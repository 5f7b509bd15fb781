"""What experiments know, and how long one takes."""

from learnloop.service.experiments import reports
from learnloop.service.workspace import Workspace
from tests.service.experiments.measured import HELD, TOLD, held_out, sessions


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


def test_an_experiment_keeps_the_moments_that_were_planned(ws: Workspace) -> None:
    lesson_id = held_out(ws)
    planned = reports.size_of(ws).moments
    sessions(ws, lesson_id, TOLD, 40, again=30)
    sessions(ws, lesson_id, HELD, 40, again=30)
    (known,) = reports.reports(ws)
    assert (known.experiment.moments, planned) == (planned, 356)
    assert known.needed_moments < planned, "the rate of the control is known by now"
