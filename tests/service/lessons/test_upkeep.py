"""Upkeep: old drafts expire as a decision, unused lessons are proposed, several become one and back again."""

import pytest

from learnloop.errors import Refused
from learnloop.ingest.run import ingest
from learnloop.models.lesson_check import reading_first
from learnloop.service.history import sentences, undo
from learnloop.service.lessons import documents, queue, upkeep
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, index, paths
from tests.ingest.session_scene import Scene, write

DAY_MS = 86_400_000
PROJECT = "/code/shop"


def draft(ws: Workspace, words: str, session: str = "s1", start: int = 1_790_000_000_000) -> str:
    write(ws.root, Scene(session, PROJECT, start).corrected(words))
    ingest(ws.root, wait_s=5)
    return queue.listing(ws, "draft")[0].id


def later(days: float) -> int:
    return clock.now_ms() + int(days * DAY_MS)


def test_a_draft_is_archived_after_30_days_and_said_so_a_week_before(ws: Workspace) -> None:
    lesson_id = draft(ws, "never use eval")
    assert upkeep.expiring_drafts(ws, later(22)) == []
    assert [(one.lesson_id, one.days) for one in upkeep.expiring_drafts(ws, later(24))] == [(lesson_id, 6)]
    assert upkeep.run(ws, later(29)) == 0
    assert upkeep.run(ws, later(30.1)) == 1
    lesson = documents.find(ws, lesson_id)
    assert (lesson.status, lesson.archived_reason) == ("archived", "expired")
    assert documents.decisions(ws.root)[-1].by == "upkeep"
    assert "Archived" in sentences.history(ws)[0]["sentence"]


def test_an_expired_draft_can_be_brought_back_and_stays(ws: Workspace) -> None:
    lesson_id = draft(ws, "never use eval")
    upkeep.run(ws, later(31))
    undo.undo(ws)
    assert documents.find(ws, lesson_id).status == "draft"
    assert upkeep.run(ws, later(62)) == 0, "a person wanted it back"
    assert upkeep.expiring_drafts(ws, later(62)) == [], "so nothing announces that it goes"


def test_restored_it_is_a_draft_because_nobody_ever_approved_it(ws: Workspace) -> None:
    lesson_id = draft(ws, "never use eval")
    upkeep.run(ws, later(31))
    verdicts.restore(ws, lesson_id)
    assert documents.find(ws, lesson_id).status == "draft"


def test_a_draft_seen_again_waits_anew(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson_id = draft(ws, "never use eval")
    ahead = later(20)
    monkeypatch.setattr(clock, "now_ms", lambda: ahead)
    draft(ws, "never use eval", "s2", 1_790_500_000_000)
    monkeypatch.undo()
    assert upkeep.run(ws, later(31)) == 0
    assert documents.find(ws, lesson_id).seen_count == 2


def test_a_lesson_never_recalled_is_proposed_after_90_days(ws: Workspace) -> None:
    lesson_id = verdicts.add(ws, "Tabs are used for indentation.").lesson_ids[0]
    assert upkeep.proposals(ws, later(89)) == []
    (found,) = upkeep.proposals(ws, later(91))
    assert (found.lesson_id, found.reason) == (lesson_id, "unused")
    assert found.words == "unused: in use for 91 days and never recalled"
    verdicts.pause(ws, lesson_id, True)
    assert upkeep.proposals(ws, later(91)) == [], "a paused one is out of use already"


def two(ws: Workspace) -> tuple[str, str]:
    one = draft(ws, "never use eval", "s1")
    verdicts.promote(ws, one)
    return one, draft(ws, "never call the eval builtin on input", "s2", 1_790_100_000_000)


def test_a_merge_keeps_the_evidence_of_both_and_leaves_a_tombstone(ws: Workspace) -> None:
    one, other = two(ws)
    verdicts.merge(ws, one, [other])
    kept, gone = documents.find(ws, one), documents.find(ws, other)
    assert {seen.session_id for seen in kept.evidence} == {"s1", "s2"}
    assert kept.seen_count == 2
    assert (gone.status, gone.archived_reason, gone.superseded_by) == ("archived", "superseded", one)
    assert sentences.history(ws)[0]["sentence"].startswith(f"Merged {other[:4]}")


def test_what_comes_again_goes_to_the_one_that_was_kept(ws: Workspace) -> None:
    one, other = two(ws)
    verdicts.merge(ws, one, [other])
    again = Scene("s3", PROJECT, clock.now_ms()).corrected("never call the eval builtin on input")
    write(ws.root, again)
    ingest(ws.root, wait_s=5)
    assert queue.listing(ws, "draft") == []
    lesson = documents.find(ws, one)
    assert {seen.session_id for seen in lesson.evidence} == {"s1", "s2", "s3"}
    assert (lesson.seen_count, lesson.usage.recurred) == (3, 1)
    undo.undo(ws)
    lesson = documents.find(ws, one)
    assert {seen.session_id for seen in lesson.evidence} == {"s1", "s3"}, "only what was merged goes back"
    assert lesson.seen_count == 2
    back = documents.find(ws, other)
    assert (back.status, back.superseded_by) == ("draft", None)
    undo.redo(ws)
    assert len(documents.find(ws, one).evidence) == 3


def test_merges_that_would_silence_or_narrow_something_are_refused(ws: Workspace) -> None:
    one, other = two(ws)
    with pytest.raises(Refused, match="agents would get neither"):
        verdicts.merge(ws, other, [one])
    with pytest.raises(Refused, match="with itself"):
        verdicts.merge(ws, one, [one])
    everywhere = verdicts.add(ws, "Tabs are used for indentation.").lesson_ids[0]
    with pytest.raises(Refused, match="fewer places"):
        verdicts.merge(ws, one, [everywhere])


def told_now(root: str) -> int:
    opened = index.read(paths.index(root))
    return 0 if opened is None else int(opened.header["lessons"])


def test_pausing_takes_a_lesson_out_of_the_index_at_once(ws: Workspace) -> None:
    lesson_id = verdicts.add(ws, "Tabs are used for indentation.").lesson_ids[0]
    assert told_now(ws.root) == 1
    verdicts.pause(ws, lesson_id, True)
    assert told_now(ws.root) == 0
    verdicts.pause(ws, lesson_id, False)
    verdicts.edit(ws, lesson_id, {"statement": "Spaces are used for indentation."})
    assert documents.find(ws, lesson_id).status == "active"
    assert told_now(ws.root) == 1, "an edit after promotion keeps it live"


def test_a_gate_needs_a_call_that_it_could_stop(ws: Workspace) -> None:
    lesson_id = verdicts.add(ws, "Tabs are used for indentation.", triggers={}).lesson_ids[0]
    assert reading_first({}) == []
    verdicts.edit(ws, lesson_id, {"check": reading_first({"file_patterns": ["*.py"]})})
    opened = index.read(paths.index(ws.root))
    assert opened is not None
    assert opened.header["gates"] == 1
    assert documents.find(ws, lesson_id).gate
    verdicts.edit(ws, lesson_id, {"check": []})
    assert not documents.find(ws, lesson_id).gate
