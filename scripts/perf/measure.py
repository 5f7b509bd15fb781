"""Interleaved rounds in random order, medians of the ratios within a round: what survives a busy machine."""

import os
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

WARM_UP = 2
Measures = dict[str, Callable[[int], float]]
"""What to measure, by name: told the number of the round, it says how many milliseconds it took."""
Samples = dict[str, list[float]]
"""Milliseconds by what was measured, one a round."""

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


@dataclass(frozen=True)
class Row:
    """One line of the table: what was asked for and what came out."""

    name: str
    goal: float
    value: float
    unit: str = "×"
    samples: tuple[float, ...] = ()
    """Milliseconds, for the percentiles."""
    at_least: bool = False
    note: str = ""

    @property
    def met(self) -> bool:
        """Whether the goal is reached."""
        return self.value >= self.goal if self.at_least else self.value <= self.goal


@dataclass(frozen=True)
class Command:
    """A process to start: arguments, environment, the file that is its standard input, where it starts."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    stdin: Path = Path(os.devnull)
    output: Path = Path(os.devnull)

    def spawn(self) -> int:
        """Start it and give its process id; `posix_spawn` costs a large parent no more than a small one."""
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, str(self.stdin), os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(self.output), _CREATE, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        return os.posix_spawn(self.argv[0], self.argv, dict(self.env), file_actions=actions)

    def run(self) -> float:
        """The milliseconds from start to end of the process; a failing one is an error of the benchmark."""
        start = time.perf_counter_ns()
        _, status = os.waitpid(self.spawn(), 0)
        took = (time.perf_counter_ns() - start) / 1e6
        if status:
            raise RuntimeError(f"{self.argv[0]} ended with {os.waitstatus_to_exitcode(status)}")
        return took


def rounds(count: int, measures: Measures) -> Samples:
    """Run every measure once a round, in random order; each is told the number of its round."""
    samples: Samples = {name: [] for name in measures}
    order = list(measures)
    for number in range(count + WARM_UP):
        random.shuffle(order)
        for name in order:
            took = measures[name](number)
            if number >= WARM_UP:
                samples[name].append(took)
    return samples


def ratio(samples: Samples, name: str, base: str) -> float:
    """The median of the ratios of each round."""
    return statistics.median(a / b for a, b in zip(samples[name], samples[base], strict=True))


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered) + 0.5) - 1))]


def compared(samples: Samples, name: str, base: str, goal: float, label: str = "", note: str = "") -> Row:
    """A row for one measure against another of the same rounds."""
    return Row(label or name, goal, ratio(samples, name, base), "×", tuple(samples[name]), note=note)
