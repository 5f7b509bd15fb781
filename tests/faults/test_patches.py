"""Patches when the process dies or the disk is full, at every single step: old or new, and a true log."""

import contextlib
import resource
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from learnloop.errors import LearnloopError
from learnloop.patch import blocks
from learnloop.service.health import doctor
from learnloop.service.patches import block_upkeep, patches
from learnloop.service.workspace import open_workspace
from tests.faults.patch_steps import DEAD, Steps, forked
from tests.service.patches import patch_home

Files = dict[str, bytes]


class World:
    """A home of two agents and a store with two rules, put back before each trial."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.kept = folder / "world", folder / "kept"
        self.root, self.home = str(self.folder / "root"), self.folder / "person"
        self.agents = self.home / ".claude" / "agents"

    def keep(self) -> None:
        """This is how each trial begins."""
        shutil.rmtree(self.kept, ignore_errors=True)
        shutil.copytree(self.folder, self.kept, symlinks=True)

    def put_back(self) -> None:
        """Begin anew."""
        shutil.rmtree(self.folder)
        shutil.copytree(self.kept, self.folder, symlinks=True)

    @property
    def files(self) -> Files:
        """The agents' files, and whatever else lies beside them."""
        return {path.name: path.read_bytes() for path in self.agents.iterdir()}

    def do(self, did: str) -> None:
        """Apply or revert everything; what is refused is told and no failure."""
        ws = open_workspace(self.root)
        with contextlib.suppress(LearnloopError, OSError):
            patches.apply(ws, patch_home.ids(ws)) if did == "apply" else patches.revert(
                ws, patch_home.ids(ws)
            )


@pytest.fixture
def world(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path)
    patch_home.agents(made.home, "reviewer", "tester")
    (made.agents / "tester.md").write_bytes(b"# T\r\nno newline at the end")
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.setenv("LEARNLOOP_HOME", made.root)
    patch_home.rules(made.root, 2)
    return made


def _cut_off(world: World, did: str, how: str, number: int) -> Callable[[], int]:
    def work() -> int:
        steps = Steps(how, number)
        open_workspace(world.root)
        steps.take_over()
        world.do(did)
        return steps.count

    return work


def _check(world: World, old: Files, new: Files) -> None:
    """Nothing is lost or half; once recovered every state is true, and everything can be taken back."""
    found = {name: data for name, data in world.files.items() if not name.startswith(".")}
    assert found.keys() == old.keys()
    for name, data in found.items():
        assert data in (old[name], new[name]), name
    ws = open_workspace(world.root)
    block_upkeep.recover(ws)
    assert block_upkeep.unfinished_count(ws) == 0
    assert world.files == found
    for patch in patches.listing(ws):
        for target in patch.targets:
            held = {block.id for block in blocks.blocks(Path(target.path).read_bytes().decode())}
            assert (target.state == "applied") == (patch.id in held), (target, held)
    active = [patch.id for patch in patches.listing(ws, "active")]
    if active:
        assert not patches.revert(ws, active).failed
    assert world.files == {
        name: blocks.outside(blocks.parse(data.decode())).encode() for name, data in old.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("how", ["die", "fail"])
@pytest.mark.parametrize("did", ["apply", "revert"])
def test_every_step_of_applying_and_reverting_may_be_the_last(world: World, did: str, how: str) -> None:
    if did == "revert":
        world.do("apply")
    world.keep()
    old = world.files
    code, told = forked(_cut_off(world, did, how, 0))
    assert code == 0, told
    steps, new = int(told), world.files
    assert old != new
    assert steps > 20
    for number in range(1, steps + 1):
        world.put_back()
        code, told = forked(_cut_off(world, did, how, number))
        assert code == (DEAD if how == "die" else 0), told
        code, told = forked(lambda: _check(world, old, new))
        assert code == 0, f"step {number} of {steps}: {told}"


def test_the_doctor_says_that_a_change_was_cut_off_and_finds_out_how_it_ended(world: World) -> None:
    world.keep()
    old = world.files
    _, told = forked(_cut_off(world, "apply", "die", 0))
    for number in range(1, int(told) + 1):
        world.put_back()
        forked(_cut_off(world, "apply", "die", number))
        if any(data != old[name] for name, data in world.files.items() if name in old):
            break
    ws = open_workspace(world.root)
    said = {one.name: one for one in doctor.examine(ws)}["prompt files"]
    assert (said.level, "cut off" in said.message) == ("fail", True)
    mended = [one for one in doctor.examine(ws, fix=True) if one.name == "prompt files"]
    assert {one.level for one in mended} == {"ok"}
    assert "1 of 2 files" in mended[0].message
    applied = [target for one in patches.listing(ws) for target in one.targets if target.state == "applied"]
    assert {Path(target.path).read_bytes() for target in applied} == {
        data for name, data in world.files.items() if data != old.get(name, data)
    }


@pytest.mark.parametrize("limit", [0, 300, 700, 1500, 4000])
def test_a_full_disk_loses_nothing(world: World, limit: int) -> None:
    """No file may grow beyond a limit, as on a disk that is full."""
    old = world.files
    world.keep()
    world.do("apply")
    new = world.files
    world.put_back()

    def work() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        world.do("apply")

    code, told = forked(work)
    assert code == 0, told
    code, told = forked(lambda: _check(world, old, new))
    assert code == 0, told


def test_a_read_only_folder_is_reported_and_the_others_are_patched(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for somebody who may not write there: whoever runs as root may everywhere."""
    import os

    shut = world.home / ".claude" / "CLAUDE.md"
    shut.write_text("# Me\n")
    access, replace = os.access, os.replace

    def may(path: str, mode: int) -> bool:
        return str(path) != str(shut) and access(path, mode)

    def refuse(source: str, target: str, **more: int) -> None:
        folder = os.fstat(more["dst_dir_fd"]) if "dst_dir_fd" in more else Path(target).parent.stat()
        if Path(target).name == shut.name and os.path.samestat(folder, shut.parent.stat()):
            raise PermissionError(13, "Permission denied", str(target))
        replace(source, target, **more)

    monkeypatch.setattr(os, "replace", refuse)
    ws = open_workspace(world.root)
    report = patches.apply(ws, patch_home.ids(ws))
    assert {one.path for one in report.failed} == {str(shut)}
    assert all("could not be written" in one.error for one in report.failed)
    assert shut.read_text() == "# Me\n"
    assert all(b"learnloop:begin" in data for data in world.files.values())
    monkeypatch.setattr(os, "access", may)
    again = patches.apply(ws, patch_home.ids(ws))
    assert {one.did for one in again.results if one.path == str(shut)} <= {"refused"}
