"""Decisions that take effect where they are made, whatever of the journal is not read yet."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest import decided, run
from learnloop.ingest.run import ingest
from learnloop.learn.lessons import claims
from learnloop.models import Lesson
from learnloop.store import fold, pending, seal
from learnloop.store.store import Store
from learnloop.wire import clock, event, index, paths
from tests.ingest.session_scene import START, Scene, comparable, decide, write

Step = Callable[[str], object]
LATER = START + 10_000_000


def take(root: str) -> None:
    decided.take(root, 1.0)


def told(lesson_id: str, statement: str) -> dict[str, Any]:
    at = clock.iso(LATER)
    return Lesson(
        id=lesson_id, status="active", statement=statement, scope="global", created=at, updated=at
    ).as_json()


def _drafts(root: str) -> list[str]:
    """Three drafts that every run of the story begins with, by their words."""
    write(root, Scene("s1").corrected(), Scene("s0", start=START + 150_000).corrected("never push to main"))
    write(root, Scene("s2", start=START + 200_000).corrected("always run the linter"))
    ingest(root)
    return [lesson.id for lesson in sorted(Store(root).lessons(), key=lambda lesson: lesson.statement)]


def _story(ids: list[str]) -> Iterator[Step]:
    """What happens then: repeats, recalls and verdicts in turn, each a step."""
    first, second, third = ids
    own = "o" * 26
    undone = f"{LATER + 4:032x}"
    recalled = {"moment": "tool", "lessons": [{"id": second, "score": 70}]}
    steps: list[Step] = [
        lambda root: write(root, Scene("s3", start=START + 300_000).corrected("always run the linter")),
        lambda root: decide(root, "promote", [first], LATER, statement="Run the linter always."),
        lambda root: write(root, Scene("s4", start=START + 400_000).corrected("never push to main")),
        lambda root: decide(root, "promote", [second], LATER + 1, stop=True),
        lambda root: write(root, Scene("s5", start=START + 500_000).add("recall", recalled, hook_ms=9.0)),
        lambda root: decide(root, "rate", [second], LATER + 2, verdict="helpful", of={second: ""}),
        lambda root: write(root, Scene("s6", start=START + 600_000).corrected("use tabs, not spaces")),
        lambda root: decide(root, "add", [own], LATER + 3, lesson=told(own, "Use tabs, not spaces.")),
        lambda root: write(root, Scene("s7", start=START + 700_000).corrected()),
        lambda root: decide(root, "merge", [first, third], LATER + 4, keep=first),
        lambda root: write(root, Scene("s8", start=START + 800_000).corrected("always run the linter")),
        lambda root: decide(root, "undo", [first, third], LATER + 5, decision=undone),
        lambda root: decide(root, "edit", [own], LATER + 6, statement="Tabs are used.", priority="HIGH"),
        lambda root: decide(root, "trust", [], LATER + 7, project="/code/shop", trusted=True),
        lambda root: decide(root, "archive", [second], LATER + 8, reason="unused"),
        lambda root: write(root, Scene("s9", start=START + 900_000).corrected("never push to main")),
        lambda root: decide(root, "redo", [first, third], LATER + 9, decision=undone),
        lambda root: decide(root, "reject", [third], LATER + 10, reason="wrong"),
    ]
    yield from steps


@pytest.fixture(scope="module")
def in_turn(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A root where each step of the story was ingested before the next."""
    root = str(tmp_path_factory.mktemp("story") / "in turn")
    for step in _story(_drafts(root)):
        step(root)
        ingest(root)
    return root


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 20))]
)
def test_any_order_of_ingest_and_verdicts_makes_the_same_documents(
    root: str, in_turn: str, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr("os.fsync", lambda _fd: None)
    dice = random.Random(seed)
    monkeypatch.setattr(run, "PER_TRANSACTION", dice.choice((1, 3)))
    for step in _story(_drafts(root)):
        step(root)
        dice.choice((take, take, fold.fold, ingest, str))(root)
    ingest(root)
    assert comparable(root) == comparable(in_turn)


def test_a_verdict_is_published_while_events_before_it_are_unread(root: str) -> None:
    first, *_ = _drafts(root)
    write(root, Scene("s3", start=START + 300_000).corrected("never push to main"))
    cursor = Store(root).cursor()
    decide(root, "promote", [first])
    take(root)
    published = index.read(paths.index(root))
    assert published is not None
    assert (published.header["lessons"], Store(root).cursor()) == (1, cursor)
    assert pending.unread(root) == len(Scene("s3").corrected().events)


def test_a_verdict_stays_in_effect_while_earlier_events_are_read(root: str) -> None:
    first, *_ = _drafts(root)
    write(root, Scene("s3", start=START + 300_000).corrected("never push to main"))
    fold.fold(root)
    decide(root, "promote", [first])
    take(root)
    run.transact(Store(root), 1.0)  # of the folded events alone
    assert pending.unread(root) == 0
    assert Store(root).documents("lessons")[first]["status"] == "active"


def test_taking_again_changes_nothing(root: str) -> None:
    first, *_ = _drafts(root)
    decide(root, "promote", [first])
    take(root)
    before = Path(paths.store(root), "lessons.json").stat().st_ino
    take(root)
    assert Path(paths.store(root), "lessons.json").stat().st_ino == before
    assert pending.unread(root) == 0


def test_a_verdict_within_a_call_that_nobody_has_read_yet_has_no_effect(root: str) -> None:
    first, *_ = _drafts(root)
    write(root, Scene("s3", start=LATER - 2_000).call("Bash", "bash work.sh", kind="tool_start"))
    where = {"agent": "", "attended": False, "since_ms": 0}
    payload = {"action": "promote", "lesson_ids": [first], "args": {}, "by": "cli", "place": where}
    record = event.record(
        "decision", host="learnloop", session_id="cli", cwd="", project="", payload=payload, ts_ms=LATER
    )
    assert seal.append(root, [record])
    for take_in in (take, ingest):
        take_in(root)
        assert Store(root).documents("decisions")[record["id"]]["claimed"] == claims.IN_CALL
        assert Store(root).documents("lessons")[first]["status"] == "draft"
