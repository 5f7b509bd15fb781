"""`python -m scripts.soak [--events N] [--lessons N]`: a simulated year against 10,000 events, as a table."""

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from scripts.soak import measuring, simulated

EVENTS, SMALL, LESSONS = 1_000_000, 10_000, 5_000
MOST = 2.0
_LINEAR = ("events", "store/history.db", "store/agents")
"""What has to grow with what is recorded, and is not held to the ratio."""
_ROUNDS = 9
_LEAST_MB = 0.1


def main() -> int:
    """Build both stores, measure, print; exit code 1 where anything costs more than twice."""
    chosen = _arguments()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="learnloop-soak-") as name:
        folder = Path(name).resolve()
        os.environ.update({"HOME": name, "LEARNLOOP_BACKGROUND": "0", "LEARNLOOP_HOME": str(folder / "year")})
        roots = {"small": folder / "small", "year": folder / "year"}
        with ProcessPoolExecutor(2) as pool:
            list(
                pool.map(
                    partial(_build, chosen.lessons),
                    roots.values(),
                    (min(SMALL, chosen.events), chosen.events),
                )
            )
        built = time.monotonic() - started
        rows = _rows(folder, roots)
    print(f"{chosen.events:,} events, {chosen.lessons:,} lessons, {simulated.WEEKS} weeks; "
          f"built in {built:.0f} s, measured in {time.monotonic() - started - built:.0f} s")  # fmt: skip
    short = [row for row in rows if not _print(*row)]
    return 1 if short else 0


def _build(lessons: int, root: Path, events: int) -> None:
    simulated.live(root, events, lessons, loud=True)


def _rows(folder: Path, roots: dict[str, Path]) -> list[tuple[str, float, float, str]]:
    """Name, value of the small store, value of the year, unit."""
    sizes = {label: measuring.sizes(root) for label, root in roots.items()}
    rows = [
        (part, sizes["small"].get(part, 0), size, "MB")
        for part, size in sizes["year"].items()
        if size > _LEAST_MB
    ]
    medians = measuring.medians(measuring.times(folder, roots, _ROUNDS))
    names = [name.removesuffix(", year") for name in medians if name.endswith(", year")]
    rows += [(name, medians[f"{name}, small"], medians[f"{name}, year"], "ms") for name in names]
    memory = {label: measuring.memory(folder, root) for label, root in roots.items()}
    return rows + [(name, memory["small"][name], value, "MB") for name, value in memory["year"].items()]


def _print(name: str, small: float, year: float, unit: str) -> bool:
    """A line of the table; whether the figure holds."""
    ratio = year / max(small, 1e-9)
    is_linear = name in _LINEAR
    holds = is_linear or ratio <= MOST or (unit == "MB" and year < 1)
    verdict = "linear" if is_linear else "SHORT" if not holds else "holds" if ratio <= MOST else "small"
    print(f"{name:28} {small:10.2f} {year:10.2f} {unit}  {ratio:8.2f}×  {verdict}")
    return holds


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.soak", description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--lessons", type=int, default=LESSONS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
