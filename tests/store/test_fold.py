"""Folding: everything appended ends in segments, once, in order; what is no event is set aside."""

import os
import time
from pathlib import Path

import pytest

from learnloop.store import locks, quarantine, segments
from learnloop.store.fold import FoldReport, fold
from learnloop.wire import clock, journal, paths
from tests.store import numbered_events


def test_nothing_to_fold_leaves_nothing_behind(root: str) -> None:
    assert fold(root) == FoldReport()
    assert not Path(root).exists()


def test_events_move_from_the_journal_to_a_segment(root: str) -> None:
    ids = numbered_events.append(root, 1, 2, 3)
    report = fold(root)
    assert (report.events, report.quarantined, report.busy) == (3, 0, False)
    assert report.segments
    assert [record["id"] for record in segments.read(root, report.segments[-1])] == ids
    assert not Path(root, "journal.jsonl").exists()
    assert numbered_events.litter(root) == []


def test_journal_spool_and_leftovers_are_merged_by_time(root: str) -> None:
    numbered_events.rotated(root, 1_000, 1, 4)
    numbered_events.append(root, 2, 6)
    numbered_events.spool(root, 3, 5)
    report = fold(root)
    assert report.segments
    found = [record["id"] for record in segments.read(root, report.segments[-1])]
    assert found == [numbered_events.event_id(number) for number in (1, 2, 3, 4, 5, 6)]
    assert numbered_events.litter(root) == []


def test_the_runtime_spool_is_folded_too(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    numbered_events.block(paths.journal(root))
    numbered_events.block(paths.spool(root))
    ids = numbered_events.append(root, 1)
    assert numbered_events.seen(root) == ids
    assert fold(root).events == 1
    assert list(Path(journal.runtime_spool(root)).iterdir()) == []


def test_an_event_that_came_twice_is_kept_once(root: str) -> None:
    numbered_events.append(root, 1, 2)
    numbered_events.spool(root, 2)
    report = fold(root)
    assert (report.events, report.duplicates) == (2, 1)


def test_what_the_newest_fold_holds_already_is_left_out(root: str) -> None:
    numbered_events.append(root, 1, 2)
    fold(root)
    numbered_events.spool(root, 2, 3)
    assert fold(root).events == 1
    assert set(numbered_events.stored(root).values()) == {1}


@pytest.mark.parametrize(
    "line",
    [
        b"not json", b"[]", b"null", b"{}", b'{"id":"x"}', b'{"id":1,"kind":"prompt","ts":"t"}',
        b"\xff\xfe{}", b'{"id":"x","kind":"prompt","ts":""}',
        b'{"id":"x","kind":"prompt","ts":"t","payload":[]}',
        b"[" * 100_000, b'{"id":"x","kind":"prompt","ts":"t","n":' + b"9" * 5000 + b"}", b"\0" * 64,
    ],
)  # fmt: skip
def test_foreign_lines_are_counted_and_kept_byte_for_byte(root: str, line: bytes) -> None:
    numbered_events.append(root, 1)
    with Path(root, "journal.jsonl").open("ab") as file:
        file.write(line + b"\n")
    numbered_events.append(root, 2)
    report = fold(root)
    assert (report.events, report.quarantined) == (2, 1)
    assert numbered_events.kept(root) == [line + b"\n"]


def test_a_torn_line_costs_itself_only(root: str) -> None:
    numbered_events.append(root, 1)
    with Path(root, "journal.jsonl").open("ab") as file:
        file.write(numbered_events.TORN)
    ids = numbered_events.append(root, 2)
    assert numbered_events.seen(root) == [numbered_events.event_id(1), *ids]
    assert fold(root).events == 2
    assert numbered_events.kept(root) == [numbered_events.TORN[1:] + b"\n"]


def test_a_torn_tail_is_kept_without_a_newline_of_ours(root: str) -> None:
    numbered_events.append(root, 1)
    with Path(root, "journal.jsonl").open("ab") as file:
        file.write(numbered_events.TORN)
    fold(root)
    assert numbered_events.kept(root) == [numbered_events.TORN[1:]]


def test_the_quarantine_says_where_a_line_stood(root: str) -> None:
    numbered_events.append(root, 1)
    with Path(root, "journal.jsonl").open("ab") as file:
        file.write(b"one\ntwo\n")
    fold(root)
    (kept,) = quarantine.listing(root)
    assert kept.source.startswith("journal.")
    assert (kept.lines, kept.bytes, kept.reason) == (2, 8, "unreadable")


def test_a_full_journal_becomes_several_parts_in_order(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("learnloop.store.fold.PART_EVENTS", 10)
    ids = numbered_events.append(root, *range(25))
    report = fold(root)
    assert len(report.segments) == 3
    assert [record["id"] for name in report.segments for record in segments.read(root, name)] == ids


def test_segment_names_grow_when_the_clock_goes_back(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    for number, ms in enumerate((2_000_000_000_000, 1_000_000_000_000, 2_000_000_000_000, 5)):
        monkeypatch.setattr(clock, "now_ms", lambda ms=ms: ms)
        numbered_events.append(root, number)
        names += fold(root).segments
    assert names == sorted(set(names))
    assert len(names) == 4


def test_names_grow_past_the_cursor_when_all_segments_are_gone(root: str) -> None:
    from learnloop.store.store import Store

    with Store(root).transaction() as changes:
        changes.cursor = "9000000000000-000000.jsonl"
    numbered_events.append(root, 1)
    segment = fold(root).segments[-1]
    assert segment is not None
    assert segment > "9000000000000-000000.jsonl"


def test_a_rotated_journal_is_never_written_over(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now_ms", lambda: 5_000)
    numbered_events.rotated(root, 5_000, 1)
    numbered_events.append(root, 2)
    assert fold(root).events == 2


def test_only_one_fold_at_a_time(root: str) -> None:
    ids = numbered_events.append(root, 1)
    with locks.held(Path(root, "fold.lock"), wait_s=0, what="the journal"):
        assert fold(root) == FoldReport(busy=True)
    assert numbered_events.seen(root) == ids
    assert fold(root).events == 1


def test_the_same_fold_again_changes_nothing(root: str) -> None:
    numbered_events.append(root, 1, 2)
    fold(root)
    before = segments.names(root)
    assert fold(root) == FoldReport()
    assert segments.names(root) == before


def test_a_reserve_is_kept_for_a_full_disk(root: str) -> None:
    numbered_events.append(root, 1)
    fold(root)
    assert Path(root, "ballast").stat().st_size == 256 * 1024


def test_what_a_killed_writer_left_in_the_spool_is_set_aside_once_it_is_old(root: str) -> None:
    numbered_events.spool(root, 1)
    half = Path(root, "spool", "x.tmp")
    half.write_bytes(b"half")
    fold(root)
    assert half.exists()
    long_ago = time.time() - 3600
    os.utime(half, (long_ago, long_ago))
    numbered_events.append(root, 2)
    fold(root)
    assert not half.exists()
    assert numbered_events.kept(root) == [b"half"]


def test_bytes_that_rot_in_a_segment_are_set_aside_once(root: str) -> None:
    numbered_events.append(root, 1, 2)
    name = fold(root).segments[-1]
    assert name is not None
    with segments.path(root, name).open("ab") as file:
        file.write(b"rot\n")
    assert [len(list(segments.read(root, name))) for _ in range(3)] == [2, 2, 2]
    assert numbered_events.kept(root) == [b"rot\n"]


def test_old_ingested_segments_can_be_pruned_but_the_newest(root: str) -> None:
    names: list[str] = []
    for number in range(3):
        numbered_events.append(root, number)
        names += fold(root).segments
    assert segments.prune(root, before_ms=1 << 60, cursor=names[0]) == names[:1]
    assert segments.prune(root, before_ms=1 << 60, cursor=names[2]) == names[1:2]
    assert segments.names(root) == names[2:]


def test_a_journal_that_is_a_link_is_left_alone(root: str, tmp_path: Path) -> None:
    Path(root).mkdir()
    (tmp_path / "elsewhere").write_bytes(b"precious\n")
    Path(root, "journal.jsonl").symlink_to(tmp_path / "elsewhere")
    ids = numbered_events.append(root, 1)
    assert fold(root).postponed
    assert numbered_events.seen(root)[-1:] == ids
    assert (tmp_path / "elsewhere").read_bytes() == b"precious\n"
