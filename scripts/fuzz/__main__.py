"""`python -m scripts.fuzz [--runs N] [--only TARGET] [--seed N]`: fuzz each parser, look for costs."""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from scripts.fuzz import cost, guided, running
from scripts.fuzz.targets import TARGETS

RUNS = 1_050_000
_SHARES = {"feedback": 0.01, "settings": 0.02, "imported": 0.03, "filter_words": 0.03, "command_line": 0.05}
"""Of the runs, for targets that take long; the others share the rest."""
_MOST_S = 240
_COST_S = 40
_AT_ONCE = 2
_MOST_SHOWN = 8


def main() -> int:
    """Fuzz, print the table; exit code 1 where anything failed or cost too much."""
    chosen = _arguments()
    names, started = chosen.only or list(TARGETS), time.monotonic()
    with ProcessPoolExecutor(_AT_ONCE) as pool:
        results = list(pool.map(partial(_fuzz, chosen.runs, chosen.seed), names))
        costs = list(pool.map(_cost, names))
    for result, (tried, _) in zip(results, costs, strict=True):
        worst = f"{result.slowest_ms:,.1f} ms" if result.slowest else "-"
        print(f"{result.target:13} {result.runs:9,} {result.engine:17} {len(result.failures)} failed; "
              f"{tried:4} structures, slowest {worst}")  # fmt: skip
    runs, failures = (
        sum(result.runs for result in results),
        [f for result in results for f in result.failures],
    )
    findings = [finding for _, each in costs for finding in each]
    print(f"{runs:,} executions, {len(failures)} failed; {sum(tried for tried, _ in costs):,} structures, "
          f"{len(findings)} cost more than {cost.MOST}× at twice the size; "
          f"{time.monotonic() - started:.0f} s")  # fmt: skip
    for problem in [*failures, *(str(finding) for _, each in costs for finding in each[:_MOST_SHOWN])]:
        print(problem)
    return 1 if failures or findings else 0


def _fuzz(runs: int, seed: int, name: str) -> running.Result:
    """The share of one target: guided where that is possible, and a part of it by own mutation always."""
    count = int(runs * _share(name))
    result = running.mutated(name, count // 4 if guided.is_there() else count, seed, _MOST_S)
    if guided.is_there():
        executed, failed = guided.run(name, count - result.runs, seed, _MOST_S)
        result.runs += executed
        result.engine = "atheris, mutation"
        result.failures += [failed] if failed else []
    return result


def _share(name: str) -> float:
    rest = (1 - sum(_SHARES.values())) / (len(TARGETS) - len(_SHARES))
    return _SHARES.get(name, rest)


def _cost(name: str) -> tuple[int, list[cost.Finding]]:
    return cost.search(name, pairs=True, most_s=_COST_S)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.fuzz", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="executions in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", choices=list(TARGETS), help="one target (repeatable)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
