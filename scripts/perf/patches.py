"""Prompt patches: 500 agents' files, 50 patches; previewing all of them, applying all, reverting all."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from scripts.perf.measure import Row

from learnloop.service.patches import commit, patches
from learnloop.service.review import verdicts
from learnloop.service.workspace import open_workspace

FILES, PATCHES = 500, 50
_WORDS = (
    "agents", "tests", "words", "files", "ways", "names", "tools", "steps", "rules", "dates", "paths",
    "ports",
)  # fmt: skip


def measure(folder: Path, quick: bool) -> list[Row]:
    """Each agent has 40 lines; every patch is for all of them, as those of approved rules are."""
    files, count = (50, 5) if quick else (FILES, PATCHES)
    home, root = folder / "person", str(folder / "root")
    names = _agents(home / ".claude" / "agents", files)
    before = {
        name: os.environ.get(name)
        for name in ("HOME", "LEARNLOOP_HOME", "CLAUDE_CONFIG_DIR", "LEARNLOOP_BACKGROUND")
    }
    os.environ.pop("CLAUDE_CONFIG_DIR", None)
    os.environ.update(HOME=str(home), LEARNLOOP_HOME=root, LEARNLOOP_BACKGROUND="0")
    try:
        return _measured(root, names, count)
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})


def _measured(root: str, names: list[str], count: int) -> list[Row]:
    ws = open_workspace(root)
    _rules(root, count)
    chosen = [patch.id for patch in patches.listing(ws, "proposed")]
    assert len(chosen) == count
    preview = _took(lambda: patches.preview(ws, chosen))
    apply = _took(lambda: _done(patches.apply(ws, chosen), len(names) * count))
    again = _took(lambda: patches.preview(ws, chosen))
    revert = _took(lambda: _done(patches.revert(ws, chosen), len(names) * count))
    size = f"{len(names)} agents' files, {count} patches in each"
    return [
        Row(f"Preview all, {size}", 1_000, preview, "ms", (preview, again)),
        Row(f"Apply all, {size}", 3_000, apply, "ms", (apply,)),
        Row(f"Revert all, {size}", 5_000, revert, "ms", (revert,)),
    ]


def _done(report: commit.Report, count: int) -> None:
    assert not report.failed
    assert len(report.results) == count


def _took(work: Callable[[], object]) -> float:
    start = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - start) / 1e6


def _agents(folder: Path, count: int) -> list[str]:
    folder.mkdir(parents=True)
    names = [f"agent-{number:03d}" for number in range(count)]
    for name in names:
        body = "\n".join(f"- Line {at} of what {name} does with care." for at in range(40))
        (folder / f"{name}.md").write_text(
            f"---\nname: {name}\ndescription: Works\n---\n# {name}\n\n{body}\n"
        )
    return names


def _rules(root: str, count: int) -> None:
    """So many rules, told one by one, that say different things."""
    ws = open_workspace(root)
    for number in range(count):
        first, second = _WORDS[number % len(_WORDS)], _WORDS[(number * 7 + 3) % len(_WORDS)]
        verdicts.add(
            ws, f"Rule {number:02d} wants {first} number {number * 3} beside {second} in room {number * 11}"
        )
