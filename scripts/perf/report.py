"""The table: on the terminal, and between the markers of docs/benchmarks.md."""

import time
from collections.abc import Sequence
from pathlib import Path

from scripts.perf.measure import Row, percentile

START, END = "<!-- measured: start -->", "<!-- measured: end -->"
DOCUMENT = Path(__file__).parents[2] / "docs" / "benchmarks.md"
_HEAD = ("Measure", "Goal", "Measured", "P50 ms", "P95 ms", "P99 ms", "")
_RECORD = ("Measure", "Goal", "Measured", "", "Measured on")


def table(rows: Sequence[Row]) -> str:
    """A Markdown table that is also legible as plain text."""
    return aligned([_HEAD, *map(_cells, rows)])


def aligned(cells: Sequence[tuple[str, ...]]) -> str:
    """Rows of cells, the head first, as a Markdown table whose columns stand under each other."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "| " + " | ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) + " |" for line in cells
    ]
    rule = "|" + "|".join("-" * (w + 2) for w in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _cells(row: Row) -> tuple[str, ...]:
    name, goal, value, verdict = _goal_and_value(row)
    times = [f"{percentile(row.samples, p):.1f}" if row.samples else "" for p in (0.5, 0.95, 0.99)]
    return (name, goal, value, *times, verdict)


def _goal_and_value(row: Row) -> tuple[str, str, str, str]:
    goal = f"{'≥' if row.at_least else '≤'} {_number(row.goal, row.unit)}"
    return row.name, goal, _number(row.value, row.unit), "pass" if row.met else "short"


def _number(value: float, unit: str) -> str:
    if unit == "×":
        return f"{value:.2f}×"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def today() -> str:
    """The date of a run, as docs/benchmarks.md has it."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def write(rows: Sequence[Row], document: Path = DOCUMENT) -> None:
    """Replace the measured rows between the markers, and add those that are new there."""
    before, _, rest = document.read_text().partition(START)
    stored, _, after = rest.partition(END)
    recorded = {cells[0]: cells for cells in map(_split, stored.splitlines()) if len(cells) == len(_RECORD)}
    recorded |= {row.name: (*_goal_and_value(row), today()) for row in rows}
    recorded = {name: cells for name, cells in recorded.items() if name != _RECORD[0] and name.strip("-")}
    lines = aligned([_RECORD, *recorded.values()])
    document.write_text(f"{before}{START}\n\n{lines}\n\n{END}{after}")


def _split(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
