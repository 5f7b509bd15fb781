"""The newest calls of a project, which the triggers of a draft are tried on."""

from typing import Any

from learnloop.ingest import recent_calls
from tests.ingest.session_scene import Scene, Views, reduced

Doc = dict[str, Any]
SHOP = "/code/shop"


def _busy(scene: Scene, writes: int, runs: int) -> Scene:
    scene.prompt("tidy everything", "p0")
    for number in range(writes):
        scene.call("Write", f"{SHOP}/src/m{number}.py", prompt_id="p0")
    for number in range(runs):
        scene.call("Bash", f"ls d{number}", prompt_id="p0")
    return scene.stop(prompt_id="p0")


def _corrected(scene: Scene, words: str) -> Doc:
    scene.prompt("add the total", "p1").call("Edit", f"{SHOP}/src/total.py", prompt_id="p1").stop(
        prompt_id="p1"
    )
    (draft,) = reduced(scene.prompt(words, "p2")).drafts
    patterns: Doc = draft["triggers"]
    return patterns


def test_a_trigger_that_would_fire_at_most_calls_is_not_taken() -> None:
    words = "Never add comments that repeat the code, please, always leave them out."
    rare, often = (_corrected(_busy(Scene(), *calls), words) for calls in ((2, 60), (60, 2)))
    assert (rare["file_patterns"], often["file_patterns"]) == (["**/*.py"], [])


def _state_after(scene: Scene) -> dict[str, Any]:
    views = Views()
    reduced(scene, views=views)
    return views.state


def test_it_is_bounded_by_calls_and_projects() -> None:
    state = _state_after(_busy(Scene(), 400, 400))
    for number in range(20):
        event = {"kind": "prompt", "ts": "", "project": f"/p{number}", "payload": {"prompt": "x" * 9_000}}
        for _ in range(100):
            recent_calls.note(state, event)
    assert len(state["recent"]) == recent_calls.MOST_PROJECTS
    assert recent_calls.of(state, SHOP).files == ()
    newest = recent_calls.of(state, "/p19")
    assert len(newest.prompts) == recent_calls.MOST_PROMPTS
    assert max(map(len, newest.prompts)) <= 200


def test_the_newest_calls_are_kept_in_order() -> None:
    state = _state_after(_busy(Scene(), 400, 10))
    recent = recent_calls.of(state, SHOP)
    assert len(recent.files) + len(recent.commands) == recent_calls.MOST_CALLS
    assert (recent.files[-1], recent.commands[-1]) == (f"{SHOP}/src/m399.py", "ls d9")
    assert list(recent.prompts) == ["tidy everything"]
