"""Figures of the proofs: what a test counted is printed as a table after the run."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults import faulty_calls
from tests.hooks.conftest import agent, deployed

__all__ = ["agent", "deployed"]

Figure = Callable[[str, str], None]
_MARK = "figure: "


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Figure:
    """Note what was tried and what came of it, for the table."""

    def note(tried: str, result: str) -> None:
        record_property(_MARK + tried, result)

    return note


@pytest.fixture(scope="session")
def shim() -> Iterator[Path]:
    """A library that makes calls of other processes fail, or moves their clock; skipped without gcc."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # LD_PRELOAD is a list with spaces between
        try:
            library = faulty_calls.build(Path(folder))
        except faulty_calls.CannotBuild as error:
            pytest.skip(str(error))
        yield library


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    rows = list(_rows(terminalreporter))
    if rows:
        terminalreporter.section("figures")
        for tried, result in rows:
            terminalreporter.write_line(f"{tried}: {result}")


def _rows(reporter: pytest.TerminalReporter) -> Iterator[tuple[str, object]]:
    for report in (report for outcome in ("passed", "failed") for report in reporter.stats.get(outcome, ())):
        for name, value in report.user_properties:
            if name.startswith(_MARK):
                yield name.removeprefix(_MARK), value
