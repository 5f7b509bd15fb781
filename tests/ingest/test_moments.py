"""Moments of experiments: what is counted of a turn in which a lesson was told or held back."""

import pytest

from learnloop.learn.experiments import counts
from learnloop.service.experiments import decide, reports
from learnloop.service.tasks import daily
from learnloop.service.transfer import forget
from learnloop.service.workspace import Workspace
from tests.ingest.moments_scene import AGAIN, BREAKS, HELD, TOLD, TRIAL, met, scene, stored
from tests.ingest.session_scene import Scene
from tests.ingest.told_lessons import add, take, usage

PNPM = "Use pnpm, not npm."


def broken(session: str, lesson_id: str, arm: str) -> Scene:
    """A turn with a moment, in which the lesson is broken, and which ends."""
    return met(scene(session).prompt("add left-pad", "p1"), lesson_id, arm).call("Bash", BREAKS).stop()


@pytest.mark.parametrize("arm", [TOLD, HELD])
@pytest.mark.parametrize("words", [AGAIN, "why not pnpm?"])
def test_its_own_correction_is_heard_alike_in_both_variants(ws: Workspace, arm: str, words: str) -> None:
    lesson_id = add(ws, PNPM)
    take(ws, broken("s1", lesson_id, arm).prompt(words, "p2").stop())
    (moment,) = stored(ws.root)
    assert (moment["session_id"], moment["arms"], moment["own"]) == (
        "s1", [[TRIAL, lesson_id, arm]], [lesson_id],
    )  # fmt: skip


@pytest.mark.parametrize("arm", [TOLD, HELD])
def test_another_correction_is_none_of_its_own(ws: Workspace, arm: str) -> None:
    lesson_id = add(ws, PNPM)
    take(ws, broken("s1", lesson_id, arm).prompt("No, the header must be blue, not green.", "p2").stop())
    (moment,) = stored(ws.root)
    assert (moment["own"], moment["outcome"]) == ([], "revision")


@pytest.mark.parametrize("arm", [TOLD, HELD])
@pytest.mark.parametrize(
    ("call", "done"), [(("Bash", BREAKS), True), (("Bash", "pnpm add left-pad"), False),
                       (("Bash", BREAKS, "refusal"), False)],
)  # fmt: skip
def test_a_call_that_a_lesson_forbids_is_seen_at_its_moment(
    ws: Workspace, arm: str, call: tuple[str, ...], done: bool
) -> None:
    lesson_id = add(ws, PNPM)
    made = met(scene().prompt("add left-pad", "p1"), lesson_id, arm).call(*call).stop()
    take(ws, made.prompt("now the button", "p2").call("Bash", BREAKS).stop())
    (moment,) = stored(ws.root)
    assert moment.get("done", []) == ([lesson_id] if done else [])
    (counted,) = counts.count([moment])[TRIAL][arm].values()
    assert dict(zip(counts.COUNTED, counted, strict=True))["done"] == done


def test_of_all_lessons_together_a_call_is_seen_that_any_of_them_forbids(ws: Workspace) -> None:
    add(ws, PNPM)
    for name, call in (("s1", BREAKS), ("s2", "ls")):
        held = {"moment": "prompt", "lessons": [], "chars": 0, "trial": TRIAL, "arm": HELD}
        take(ws, scene(name).prompt("add left-pad", "p1").add("recall", held).call("Bash", call).stop())
    assert [moment.get("done", []) for moment in stored(ws.root)] == [[""], []]


def test_what_is_held_back_counts_as_no_telling(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    take(ws, broken("s1", lesson_id, HELD).stop())
    assert usage(ws, lesson_id) == {}


def test_it_counts_until_the_end_of_the_next_turn(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    next_turn = broken("s1", lesson_id, TOLD).prompt("now the button", "p2")
    take(ws, next_turn.prompt(AGAIN, "p2").stop())
    assert [moment["own"] for moment in stored(ws.root)] == [[lesson_id]]


def test_what_is_said_after_the_next_turn_is_of_no_moment(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    next_turn = broken("s1", lesson_id, TOLD).prompt("now the button", "p2").stop()
    take(ws, next_turn.prompt(AGAIN, "p3").stop())
    assert [moment["own"] for moment in stored(ws.root)] == [[]]


def test_news_of_a_machine_are_no_next_turn(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    news = broken("s1", lesson_id, TOLD).prompt("a task is done", "p2", machine="task-notification").stop()
    take(ws, news.prompt(AGAIN, "p3").stop())
    assert [moment["own"] for moment in stored(ws.root)] == [[lesson_id]]


def test_a_lesson_of_the_start_has_its_moment_in_the_first_turn(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    start = met(scene().add("session_start", {"source": "startup"}), lesson_id, HELD, "start")
    take(ws, start.prompt("add left-pad", "p1").call("Bash", BREAKS).stop().prompt(AGAIN, "p2").stop())
    assert [moment["own"] for moment in stored(ws.root)] == [[lesson_id]]


def test_what_a_subagent_would_be_told_is_a_moment_of_the_running_turn(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    made = met(scene().prompt("add left-pad", "p1"), lesson_id, HELD, "start").call("Bash", BREAKS).stop()
    take(ws, made.prompt(AGAIN, "p2").stop())
    assert [moment["own"] for moment in stored(ws.root)] == [[lesson_id]]


def test_late_feedback_moves_the_outcome(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    made = met(scene().prompt("add the date picker", "p1"), lesson_id, TOLD).stop("I added the picker.")
    outcomes = [take_and_read(ws, made)]
    made = Scene("s1", made.project, start=made.ms)
    outcomes.append(take_and_read(ws, made.prompt("configure nightly backups for postgres", "p2")))
    assert outcomes == ["unknown", "success"]


def test_withdrawn_feedback_moves_the_outcome_back(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    made = met(scene().prompt("add the date picker", "p1"), lesson_id, TOLD).call("Bash", "ls")
    outcomes = [take_and_read(ws, made.add("session_end", {"reason": "other"}))]
    made = Scene("s1", made.project, start=made.ms)
    outcomes.append(take_and_read(ws, made.prompt("go on", "p2")))
    assert outcomes == ["cancellation", "unknown"]


@pytest.mark.parametrize("arm", [TOLD, HELD])
def test_its_own_correction_is_a_correction_too(ws: Workspace, arm: str) -> None:
    lesson_id = add(ws, PNPM)
    take(ws, broken("s1", lesson_id, arm).prompt("why not pnpm?", "p2").stop())
    (counted,) = counts.count(stored(ws.root))[TRIAL][arm].values()
    assert dict(zip(counts.COUNTED[:6], counted[:6], strict=True)) == {
        "moments": 1, "own": 1, "done": 1, "corrected": 1, "success": 0, "unknown": 0,
    }  # fmt: skip


def test_the_turn_that_corrects_it_is_no_moment_of_the_same_lesson(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    again = met(broken("s1", lesson_id, HELD).prompt(AGAIN, "p2"), lesson_id, HELD)
    take(ws, again.stop().prompt("now the button", "p3").stop())
    assert len(stored(ws.root)) == 2
    ((counted,),) = (sessions.values() for sessions in counts.count(stored(ws.root))[TRIAL].values())
    assert counted[:2] == [1, 1]


def test_a_further_turn_after_one_that_went_well_is_a_moment(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    more = met(broken("s1", lesson_id, HELD).prompt("now the button", "p2"), lesson_id, HELD)
    take(ws, more.stop())
    ((counted,),) = (sessions.values() for sessions in counts.count(stored(ws.root))[TRIAL].values())
    assert counted[:2] == [2, 0]


def take_and_read(ws: Workspace, made: Scene) -> str:
    take(ws, made)
    return str(stored(ws.root)[0]["outcome"])


def test_forgetting_a_session_forgets_its_moments(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    take(ws, broken("s1", lesson_id, HELD), broken("s2", lesson_id, TOLD))
    report = forget.forget(ws, session="s1")
    assert [moment["session_id"] for moment in stored(ws.root)] == ["s2"]
    assert report.remaining == 0


def test_the_log_of_a_day_names_what_experiments_counted(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    decide.hold_out(ws, lesson_id)
    (experiment,) = reports.experiments(ws).values()
    made = scene().prompt("add left-pad to the cart", "p1")
    item = {"id": lesson_id, "score": 80, "trial": experiment.id, "arm": HELD}
    made.add("recall", {"moment": "tool", "lessons": [], "held": [item], "chars": 0})
    take(ws, made.call("Bash", BREAKS).stop().prompt(AGAIN, "p2").stop())
    (log,) = daily.logs(ws, daily.today(), daily.today())
    assert f"Experiments: {experiment.name}: held out 1 of 1." in log.insights
