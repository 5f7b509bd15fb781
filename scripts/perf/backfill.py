"""Backfill: a thousand old sessions, read as a person reads them on the first day."""

import json
import random
import time
from pathlib import Path
from typing import Any

from scripts.perf.big_stores import DAY_MS
from scripts.perf.measure import Row

from learnloop.service.intake import backfill
from learnloop.service.workspace import Workspace
from learnloop.wire import clock

_TRANSCRIPTS, _BYTES = 1_000, 200_000_000
_TURNS, _CALLS = 8, 6
_PROJECTS = 12
_TOPICS = ("the cart", "the login", "the report", "the mailer", "the parser", "the settings", "the upload")
_TASKS = ("Please look into {} and fix what is broken", "Add a test for {}", "Why is {} slow?", "Refactor {}")
_REPEATED = (
    "No, use pnpm instead of npm in this repo", "Don't commit without asking me", "I said no default exports",
    "Stop adding comments to every line", "You forgot to update CHANGELOG.md", "Answers should be short",
    "Always run the tests before you say it works",
)  # fmt: skip
_SINGLE = "No, don't use {tool}{number} for {topic}, use {tool}{other}"


def measure(folder: Path, quick: bool) -> list[Row]:
    """Seconds for 1,000 transcripts of 200 MB."""
    count = 20 if quick else _TRANSCRIPTS
    size = write(folder / "projects", count, _BYTES // _TRANSCRIPTS)
    start = time.perf_counter()
    report = backfill.backfill(Workspace(str(folder / "store")), [str(folder / "projects")])
    took = time.perf_counter() - start
    note = f"{size / 1e6:.0f} MB; {report}. {report.said}"
    return [Row(f"Backfill of {count:,} transcripts", 60, took, "s", (took * 1000,), note=note)]


def write(folder: Path, count: int, size: int) -> int:
    """Write so many transcripts of so many bytes below a folder, over 90 days; returns all their bytes."""
    pick, now, total = random.Random(5), clock.now_ms(), 0
    for number in range(count):
        project = f"project{number % _PROJECTS}"
        file = folder / f"-code-{project}" / f"{number:08x}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        start = now - (count - number) * 90 * DAY_MS // count
        file.write_text("".join(_session(number, f"/code/{project}", start, size, pick)), "utf-8")
        total += file.stat().st_size
    return total


def _session(number: int, cwd: str, start: int, size: int, pick: random.Random) -> list[str]:
    bulk = size // (_TURNS * _CALLS) - 600
    lines: list[str] = []

    def add(kind: str, content: Any) -> None:
        at = clock.iso(start + len(lines) * 1_000)
        fields = {"sessionId": f"{number:08x}", "cwd": cwd, "uuid": f"{number}-{len(lines)}", "timestamp": at}
        message = {"role": kind, "content": content}
        lines.append(json.dumps({"type": kind, **fields, "isSidechain": False, "message": message}) + "\n")

    for turn in range(_TURNS):
        add("user", _prompt(number * _TURNS + turn, pick))
        for call in range(_CALLS):
            use = f"toolu_{number:x}_{turn}_{call}"
            given = {"file_path": f"{cwd}/src/part{call}.py"} if call else {"command": f"pytest tests/{turn}"}
            tool = {"type": "tool_use", "id": use, "name": "Edit" if call else "Bash", "input": given}
            add("assistant", [tool])
            add(
                "user",
                [{"type": "tool_result", "tool_use_id": use, "content": "a line of code\n" * (bulk // 15)}],
            )
        add("assistant", [{"type": "text", "text": f"Part {turn} is done and the tests pass."}])
    return lines


def _prompt(number: int, pick: random.Random) -> str:
    topic = pick.choice(_TOPICS)
    if number % _TURNS and pick.random() < 0.1:
        if pick.random() < 0.3:
            return pick.choice(_REPEATED)
        return _SINGLE.format(tool="tool", number=number, topic=topic, other=number + 1)
    return pick.choice(_TASKS).format(topic)
