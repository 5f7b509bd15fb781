"""`make simulate`: what experiments promise, in worlds with a known truth, as tables.

Each run is looked at after every session until its last one, whatever was known before. Seeds are fixed:
two calls print the same. `ARGS="--runs 1000"` scatters less and takes longer.
"""

import argparse
import random
from collections.abc import Callable, Iterator
from statistics import median
from typing import NamedTuple

from learnloop.learn.statistics import lift
from learnloop.learn.statistics.lift import CORRELATION, ArmSums, Pace, of_session, size

SESSIONS, LONGEST = 1_500, 4_000
"""Sessions of a run without an effect, and of one that waits for its effect."""
Moments = Callable[[random.Random], int]


class World(NamedTuple):
    """The rates per moment of both arms, the part held out, how alike a session is, its moments."""

    held: float
    told: float
    share: float
    alike: float = CORRELATION
    moments: Moments = lambda _: 1


def _few_long(rng: random.Random) -> int:
    return rng.randint(10, 60) if rng.random() < 0.05 else 1


def _most_turns(rng: random.Random) -> int:
    """Of sessions of some eight turns four in five are moments; one in thirty is of up to a hundred."""
    turns = rng.randint(30, 107) if rng.random() < 0.03 else rng.randint(1, 10)
    return sum(rng.random() < 0.8 for _ in range(turns))


NO_EFFECT = {
    "33 %, a fifth held out": World(0.33, 0.33, 0.2), "33 %, half": World(0.33, 0.33, 0.5),
    "33 %, a twentieth": World(0.33, 0.33, 0.05), "50 %, a fifth": World(0.5, 0.5, 0.2),
    "10 %, a fifth": World(0.1, 0.1, 0.2), "5 %, half": World(0.05, 0.05, 0.5),
    "2 %, half": World(0.02, 0.02, 0.5), "33 %, sessions alike 0.3": World(0.33, 0.33, 0.5, 0.3),
    "33 %, most turns, alike 0.3": World(0.33, 0.33, 0.5, 0.3, _most_turns),
    "33 %, one in twenty has 10 to 60": World(0.33, 0.33, 0.5, 0.3, _few_long),
}  # fmt: skip
POWER = [
    World(base, base - fewer, share)
    for base, fewer in ((0.33, 0.25), (0.33, 0.18), (0.33, 0.10), (0.5, 0.25), (0.5, 0.18), (0.5, 0.10))
    for share in (0.5, 0.2)
]
ALL_TOGETHER = {
    "3 sessions a day, 1 moment, 33 %": World(0.33, 0.2475, 0.1),
    "3 a day, 5 moments, 50 %": World(0.5, 0.375, 0.1, moments=lambda _: 5),
    "3 a day, 5 moments, 50 %, half held out": World(0.5, 0.375, 0.5, moments=lambda _: 5),
}  # fmt: skip


def looks(world: World, seed: int, sessions: int) -> Iterator[tuple[int, int, lift.Range | None]]:
    """After each session: how many there were, their moments, and the range of the difference."""
    rng, told, held, moments = random.Random(f"{world[:4]} {seed}"), ArmSums(), ArmSums(), 0
    spread = (1 - world.alike) / world.alike
    for number in range(1, sessions + 1):
        is_held, count = rng.random() < world.share, world.moments(rng)
        rate = world.held if is_held else world.told
        level = rng.betavariate(rate * spread, (1 - rate) * spread)
        if count:
            one = of_session(count, sum(rng.random() < level for _ in range(count)))
            told, held = (told, held.plus(one)) if is_held else (told.plus(one), held)
        moments += count
        yield number, moments, lift.compare(told, held).difference


def _without_effect(world: World, runs: int) -> tuple[float, float]:
    """The shares of runs with any false alarm, and of those whose every look held the truth."""
    alarms = covered = 0
    for seed in range(runs):
        known = [each for _, _, each in looks(world, seed, SESSIONS) if each is not None]
        alarms += any(each.sign for each in known)
        covered += all(each.low <= 0 <= each.high for each in known)
    return alarms / runs, covered / runs


def _known_after(world: World, runs: int, sessions: int = LONGEST) -> list[tuple[float, float]]:
    """Sessions and moments until "fewer" was first said, of each run; never: infinite."""
    never = float("inf"), float("inf")
    firsts = (
        next(((n, m) for n, m, known in looks(world, seed, sessions) if known and known.sign < 0), never)
        for seed in range(runs)
    )
    return list(firsts)


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--runs", type=int, default=200, help="runs of each world (default 200)")
    runs = parser.parse_args().runs
    print(f"No effect, {runs} runs of {SESSIONS} sessions, a look after each\n")
    print("| world | any false alarm | covers the truth at every look |\n|---|---:|---:|")
    for name, world in NO_EFFECT.items():
        alarm, covers = _without_effect(world, runs)
        print(f"| {name} | {alarm:.1%} | {covers:.1%} |", flush=True)
    print("\nMoments until every second run knows\n\n| world | planned | simulated | planned ÷ simulated |")
    print("|---|---:|---:|---:|")
    for world in POWER:
        planned = size(world.held, 1 - world.told / world.held, world.share, Pace(1, 1)).moments
        seen = median(moments for _, moments in _known_after(world, runs))
        rates = f"{world.held:.0%} → {world.told:.0%}, {world.share:.0%} held out"
        print(f"| {rates} | {planned} | {seen:.0f} | {planned / seen:.2f} |", flush=True)
    print("\nAll lessons together, a quarter fewer corrections\n")
    print("| world | knows within 8 weeks | 26 weeks | 52 weeks |\n|---|---:|---:|---:|")
    for name, world in ALL_TOGETHER.items():
        seen_after = [sessions for sessions, _ in _known_after(world, runs, 3 * 7 * 52)]
        shares = [sum(each <= 21 * weeks for each in seen_after) / runs for weeks in (8, 26, 52)]
        print(f"| {name} | {' | '.join(f'{share:.0%}' for share in shares)} |", flush=True)


if __name__ == "__main__":
    main()
