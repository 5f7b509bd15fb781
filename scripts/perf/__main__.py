"""`python -m scripts.perf [--quick] [--only NAME] [--write]`: measure, print the table, record it."""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from scripts.perf import (
    agents,
    backfill,
    backtest,
    clusters,
    commands,
    console,
    detection,
    experiment_costs,
    facts,
    hooks,
    ingest,
    other_hosts,
    patches,
    priming,
    recall,
    redaction,
    report,
    session_pane,
    team_costs,
    vectors,
    year,
)
from scripts.perf.measure import Row

Group = Callable[[Path, bool], list[Row]]
GROUPS: dict[str, Group] = {
    "hooks": hooks.small_store,
    "checks": hooks.checks,
    "hosts": other_hosts.measure,
    "large": hooks.large_store,
    "memory": hooks.memory,
    "burst": hooks.burst,
    "priming": priming.measure,
    "vectors": vectors.measure,
    "redaction": redaction.measure,
    "holdout": experiment_costs.holdout,
    "experiments": experiment_costs.listing,
    "ingest": ingest.measure,
    "backfill": backfill.measure,
    "detector": detection.measure,
    "recall": recall.measure,
    "backtest": backtest.measure,
    "agents": agents.measure,
    "facts": facts.measure,
    "clusters": clusters.measure,
    "patches": patches.measure,
    "commands": commands.measure,
    "start": console.start_up,
    "live": console.live,
    "keys": console.keys,
    "year": year.measure,
    "triage": year.triage,
    "sessions": session_pane.watching,
    "team": team_costs.measure,
}


def main() -> int:
    """Measure the chosen groups; exit code 1 where a goal is not reached."""
    chosen = _arguments()
    rows: list[Row] = []
    for name in chosen.only or GROUPS:
        with tempfile.TemporaryDirectory(prefix="learnloop-perf-") as folder:
            print(f"measuring {name} …", file=sys.stderr, flush=True)
            rows += GROUPS[name](Path(folder).resolve(), chosen.quick)
    print(report.table(rows))
    for row in rows:
        if row.note:
            print(f"{row.name}: {row.note}")
    if chosen.write:
        report.write(rows)
    return 0 if all(row.met for row in rows) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.perf", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few rounds only: does it run at all")
    parser.add_argument("--only", action="append", choices=list(GROUPS), help="one group (repeatable)")
    parser.add_argument("--write", action="store_true", help="record the rows in docs/benchmarks.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
