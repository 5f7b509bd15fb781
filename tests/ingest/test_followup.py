"""What becomes of recalls: followed, rated, came again, stayed silent; and what is proposed because of it."""

from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest.run import ingest
from learnloop.service.health import doctor, health_report, quick_status
from learnloop.service.history import undo
from learnloop.service.lessons import lookup, queue, upkeep
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import clock
from tests.ingest.session_scene import Scene, write

PROJECT = "/work/shop"
DAY_MS = 86_400_000


def add(ws: Workspace, statement: str = "pytest is used instead of unittest.", **more: Any) -> str:
    triggers = more.pop("triggers", {"file_patterns": ["**/test_*.py"], "command_patterns": ["pytest *"]})
    return verdicts.add(
        ws, statement, scope="project", project=PROJECT, triggers=triggers, **more
    ).lesson_ids[0]


def scene(session: str = "s1") -> Scene:
    return Scene(session, PROJECT, start=clock.now_ms())


def told(made: Scene, lesson_id: str, moment: str = "tool") -> Scene:
    return made.add("recall", {"moment": moment, "lessons": [{"id": lesson_id, "score": 80}], "chars": 50})


def take(ws: Workspace, made: Scene) -> None:
    write(ws.root, made)
    ingest(ws.root, wait_s=5)


def usage(ws: Workspace, lesson_id: str) -> dict[str, Any]:
    found = lookup.find(ws, lesson_id).usage.as_json()
    return {name: value for name, value in found.items() if value and not name.startswith("last_")}


def test_a_recall_whose_file_was_touched_was_followed(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = told(scene().prompt("write a test", "p1"), lesson_id)
    take(ws, made.call("Write", f"{PROJECT}/tests/test_a.py").stop())
    assert usage(ws, lesson_id) == {"recalled": 1, "followed": 1}


def test_so_was_one_whose_command_was_run_or_that_was_cited(ws: Workspace) -> None:
    one = add(ws)
    other = add(ws, "Dates are stored in UTC with milliseconds.", triggers={"file_patterns": ["*.sql"]})
    made = scene().prompt("write a test", "p1")
    told(told(made, one), other).call("Bash", "cd x && pytest -q")
    take(ws, made.stop(f"Tested; dates are in UTC ({other[:4]})."))
    assert usage(ws, one) == {"recalled": 1, "followed": 1}
    assert usage(ws, other) == {"recalled": 1, "followed": 1}


def test_one_of_which_nothing_was_done_was_not(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = told(scene().prompt("write the docs", "p1"), lesson_id)
    take(ws, made.call("Write", f"{PROJECT}/README.md").stop("Written."))
    assert usage(ws, lesson_id) == {"recalled": 1}
    lesson = lookup.find(ws, lesson_id)
    assert lesson.usage.ignored == 1
    assert "recalled 1×, ignored 1×" in queue.explain_usefulness(lesson)


def test_judged_once_however_often_it_is_ingested(ws: Workspace, root: str) -> None:
    lesson_id = add(ws)
    made = told(scene().prompt("write a test", "p1"), lesson_id)
    take(ws, made.call("Write", f"{PROJECT}/tests/test_a.py").stop())
    made.events.clear()
    take(ws, made.prompt("go on", "p2").call("Write", f"{PROJECT}/tests/test_b.py").stop())
    Path(root, "store", "state.json").unlink()
    ingest(root, wait_s=5)
    assert usage(ws, lesson_id) == {"recalled": 1, "followed": 1}


CORRECTION = "No, use pytest instead of unittest"


def corrected_again(ws: Workspace, lesson_id: str, session: str) -> None:
    made = told(scene(session).prompt("write a test", "p1"), lesson_id)
    made.call("Write", f"{PROJECT}/tests/test_a.py").stop()
    take(ws, made.prompt(CORRECTION, "p2").stop())


def test_the_same_correction_after_a_recall_did_not_follow_it(ws: Workspace) -> None:
    lesson_id = add(ws)
    corrected_again(ws, lesson_id, "s1")
    assert usage(ws, lesson_id) == {"recalled": 1, "recurred": 1, "recurred_told": 1}
    note = lookup.find(ws, lesson_id).notes[0]
    assert (note.kind, note.session_id, note.words) == ("came_back", "s1", CORRECTION)
    assert queue.listing(ws, "draft") == []


def test_a_lesson_that_does_not_work_is_shown_until_a_person_did_something(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson_id = add(ws)
    corrected_again(ws, lesson_id, "s1")
    (found,) = upkeep.proposals(ws)
    assert (found.lesson_id, found.reason) == (lesson_id, "does_not_work")
    assert "gate" in found.advice
    assert lookup.find(ws, lesson_id).status == "active", "never silently"
    later = clock.now_ms() + 60_000
    monkeypatch.setattr(clock, "now_ms", lambda: later)
    verdicts.gate(ws, lesson_id)
    assert upkeep.proposals(ws) == []
    undo.undo(ws)
    assert upkeep.proposals(ws)[0].reason == "does_not_work"


def test_a_lesson_with_low_usefulness_is_proposed_not_archived(ws: Workspace) -> None:
    lesson_id = add(ws)
    for number in range(5):
        corrected_again(ws, lesson_id, f"s{number}")
    assert usage(ws, lesson_id)["recurred"] == 5
    (found,) = upkeep.proposals(ws)
    assert found.reason == "harmful"
    assert found.words.startswith("usefulness 0.14 after 5 judged")
    assert lookup.find(ws, lesson_id).status == "active"
    verdicts.keep(ws, lesson_id)
    assert upkeep.proposals(ws) == []
    assert upkeep.proposals(ws, clock.now_ms() + 31 * DAY_MS)[0].reason == "harmful"


def test_ratings_count_once_for_a_recall_and_can_be_taken_back(ws: Workspace) -> None:
    lesson_id = add(ws)
    take(ws, told(scene().prompt("write", "p1"), lesson_id).stop())
    verdicts.rate(ws, lesson_id, "helpful")
    verdicts.rate(ws, lesson_id, "harmful")
    assert usage(ws, lesson_id) == {"recalled": 1, "harmful": 1}, "the last word on a recall"
    undo.undo(ws)
    assert usage(ws, lesson_id) == {"recalled": 1, "helpful": 1}
    take(ws, told(scene("s2").prompt("write", "p1"), lesson_id).stop())
    verdicts.rate(ws, lesson_id, "helpful")
    assert usage(ws, lesson_id) == {"recalled": 2, "helpful": 2}, "what ingest counts goes on counting"


def test_a_critical_lesson_that_stayed_silent_leaves_a_note(ws: Workspace) -> None:
    lesson_id = add(ws, priority="CRITICAL")
    take(ws, scene().prompt("write a test", "p1").call("Write", f"{PROJECT}/tests/test_a.py").stop())
    lesson = lookup.find(ws, lesson_id)
    assert lesson.usage.silent == 1
    assert [(note.kind, note.words) for note in lesson.notes] == [("silent", f"{PROJECT}/tests/test_a.py")]

    (told,) = health_report.health_report(ws).missed_recalls
    assert (told.short, told.times, told.file) == (lesson_id[:4], 1, f"{PROJECT}/tests/test_a.py")
    assert "1 CRITICAL lesson stayed silent, see learn doctor" in quick_status.status_line(
        health_report.health_report(ws).figures()
    )
    (check,) = (one for one in doctor.examine(ws) if one.name == "silent lessons")
    assert (check.level, f"{lesson_id[:4]} stayed silent once" in check.message) == ("warn", True)
    assert not health_report.health_report(ws, clock.now_ms() + 31 * DAY_MS).missed_recalls, "long ago"
    verdicts.pause(ws, lesson_id, True)
    assert not health_report.health_report(ws).missed_recalls, "not in use"


def test_one_that_was_recalled_at_the_start_or_holds_elsewhere_was_not_silent(ws: Workspace) -> None:
    told_one = add(ws, priority="CRITICAL")
    elsewhere = verdicts.add(
        ws, "Secrets stay in the vault.", scope="project", project="/other", priority="CRITICAL",
        triggers={"file_patterns": ["**/*.py"]},
    ).lesson_ids[0]  # fmt: skip
    made = told(scene().add("session_start", {"source": "startup"}), told_one, "start")
    take(ws, made.prompt("write a test", "p1").call("Write", f"{PROJECT}/tests/test_a.py").stop())
    assert lookup.find(ws, told_one).usage.silent == lookup.find(ws, elsewhere).usage.silent == 0
