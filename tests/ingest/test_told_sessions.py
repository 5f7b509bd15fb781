"""What the person hears of a session that is over: derived from its events, kept for the news."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest.analyze import analyze
from learnloop.ingest.person_news import MOST_SESSIONS
from learnloop.ingest.run import ingest
from learnloop.service.review import verdicts
from learnloop.service.transfer import forget
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import clock, paths
from tests.ingest.session_scene import Scene, write

PROJECT = "/code/shop"
PNPM, BRIEF, CONSOLE = "Use pnpm, not npm.", "Answer in one sentence.", "Never touch the legacy folder."


@pytest.fixture
def lessons(ws: Workspace) -> list[str]:
    statements = (PNPM, BRIEF, CONSOLE)
    return [verdicts.add(ws, words, scope="project", project=PROJECT).lesson_ids[0] for words in statements]


def scene(session: str = "s1", project: str = PROJECT) -> Scene:
    return Scene(session, project, start=clock.now_ms()).add("session_start", {"source": "startup"})


def told(made: Scene, *lesson_ids: str, moment: str = "tool", **more: Any) -> Scene:
    listed = [{"id": lesson_id, "score": 80} for lesson_id in lesson_ids]
    return made.add("recall", {"moment": moment, "lessons": listed, "chars": 50, **more})


def stopped(made: Scene, lesson_id: str, command: str) -> Scene:
    return told(made, lesson_id, tool="Bash", command=command, stop=True)


def news(ws: Workspace, *scenes: Scene) -> list[dict[str, Any]]:
    write(ws.root, *scenes)
    ingest(ws.root, wait_s=5)
    sessions: list[dict[str, Any]] = json.loads(Path(paths.news(ws.root)).read_text())["sessions"]
    return sessions


def words(ws: Workspace, *scenes: Scene) -> list[str]:
    return [session["words"] for session in news(ws, *scenes)]


def test_a_session_is_told_in_one_line(ws: Workspace, lessons: list[str]) -> None:
    pnpm, brief, legacy = lessons
    made = told(scene(), brief, moment="start").prompt("add left-pad", "p1")
    stopped(made, pnpm, "cd web && FORCE=1 npm install left-pad").call("Bash", "pnpm add left-pad")
    told(made, legacy).call("Write", f"{PROJECT}/legacy/a.py").stop().add("session_end", {"reason": "other"})
    (session,) = news(ws, made)
    assert session == {
        "session": "s1", "project": PROJECT, "over": True, "last_ms": made.ms,
        "words": "3 lessons told, 1 npm stopped, 1 heeded, 1 ignored",
    }  # fmt: skip


def test_it_is_the_same_however_the_events_are_cut(ws: Workspace, lessons: list[str]) -> None:
    made = stopped(scene().prompt("add left-pad", "p1"), lessons[0], "npm i left-pad")
    made.call("Bash", "npm i left-pad").stop().prompt("no, I said pnpm!", "p2").stop().add("session_end")
    for event in list(made.events):
        part = scene()
        part.events = [event]
        seen = words(ws, part)
    assert seen == ["1 lesson told, 1 npm stopped, 1 ignored"]


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        (["npm i", "sudo npm ci"], "1 lesson told, 2 npm stopped, 1 heeded"),
        (["npm i", "ls | npx jest", "pnpm x"], "1 lesson told, 1 npm stopped, 1 ls stopped, 1 more stopped"),
        ([""], "1 lesson told, 1 call stopped"),
    ],
)
def test_what_was_stopped_is_named_by_its_program(
    ws: Workspace, lessons: list[str], commands: list[str], expected: str
) -> None:
    made = scene().prompt("go", "p1")
    for command in commands:
        stopped(made, lessons[0], command)
    assert words(ws, made)[0].startswith(expected)


def test_a_file_that_was_not_written_is_named_by_its_name(ws: Workspace, lessons: list[str]) -> None:
    file: dict[str, Any] = {"tool": "Write", "file": f"{PROJECT}/legacy/deep/a.py", "gate": True}
    assert "1 a.py stopped" in words(ws, told(scene().prompt("go", "p1"), lessons[2], **file))[0]


def test_a_session_without_lessons_is_silent(ws: Workspace, lessons: list[str]) -> None:
    quiet = scene("s2").prompt("hello", "p1").stop().add("session_end")
    assert news(ws, quiet) == []


def test_a_session_that_goes_on_is_not_over(ws: Workspace, lessons: list[str]) -> None:
    made = told(scene(), lessons[1], moment="start").prompt("hello", "p1")
    assert [session["over"] for session in news(ws, made)] == [False]
    more = Scene(start=made.ms + 1_000).add("session_end")
    assert [session["over"] for session in news(ws, more)] == [True]
    again = Scene(start=more.ms + 1_000).add("session_start", {"source": "resume"})
    assert [session["over"] for session in news(ws, again)] == [False]


def test_the_newest_sessions_of_the_last_projects_are_kept(ws: Workspace, lessons: list[str]) -> None:
    for number in range(30):
        made = Scene(f"s{number}", f"/code/p{number // 6}", start=clock.now_ms() + number * 60_000)
        write(ws.root, told(made, lessons[1], moment="start").add("session_end"))
    every = [session["session"] for session in news(ws)]
    assert every == ["s29", "s28", "s27", "s26", "s23", "s22", "s21", "s20", "s17", "s16", "s15", "s14"]
    assert len(Store(ws.root).documents("told_sessions")) <= MOST_SESSIONS


def test_a_place_that_does_not_fit_leaves_the_news_readable(ws: Workspace, lessons: list[str]) -> None:
    far = told(scene("far", "/x" * 2_000), lessons[1]).add("session_end")
    near = told(scene("near"), lessons[1]).add("session_end")
    assert [session["session"] for session in news(ws, far, near)] == ["near"]


def test_a_new_reading_of_history_tells_the_same(ws: Workspace, lessons: list[str]) -> None:
    made = stopped(scene().prompt("add left-pad", "p1"), lessons[0], "npm i left-pad")
    before = news(ws, made.call("Bash", "pnpm add left-pad").stop().add("session_end"))
    Path(paths.news(ws.root)).unlink()
    analyze(ws.root)
    assert news(ws) == before


def test_a_forgotten_session_is_in_no_news(ws: Workspace, lessons: list[str]) -> None:
    assert news(ws, told(scene(), lessons[1]).add("session_end"))
    report = forget.forget(ws, session="s1")
    assert report.remaining == 0
    assert news(ws) == []
