"""Experiments on how much all of recall tells, and on priming."""

import pytest

from learnloop.errors import Refused
from learnloop.models.experiment import Experiment
from learnloop.service.experiments import decide, reports
from learnloop.service.history import undo
from learnloop.service.memory import near_tasks
from learnloop.service.setup import settings_file
from learnloop.service.workspace import Workspace
from learnloop.wire import index, paths
from tests.ingest.told_lessons import PROJECT, add

FEW = ["few:40:per_call=1, call_tokens=100", "as now:60"]
UNPRIMED = ["unprimed:50:priming=off", "primed:50"]


def started(ws: Workspace, typed: list[str], name: str = "few") -> Experiment:
    decide.start(ws, name, "", [decide.variant(each) for each in typed])
    return reports.find(ws, name)


def header(ws: Workspace, name: str) -> list[list[object]] | None:
    """The variants in the header that hooks read."""
    current = index.read(paths.index(ws.root))
    assert current is not None
    trial = current.header.get(name)
    return trial["arms"] if trial else None


def test_budgets_are_tried_until_the_experiment_is_stopped(ws: Workspace) -> None:
    add(ws, "Use pnpm, not npm.")
    experiment = started(ws, FEW)
    assert (experiment.tries, experiment.outcome) == ("budgets", "corrected")
    usual = {"start_tokens": 500, "call_tokens": 400, "per_call": 3}
    assert header(ws, "budget_trial") == [
        [40, "few", {**usual, "call_tokens": 100, "per_call": 1}], [100, "as now", usual],
    ]  # fmt: skip
    for change, is_there in ((decide.pause, False), (decide.resume, True), (decide.stop, False)):
        change(ws, experiment.id)
        assert (header(ws, "budget_trial") is not None) is is_there
    undo.undo(ws)
    assert header(ws, "budget_trial") is not None


def test_every_lesson_is_held_out_of_a_tenth_of_the_sessions_later_ones_too(ws: Workspace) -> None:
    decide.hold_out_all(ws, 10)
    (known,) = reports.reports(ws)
    assert (known.experiment.outcome, known.experiment.lesson_ids) == ("corrected", ())
    add(ws, "Use pnpm, not npm.")
    arms = header(ws, "budget_trial")
    assert arms == [
        [90, "told", {"start_tokens": 500, "call_tokens": 400, "per_call": 3}],
        [100, "held out", {"start_tokens": 0, "call_tokens": 0, "per_call": 3}],
    ]
    with pytest.raises(Refused, match="cannot be held out"):
        decide.hold_out_all(ws, 60)


def test_a_setting_that_changes_meanwhile_changes_no_variant(ws: Workspace) -> None:
    add(ws, "Use pnpm, not npm.")
    started(ws, FEW)
    before = header(ws, "budget_trial")
    settings_file.set_("budgets.per_call", "7")
    add(ws, "Indent with tabs.")
    assert header(ws, "budget_trial") == before


def test_priming_is_tried_where_the_person_switched_it_on(ws: Workspace) -> None:
    with pytest.raises(Refused, match="priming is off"):
        started(ws, UNPRIMED)
    near_tasks.set_priming(ws, PROJECT, on=True)
    assert started(ws, UNPRIMED).tries == "priming"
    assert header(ws, "priming_trial") == [[50, "unprimed", False], [100, "primed", True]]


def test_one_of_each_runs_at_a_time(ws: Workspace) -> None:
    near_tasks.set_priming(ws, PROJECT, on=True)
    first = started(ws, FEW)
    started(ws, UNPRIMED, "primed or not")
    with pytest.raises(Refused, match="budgets are under test in few"):
        started(ws, FEW, "again")
    decide.pause(ws, first.id)
    started(ws, FEW, "again")
    with pytest.raises(Refused, match="under test in again"):
        decide.resume(ws, first.id)


def test_a_winner_says_what_makes_it_hold(ws: Workspace) -> None:
    started(ws, FEW)
    decide.promote(ws, "few", "few")
    experiment = reports.find(ws, "few")
    assert experiment.state == "decided"
    usual, *few = decide.to_set(experiment).split("; ")
    assert usual == "learn config budgets.start_tokens 500"
    assert few == ["learn config budgets.call_tokens 100", "learn config budgets.per_call 1"]
    assert header(ws, "budget_trial") is None


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (["a:50:per_call=1", "b:50:priming=off"], "tried apart"),
        (["a:50:per_call=1", "b:50:off"], "all of recall"),
        (["a:50:per_call=1", "b:50:Use uv."], "all of recall"), (["a:50", "b:50:off"], "name a lesson"),
        (["a:50:per_call=3", "b:50"], "do the same"), (["a:50:per_call=1", "b:49"], "not to 100"),
    ],
)  # fmt: skip
def test_what_would_compare_two_things_or_nothing_is_refused(
    ws: Workspace, typed: list[str], why: str
) -> None:
    with pytest.raises(Refused, match=why):
        started(ws, typed)
    assert reports.reports(ws) == []


@pytest.mark.parametrize(
    "typed", ["off", "Use uv.", "per_call=1", "start_tokens=9, call_tokens=8", "priming=off", ""]
)
def test_a_variant_is_named_as_it_is_typed(typed: str) -> None:
    assert decide.named(decide.variant(f"a:50:{typed}")) == typed
