"""Ingest: journal to documents, whatever is cut off, torn or comes twice."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest import run
from learnloop.ingest.run import ingest
from learnloop.learn.lessons.drafts import MOST_EVIDENCE
from learnloop.store import fold, quarantine, segments, transaction
from learnloop.store.store import Store
from learnloop.wire import index, journal, paths
from tests.ingest.session_scene import START, Scene, comparable, decide, documents, write

Doc = dict[str, Any]


def test_a_correction_becomes_a_draft(root: str) -> None:
    write(root, Scene().corrected())
    report = ingest(root)
    (lesson,) = Store(root).lessons()

    assert (report.events, report.drafts, report.busy) == (6, 1, False)
    assert (lesson.status, lesson.statement) == ("draft", "Use pytest.")
    assert Store(root).feedback()[0].extracted_lesson == lesson.id
    assert [turn.prompt for turn in Store(root).turns()] == [
        "No, that's wrong, use pytest",
        "write a test for the parser",
    ]
    assert Store(root).sessions()[0].id == "s1"


def test_ingesting_again_changes_nothing(root: str) -> None:
    write(root, Scene().corrected())
    ingest(root)
    before = documents(root)

    assert ingest(root).events == 0
    assert documents(root) == before


def _published(root: str) -> int:
    published = index.read(paths.index(root))
    assert published is not None
    return int(published.header["lessons"])


def test_a_promoted_lesson_is_published(root: str) -> None:
    write(root, Scene().corrected())
    ingest(root)
    assert _published(root) == 0
    decide(root, "promote", [Store(root).lessons()[0].id])
    ingest(root)
    assert _published(root) == 1


def test_undo_takes_a_published_lesson_back(root: str) -> None:
    write(root, Scene().corrected())
    ingest(root)
    promote = decide(root, "promote", [Store(root).lessons()[0].id])
    ingest(root)
    decide(root, "undo", [], START + 10_000_001, decision=promote["id"])
    ingest(root)

    assert Store(root).lessons()[0].status == "draft"
    assert _published(root) == 0
    assert [decision.undone for decision in Store(root).decisions()] == [True, False]


def test_the_same_correction_again_is_counted_not_drafted(root: str) -> None:
    for number in range(MOST_EVIDENCE + 5):
        write(root, Scene(f"s{number}", start=START + number * 100_000).corrected())
    ingest(root)
    (lesson,) = Store(root).lessons()

    assert lesson.seen_count == MOST_EVIDENCE + 5
    assert len(lesson.evidence) == MOST_EVIDENCE
    assert lesson.evidence[0].session_id == "s0"


def test_the_same_words_of_another_project_are_another_lesson(root: str) -> None:
    write(root, Scene("s1").corrected(), Scene("s2", project="/code/blog", start=START + 100_000).corrected())
    ingest(root)

    assert {lesson.project for lesson in Store(root).lessons()} == {"/code/shop", "/code/blog"}


def test_an_active_lesson_that_did_not_help_recurs(root: str) -> None:
    write(root, Scene("s1").corrected())
    ingest(root)
    decide(root, "promote", [Store(root).lessons()[0].id])
    write(root, Scene("s2", start=START + 20_000_000).corrected())
    ingest(root)

    assert Store(root).lessons()[0].usage.recurred == 1


def test_a_correction_without_words_for_it_drafts_in_the_second_session(root: str) -> None:
    said = "you forgot the release party"
    write(root, Scene("s1").corrected(said))
    ingest(root)
    assert Store(root).lessons() == []
    write(root, Scene("s1", start=START + 100_000).prompt("x").stop().prompt(said, after_s=60))
    ingest(root)
    assert Store(root).lessons() == []
    write(root, Scene("s2", start=START + 200_000).corrected(said))
    ingest(root)
    (lesson,) = Store(root).lessons()

    assert (lesson.needs_words, lesson.source) == (True, "repeated")
    assert {item.session_id for item in lesson.evidence} == {"s1", "s2"}


def test_recalls_are_counted_on_the_lesson(root: str) -> None:
    write(root, Scene().corrected())
    ingest(root)
    lesson_id = Store(root).lessons()[0].id
    told = {"moment": "prompt", "lessons": [{"id": lesson_id, "score": 70}, {"id": "gone", "score": 70}]}
    later = Scene(start=START + 50_000).add("recall", told)
    write(root, later)
    ingest(root)
    usage = Store(root).lessons()[0].usage

    assert (usage.recalled, usage.last_recalled) == (1, later.events[0]["ts"])


def test_health_counts_by_day(root: str) -> None:
    write(root, Scene().prompt("go", hook_ms=12.0))
    ingest(root)
    write(root, Scene(start=START + 60_000).prompt("on", hook_ms=14.0))
    ingest(root)
    ((day, doc),) = Store(root).documents("health").items()

    assert day == "2026-09-21"
    assert doc["kinds"] == {"prompt": 2}
    assert sum(doc["latencies"]["prompt"]) == 2


@pytest.mark.parametrize(
    "broken",
    [
        {"kind": "unheard of"},
        {"id": "short"},
        {"ts": "yesterday"},
        {"host": 7},
        {"payload": {"prompt": "x"}, "kind": "decision"},
    ],
)
def test_what_is_no_event_is_set_aside_and_counted(root: str, broken: Doc) -> None:
    good = Scene().corrected()
    (bad,) = Scene("bad").prompt("x").events
    assert journal.append(root, [{**bad, **broken}])
    write(root, good)
    report = ingest(root)

    assert report.quarantined == 1
    assert len(quarantine.listing(root)) == 1
    assert len(Store(root).lessons()) == 1


def test_another_ingest_is_not_waited_for(root: str) -> None:
    write(root, Scene().corrected())
    with Store(root).transaction():
        assert ingest(root).busy
        assert ingest(root, wait_s=0.05).busy
    assert ingest(root).drafts == 1


def _kill_at(step: int, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Let the process 'die' before the nth file is replaced; how many were replaced before."""
    replaced = 0
    whole = transaction.Table.write

    def write_or_die(self: transaction.Table, cursor: str, more: Doc | None = None) -> Path:
        nonlocal replaced
        if replaced == step:
            raise KeyboardInterrupt
        replaced += 1
        return whole(self, cursor, more)

    monkeypatch.setattr(transaction.Table, "write", write_or_die)
    return lambda: replaced


def _story() -> Iterator[Callable[[str], object]]:
    """Segments with drafts, verdicts, repeats, sightings and recalls, each a step."""
    ids: list[str] = []
    first = (
        Scene("s1").corrected(),
        Scene("s2", start=START + 100_000).corrected("you forgot the changelog entry"),
    )
    yield lambda root: write(root, *first, Scene("s0", start=START + 150_000).corrected("never push to main"))
    yield lambda root: ids.extend(lesson.id for lesson in Store(root).lessons())
    yield lambda root: write(root, Scene("s3", start=START + 200_000).corrected("always run the linter"))
    yield lambda root: decide(root, "promote", ids[:1])
    yield lambda root: decide(root, "reject", ids[1:], START + 10_000_001)
    yield lambda root: write(root, Scene("s7", start=START + 250_000).corrected("never push to main"))
    yield lambda root: write(
        root, Scene("s4", start=START + 300_000).corrected("you forgot the changelog entry")
    )
    told = {"moment": "tool", "lessons": [{"id": "", "score": 70}]}

    def recalled(root: str) -> None:
        told["lessons"] = [{"id": ids[0], "score": 70}]
        write(root, Scene("s4", start=START + 400_000).add("recall", told, hook_ms=9.0))

    yield recalled
    yield lambda root: write(root, Scene("s5", start=START + 500_000).corrected())
    yield lambda root: decide(root, "archive", ids[:1], START + 10_000_002, reason="unused")
    archived = f"{START + 10_000_002:032x}"
    yield lambda root: decide(root, "undo", ids[:1], START + 10_000_003, decision=archived)


def _tell(root: str, *, until: int) -> None:
    """Play the story; what comes after `until` steps waits in segments of its own."""
    for number, step in enumerate(_story()):
        step(root)
        if number < until:
            ingest(root)
        else:
            fold.fold(root)


@pytest.mark.slow
def test_cut_off_at_any_write_and_run_again_the_result_is_the_same(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda _fd: None)  # it is the process that dies here, not the machine
    whole = str(tmp_path / "whole")
    _tell(whole, until=2)
    ingest(whole)
    for step in range(100):
        cut = str(tmp_path / f"cut{step}")
        _tell(cut, until=2)
        with monkeypatch.context() as patched:
            replaced = _kill_at(step, patched)
            try:
                ingest(cut)
            except KeyboardInterrupt:
                died = True
            else:
                died = False
        ingest(cut)
        assert comparable(cut) == comparable(whole), step
        assert Store(cut).cursor() == segments.names(cut)[-1]
        if not died:
            assert replaced() == step
            return
    pytest.fail("there is no end of writes")


def test_cut_off_again_and_again_the_result_is_the_same(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda _fd: None)
    monkeypatch.setattr(run, "PER_TRANSACTION", 1)
    _tell(str(tmp_path / "whole"), until=99)
    dice = random.Random(7)
    _tell(root, until=2)
    for _ in range(60):
        with monkeypatch.context() as patched:
            _kill_at(dice.randrange(6), patched)
            try:
                ingest(root)
            except KeyboardInterrupt:
                continue
            break
    ingest(root)

    assert comparable(root) == comparable(str(tmp_path / "whole"))


def test_one_transaction_or_many_make_the_same_documents(tmp_path: Path, root: str) -> None:
    one, many = str(tmp_path / "one"), str(tmp_path / "many")
    _tell(one, until=2)
    ingest(one)
    _tell(many, until=99)

    assert comparable(one) == comparable(many)


def test_publishing_is_made_up_for_after_a_crash(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, Scene().corrected())
    ingest(root)
    decide(root, "promote", [Store(root).lessons()[0].id])
    with monkeypatch.context() as patched:

        def die(_root: str) -> None:
            raise KeyboardInterrupt

        patched.setattr(run, "publish", die)
        with pytest.raises(KeyboardInterrupt):
            ingest(root)
    ingest(root)

    assert _published(root) == 1


def test_a_damaged_file_is_mended_and_ingest_goes_on(root: str) -> None:
    write(root, Scene("s1").corrected())
    ingest(root)
    Path(paths.store(root), "lessons.json").write_text("{torn")
    write(root, Scene("s2", start=START + 100_000).corrected("always run the linter"))
    ingest(root)

    assert {lesson.statement for lesson in Store(root).lessons()} == {
        "Use pytest.",
        "Always run the linter.",
    }
