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


def sessions(ws: Workspace, lesson_id: str, arm: str, count: int, again: int) -> None:
    """So many sessions of a variant with one moment each; in the first few the correction comes again."""
    known = reports.of_lesson(ws, lesson_id)
    assert known is not None
    item = {"id": lesson_id, "score": 80, "trial": known.experiment.id, "arm": arm}
    take(ws, *(_session(f"{arm[:4]}-{n}", item, is_again=n < again) for n in range(count)))


def _session(name: str, item: dict[str, object], *, is_again: bool) -> Scene:
    made = Scene(name, PROJECT, start=clock.now_ms()).prompt("add left-pad", "p1")
    key = "lessons" if item["arm"] == TOLD else "held"
    made.add("recall", {"moment": "tool", "lessons": [], "chars": 0, key: [item]})
    made.call("Bash", BREAKS if is_again else "ls").stop()
    return made.prompt(AGAIN if is_again else "now the date picker of the form", "p2").stop()


__all__ = ["HELD", "PNPM", "TOLD", "held_out", "sessions"]
