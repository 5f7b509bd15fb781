"""Publishing: what hooks read follows the store, and costs nothing where nothing changed."""

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from learnloop.errors import Unreadable
from learnloop.ingest.publish import LOCK, publish, published
from learnloop.service.lessons import rows
from learnloop.service.recall.explain import explain
from learnloop.service.workspace import open_workspace
from learnloop.store import locks
from learnloop.store.store import Store
from learnloop.wire import index, paths, relevance, search


def _lesson(lesson_id: str, **changes: Any) -> dict[str, Any]:
    ts = "2026-01-01T00:00:00.000Z"
    return {
        "id": lesson_id, "status": "active", "statement": f"Fact {lesson_id} holds.", "scope": "global",
        "created": ts, "updated": ts, **changes,
    }  # fmt: skip


def _store(root: str, *lessons: dict[str, Any], cursor: str = "1-1.jsonl") -> None:
    with Store(root).transaction() as tx:
        for lesson in lessons:
            tx.table("lessons").put(lesson["id"], lesson)
        tx.cursor = cursor


def _waiting(root: str) -> object:
    return json.loads(Path(paths.news(root)).read_text())["drafts"]


def _inode(root: str) -> int:
    return Path(paths.index(root)).stat().st_ino


def _turn(number: int, prompt: str) -> dict[str, Any]:
    return {"id": f"turn{number}", "session_id": "s1", "project": "/p", "origin": "human", "prompt": prompt}


def test_a_word_of_many_own_prompts_counts_less_for_hooks_and_explanations_alike(root: str) -> None:
    words = ("the ledger is slow", "show the ledger", "rename it", "run the tests")
    lessons = [
        _lesson(name, statement=f"{name} stays.", triggers={"action_keywords": [name]})
        for name in ("ledger", "vault")
    ]
    _store(root, *lessons)
    with Store(root).transaction() as tx:
        for number in range(40):
            tx.documents("turns").put(f"turn{number}", _turn(number, words[number % 4]))
        tx.cursor = "1-2.jsonl"
    publish(root)
    opened = index.read(paths.index(root))
    assert opened is not None
    for prompt, expected in (("the ledger", []), ("the vault", ["vault"])):
        moment = relevance.Moment({"moment": "prompt", "words": prompt, "project": "/p"})
        told = [record["id"] for record, _ in search.best(opened, moment, 3, lambda _: True, 70)]
        explained = explain(open_workspace(root), prompt=prompt, project="/p")
        assert told == [lesson.id for lesson in explained if lesson.told] == expected


def test_an_empty_root_publishes_nothing(root: str) -> None:
    publish(root)
    assert not Path(paths.index(root)).exists()


def test_the_index_has_settings_and_active_lessons(root: str) -> None:
    Path(root).mkdir(mode=0o700)
    Path(paths.config_file()).write_text(
        'recall = false\nmessages = false\n[budgets]\nper_call = 2\n[redaction]\nextras = ["acme-\\\\d+"]\n'
    )
    _store(root, _lesson("aaaaaa"), _lesson("bbbbbb", status="draft"))
    publish(root)
    opened = index.read(paths.index(root))
    assert opened is not None
    assert opened.header["lessons"] == 1
    assert (opened.header["switches"]["recall"], opened.header["switches"]["messages"]) == (False, False)
    assert opened.header["budgets"] == {
        "start_tokens": 500, "call_tokens": 400, "per_call": 2, "per_session": 12, "threshold": 70,
    }  # fmt: skip
    assert opened.header["redaction"] == ["acme-\\d+"]
    assert Path(paths.index(root)).stat().st_mode & 0o777 == 0o600


def test_nothing_is_written_where_nothing_changed(root: str) -> None:
    _store(root, _lesson("aaaaaa"))
    publish(root)
    before = _inode(root)
    publish(root)
    assert _inode(root) == before
    publish(root, force=True)
    assert _inode(root) != before


def test_what_only_lessons_out_of_use_or_their_figures_changed_leaves_the_index_as_it_is(root: str) -> None:
    _store(root, _lesson("aaaaaa"))
    publish(root)
    before = _inode(root)
    _store(
        root, _lesson("aaaaaa", usage={"recalled": 3}), _lesson("bbbbbb", status="draft"), cursor="2-1.jsonl"
    )
    publish(root)
    assert (_inode(root), _waiting(root)) == (before, 1)


@pytest.mark.parametrize("stamp", ['[1, 1, {}, ["/p"], [], "a", 1, 2, 3, 4]', "[]", "{}", "torn"])
def test_what_another_version_noted_is_made_anew(root: str, stamp: str) -> None:
    _store(root, _lesson("aaaaaa"))
    publish(root)
    Path(paths.index(root) + ".known").write_text(stamp)
    _store(root, _lesson("bbbbbb"), cursor="2-1.jsonl")
    publish(root)
    assert b"Fact bbbbbb" in Path(paths.index(root)).read_bytes()


def test_a_change_of_lessons_or_settings_is_published(root: str) -> None:
    _store(root, _lesson("aaaaaa"))
    publish(root)
    _store(root, _lesson("aaaaaa", status="archived"), cursor="2-1.jsonl")
    publish(root)
    assert b"Fact aaaaaa" not in Path(paths.index(root)).read_bytes()
    Path(paths.config_file()).write_text("record = false\n")
    publish(root)
    opened = index.read(paths.index(root))
    assert opened is not None
    assert opened.header["switches"]["record"] is False


def test_settings_that_make_no_sense_change_nothing(root: str) -> None:
    _store(root, _lesson("aaaaaa"))
    publish(root)
    before = _inode(root)
    Path(paths.config_file()).write_text("record = perhaps\n")
    with pytest.raises(Unreadable):
        publish(root, force=True)
    assert _inode(root) == before


def test_a_damaged_index_is_written_anew(root: str) -> None:
    _store(root, _lesson("aaaaaa"))
    publish(root)
    Path(paths.index(root)).write_bytes(b"rubbish")
    assert published(root) is None
    publish(root)
    assert published(root)


def test_the_news_count_drafts_as_they_come_and_go(root: str) -> None:
    for number, status in enumerate(("draft", "rejected")):
        _store(root, _lesson("aaaaaa", status=status), cursor=f"{number}-1.jsonl")
        publish(root)
        document = json.loads(Path(paths.news(root)).read_text())
        assert document["drafts"] == (status == "draft")


def test_the_news_count_the_drafts_that_the_queue_opens_with(root: str) -> None:
    said = {"status": "draft", "source": "said:always", "confidence": 0.9}
    weak, wordless = {**said, "confidence": 0.3}, {**said, "needs_words": True}
    kinds = (said, said, said, weak, wordless, {**weak, "source": "told"})
    _store(root, *(_lesson(f"aaaaa{n}", **kind) for n, kind in enumerate(kinds)))
    publish(root)
    assert _waiting(root) == len([said, said, said, "nobody guessed the last one"])
    Path(paths.config_file()).write_text("draft_threshold = 0\n")
    publish(root)
    assert _waiting(root) == len([said, said, said, weak, "nobody guessed the last one"])
    Path(paths.config_file()).write_text("queue_size = 2\n")
    publish(root)
    assert _waiting(root) == 2
    assert len(rows.queue_page(open_workspace(root)).top) == 2


def test_news_that_are_gone_are_written_anew(root: str) -> None:
    _store(root, _lesson("aaaaaa", status="draft"))
    publish(root)
    Path(paths.news(root)).unlink()
    publish(root)
    assert _waiting(root) == 1


def test_marks_of_earlier_days_are_removed(root: str) -> None:
    _store(root, _lesson("aaaaaa"))
    Path(paths.news(root)).parent.mkdir(mode=0o700)
    for day in ("20260101", "20260102", "20260103"):
        Path(f"{paths.news(root)}.{day}").touch()
    publish(root)
    left = sorted(path.name for path in Path(root, "recall").glob("news.*"))
    assert left == ["news.20260102", "news.20260103"]


def test_a_publisher_reads_the_store_after_it_got_the_lock(root: str) -> None:
    """What an earlier publisher left is never replaced by something older."""
    _store(root, _lesson("aaaaaa"))
    waiting = threading.Thread(target=publish, args=(root,))
    with locks.held(Path(root, LOCK), wait_s=0, what="the test"):
        waiting.start()
        _store(root, _lesson("bbbbbb"), cursor="2-1.jsonl")
    waiting.join(30)
    assert b"Fact bbbbbb" in Path(paths.index(root)).read_bytes()


def test_a_reader_sees_the_old_or_the_new_index_whole(root: str) -> None:
    _store(root, *(_lesson(f"lesson{number:02d}") for number in range(30)))
    publish(root)
    done = threading.Event()

    def again() -> None:
        for _ in range(25):
            publish(root, force=True)
        done.set()

    publisher = threading.Thread(target=again)
    publisher.start()
    while not done.is_set():
        opened = index.read(paths.index(root))
        assert opened is not None
        assert opened.header["lessons"] == 30
        time.sleep(0)
    publisher.join(30)
