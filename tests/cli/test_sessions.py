"""`learn sessions`: every session as it is now, the story of one, and what is made from there."""

import itertools
from pathlib import Path

import pytest

from learnloop.errors import NotFound, Refused
from learnloop.ingest.run import ingest
from learnloop.service.history import undo
from learnloop.service.intake import draft_from_prompt
from learnloop.service.lessons import queue
from learnloop.service.sessions import live_sessions
from learnloop.service.workspace import Workspace
from learnloop.store import files, segments
from learnloop.wire import clock
from tests.cli.store import Learn
from tests.recorded_events import fire

_TICKS = itertools.count()


def _fire(root: str, name: str, session: str = "5e551001", **payload: object) -> None:
    at = clock.now_ms() - 1_000 + next(_TICKS)  # no two in one millisecond
    fire(root, name, session, at, **payload)


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Learn:
    transcript = tmp_path / "t.jsonl"
    transcript.write_text('{"a":1}\n{"prompt":"no, amounts are cents"}\n{"id":"toolu_1"}\n')
    call = {"tool_name": "Edit", "tool_input": {"file_path": "/code/shop/a.py"}, "tool_use_id": "toolu_1"}
    _fire(root, "UserPromptSubmit", prompt="write the ledger", transcript_path=str(transcript))
    _fire(root, "PostToolBatch", tool_calls=[{**call, "tool_response": "ok"}])
    _fire(root, "Stop", last_assistant_message="Done.")
    _fire(root, "UserPromptSubmit", prompt="no, amounts are cents", transcript_path=str(transcript))
    _fire(root, "SessionStart", "0ther001", source="startup")
    return Learn(capsys)


def test_sessions_are_listed_with_what_they_do_before_and_after_ingest(learn: Learn, root: str) -> None:
    for _ in range(2):
        found = {one["id"]: one for one in learn.listing("sessions")}
        phases = {name: one["phase"] for name, one in found.items()}
        assert phases == {"5e551001": "working", "0ther001": "idle"}
        assert found["5e551001"]["tools"] == {"Edit": {"calls": 1, "failed": 0}}
        assert (found["5e551001"]["prompts"], found["5e551001"]["task"]) == (2, "no, amounts are cents")
        assert [one["id"] for one in learn.listing("sessions", "--running")] == ["5e551001"]
        assert len(learn.listing("sessions", "--project", "shop")) == 2
        assert len(learn.listing("sessions", "--project", "/code/shop")) == 2
        ingest(root)
    assert learn("sessions", "--project", "nowhere") == 0
    assert "No session fits" in learn.err
    assert learn("sessions") == 0
    assert "working" in learn.out


def test_a_story_is_the_same_before_and_after_ingest_but_for_what_was_heard(learn: Learn, root: str) -> None:
    before = learn.listing("sessions", "5e55")
    ingest(root)
    after = learn.listing("sessions", "5e55")
    kinds = [one["kind"] for one in before]
    assert kinds == [one["kind"] for one in after] == ["prompt", "tool", "done", "prompt"]
    assert before[3]["heard"] == ""
    assert after[3]["heard"].startswith("correction ")


def test_a_session_that_is_not_there_is_named(learn: Learn) -> None:
    assert "no session 'zzzz' – learn sessions lists them" in learn.refused("sessions", "zzzz")


def _picked(root: str, words: str) -> tuple[live_sessions.LiveSession, live_sessions.TimelineEntry]:
    (one,) = (one for one in live_sessions.sessions(Workspace(root), clock.now_ms()) if one.id == "5e551001")
    story = live_sessions.story(Workspace(root), one.id, one.started_ms)
    return one, next(entry for entry in story.entries if entry.words.startswith(words))


def test_a_prompt_becomes_a_draft_with_the_turn_before_it_and_undo_takes_it(learn: Learn, root: str) -> None:
    ws = Workspace(root, by="console")
    ingest(root)
    before = {draft.id for draft in queue.listing(ws, "draft")}
    made = draft_from_prompt.draft(ws, *_picked(root, "write the ledger"))
    assert (made.status, made.trust, made.source, made.evidence[0].files) == ("draft", "user", "picked", ())
    with pytest.raises(Refused, match="says that already"):  # ingest has drafted it
        draft_from_prompt.draft(ws, *_picked(root, "no, amounts"))
    undo.undo(ws)
    assert {draft.id for draft in queue.listing(ws, "draft")} == before


def test_what_nobody_typed_makes_no_draft(learn: Learn, root: str) -> None:
    one, entry = _picked(root, "write")
    for odd in (entry._replace(machine=True), entry._replace(kind="tool"), entry._replace(words=" ")):
        with pytest.raises(Refused, match="not typed"):
            draft_from_prompt.draft(Workspace(root), one, odd)


def test_the_transcripts_line_is_found_by_call_or_words(learn: Learn, root: str) -> None:
    one, prompt = _picked(root, "no, amounts")
    _, call = _picked(root, "/code/shop/a.py")
    assert [draft_from_prompt.line_of(one, entry)[1] for entry in (prompt, call)] == [2, 3]
    with pytest.raises(NotFound, match="does not contain it"):
        draft_from_prompt.line_of(one, prompt._replace(words="never said"))
    Path(one.transcript_path).unlink()
    with pytest.raises(NotFound, match="is gone"):
        draft_from_prompt.line_of(one, prompt)


def test_a_session_older_than_the_list_is_shown_by_id(
    learn: Learn, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(root)
    monkeypatch.setattr(live_sessions, "MOST", 0)
    assert learn.listing("sessions") == []
    assert [row["kind"] for row in learn.listing("sessions", "0ther001")] == ["session"]


def test_a_story_reads_segments_of_its_days_and_what_was_imported_later(
    learn: Learn, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = (one for one in live_sessions.sessions(Workspace(root), clock.now_ms()) if one.id == "5e551001")
    for number in range(6):
        ingest(root)
        _fire(root, "UserPromptSubmit", f"later{number}", prompt="something else")
    names: list[str] = []

    def note(path: Path) -> bytes:
        names.extend([path.stem] if path.parent.name == "events" else [])
        return b""

    monkeypatch.setattr(files, "read", note)
    live_sessions.story(Workspace(root), one.id, one.started_ms, one.last_ms)
    segment_names = [Path(segments.path(root, name)).stem for name in segments.names(root)]
    assert names == [*segment_names[2::-1], *segment_names[:2:-1]]
    monkeypatch.undo()
    assert len(live_sessions.story(Workspace(root), one.id, one.started_ms, one.last_ms).entries) == 4
