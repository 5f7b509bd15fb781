"""Disks that are full, read-only or failing, under real hooks and verbs: nothing acknowledged is lost."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from learnloop.service.review import verdicts
from learnloop.service.workspace import open_workspace
from learnloop.store import fold, pending
from learnloop.store.store import Store
from learnloop.wire import paths
from tests.faults import faulty_calls, hooked_store
from tests.faults.conftest import Figure
from tests.generated_drafts import seed_queue
from tests.hooks.agent import Agent
from tests.store import numbered_events

LEVELS = [64, 600, 4_000]
"""KiB that are left of the disk."""
CALLS = [("write",), ("fsync", "fdatasync"), ("rename",), ("read",)]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 6 MB with 4,000 inodes; needs the right to mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    options = "size=6m,nr_inodes=4000,mode=0700"
    command = [mount or "mount", "-t", "tmpfs", "-o", options, "learnloop", str(place)]
    if mount is None or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("mounting a tmpfs needs root rights that this run does not have")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True, capture_output=True)


@pytest.fixture
def disk_agent(disk: Path, tmp_path: Path, deployed: Path, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """An agent whose store lies on that disk."""
    root = str(disk / "home")
    for name in ("XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LEARNLOOP_HOME", root)
    monkeypatch.setenv("LEARNLOOP_BACKGROUND", "0")
    paths.ensure_dir(root)
    Path(paths.hooks(root)).symlink_to(deployed)
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    return Agent(root, project)


def _remount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(disk)], check=True, capture_output=True)


def _leave(disk: Path, left_kib: int) -> None:
    room = os.statvfs(disk)
    size = room.f_bavail * room.f_frsize - left_kib * 1024
    with (disk / "filler").open("wb") as file:
        for at in range(0, size, 4096):
            file.write(b"x" * min(4096, size - at))


def _take_inodes(disk: Path) -> None:
    (disk / "many").mkdir()
    count = 0
    while os.statvfs(disk).f_favail:
        (disk / "many" / str(count)).touch()
        count += 1


def _started(agent: Agent) -> str:
    """What the person is told when a session starts."""
    return str(json.loads(agent.fire("SessionStart", source="startup") or "{}").get("systemMessage", ""))


@pytest.mark.parametrize("lacks", ["bytes", "inodes"])
def test_what_a_full_disk_cost_is_told_at_the_next_start(disk_agent: Agent, disk: Path, lacks: str) -> None:
    """Also where there is room again by then; and once."""
    _typed(disk_agent, range(1))
    fold.fold(disk_agent.root)
    Path(disk_agent.root, "ballast").unlink(missing_ok=True)
    if lacks == "bytes":
        _leave(disk, 0)
    else:
        _take_inodes(disk)
    assert _typed(disk_agent, range(1, 3)) == []
    assert "cannot record this session" in _started(disk_agent)
    shutil.rmtree(disk / "many", ignore_errors=True)
    (disk / "filler").unlink(missing_ok=True)
    assert "could not record 3 times, last on " in _started(disk_agent)
    assert "could not record" not in _started(disk_agent)


def _typed(agent: Agent, numbers: range) -> list[str]:
    """Type long prompts; those that stand in the store afterwards are the ones acknowledged."""
    words = [f"prompt {number} " + "x" * 9_000 for number in numbers]
    for each in words:
        hooked_store.prompt(agent, each)
    visible = {record["payload"]["prompt"] for record in _visible(agent.root) if record["kind"] == "prompt"}
    return [each for each in words if each in visible]


def _visible(root: str) -> list[dict[str, Any]]:
    return pending.records(root, "")


def _survives_a_full_disk(agent: Agent, disk: Path, left_kib: int, count: int) -> int:
    """Type until the disk is full, ingest on the full disk, then with room; how many prompts were kept."""
    before = _typed(agent, range(3))
    assert hooked_store.learn(agent, "ingest").returncode == 0
    _leave(disk, left_kib)
    during = _typed(agent, range(3, 3 + count))
    refused = hooked_store.learn(agent, "ingest")
    assert "Traceback" not in refused.stderr
    visible = [record["payload"]["prompt"] for record in _visible(agent.root) if record["kind"] == "prompt"]
    assert set(before + during) <= set(visible)
    _remount(disk, "size=40m")
    after = _typed(agent, range(100, 103))
    assert len(after) == 3
    hooked_store.settle(agent.root)
    hooked_store.assert_once(agent.root, before + during + after)
    assert [name for name in numbered_events.litter(agent.root) if not name.startswith("spool/")] == []
    return len(during)


@pytest.mark.slow
def test_a_full_disk(disk_agent: Agent, disk: Path, figure: Figure) -> None:
    kept = _survives_a_full_disk(disk_agent, disk, 64, 12)
    figure("full disk, 64 KiB left, 12 prompts of 9 KB", f"{kept} kept, 0 lost, 0 twice")


@pytest.mark.long
@pytest.mark.parametrize("left_kib", LEVELS)
def test_a_full_disk_at_every_level(disk_agent: Agent, disk: Path, left_kib: int, figure: Figure) -> None:
    kept = _survives_a_full_disk(disk_agent, disk, left_kib, 90)
    figure(f"full disk, {left_kib} KiB left, 90 prompts of 9 KB", f"{kept} kept, 0 lost, 0 twice")


@pytest.mark.long
def test_no_inodes(disk_agent: Agent, disk: Path, figure: Figure) -> None:
    before = _typed(disk_agent, range(3))
    _take_inodes(disk)
    during = _typed(disk_agent, range(3, 13))
    assert "Traceback" not in hooked_store.learn(disk_agent, "ingest").stderr
    shutil.rmtree(disk / "many")
    hooked_store.settle(disk_agent.root)
    hooked_store.assert_once(disk_agent.root, before + during)
    figure("no inodes left, 10 prompts", f"{len(during)} kept, 0 lost, 0 twice")


@pytest.mark.long
def test_a_disk_that_becomes_read_only(disk_agent: Agent, disk: Path, figure: Figure) -> None:
    before = _typed(disk_agent, range(3))
    hooked_store.settle(disk_agent.root)
    before += _typed(disk_agent, range(3, 6))
    _remount(disk, "ro")
    assert _typed(disk_agent, range(6, 10)) == []
    for verb in (["ingest"], ["status"], ["drafts"], ["doctor"]):
        done = hooked_store.learn(disk_agent, *verb)
        assert "Traceback" not in done.stderr, verb
    _remount(disk, "rw")
    after = _typed(disk_agent, range(10, 12))
    hooked_store.settle(disk_agent.root)
    hooked_store.assert_once(disk_agent.root, before + after)
    figure("read-only remount (EROFS), 4 prompts and 4 verbs", "exit 0 of every hook, 0 lost, 0 twice")


@pytest.mark.slow
@pytest.mark.parametrize("calls", [CALLS[1], *(pytest.param(c, marks=pytest.mark.long) for c in CALLS)])
def test_calls_that_end_with_eio(agent: Agent, shim: Path, calls: tuple[str, ...], figure: Figure) -> None:
    """A broken disk under hooks, ingest and a verdict: what is there stays whole, what follows works."""
    root = agent.root
    seed_queue(root, 3)
    before = _typed(agent, range(3))
    broken = faulty_calls.failing(shim, hooked_store.folder_of(root), *calls)
    for number in range(3, 6):
        hooked_store.prompt(agent, f"prompt {number} on a broken disk", **broken)
    documents = Store(root).documents("lessons")
    ingested = hooked_store.learn(agent, "ingest", **broken)
    refused = hooked_store.learn(agent, "reject", min(documents), "--reason", "wrong", **broken)
    assert "Traceback" not in ingested.stderr + refused.stderr
    after = _typed(agent, range(10, 13))
    hooked_store.settle(root)
    hooked_store.assert_once(root, before + after)
    verdicts.reject(open_workspace(root), max(documents), "wrong")
    hooked_store.settle(root)
    assert hooked_store.status(root)[max(documents)] == "rejected"
    assert Store(root).documents("lessons").keys() == documents.keys()
    is_kept = refused.returncode == 0 or "it is kept" in refused.stderr
    assert hooked_store.status(root)[min(documents)] == ("rejected" if is_kept else "draft")
    figure(
        f"EIO of {', '.join(calls)}: 3 hooks, an ingest, a verdict", "exit 0 of every hook, 0 lost, 0 twice"
    )
