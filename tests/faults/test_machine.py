"""Any order of appends, torn lines, folds, ingests and crashes: the acknowledged events are there, once."""

import itertools
import os
import posix
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from learnloop.store.fold import fold
from learnloop.store.store import Store
from learnloop.wire import clock
from tests.faults import checks
from tests.store import numbered_events

POINTS = st.integers(0, 40)


class Machine(RuleBasedStateMachine):
    """A root to which things happen; what was acknowledged is what a plain set remembers."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.root = f"{self.folder}/home"
        self.acked: set[str] = set()
        self.torn = 0
        self.numbers = itertools.count()
        self.now = numbered_events.START_MS
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(clock, "now_ms", lambda: self.now)
        self.patch.delenv("XDG_RUNTIME_DIR", raising=False)

    def teardown(self) -> None:
        try:
            fold(self.root)
            checks.ingest(self.root)
            assert set(Store(self.root).documents("lessons")) == self.acked
            assert Store(self.root).state().get("n", 0) == len(self.acked)
            assert numbered_events.stored(self.root) == dict.fromkeys(self.acked, 1)
            assert [
                name for name in numbered_events.litter(self.root) if not name.startswith("backups/")
            ] == []
            assert sum(data.count(b"torn half") for data in numbered_events.kept(self.root)) == self.torn
        finally:
            self.patch.undo()
            shutil.rmtree(self.folder)

    @rule(count=st.integers(1, 3))
    def append(self, count: int) -> None:
        got = numbered_events.append(self.root, *itertools.islice(self.numbers, count))
        assert len(got) == count
        self.acked.update(got)

    @rule()
    def append_past_a_held_lock(self) -> None:
        self.acked.update(numbered_events.spool(self.root, next(self.numbers)))

    @precondition(lambda self: Path(self.root, "journal.jsonl").exists())
    @rule()
    def tear(self) -> None:
        with Path(self.root, "journal.jsonl").open("ab") as file:
            file.write(numbered_events.TORN)
        self.torn += 1

    @rule(step=st.integers(-10_000, 10_000))
    def clock_jumps(self, step: int) -> None:
        self.now += step

    @rule()
    def fold(self) -> None:
        fold(self.root)

    @rule()
    def ingest(self) -> None:
        checks.ingest(self.root)

    @rule(point=POINTS)
    def fold_crashes(self, point: int) -> None:
        checks._crashed(lambda: fold(self.root), point)

    @rule(point=POINTS)
    def ingest_crashes(self, point: int) -> None:
        checks._crashed(lambda: checks.ingest(self.root), point)

    @invariant()
    def everything_is_seen_once(self) -> None:
        seen = numbered_events.seen(self.root)
        assert len(seen) == len(set(seen))
        assert set(seen) == self.acked


@pytest.mark.slow
@pytest.mark.usefixtures("root")
def test_any_order_of_events_and_crashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posix, "fsync", checks.no_disk)
    monkeypatch.setattr(os, "fsync", checks.no_disk)
    limits = settings(
        max_examples=40, stateful_step_count=20, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    run_state_machine_as_test(Machine, settings=limits)
