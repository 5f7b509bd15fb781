"""Whether another call may be made: what was spent, limits of a day, rests after failures, what stops it."""

import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from learnloop.distill.model_clients import NOT_LOGGED_IN
from learnloop.learn.lessons.origins import local_day
from learnloop.models.fact import FactRun
from learnloop.settings import Facts
from learnloop.store import files
from learnloop.wire import clock, paths

HOUR_MS, DAY_MS = 3_600_000, 86_400_000
PATIENCE = 3
"""Failures in a row before it rests."""
_CALL_USD, _CHAR_USD = 0.0045, 2.5e-7
"""What the instructions with an answer cost, and a character of a prompt."""
BY_HAND = "by hand"
"""The client of answers that a person gave: they cost nothing."""


class Spent(NamedTuple):
    """What the calls of a day came to."""

    calls: int
    seconds: float
    cost: float
    unpriced: int
    """Calls that told no cost."""


def spent(runs: Sequence[FactRun], day: str) -> Spent:
    """The sum of the calls that began on a local day, as `local_day` names it."""
    calls = [run for run in runs if local_day(run.started) == day and run.client != BY_HAND]
    seconds = sum(run.ms for run in calls) / 1000
    cost = sum(run.cost_usd or 0.0 for run in calls)
    return Spent(len(calls), seconds, cost, sum(run.cost_usd is None for run in calls))


def guess(chars: Sequence[int], runs: Sequence[FactRun]) -> float:
    """Dollars for requests about texts of so many characters.

    As calls cost so far; without any at a small model's usual price, $1 and $5 for a million tokens.
    """
    paid = [run.cost_usd for run in runs if run.stage == "extract" and run.cost_usd is not None]
    if paid:
        return len(chars) * sum(paid) / len(paid)
    return len(chars) * _CALL_USD + sum(chars) * _CHAR_USD


def of_kind(runs: Sequence[FactRun], *, turns: bool) -> list[FactRun]:
    """The runs that judged turns, or all others: each kind has limits and rests of its own."""
    return [run for run in runs if (run.stage == "ask") is turns]


def why_not(
    runs: Sequence[FactRun], limits: Facts, now_ms: int, resumed: str = "", *, turns: bool = False
) -> str:
    """Why no call of a kind may be made now; empty where one may.

    `resumed` is when a person last said go on.
    """
    runs = of_kind(runs, turns=turns)
    return _rest(runs, now_ms, resumed) or _limit(spent(runs, local_day(clock.iso(now_ms))), limits, turns)


def _limit(today: Spent, limits: Facts, turns: bool) -> str:
    spendings = {"calls": today.calls, "seconds": today.seconds, "cost": today.cost}
    if turns:
        spendings = {"turns": today.calls, "turns_cost": today.cost}
    most = {f"{name}_per_day": value for name, value in spendings.items()}
    name = next((name for name, value in most.items() if 0 < getattr(limits, name) <= value), "")
    return f"the limit of today is reached (facts.{name}); reading continues tomorrow" if name else ""


def _rest(runs: Sequence[FactRun], now_ms: int, resumed: str) -> str:
    ordered = sorted((run for run in runs if run.client != BY_HAND), key=lambda run: run.started)
    failures = []
    for run in reversed(ordered):
        if run.outcome == "done" or run.started <= resumed:
            break
        failures.append(run)
    if failures and failures[0].error == NOT_LOGGED_IN:
        return "the client is not logged in: log in, then: learn facts run"
    if len(failures) < PATIENCE:
        return ""
    rest_ms = min(HOUR_MS << min(len(failures) - PATIENCE, 5), DAY_MS)
    until = clock.parse_ms(failures[0].started) + rest_ms
    words = f"{len(failures)} calls failed in a row, the last: {failures[0].error or failures[0].outcome}"
    is_over = not until - rest_ms <= now_ms < until  # also after a clock that was ahead
    at = time.strftime("%H:%M", time.localtime(until / 1000))
    return "" if is_over else f"{words}; it rests until {at} on {local_day(clock.iso(until))}"


LOCK, UNDER_WAY = "facts.lock", "facts/under-way"
"""Below the root: who reads holds the first; the second notes a call until what came of it is recorded."""


def resume(root: str) -> None:
    """Go on, whatever failed before."""
    (_folder(root) / "paused").unlink(missing_ok=True)
    files.replace(_folder(root) / "resumed", [clock.iso(clock.now_ms()).encode()])


def why_paused(root: str) -> str:
    """That a person paused it with an earlier version, in words; empty where none did."""
    return "it is paused: learn facts run goes on" if (_folder(root) / "paused").exists() else ""


def resumed_at(root: str) -> str:
    """When a person last said that it shall go on; empty where none did."""
    return (files.read(_folder(root) / "resumed") or b"").decode("ascii", "replace")


def empty_folder(root: str) -> str:
    """The folder in which commands run: nothing is in it, and only the person may look."""
    folder = _folder(root) / "call"
    shutil.rmtree(folder, ignore_errors=True)
    paths.ensure_dir(str(folder))
    return str(folder)


def _folder(root: str) -> Path:
    return Path(root, "facts")
