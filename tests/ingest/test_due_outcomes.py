"""The outcome of telling a lesson that says what goes with a change: settled, left open, settled later."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learnloop.ingest import tellings
from learnloop.ingest.analyze import analyze
from learnloop.ingest.effects import CallMade, ClaimMade, LessonRecalled
from learnloop.ingest.run import ingest
from learnloop.learn.lessons.acts import AgentCall
from learnloop.service.lessons import documents, upkeep
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import clock
from tests.examples import examples
from tests.ingest import told_lessons
from tests.ingest.session_scene import Scene
from tests.ingest.told_lessons import ONCE, PROJECT, take, usage

CHANGELOG, TESTS = "Update CHANGELOG.md with every change in src/.", "Run the tests after every change."
AGENT = {"agent_id": "a1", "agent_type": "helper"}


def add(ws: Workspace, statement: str = CHANGELOG, **more: Any) -> str:
    return told_lessons.add(ws, statement, **more)


def scene(session: str = "s1") -> Scene:
    return Scene(session, PROJECT, start=clock.now_ms()).prompt("fix the loader", "p1")


def told(made: Scene, lesson_id: str, moment: str = "tool", **more: Any) -> Scene:
    receipt = {"moment": moment, "lessons": [{"id": lesson_id, "score": 80}], "chars": 50}
    return made.add("recall", receipt, **more)


def changed(made: Scene, file: str = "src/a.py", **more: Any) -> Scene:
    return made.call("Edit", f"{PROJECT}/{file}", **more)


def test_what_is_settled_after_the_change_heeds_it(ws: Workspace) -> None:
    lesson_id = add(ws)
    take(ws, changed(changed(told(scene(), lesson_id)), "CHANGELOG.md").stop())
    assert usage(ws, lesson_id) == ONCE | {"heeded": 1}


def test_an_entry_before_the_change_in_the_same_turn_heeds_it_as_well(ws: Workspace) -> None:
    lesson_id = add(ws)
    take(ws, changed(changed(told(scene(), lesson_id, "prompt"), "CHANGELOG.md")).stop())
    assert usage(ws, lesson_id) == ONCE | {"heeded": 1}


def test_one_side_alone_shows_nothing_until_the_agent_says_it_is_done(ws: Workspace) -> None:
    lesson_id = add(ws)
    take(ws, changed(told(scene("s1"), lesson_id, "prompt"), "CHANGELOG.md").stop())
    take(ws, changed(told(scene("s2"), lesson_id)))
    assert usage(ws, lesson_id) == {"recalled": 2, "told_sessions": 2}


def test_a_turn_that_ends_with_it_open_ignores_it_until_it_is_settled(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = changed(told(scene(), lesson_id)).stop()
    take(ws, made)
    assert usage(ws, lesson_id) == ONCE | {"ignored": 1}
    (note,) = documents.find(ws, lesson_id).notes
    assert (note.kind, note.words) == ("ignored", f"{PROJECT}/src/a.py")
    later = Scene("s1", PROJECT, start=made.ms).prompt("now the release", "p2")
    take(ws, changed(later, "CHANGELOG.md", use="t9").stop())
    assert (usage(ws, lesson_id), documents.find(ws, lesson_id).notes) == (ONCE | {"heeded": 1}, ())


def test_after_a_complaint_it_stays_ignored(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = changed(told(scene(), lesson_id)).stop().prompt("No! You forgot CHANGELOG.md again.", "p2")
    take(ws, changed(made, "CHANGELOG.md").stop())
    counts = usage(ws, lesson_id)
    assert (counts["ignored"], counts.get("heeded", 0), counts["recurred"]) == (1, 0, 1)


def test_a_command_has_to_come_after_the_change(ws: Workspace) -> None:
    lesson_id = add(ws, TESTS)
    made = changed(told(scene("s1"), lesson_id, "prompt").call("Bash", "uv run pytest -q")).stop()
    take(
        ws, made, changed(told(scene("s2"), lesson_id)).call("Bash", "cd x && npm test", "tool_failed").stop()
    )
    assert usage(ws, lesson_id) == {"recalled": 2, "told_sessions": 2, "ignored": 1, "heeded": 1}


def test_files_that_commands_write_count_too_and_those_outside_of_the_project_do_not(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = (
        told(scene("s1"), lesson_id).call("Bash", "sed -i s/a/b/ src/a.py && echo x >> CHANGELOG.md").stop()
    )
    outside = told(scene("s2"), lesson_id, "prompt").call("Write", "/tmp/src/a.py").stop()
    take(ws, made, outside)
    assert usage(ws, lesson_id) == {"recalled": 2, "told_sessions": 2}, "one call does both"
    take(ws, told(scene("s3"), lesson_id).call("Bash", "echo x > src/a.py").stop())
    assert usage(ws, lesson_id)["ignored"] == 1


def test_a_change_that_failed_makes_nothing_due(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = told(scene(), lesson_id).call("Edit", f"{PROJECT}/src/a.py", "tool_failed", use="t1")
    take(ws, made.call("Edit", f"{PROJECT}/src/a.py", use="t1").stop())
    assert usage(ws, lesson_id) == ONCE


def test_another_agent_may_settle_it_and_one_that_was_not_told_opens_nothing(ws: Workspace) -> None:
    lesson_id = add(ws, TESTS)
    take(ws, changed(told(scene("s1"), lesson_id)).call("Bash", "pytest", **AGENT).stop())
    assert usage(ws, lesson_id) == ONCE | {"heeded": 1}
    take(ws, changed(told(scene("s2"), lesson_id, "prompt"), **AGENT).stop())
    assert usage(ws, lesson_id)["heeded"] == 1 == usage(ws, lesson_id)["told_sessions"] - 1


def test_while_other_agents_are_at_work_nothing_is_left_open(ws: Workspace) -> None:
    lesson_id = add(ws)
    tasks = [{"id": "1", "type": "subagent", "description": "tests"}]
    made = changed(told(scene(), lesson_id)).add("turn_end", {"message": "Done.", "background": tasks})
    take(ws, made)
    assert usage(ws, lesson_id) == ONCE


@pytest.mark.parametrize(("settles", "outcome"), [(True, "heeded"), (False, "ignored")])
def test_a_reminder_that_is_followed_heeds_it(ws: Workspace, settles: bool, outcome: str) -> None:
    lesson_id = add(ws)
    made = told(changed(scene()).stop(), lesson_id, "end")
    take(ws, (changed(made, "CHANGELOG.md") if settles else made).stop("Done now."))
    assert usage(ws, lesson_id) == ONCE | {outcome: 1}


def test_what_is_left_open_again_and_again_is_offered_to_be_reminded_of(ws: Workspace) -> None:
    lesson_id = add(ws)
    verdicts.edit(ws, lesson_id, {"reminds": False})
    take(ws, *(changed(told(scene(f"s{number}"), lesson_id)).stop() for number in range(3)))
    (proposal,) = upkeep.proposals(ws)
    assert (proposal.reason, proposal.ways) == ("ignored", ("bind", "reword", "archive"))
    verdicts.edit(ws, lesson_id, {"reminds": True})
    assert [proposal.ways for proposal in upkeep.proposals(ws)] == [("reword", "archive")]


def test_any_cut_of_the_stream_gives_the_same(ws: Workspace, root: str) -> None:
    lesson_id = add(ws)
    made = told(changed(told(scene(), lesson_id)).stop(), lesson_id, "end")
    changed(changed(made, "CHANGELOG.md").stop().prompt("and the parser", "p2"), "src/b.py").stop("That too.")
    for event in made.events:
        piece = scene()
        piece.events = [event]
        take(ws, piece)
    expected = {"recalled": 2, "told_sessions": 1, "ignored": 1}
    assert usage(ws, lesson_id) == expected
    Path(root, "store", "state.json").unlink()
    ingest(root, wait_s=5)
    assert usage(ws, lesson_id) == expected
    before = documents.find(ws, lesson_id)
    analyze(root)
    assert documents.find(ws, lesson_id) == before


LESSON = {
    "id": "l", "status": "active", "statement": CHANGELOG, "wanted": {}, "unwanted": {},
    "due": {"after": ["src/**"], "files": ["**/CHANGELOG.md"], "commands": ["make log"]},
}  # fmt: skip
_ACTS = ("told", "reminded", "change", "entry", "command", "claim", "complaint", "next turn")


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(st.sampled_from(_ACTS), max_size=25))
def test_each_session_has_one_outcome_and_no_count_falls_below_none(steps: list[str]) -> None:
    doc: dict[str, Any] = {**LESSON, "usage": {}}
    turn = 0
    for step in steps:
        turn += step == "next turn"
        doc = _after(doc, step, f"t{turn}")
        counts = {name: doc["usage"].get(name, 0) for name in ("heeded", "ignored", "corrected")}
        outcomes = list((doc.get(tellings.TELLINGS) or {}).values())
        assert {name: outcomes.count(name) for name in counts} == counts
        assert doc["usage"].get("told_sessions", 0) == len(outcomes)
    if doc.get(tellings.TELLINGS) and "complaint" not in steps:
        settled = _after(_after(_after(doc, "change", "end"), "entry", "end"), "claim", "end")
        assert settled[tellings.TELLINGS] == {"s": "heeded"}


def _after(doc: dict[str, Any], step: str, turn: str) -> dict[str, Any]:
    calls = {
        "change": AgentCall(file=f"{PROJECT}/src/a.py", project=PROJECT),
        "entry": AgentCall(file=f"{PROJECT}/CHANGELOG.md", project=PROJECT),
        "command": AgentCall(command="make log", project=PROJECT),
    }
    if step in ("told", "reminded"):
        recall = LessonRecalled("l", "2026", "s", is_reminder=step == "reminded")
        return tellings.with_recall(doc, recall)
    if step in calls:
        return tellings.with_call(doc, CallMade("2026", "s", turn, calls[step], ["l"], ["l"]), is_told=True)
    if step == "claim":
        return tellings.with_claim(doc, ClaimMade("2026", "s", turn, ["l"]))
    if step == "complaint":
        return tellings.with_complaint(doc, turn, "2026", "s", "again!")
    return doc
