"""Sessions, turns, projects and history, and what opening a workspace costs."""

import subprocess
import sys

from learnloop.service.lessons import queue
from learnloop.service.review import verdicts
from learnloop.service.sessions import live_sessions, sessions
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from tests.ingest import told_lessons
from tests.ingest.moments_scene import HELD, met, scene
from tests.store.small_stores import say, workspace

NO_PIP = "no, use uv instead of pip"


def test_sessions_and_turns_come_newest_first(root: str) -> None:
    ws = workspace(root, NO_PIP, "never mock the database")
    found = sessions.sessions(ws)
    assert len(found) == 2
    assert found[0].last_seen > found[1].last_seen
    turns = sessions.turns(ws, found[1].id)
    assert [turn.prompt for turn in turns] == [NO_PIP, "Do the first thing"]
    assert turns[1].files[0].endswith("src/a.py")
    assert turns[1].commands == ("make test",)
    assert len(sessions.turns(ws)) == 4
    assert len(sessions.turns(ws, limit=1)) == 1
    assert len(sessions.sessions(ws, limit=1)) == 1


def test_the_last_correction_is_of_the_person_and_read_from_the_newest(root: str) -> None:
    assert sessions.last_correction(root) == ""
    ws = workspace(root, NO_PIP)
    (remark,) = sessions.feedback(ws)
    assert sessions.last_correction(root) == remark.timestamp
    for number in range(4):
        later = f"2098-01-0{1 + number}T10:00:00.000Z"
        doc = {**remark.as_json(), "id": later, "timestamp": later}
        inferred, praise = {**doc, "inferred": True}, {**doc, "feedback_category": "praise"}
        with Store(root).transaction() as changes:
            for one in range(100):
                other = {**(inferred if number % 2 else praise), "id": f"{later}-{one}"}
                changes.documents("feedback").put(other["id"], other)
        assert sessions.last_correction(root) == (remark.timestamp if number < 2 else "")


def test_projects_count_sessions_and_lessons(root: str) -> None:
    ws = workspace(root, NO_PIP, "never mock the database")
    say(ws, "always run the linter first", project="other")
    verdicts.promote(ws, queue.search(ws, "uv")[0].id)
    by_name = {project.name: project for project in sessions.projects(ws)}
    assert (by_name["app"].sessions, by_name["app"].drafts, by_name["app"].active) == (2, 1, 1)
    assert (by_name["other"].sessions, by_name["other"].drafts, by_name["other"].active) == (1, 1, 0)
    assert by_name["app"].recording
    assert by_name["app"].as_json()["path"] == by_name["app"].path


def test_opening_a_workspace_loads_neither_models_nor_store() -> None:
    heavy = ("pydantic", "tinydb", "tomllib", "learnloop.store.store")
    code = (
        "import sys\n"
        "from learnloop.service import workspace\n"
        "from learnloop.service.sessions import tail\n"
        "workspace.open_workspace('/nowhere', 'console')\n"
        "tail.Tail('/nowhere')\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_what_an_experiment_held_back_is_in_the_story_and_counts_as_no_recall(ws: Workspace) -> None:
    lesson_id = told_lessons.add(ws, "Use pnpm, not npm.")
    told_lessons.take(ws, met(scene().prompt("add left-pad", "p1"), lesson_id, HELD).stop())
    story = live_sessions.story(ws, "s1")
    (held,) = [entry for entry in story.entries if entry.kind == "held"]
    assert [lesson.id for lesson in held.lessons] == [lesson_id]
    assert story.recalled == ()
