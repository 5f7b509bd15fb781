"""Facts in plain files when the process dies at any step, also of recovery: old or new, and a true log."""

import shutil
from pathlib import Path

import pytest

from learnloop.patch import plain_bullets
from learnloop.service.health import doctor
from learnloop.service.patches import block_upkeep, patches
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace, open_workspace
from tests.faults.patch_steps import DEAD, cut_off, forked

WORDS = ("Prefers functions over classes", "Wants tests written after code")
Files = dict[str, bytes]


class World:
    """A project with two approved facts, put back before each trial."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.stored = folder / "world", folder / "stored"
        self.root, self.project = str(self.folder / "root"), self.folder / "shop"

    @property
    def ws(self) -> Workspace:
        return open_workspace(self.root)

    @property
    def files(self) -> Files:
        """The project's files."""
        return {path.name: path.read_bytes() for path in self.project.glob("*") if path.is_file()}

    def store(self) -> None:
        """This is how each trial begins."""
        shutil.rmtree(self.stored, ignore_errors=True)
        shutil.copytree(self.folder, self.stored, symlinks=True)

    def put_back(self) -> None:
        """Begin anew."""
        shutil.rmtree(self.folder)
        shutil.copytree(self.stored, self.folder, symlinks=True)

    def do(self, did: str) -> None:
        """Apply or revert everything."""
        ids = [patch.id for patch in patches.listing(self.ws)]
        if did == "apply":
            patches.apply(self.ws, ids, imports=[f"{self.project}/CLAUDE.md"])
        else:
            patches.revert(self.ws, ids)


@pytest.fixture
def world(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    del root
    world = World(tmp_path)
    (world.project / ".git").mkdir(parents=True)
    (world.project / "CLAUDE.md").write_bytes(b"# Shop\r\nno newline at the end")
    monkeypatch.setenv("LEARNLOOP_HOME", world.root)
    for words in WORDS:
        verdicts.add(world.ws, words, scope="project", project=str(world.project), source="synthesis")
    return world


def _check(world: World, old: Files, new: Files) -> None:
    """Every file is old or new; once recovered the documents say which, and all can be taken back."""
    block_upkeep.recover(world.ws)
    assert block_upkeep.unfinished_count(world.ws) == 0
    present = {name: data for name, data in world.files.items() if not name.startswith(".")}
    for name in old.keys() | new.keys():
        assert present.get(name) in (old.get(name), new.get(name)), name
    for patch in patches.listing(world.ws):
        for target in patch.targets:
            text = present.get(Path(target.path).name, b"").decode()
            assert target.is_applied == plain_bullets.holds(text, patch.block, target.heading)
    active = [patch.id for patch in patches.listing(world.ws, "active")]
    if active:
        assert not patches.revert(world.ws, active).failed
    assert world.files == {"CLAUDE.md": b"# Shop\r\nno newline at the end"}
    assert {check.level for check in doctor.examine(world.ws) if check.name == "prompt files"} == {"ok"}


@pytest.mark.slow
@pytest.mark.parametrize("how", ["die", "fail"])
@pytest.mark.parametrize("did", ["apply", "revert"])
def test_every_step_may_be_the_last_and_steps_of_the_recovery_too(world: World, did: str, how: str) -> None:
    if did == "revert":
        world.do("apply")
    world.store()
    old = world.files
    code, count = cut_off(lambda: world.do(did), how, 0)
    assert code == 0, count
    new = world.files
    assert old.keys() != new.keys()
    for number in range(1, int(count) + 1):
        world.put_back()
        code, output = cut_off(lambda: world.do(did), how, number)
        assert code == (DEAD if how == "die" else 0), output
        at_recovery = 1 + number % 7
        code, output = cut_off(lambda: block_upkeep.recover(world.ws), how, at_recovery)
        assert code in (0, DEAD), output
        code, output = forked(lambda: _check(world, old, new))
        assert code == 0, f"step {number} of {count}, then {at_recovery}: {output}"
