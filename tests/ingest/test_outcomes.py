"""The outcome of telling a lesson: heeded, ignored, corrected again, open; and what is proposed then."""

from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest.analyze import analyze
from learnloop.ingest.run import ingest
from learnloop.learn.lessons import origins
from learnloop.service.health import doctor, health_report, quick_status
from learnloop.service.history import undo
from learnloop.service.lessons import documents, outcome_words, queue, upkeep
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import clock
from tests.ingest import told_lessons
from tests.ingest.session_scene import Scene
from tests.ingest.told_lessons import ONCE, PROJECT, take, usage

DAY_MS = 86_400_000


PNPM = "Use pnpm, not npm."
BRIEF = "Answer in one sentence."


def add(ws: Workspace, statement: str = PNPM, **more: Any) -> str:
    return told_lessons.add(ws, statement, **more)


def scene(session: str = "s1") -> Scene:
    return Scene(session, PROJECT, start=clock.now_ms())


def told(made: Scene, lesson_id: str, moment: str = "tool", **more: Any) -> Scene:
    receipt = {"moment": moment, "lessons": [{"id": lesson_id, "score": 80}], "chars": 50, **more}
    return made.add("recall", receipt)


def test_a_wanted_act_after_the_telling_heeds_it(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = told(scene().prompt("add left-pad", "p1"), lesson_id)
    take(ws, made.call("Bash", "cd web && pnpm add left-pad").stop())
    assert usage(ws, lesson_id) == ONCE | {"heeded": 1}


def test_the_unwanted_act_after_the_telling_ignores_it_whatever_else_was_done(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = told(scene().prompt("add left-pad", "p1"), lesson_id)
    take(ws, made.call("Bash", "npm install left-pad").call("Bash", "pnpm add left-pad").stop())
    assert usage(ws, lesson_id) == ONCE | {"ignored": 1}
    (note,) = documents.find(ws, lesson_id).notes
    assert (note.kind, note.words) == ("ignored", "npm install left-pad")


def test_an_act_before_the_telling_or_an_unrelated_one_shows_nothing(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = scene().prompt("add left-pad", "p1").call("Bash", "npm install left-pad")
    take(ws, told(made, lesson_id, "prompt").call("Bash", "git commit -m 'drop npm install'").stop())
    assert usage(ws, lesson_id) == ONCE


def test_it_may_happen_turns_later_and_counts_once_for_the_session(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = told(scene().prompt("hello", "p1"), lesson_id, "start").stop().prompt("add left-pad", "p2")
    made.call("Bash", "npm i left-pad").stop().prompt("and again", "p3").call(
        "Bash", "npm i right-pad"
    ).stop()
    take(ws, made)
    assert usage(ws, lesson_id) == ONCE | {"ignored": 1}


def test_what_an_agent_does_that_was_not_told_is_not_held_against_the_lesson(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = told(scene().prompt("add left-pad", "p1"), lesson_id)
    take(ws, made.call("Bash", "npm i left-pad", agent_id="a1", agent_type="helper").stop())
    assert usage(ws, lesson_id) == ONCE


def test_a_stopped_act_that_was_dropped_is_heeded_and_one_that_was_repeated_ignored(ws: Workspace) -> None:
    lesson_id = add(ws)
    stop: dict[str, Any] = {"gate": True, "tool": "Bash", "command": "npm install left-pad"}
    dropped = told(scene("s1").prompt("add left-pad", "p1"), lesson_id, **stop).stop()
    repeated = told(scene("s2").prompt("add left-pad", "p1"), lesson_id, **stop)
    take(ws, dropped, repeated.call("Bash", "npm install left-pad").stop())
    counts = {"recalled": 2, "told_sessions": 2, "heeded": 1, "ignored": 1}
    assert usage(ws, lesson_id) == counts | {"stopped": 2}


def test_files_and_code_that_are_not_wanted_are_acts_too(ws: Workspace) -> None:
    folder = add(ws, "Never edit files in the legacy folder.")
    code = add(ws, "Never use console.log, use the logger.")
    made = told(told(scene().prompt("fix it", "p1"), folder), code)
    for file, text in ((f"{PROJECT}/legacy/a.js", "const a = 1"), (f"{PROJECT}/b.js", "console.log(a)")):
        written = {"tool": "Write", "file": file}
        made.add("tool_start", written | {"text": text}, tool_use_id=file).add(
            "tool_end", written, tool_use_id=file
        )
    take(ws, made.stop())
    assert usage(ws, folder) == usage(ws, code) == ONCE | {"ignored": 1}


@pytest.mark.parametrize(
    "words", ["no, I said pnpm! why do you still use npm?", "No! Stop that.", "No, use pnpm, never npm."]
)
def test_a_complaint_about_the_unwanted_act_is_heard_whatever_its_words(ws: Workspace, words: str) -> None:
    lesson_id = add(ws)
    made = told(scene().prompt("add left-pad", "p1"), lesson_id).call("Bash", "npm install left-pad").stop()
    take(ws, made.prompt(words, "p2").stop())
    assert usage(ws, lesson_id) == ONCE | {"ignored": 1, "recurred": 1}
    note = documents.find(ws, lesson_id).notes[-1]
    assert (note.kind, note.session_id, note.words) == ("came_back", "s1", words)
    assert queue.listing(ws, "draft") == []


def test_one_about_something_else_is_not(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = told(scene().prompt("add left-pad", "p1"), lesson_id).call("Bash", "npm install left-pad").stop()
    take(ws, made.prompt("No, the header must be blue, not green.", "p2").stop())
    assert usage(ws, lesson_id) == ONCE | {"ignored": 1}


def test_where_no_act_shows_it_the_complaint_decides(ws: Workspace) -> None:
    lesson_id = add(ws, BRIEF)
    made = told(scene().prompt("what is this?", "p1"), lesson_id, "start").stop("A long text.")
    take(ws, made.prompt("I told you to answer in one sentence!", "p2").stop())
    assert usage(ws, lesson_id) == ONCE | {"corrected": 1, "recurred": 1}


def test_a_repeat_counts_in_a_session_that_was_not_told_as_well(ws: Workspace) -> None:
    lesson_id = add(ws)
    made = scene().prompt("add left-pad", "p1").call("Bash", "npm install left-pad").stop()
    take(ws, made.prompt("no, I said pnpm!", "p2").stop())
    assert usage(ws, lesson_id) == {"recurred": 1}
    (found,) = upkeep.proposals(ws)
    assert (found.reason, found.said_again) == ("came_back", "no, I said pnpm!")


def test_nothing_is_counted_twice_and_any_cut_of_the_stream_gives_the_same(ws: Workspace, root: str) -> None:
    lesson_id = add(ws)
    whole = told(scene().prompt("add left-pad", "p1"), lesson_id).call("Bash", "npm install left-pad").stop()
    whole.prompt("no, I said pnpm!", "p2").call("Bash", "pnpm add left-pad").stop()
    for event in whole.events:
        piece = scene()
        piece.events = [event]
        take(ws, piece)
    expected = ONCE | {"ignored": 1, "recurred": 1}
    assert usage(ws, lesson_id) == expected
    Path(root, "store", "state.json").unlink()
    ingest(root, wait_s=5)
    assert usage(ws, lesson_id) == expected
    before = documents.find(ws, lesson_id)
    analyze(root)
    assert documents.find(ws, lesson_id) == before


def test_an_older_store_reads_as_before_until_history_is_analysed(ws: Workspace, root: str) -> None:
    lesson_id = add(ws)
    take(ws, told(scene().prompt("add it", "p1"), lesson_id).call("Bash", "npm i left-pad").stop())
    verdicts.rate(ws, lesson_id, "harmful")
    with Store(root).transaction() as tx:
        doc = tx.table("lessons").get(lesson_id) or {}
        older = {"recalled": 1, "followed": 1, "recurred": 0, "recurred_told": 0, "harmful": 1}
        gone = ("_tellings", "notes", "usage")
        tx.table("lessons").put(lesson_id, {k: v for k, v in doc.items() if k not in gone} | {"usage": older})
    assert usage(ws, lesson_id) == ONCE | {"heeded": 1, "harmful": 1}
    analyze(root)
    assert usage(ws, lesson_id) == ONCE | {"ignored": 1, "harmful": 1}


def violated(session: str, lesson_id: str, words: str = "") -> Scene:
    made = (
        told(scene(session).prompt("add left-pad", "p1"), lesson_id)
        .call("Bash", "npm install left-pad")
        .stop()
    )
    return made.prompt(words, "p2").stop() if words else made


def test_what_is_ignored_three_times_is_offered_to_be_stopped(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson_id = add(ws, stops=False)
    take(ws, violated("s1", lesson_id), violated("s2", lesson_id))
    assert upkeep.proposals(ws) == []
    take(ws, violated("s3", lesson_id, "no, I said pnpm!"))
    (found,) = upkeep.proposals(ws)
    day = origins.local_day(clock.iso(clock.now_ms()))
    assert found.words == f'ignored: told 3× · ignored 3, last {day} "no, I said pnpm!"'
    assert found.ways == ("bind", "reword", "archive")
    (check,) = (one for one in doctor.examine(ws) if one.name == "ignored lessons")
    assert (check.level, f"ignored: told 3× · ignored 3, last {day}" in check.message) == ("warn", True)
    assert documents.find(ws, lesson_id).status == "active", "never silently"
    later = clock.now_ms() + 60_000
    monkeypatch.setattr(clock, "now_ms", lambda: later)
    verdicts.edit(ws, lesson_id, {"stops": True})
    assert upkeep.proposals(ws) == []
    undo.undo(ws)
    assert upkeep.proposals(ws)[0].reason == "ignored"


def test_what_is_ignored_more_often_than_heeded_is_offered_and_what_works_is_not(ws: Workspace) -> None:
    lesson_id = add(ws)
    for session in ("h1", "h2"):
        take(
            ws, told(scene(session).prompt("add left-pad", "p1"), lesson_id).call("Bash", "pnpm add x").stop()
        )
    take(ws, *(violated(session, lesson_id) for session in ("s1", "s2")))
    assert upkeep.proposals(ws) == []
    take(ws, violated("s3", lesson_id))
    assert [found.ways for found in upkeep.proposals(ws)] == [("reword", "archive")], "it stops already"


def test_where_no_unwanted_call_is_known_a_gate_is_offered(ws: Workspace) -> None:
    triggers = {"file_patterns": ["**/*.md"]}
    lesson_id = add(ws, "Pages have a heading of their own.", triggers=triggers)
    for session in ("s1", "s2", "s3"):
        made = told(scene(session).prompt("write the page", "p1"), lesson_id).stop()
        take(ws, made.prompt("I told you that pages have a heading of their own!", "p2").stop())
    assert [(found.reason, found.ways) for found in upkeep.proposals(ws)] == [
        ("ignored", ("first", "reword", "archive"))
    ]


@pytest.mark.parametrize("statement", [BRIEF, "The changelog is updated in every pull request."])
def test_what_is_told_often_and_nothing_comes_of_it_is_offered_to_be_narrowed(
    ws: Workspace, statement: str
) -> None:
    has_moment = statement != BRIEF
    triggers = {"file_patterns": ["**/*.py"]} if has_moment else {}
    lesson_id = add(ws, statement, triggers=triggers)
    take(ws, *(told(scene(f"s{at}").prompt("hello", "p1"), lesson_id).stop() for at in range(9)))
    assert upkeep.proposals(ws) == []
    take(ws, told(scene("s9").prompt("hello", "p1"), lesson_id).stop())
    found = [(proposal.words, proposal.ways) for proposal in upkeep.proposals(ws)]
    words = "too broad: told 10× · open 10"
    assert found == ([(words, ("narrow", "archive"))] if has_moment else []), "at a start nothing is narrowed"


def test_a_lesson_that_did_harm_is_proposed_not_archived(ws: Workspace) -> None:
    lesson_id = add(ws)
    for number in range(2):
        take(ws, told(scene(f"s{number}").prompt("write", "p1"), lesson_id).stop())
        verdicts.rate(ws, lesson_id, "harmful")
    (found,) = upkeep.proposals(ws)
    assert (found.reason, found.words) == ("harmful", "harmful: told 2× · open 2 · rated harmful 2")
    verdicts.keep(ws, lesson_id)
    assert upkeep.proposals(ws) == []
    assert upkeep.proposals(ws, clock.now_ms() + 31 * DAY_MS)[0].reason == "harmful"


def test_ratings_count_once_for_a_recall_and_can_be_taken_back(ws: Workspace) -> None:
    lesson_id = add(ws)
    take(ws, told(scene().prompt("write", "p1"), lesson_id).stop())
    verdicts.rate(ws, lesson_id, "helpful")
    verdicts.rate(ws, lesson_id, "harmful")
    assert usage(ws, lesson_id) == ONCE | {"harmful": 1}, "the last word on a recall"
    undo.undo(ws)
    assert usage(ws, lesson_id) == ONCE | {"helpful": 1}
    take(ws, told(scene("s2").prompt("write", "p1"), lesson_id).stop())
    verdicts.rate(ws, lesson_id, "helpful")
    assert usage(ws, lesson_id) == {"recalled": 2, "told_sessions": 2, "helpful": 2}, (
        "what ingest counts goes on counting"
    )


def test_a_critical_lesson_that_stayed_silent_leaves_a_note(ws: Workspace) -> None:
    lesson_id = add(ws, priority="CRITICAL", triggers={"file_patterns": ["**/test_*.py"]})
    take(ws, scene().prompt("write a test", "p1").call("Write", f"{PROJECT}/tests/test_a.py").stop())
    lesson = documents.find(ws, lesson_id)
    assert lesson.usage.silent == 1
    assert [(note.kind, note.words) for note in lesson.notes] == [("silent", f"{PROJECT}/tests/test_a.py")]

    (told,) = health_report.health_report(ws).missed_recalls
    assert (told.short, told.times, told.file) == (lesson_id[:4], 1, f"{PROJECT}/tests/test_a.py")
    assert "1 CRITICAL lesson not recalled, see learn doctor" in quick_status.status_line(
        health_report.health_report(ws).figures()
    )
    (check,) = (one for one in doctor.examine(ws) if one.name == "missed lessons")
    assert (check.level, f"{lesson_id[:4]} was not recalled once" in check.message) == ("warn", True)
    assert not health_report.health_report(ws, clock.now_ms() + 31 * DAY_MS).missed_recalls, "long ago"
    verdicts.pause(ws, lesson_id, True)
    assert not health_report.health_report(ws).missed_recalls, "not in use"


def test_one_that_was_recalled_at_the_start_or_holds_elsewhere_was_not_silent(ws: Workspace) -> None:
    told_one = add(ws, priority="CRITICAL", triggers={"file_patterns": ["**/test_*.py"]})
    elsewhere = verdicts.add(
        ws, "Secrets stay in the vault.", scope="project", project="/other", priority="CRITICAL",
        triggers={"file_patterns": ["**/*.py"]},
    ).lesson_ids[0]  # fmt: skip
    made = told(scene().add("session_start", {"source": "startup"}), told_one, "start")
    take(ws, made.prompt("write a test", "p1").call("Write", f"{PROJECT}/tests/test_a.py").stop())
    assert documents.find(ws, told_one).usage.silent == documents.find(ws, elsewhere).usage.silent == 0


def test_what_a_check_saw_is_counted_each_time_and_an_order_is_no_breach(ws: Workspace) -> None:
    lesson_id = add(ws)
    stop: dict[str, Any] = {"stop": True, "tool": "Bash", "command": "npm i a"}
    left = told(scene("s1").prompt("add a", "p1"), lesson_id, **stop).call("Bash", "pnpm add a").stop()
    insisted = told(scene("s2").prompt("add a", "p1"), lesson_id, **stop)
    insisted.call("Bash", "npm i a").call("Bash", "npm i b").stop()
    ordered = told(scene("s3").prompt("run npm i a", "p1"), lesson_id).call("Bash", "npm i a").stop()
    take(ws, left, insisted, ordered)
    assert outcome_words.moments(documents.find(ws, lesson_id).as_json()) == (
        "held twice, broke it twice, made a stopped call again once, you ordered it once"
    )
    assert usage(ws, lesson_id) == {
        "recalled": 3, "told_sessions": 3, "stopped": 2, "heeded": 1, "ignored": 1,
    }  # fmt: skip
    assert "came_back" not in {note.kind for note in documents.find(ws, lesson_id).notes}


def test_a_command_that_has_to_pass_is_held_where_it_does_and_broken_where_it_does_not(ws: Workspace) -> None:
    lesson_id = add(ws, "The checks pass before you are done.")

    def ran(made: Scene, passed: bool | None) -> Scene:
        lessons = [] if passed is not None else [{"id": lesson_id, "score": 0}]
        return made.add("recall", {"moment": "end", "lessons": lessons, "ran": {lesson_id: passed}})

    mended = ran(ran(scene("s1").prompt("fix it", "p1"), None).stop(), True).stop()
    left = ran(ran(scene("s2").prompt("fix it", "p1"), None).stop(), False).stop()
    at_once = ran(scene("s3").prompt("fix it", "p1"), True).stop()
    take(ws, mended, left, at_once)
    held = documents.find(ws, lesson_id)
    assert outcome_words.moments(held.as_json()) == "held twice, broke it once"
    assert (held.usage.heeded, held.usage.ignored) == (1, 1)


def test_what_is_due_is_held_where_it_is_done_and_broken_where_it_is_left(ws: Workspace) -> None:
    lesson_id = add(ws, "Update CHANGELOG.md with every change in src/.")
    done = told(scene("s1").prompt("fix it", "p1"), lesson_id).call("Edit", f"{PROJECT}/src/a.py")
    left = told(scene("s2").prompt("fix it", "p1"), lesson_id).call("Edit", f"{PROJECT}/src/a.py").stop()
    take(ws, done.call("Edit", f"{PROJECT}/CHANGELOG.md").stop(), left)
    assert outcome_words.moments(documents.find(ws, lesson_id).as_json()) == "held once, broke it once"


def test_health_names_a_check_that_stops_what_the_person_orders_and_mends_it(ws: Workspace) -> None:
    lesson_id = add(ws)

    def strict(*, fix: bool = False) -> list[tuple[str, str]]:
        checks = [one for one in doctor.examine(ws, fix=fix) if one.name == "strict checks"]
        return [(one.level, one.message.partition(" ")[2]) for one in checks]

    def ordered(session: str) -> Scene:
        made = told(scene(session).prompt("run npm i a", "p1"), lesson_id)
        return made.call("Bash", "npm i a").stop()

    take(ws, ordered("s1"))
    assert strict() == [("ok", "check stops what you order")]
    take(ws, ordered("s2"))
    assert strict() == [("warn", "stops a call that you ordered 2 times")]
    strict(fix=True)
    assert (documents.find(ws, lesson_id).stops, documents.find(ws, lesson_id).reminds) == (False, True)
    assert strict() == [("ok", "check stops what you order")]
