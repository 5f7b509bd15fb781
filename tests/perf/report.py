"""The table: on the terminal, and between the markers of docs/benchmarks.md."""

import os
import platform
import time
from collections.abc import Sequence
from pathlib import Path

from tests.perf.measure import Row, percentile

START, END = "<!-- measured: start -->", "<!-- measured: end -->"
DOCUMENT = Path(__file__).parents[2] / "docs" / "benchmarks.md"
_HEAD = ("Measure", "Goal", "Measured", "P50 ms", "P95 ms", "P99 ms", "")


def table(rows: Sequence[Row]) -> str:
    """A Markdown table that is also legible as plain text."""
    cells = [_HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_HEAD))]
    lines = [
        "| " + " | ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) + " |" for line in cells
    ]
    rule = "|" + "|".join("-" * (w + 2) for w in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _cells(row: Row) -> tuple[str, ...]:
    sign = "≥" if row.at_least else "≤"
    times = [f"{percentile(row.samples, p):.1f}" if row.samples else "" for p in (0.5, 0.95, 0.99)]
    return (
        row.name,
        f"{sign} {_number(row.goal, row.unit)}",
        _number(row.value, row.unit),
        *times,
        "pass" if row.met else "short",
    )


def _number(value: float, unit: str) -> str:
    if unit == "×":
        return f"{value:.2f}×"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def machine() -> str:
    """Date, cores, processor and Python; nothing that names the machine or its user."""
    today = time.strftime("%-d %B %Y", time.gmtime())
    python = f"{platform.python_implementation()} {platform.python_version()}"
    cores = f"{os.cpu_count()} cores ({_processor()})"
    return f"{today}; {cores}, {platform.system()} {_kernel()}, {python}"


def _kernel() -> str:
    return ".".join(platform.release().split(".")[:2])


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.machine()


def write(rows: Sequence[Row], command: str, document: Path = DOCUMENT) -> None:
    """Replace what stands between the markers; everything around them is written by hand."""
    before, _, rest = document.read_text().partition(START)
    _, _, after = rest.partition(END)
    notes = "\n".join(f"- {row.name}: {row.note}" for row in rows if row.note)
    parts = [START, f"Measured {machine()}, by `{command}`.", table(rows), *([notes] if notes else []), END]
    document.write_text(before + "\n\n".join(parts) + after)
