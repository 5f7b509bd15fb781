"""A process that dies before any single step on disk: of an append, a fold with ingest, a publish."""

import posix
import shutil
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from scripts.perf import big_stores

from learnloop.ingest.run import ingest
from learnloop.service.health.quick_status import is_current
from learnloop.service.review import verdicts
from learnloop.service.workspace import open_workspace
from learnloop.store import tinydb_file
from learnloop.store.store import Store
from learnloop.wire import clock, index, journal, paths
from tests.faults.conftest import Figure
from tests.faults.patch_steps import DEAD, Steps, forked
from tests.store import numbered_events

_BOOKKEEPING = ("_drafted", "_segment", "_view")
"""Fields that name the fold, which counts on after a crash."""


@pytest.fixture
def prepared(root: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store with documents, and new events and decisions in its journal; the clock stands still."""
    place = Path(root)
    place.mkdir()
    big_stores.write(place, big_stores.events(150, "/p", days=1, seed=1, one_in=3))
    ingest(root)
    big_stores.write(place, big_stores.events(150, "/p", days=1, seed=2, one_in=3))
    big_stores.write(place, big_stores.lessons(3, "/p"))
    now = clock.now_ms()
    monkeypatch.setattr(clock, "now_ms", lambda: now)
    shutil.copytree(root, f"{root}-kept")
    return root


def _documents(root: str) -> dict[str, list[dict[str, Any]]]:
    store = Store(root)
    single = {name: list(store.documents(name).values()) for name in ("lessons", "decisions", "health")}
    sharded = {
        name: list(store.all_documents(name)) for name in ("turns", "feedback", "sessions", "sightings")
    }
    return {
        name: sorted((_public(document) for document in documents), key=str)
        for name, documents in (single | sharded).items()
    }


def _public(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in _BOOKKEEPING}


def _dies(work: Callable[[], object], number: int) -> tuple[int, str]:
    """Run something in a process that dies before its step of that number, counting from 1; 0 for never."""
    steps = Steps("die", number)

    def run() -> int:
        steps.take_over()
        work()
        return steps.count

    return forked(run)


def _ingest_dies(root: str, points: Iterable[int], expected: dict[str, list[dict[str, Any]]]) -> int:
    tried = 0
    for number in points:
        shutil.rmtree(root)
        shutil.copytree(f"{root}-kept", root)
        assert _dies(lambda: ingest(root), number)[0] == DEAD, number
        for path in Path(root, "store").rglob("*.json"):
            assert tinydb_file.load(path), f"{path.name}, death at step {number}"
        ingest(root)
        assert _documents(root) == expected, f"death at step {number}"
        left = [name for name in numbered_events.litter(root) if not name.startswith("backups/")]
        assert left == [], f"death at step {number}"  # the next backup removes what a dying one left
        tried += 1
    return tried


def _undisturbed(root: str) -> tuple[int, dict[str, list[dict[str, Any]]]]:
    code, told = _dies(lambda: ingest(root), 0)
    assert code == 0, told
    return int(told), _documents(root)


@pytest.mark.slow
def test_an_ingest_that_dies_at_some_steps(prepared: str, figure: Figure) -> None:
    steps, expected = _undisturbed(prepared)
    tried = _ingest_dies(prepared, range(5, steps + 1, steps // 5), expected)
    figure(f"death at {tried} of {steps} steps of fold, ingest and publish", "the same documents each time")


@pytest.mark.long
@pytest.mark.timeout(300)
def test_an_ingest_that_dies_at_every_step(prepared: str, figure: Figure) -> None:
    steps, expected = _undisturbed(prepared)
    tried = _ingest_dies(prepared, range(1, steps + 1), expected)
    figure(f"death at each of {tried} steps of fold, ingest and publish", "the same documents each time")


def _index(root: str) -> bytes:
    """The lessons that hooks read."""
    assert index.read(paths.index(root)) is not None
    return Path(paths.index(root)).read_bytes()


@pytest.mark.parametrize("repair", ["ingest", pytest.param("another verdict", marks=pytest.mark.slow)])
def test_a_verdict_that_dies_at_every_step(prepared: str, figure: Figure, repair: str) -> None:
    """It is in the journal: whatever runs next makes up for it, in the documents and in the index."""
    root, ws = prepared, open_workspace(prepared)
    ingest(root)  # the decision is made beside nothing that is unread
    shutil.rmtree(f"{root}-kept")
    shutil.copytree(root, f"{root}-kept")
    active = [lesson for lesson in Store(root).lessons() if lesson.status == "active"]
    archived, paused, words = active[0].id, active[1].id, active[0].statement.encode()
    archive = partial(verdicts.archive, ws, [archived])
    steps = int(_dies(archive, 0)[1])
    for number in range(1, steps + 1):
        shutil.rmtree(root)
        shutil.copytree(f"{root}-kept", root)
        assert _dies(archive, number)[0] == DEAD, number
        ingest(root) if repair == "ingest" else verdicts.pause(ws, paused, paused=True)
        status, told = Store(root).documents("lessons")[archived]["status"], _index(root)
        assert status == "archived", f"death at step {number}"
        assert words not in told, f"death at step {number}"
        assert is_current(root), f"death at step {number}"
    figure(f"death at each of {steps} steps of a verdict after its append, then {repair}", "it is in effect")


_APPENDING = ("open", "write", "fdatasync", "fsync", "rename", "fchmod", "close")


@pytest.mark.parametrize("way", ["journal", "spool"])
def test_an_append_that_dies_at_every_step(root: str, way: str, figure: Figure) -> None:
    """What a dying writer leaves is its whole event or none, and costs nobody else's."""
    Path(root).mkdir()
    acked: list[str] = []
    for number in range(1, 60):
        if way == "spool":
            numbered_events.block(f"{root}/journal.jsonl")
        code, _ = forked(partial(_append, root, number))
        assert code in (0, DEAD)
        if code == 0:
            break
        Path(root, "journal.jsonl").unlink() if way == "spool" else None
        acked += numbered_events.append(root, 1_000 + number)
        ingest(root)
    else:
        pytest.fail("the append never ended")
    stored = numbered_events.stored(root)
    assert set(acked) <= set(stored)
    assert set(stored.values()) == {1}
    figure(
        f"death at each of {number - 1} steps of an append to the {way}", "whole or not at all, 0 others lost"
    )


def _append(root: str, number: int) -> None:
    steps = Steps("die", number)
    for name in _APPENDING:
        setattr(posix, name, steps.wrap(name, getattr(posix, name)))
    journal.append(root, [numbered_events.made(number)], durable=True)
