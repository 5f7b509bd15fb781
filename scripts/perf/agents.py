"""Agents: what counting 1,000 new turns costs in a store that counted 100,000, against an empty one."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

from scripts.perf.measure import Row, compared, rounds

from learnloop.ingest import agents
from learnloop.ingest.effects import AgentRemarked, TallyChanged
from learnloop.store.store import Store
from learnloop.wire import clock

HELD, NEW = 100_000, 1_000
_DAY_MS = 86_400_000
_AGENTS = ("main", "code-reviewer", "test-writer", "refactorer", "docs-writer")
_SAID = "no, use tool{} instead of the other one for part {}"


def measure(folder: Path, quick: bool) -> list[Row]:
    """The ratio of the two, each a transaction of its own; the turns are of 10 projects in 90 days."""
    held, new = (5_000, 200) if quick else (HELD, NEW)
    segments = {"empty": 0, "full": 0}

    def take(name: str, count: int, seed: int) -> float:
        segments[name] += 1
        effects = list(_effects(count, seed))
        start = time.perf_counter_ns()
        with Store(str(folder / name)).transaction() as tx:
            counted = agents.Agents(tx)
            tx.cursor = f"{segments[name]:013d}-000000"
            for effect in effects:
                counted.apply(effect)
        return (time.perf_counter_ns() - start) / 1e6

    def anew(number: int) -> float:
        (folder / "empty" / "store" / "agents.json").unlink(missing_ok=True)
        (folder / "empty" / "store" / "state.json").unlink(missing_ok=True)
        return take("empty", new, 500 + number)

    for name in segments:
        (folder / name).mkdir(parents=True)
    take("full", held, 1)
    samples = rounds(3 if quick else 20, {"empty": anew, "full": lambda n: take("full", new, 100 + n)})
    size = (folder / "full" / "store" / "agents.json").stat().st_size
    label = f"Agents: {new:,} new turns, {held:,} counted before against none"
    return [compared(samples, "full", "empty", 2.0, label, note=f"agents.json has {size / 1e6:.1f} MB")]


def _effects(count: int, seed: int) -> Iterator[TallyChanged | AgentRemarked]:
    """Turns as ingest counts them: each begun, then judged; one in five is corrected in words."""
    pick = random.Random(seed)
    now = clock.now_ms()
    for number in range(count):
        started = clock.iso(now - pick.randrange(90) * _DAY_MS - number)
        project, agent = f"/somewhere/project-{pick.randrange(10)}", pick.choice(_AGENTS)
        outcome = pick.choice(("success", "success", "unknown", "revision", "cancellation"))
        turn = {
            "started": started, "origin": "human", "prompt": "extend the parser", "agents": [agent, "main"],
            "starts": {} if agent == "main" else {agent: 1}, "agent_used": agent, "outcome": "unknown",
            "files": [f"src/part{number % 50}.py", "tests/test_part.py"], "recalled": [],
        }  # fmt: skip
        before = agents.shares(turn)
        yield TallyChanged(project, "claude", started, [], before)
        yield TallyChanged(project, "claude", started, before, agents.shares({**turn, "outcome": outcome}))
        if outcome == "revision":
            words = _SAID.format(pick.randrange(40), number % 7)
            remark = {
                "id": f"{seed}-{number}",
                "turn": f"t{number}",
                "ts": started,
                "words": words,
                "says": "",
            }
            yield AgentRemarked(agent, project, "claude", remark)
