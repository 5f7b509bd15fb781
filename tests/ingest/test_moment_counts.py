"""Counts of settled months are kept beside the store, and are always those of the stored moments."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from learnloop.ingest import analyze, background, moment_counts
from learnloop.learn.experiments import counts
from learnloop.service.transfer.forget import forget
from learnloop.service.workspace import Workspace
from learnloop.store import tinydb_file
from learnloop.store.store import Store
from learnloop.wire import clock
from tests.ingest.moments_scene import AGAIN, BREAKS, HELD, TOLD, TRIAL, met, stored
from tests.ingest.session_scene import Scene
from tests.ingest.told_lessons import PROJECT, add, take

DAY_MS = 86_400_000


def turn(session: str, lesson_id: str, days_ago: int, arm: str = TOLD) -> Scene:
    """A turn with a moment, so many days ago."""
    scene = Scene(session, PROJECT, start=clock.now_ms() - days_ago * DAY_MS)
    return (
        met(scene.prompt("add left-pad", f"p{days_ago}"), lesson_id, arm)
        .call("Bash", BREAKS)
        .stop("I added it.")
    )


@pytest.fixture
def old(ws: Workspace) -> Scene:
    """The first of three sessions in three months; one of the others goes on in the next month."""
    lesson_id = add(ws, "Use pnpm, not npm.")
    first = turn("s1", lesson_id, 80)
    take(
        ws, first, turn("s2", lesson_id, 45, HELD), turn("s2", lesson_id, 10, HELD), turn("s3", lesson_id, 0)
    )
    return first


def settled(root: str) -> list[Path]:
    return sorted(Path(root, moment_counts.FOLDER).glob("*"))


def is_right(root: str) -> bool:
    return moment_counts.counted(root) == counts.count(stored(root)) == moment_counts.counted(root)


def test_a_session_is_counted_once_in_all_its_months(ws: Workspace, old: Scene) -> None:
    assert is_right(ws.root)
    assert moment_counts.counted(ws.root)[TRIAL][HELD]["s2"][0] == 2


def test_a_month_that_has_not_changed_is_not_counted_again(ws: Workspace, old: Scene) -> None:
    before = moment_counts.counted(ws.root)
    shard = tinydb_file.path(ws.root, Store(ws.root).shards("moments")[-1])
    stat = shard.stat()
    shard.write_bytes(shard.read_bytes().replace(b'"s1"', b'"s9"'))
    os.utime(shard, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert moment_counts.counted(ws.root) == before
    os.utime(shard)
    assert set(moment_counts.counted(ws.root)[TRIAL][TOLD]) == {"s9", "s3"}


def test_a_remark_that_comes_late_moves_a_moment_and_back(ws: Workspace, old: Scene) -> None:
    assert moment_counts.counted(ws.root)[TRIAL][TOLD]["s1"][1] == 0
    take(ws, Scene("s1", PROJECT, start=old.ms).prompt(AGAIN, "p2").stop())
    assert moment_counts.counted(ws.root)[TRIAL][TOLD]["s1"][1] == 1
    assert is_right(ws.root)
    forget(ws, session="s1")
    assert set(moment_counts.counted(ws.root)[TRIAL][TOLD]) == {"s3"}
    assert is_right(ws.root)


def test_a_new_reading_of_history_counts_anew(ws: Workspace, old: Scene) -> None:
    before = moment_counts.counted(ws.root)
    analyze.analyze(ws.root)
    assert moment_counts.counted(ws.root) == before
    assert is_right(ws.root)


def test_what_is_forgotten_is_in_no_counts(ws: Workspace, old: Scene) -> None:
    moment_counts.counted(ws.root)
    assert forget(ws, session="s1").remaining == 0
    moment_counts.counted(ws.root)
    assert all(b'"s1"' not in file.read_bytes() for file in settled(ws.root))


def test_counts_go_with_the_retention_of_their_moments(
    ws: Workspace, old: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment_counts.counted(ws.root)
    now_ms = clock.now_ms
    monkeypatch.setattr(clock, "now_ms", lambda: now_ms() + 40 * DAY_MS)
    background.run(ws.root)
    assert all(b'"s1"' not in file.read_bytes() for file in settled(ws.root))
    assert is_right(ws.root)


DAMAGE: list[Callable[[bytes], bytes]] = [
    lambda data: b"", lambda data: data[:-9], lambda data: b"{}", lambda data: data.replace(b'"s2"', b'"s9"'),
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_counts_are_made_anew(ws: Workspace, old: Scene, damage: Callable[[bytes], bytes]) -> None:
    before = moment_counts.counted(ws.root)
    for file in settled(ws.root):
        file.write_bytes(damage(file.read_bytes()))
    assert moment_counts.counted(ws.root) == before
