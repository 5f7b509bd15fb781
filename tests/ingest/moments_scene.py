"""Sessions that are told a lesson under test, or held out, and what is said of them."""

from typing import Any

from learnloop.store.store import Store
from learnloop.wire import clock
from tests.ingest.session_scene import Scene
from tests.ingest.told_lessons import PROJECT

TRIAL = "0198" + 28 * "a"
TOLD, HELD = "told", "held out"
BREAKS, AGAIN = "npm install left-pad", "No, use pnpm, never npm."


def scene(session: str = "s1") -> Scene:
    return Scene(session, PROJECT, start=clock.now_ms())


def met(made: Scene, lesson_id: str, arm: str, moment: str = "tool") -> Scene:
    """A receipt of a lesson under test."""
    item = {"id": lesson_id, "score": 80, "trial": TRIAL, "arm": arm}
    lessons, held = ([item], []) if arm == TOLD else ([], [item])
    return made.add(
        "recall", {"moment": moment, "lessons": lessons, "held": held, "chars": 50 if lessons else 0}
    )


def stored(root: str) -> list[dict[str, Any]]:
    """The moments of a store."""
    return sorted(Store(root).all_documents("moments"), key=lambda doc: (doc["started"], doc["session_id"]))
