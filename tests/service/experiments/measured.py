"""An experiment on one lesson, and sessions with its moments."""

from learnloop.service.experiments import decide, reports
from learnloop.service.workspace import Workspace
from learnloop.wire import clock
from tests.ingest.moments_scene import AGAIN, BREAKS, HELD, TOLD
from tests.ingest.session_scene import Scene
from tests.ingest.told_lessons import PROJECT, add, take

PNPM = "Use pnpm, not npm."


def held_out(ws: Workspace, share: int = 20) -> str:
    """The id of a lesson that is held out."""
    lesson_id = add(ws, PNPM)
    decide.hold_out(ws, lesson_id, share)
    return lesson_id


def sessions(ws: Workspace, lesson_id: str, arm: str, count: int, again: int, day: int = 0) -> None:
    """So many sessions of a variant, so many days from now, with one moment each.

    In the first few the correction comes again.
    """
    known = reports.of_lesson(ws, lesson_id)
    assert known is not None
    item = {"id": lesson_id, "score": 80, "trial": known.experiment.id, "arm": arm}
    take(ws, *(_session(f"{arm[:4]}{day}-{n}", item, day, is_again=n < again) for n in range(count)))


def _session(name: str, item: dict[str, object], day: int, *, is_again: bool) -> Scene:
    words = AGAIN if is_again else "now the date picker of the form"
    return _first_turn(name, item, day, is_again=is_again).prompt(words, "p2").stop()


def _first_turn(name: str, item: dict[str, object], day: int = 0, *, is_again: bool = False) -> Scene:
    made = Scene(name, PROJECT, start=clock.now_ms() + day * 86_400_000).prompt("add left-pad", "p1")
    key = "lessons" if item["arm"] == TOLD else "held"
    made.add("recall", {"moment": "tool", "lessons": [], "chars": 0, key: [item]})
    return made.call("Bash", BREAKS if is_again else "ls").stop()


def until_success(ws: Workspace, lesson_id: str, arm: str, count: int, turns: int) -> None:
    """So many sessions of a variant in which a task succeeds after so many turns, uncorrected."""
    known = reports.of_lesson(ws, lesson_id)
    assert known is not None
    item = {"id": lesson_id, "score": 80, "trial": known.experiment.id, "arm": arm}
    scenes = [_first_turn(f"{arm[:4]}-{n}", item) for n in range(count)]
    for made in scenes:
        for number in range(2, turns + 1):
            made.prompt("go on", f"p{number}").stop()
        made.prompt("Perfect, thank you!", "thanks").stop()
    take(ws, *scenes)


__all__ = ["HELD", "PNPM", "TOLD", "held_out", "sessions", "until_success"]
