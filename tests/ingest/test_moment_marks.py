"""What is heard after a turn counts for its moments: any correction, and the turns that success took."""

import random
from pathlib import Path

import pytest

from learnloop.ingest import analyze
from learnloop.ingest.run import ingest
from learnloop.learn.experiments import counts
from learnloop.service.workspace import Workspace
from tests.ingest.moments_scene import AGAIN, BREAKS, HELD, TOLD, TRIAL, met, scene, stored
from tests.ingest.session_scene import Scene, in_parts, write
from tests.ingest.told_lessons import add, take

PNPM = "Use pnpm, not npm."
BLUE, ROUND = "No, the header must be blue, not green.", "No, that's wrong, the corners must be round."
THANKS = "Perfect, thank you!"
NEXT = "configure nightly backups for postgres"
GO_ON = "go on"


def said(lesson_id: str, *prompts: str, arm: str = TOLD, session: str = "s1") -> Scene:
    """A turn with a moment, and what the person says after it, turn by turn."""
    made = met(scene(session).prompt("add the date picker", "p1"), lesson_id, arm).stop("I added the picker.")
    for number, words in enumerate(prompts, 2):
        made.prompt(words, f"p{number}").stop("I did that.")
    return made


def counted(ws: Workspace) -> dict[str, int]:
    ((arm, sessions),) = counts.count(stored(ws.root))[TRIAL].items()
    assert arm in (TOLD, HELD)
    return counts.totals(counts.columns(sessions))


@pytest.mark.parametrize("arm", [TOLD, HELD])
def test_any_correction_counts_until_the_end_of_the_next_turn(ws: Workspace, arm: str) -> None:
    made = said(add(ws, PNPM), arm=arm).prompt("now the button", "p2").prompt(BLUE, "p2").stop()
    take(ws, made)
    assert (counted(ws)["corrected"], counted(ws)["own"]) == (1, 0)


def test_a_correction_after_the_next_turn_counts_no_more(ws: Workspace) -> None:
    take(ws, said(add(ws, PNPM), NEXT, BLUE))
    assert (counted(ws)["corrected"], counted(ws)["success"]) == (0, 1)


def test_a_refused_call_of_the_next_turn_is_a_correction(ws: Workspace) -> None:
    made = said(add(ws, PNPM)).prompt("now the button", "p2")
    made.add("refusal", {"tool": "Bash", "command": "rm x", "words": BLUE, "marked": True})
    take(ws, made.stop())
    assert counted(ws)["corrected"] == 1


def test_praise_in_the_next_turn_is_no_correction(ws: Workspace) -> None:
    take(ws, said(add(ws, PNPM), NEXT).prompt(THANKS, "p3").stop())
    assert counted(ws)["corrected"] == 0


@pytest.mark.parametrize(
    ("prompts", "reached", "extra"),
    [
        ((NEXT,), 1, 0), ((BLUE, NEXT), 1, 1), ((BLUE, ROUND, THANKS), 1, 2),
        ((BLUE, ROUND, BLUE, THANKS), 1, 2), ((BLUE,), 0, 0), ((GO_ON, THANKS), 1, 1), ((), 0, 0),
    ],
)  # fmt: skip
def test_turns_are_counted_until_success(
    ws: Workspace, prompts: tuple[str, ...], reached: int, extra: int
) -> None:
    take(ws, said(add(ws, PNPM), *prompts))
    assert (counted(ws)["reached"], counted(ws)["extra_turns"]) == (reached, extra)


def test_success_of_another_task_is_none_of_this_one(ws: Workspace) -> None:
    made = said(add(ws, PNPM)).prompt("write a story about the date picker", "p2").stop("Is that it?")
    take(ws, made.prompt(NEXT, "p3").stop().prompt("write the changelog entry now", "p4").stop())
    assert counted(ws)["reached"] == 0


def test_news_of_a_machine_are_no_further_turn(ws: Workspace) -> None:
    made = said(add(ws, PNPM)).prompt("a task is done", "n1", machine="task-notification").stop()
    take(ws, made.prompt(BLUE, "p2").stop("I did that.").prompt(NEXT, "p3").stop())
    assert (counted(ws)["reached"], counted(ws)["extra_turns"]) == (1, 1)


def test_success_that_is_taken_back_is_counted_no_more(ws: Workspace) -> None:
    made = met(scene().prompt("add the date picker", "p1"), add(ws, PNPM), TOLD).prompt(THANKS, "p1").stop()
    take(ws, made)
    assert counted(ws)["reached"] == 1
    take(ws, Scene("s1", made.project, start=made.ms).prompt(BLUE, "p2").stop())
    assert (counted(ws)["reached"], counted(ws)["corrected"]) == (0, 1)


def test_however_events_come_their_marks_are_the_same(ws: Workspace, tmp_path: Path) -> None:
    lesson_id, rng = add(ws, PNPM), random.Random(5)
    words = (BLUE, ROUND, AGAIN, NEXT, GO_ON, THANKS, "now the button")
    scenes = [
        said(lesson_id, *rng.choices(words, k=4), arm=rng.choice((TOLD, HELD)), session=f"s{n}")
        .call("Bash", BREAKS)
        .stop()
        for n in range(12)
    ]
    for part in in_parts(scenes, rng, 7):
        write(ws.root, part)
        ingest(ws.root, wait_s=5)
    by_parts = stored(ws.root)
    assert len({moment["reached"][0] for moment in by_parts if "reached" in moment}) > 1
    analyze.analyze(ws.root)
    assert stored(ws.root) == by_parts
