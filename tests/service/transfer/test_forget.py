"""Forgetting removes what is named, keeps the rest, and proves it by reading every file again."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop import errors
from learnloop.service import workspace
from learnloop.service.lessons import documents, queue
from learnloop.service.review import verdicts
from learnloop.service.transfer import forget
from learnloop.service.workspace import Workspace
from learnloop.store import locks, pending, quarantine, segments
from learnloop.store.store import Store
from learnloop.wire import event, journal, paths, session_recalls
from tests.service.sessions import history
from tests.service.sessions.history import APP, IN_APP, IN_OTHER, OTHER


@pytest.fixture
def ws(root: str) -> Workspace:
    """Both sessions' lessons active and published, with traces in every other place that keeps something."""
    made = history.lived(root)
    for lesson in queue.listing(made, "draft"):
        verdicts.promote(made, lesson.id)
    for session in (IN_APP, IN_OTHER):
        session_recalls.SessionRecalls(root, session).forget_context()
        session_recalls.SessionRecalls(root, session).keep_prompt(history.SAID[session])
    quarantine.keep(root, "journal", f'{{"session_id":"{IN_APP}","pro'.encode(), "unreadable")
    Path(root, "log").mkdir()
    Path(root, "log", "ingest.log").write_text(f"failed in {APP}\n")
    history.play(root, IN_APP, APP, history.START_MS + 20_000_000)
    return made


def _naming(root: str, *names: str) -> list[str]:
    """The files under a root that name something, read by the plainest means."""
    found = []
    for path in Path(root).rglob("*"):
        if path.is_file() and any(name.encode() in path.read_bytes() for name in names):
            found.append(str(path.relative_to(root)))
    return found


@pytest.mark.parametrize("asked", [IN_APP, IN_APP[:8]])
def test_a_session_goes_and_the_other_stays(ws: Workspace, asked: str) -> None:
    assert len(_naming(ws.root, IN_APP)) > 5
    report = forget.forget(ws, session=asked)
    assert (report.remaining, report.sessions) == (0, 1)
    assert report.events == 12
    assert _naming(ws.root, IN_APP) == []
    assert not Path(session_recalls.path(ws.root, IN_APP)).exists()
    assert Path(session_recalls.path(ws.root, IN_OTHER)).exists()
    assert [found.id for found in Store(ws.root).sessions()] == [IN_OTHER]
    assert {found.session_id for found in Store(ws.root).turns()} == {IN_OTHER}


def test_an_approved_lesson_stays_without_its_quotes(ws: Workspace) -> None:
    forget.forget(ws, session=IN_APP)
    kept = {lesson.project: lesson for lesson in Store(ws.root).lessons()}
    assert set(kept) == {APP, OTHER}
    assert (kept[APP].status, kept[APP].evidence, kept[APP].description) == ("active", (), "")
    assert len(kept[OTHER].evidence) == 1
    assert history.SAID[IN_APP] not in json.dumps(documents.lessons(ws.root))


def test_a_draft_goes_with_its_last_quote(root: str) -> None:
    ws = history.lived(root)
    report = forget.forget(ws, session=IN_APP)
    assert report.lessons == 1
    assert [lesson.project for lesson in Store(root).lessons()] == [OTHER]


def test_a_project_goes_with_its_lessons_and_verdicts(ws: Workspace) -> None:
    report = forget.forget(ws, project=APP)
    assert (report.remaining, report.lessons, report.decisions) == (0, 1, 1)
    assert _naming(ws.root, IN_APP, APP) == []
    assert [lesson.project for lesson in Store(ws.root).lessons()] == [OTHER]
    assert APP.encode() not in Path(paths.index(ws.root)).read_bytes()
    assert OTHER.encode() in Path(paths.index(ws.root)).read_bytes()


def test_a_project_of_a_similar_name_stays(root: str) -> None:
    ws = history.lived(root)
    history.play(root, history.IN_NEIGHBOUR, history.NEIGHBOUR, history.START_MS + 30_000_000)
    workspace.ingest(ws, wait_s=1.0)
    forget.forget(ws, project=APP)
    assert {session.project for session in Store(root).sessions()} == {OTHER, history.NEIGHBOUR}


def test_another_session_that_mentions_the_project_loses_the_mention_only(root: str) -> None:
    ws = history.lived(root)
    record = event.record(
        "tool_end", host="claude", session_id=IN_OTHER, cwd=OTHER, project=OTHER,
        payload={"tool": "Bash", "command": f"cp {APP}/x . && ls {APP}.old {APP}"},
    )  # fmt: skip
    journal.append(root, [record])
    forget.forget(ws, project=APP)
    (kept,) = [found for found in pending.records(root, "") if found["id"] == record["id"]]
    assert kept["payload"]["command"] == f"cp [forgotten]/x . && ls {APP}.old [forgotten]"


def test_what_is_forgotten_does_not_come_back_with_a_new_start(ws: Workspace) -> None:
    forget.forget(ws, project=APP)
    Path(paths.store(ws.root), "state.json").write_bytes(b"broken")
    Store(ws.root).state()
    workspace.ingest(ws, wait_s=1.0)
    assert [lesson.project for lesson in Store(ws.root).lessons()] == [OTHER]
    assert [session.id for session in Store(ws.root).sessions()] == [IN_OTHER]


def test_everything_goes(ws: Workspace) -> None:
    report = forget.forget(ws, everything=True)
    assert (report.remaining, report.lessons, report.sessions) == (0, 2, 2)
    assert report.events == 20
    assert _naming(ws.root, IN_APP, IN_OTHER, APP, OTHER, "unittest") == []
    assert segments.names(ws.root) == []
    assert Store(ws.root).lessons() == []
    history.play(ws.root, IN_APP, APP, history.START_MS)
    workspace.ingest(ws, wait_s=1.0)
    assert len(Store(ws.root).lessons()) == 1


def test_a_damaged_store_can_be_forgotten(ws: Workspace) -> None:
    Path(paths.store(ws.root), "lessons.json").write_bytes(b"{")
    assert forget.forget(ws, everything=True).remaining == 0
    assert _naming(ws.root, IN_APP) == []


@pytest.mark.parametrize("what", [{"session": "nobody"}, {"project": "/nowhere"}])
def test_nothing_of_it_is_an_error_that_changes_nothing(ws: Workspace, what: dict[str, Any]) -> None:
    workspace.ingest(ws, wait_s=1.0)
    before = {path: path.read_bytes() for path in Path(paths.store(ws.root)).rglob("*.json")}
    with pytest.raises(errors.NotFound):
        forget.forget(ws, **what)
    assert {path: path.read_bytes() for path in Path(paths.store(ws.root)).rglob("*.json")} == before


@pytest.mark.parametrize("what", [{}, {"session": "a", "project": "b"}, {"everything": True, "session": "a"}])
def test_exactly_one_thing_is_forgotten(ws: Workspace, what: dict[str, Any]) -> None:
    with pytest.raises(errors.Refused):
        forget.forget(ws, **what)


def test_a_store_in_use_is_waited_for_and_then_named(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forget, "LOCK_WAIT_S", 0.02)
    with locks.held(Path(ws.root, "fold.lock"), wait_s=0, what="x"), pytest.raises(errors.Busy):
        forget.forget(ws, everything=True)
    assert len(_naming(ws.root, IN_APP)) > 5
