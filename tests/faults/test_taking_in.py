"""Facts that a standing approval takes in, when the process dies at any step, also of recovery."""

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from learnloop.learn.facts import standing_approval
from learnloop.service.facts import taking_in
from learnloop.service.lessons import documents
from learnloop.service.patches import block_upkeep, patches
from learnloop.service.workspace import ingest
from tests.auto_scene import DOCSTRINGS, RULES, STRUCTLOG, AutoProject
from tests.faults.patch_steps import DEAD, cut_off, forked

NAMES = "Name each migration after its ticket"
LINES = (DOCSTRINGS, NAMES, STRUCTLOG)


class World:
    """A project with facts that wait to be taken in, put back before each trial."""

    def __init__(self, folder: Path, shop: AutoProject) -> None:
        self.folder, self.stored, self.shop = folder, folder.with_name("stored"), shop

    def store(self) -> None:
        """This is how each trial begins."""
        shutil.copytree(self.folder, self.stored, symlinks=True)

    def put_back(self) -> None:
        """Begin anew."""
        shutil.rmtree(self.folder)
        shutil.copytree(self.stored, self.folder, symlinks=True)

    def take_in(self) -> None:
        taking_in.take_in(self.shop.ws, self.shop.ws.settings)

    def take_back(self) -> None:
        taking_in.take_back(self.shop.ws, self.shop.name)

    def outcome(self) -> dict[str, object]:
        """The project's files, the state of each lesson, and what stands where by which decisions."""
        ingest(self.shop.ws, wait_s=5)
        files = {path.name: path.read_text() for path in self.shop.folder.glob("*.md")}
        docs = documents.lessons(self.shop.root).values()
        approved = standing_approval.approvals(documents.decisions(self.shop.root))
        return {
            "files": files,
            "lessons": {doc["statement"]: doc["status"] for doc in docs},
            "patches": {
                patch.block: patch.targets[0].state for patch in patches.listing(self.shop.ws, "active")
            },
            "decisions": [decision.lesson_ids for decision in approved],
        }


@pytest.fixture
def world(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    del root
    world = World(
        tmp_path / "world", AutoProject(str(tmp_path / "world" / "root"), tmp_path / "world" / "shop")
    )
    monkeypatch.setenv("LEARNLOOP_HOME", world.shop.root)
    monkeypatch.setenv("LEARNLOOP_FACTS_MODE", "draft")
    world.shop.allow()
    world.shop.read("No, don't add docstrings to the handlers", DOCSTRINGS)
    monkeypatch.setenv("LEARNLOOP_FACTS_MODE", "auto")
    return world


def _check(world: World, work: Callable[[], object], expected: dict[str, object]) -> None:
    """Another run completes it: all is as if nothing had happened, each line stands once."""
    work()
    assert world.outcome() == expected
    assert block_upkeep.unfinished_count(world.shop.ws) == 0


@pytest.mark.slow
@pytest.mark.parametrize("how", ["die", "fail"])
@pytest.mark.parametrize("did", ["take_in", "take_back"])
def test_every_step_may_be_the_last_and_steps_of_the_next_run_too(world: World, did: str, how: str) -> None:
    work: Callable[[], None] = getattr(world, did)
    if did == "take_back":
        world.take_in()
    world.store()
    code, count = cut_off(work, how, 0)
    assert code == 0, count
    expected = world.outcome()
    assert (DOCSTRINGS in str(expected["files"])) == (did == "take_in")
    for number in range(1, int(count) + 1):
        world.put_back()
        code, output = cut_off(work, how, number)
        assert code == (DEAD if how == "die" else 0), output
        again = 1 + number % 7
        code, output = cut_off(work, how, again)
        assert code in (0, DEAD), output
        code, output = forked(lambda: _check(world, work, expected))
        assert code == 0, f"step {number} of {count}, then {again}: {output}"


def test_two_consoles_and_a_background_take_nothing_in_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("LEARNLOOP_FACTS_MODE", "draft")
        world.shop.read("No, name each migration after its ticket", NAMES, session="s3")
        world.shop.read("the handlers log with structlog, as we agreed", STRUCTLOG, session="s2")
    children = []
    for _ in range(3):
        child = os.fork()
        if not child:
            code = 1
            with contextlib.suppress(BaseException):
                world.take_in()
                code = 0
            os._exit(code)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
    assert [world.shop.learned.count(line) for line in LINES] == [1, 1, 1]
    approved = standing_approval.approvals(documents.decisions(world.shop.root))
    assert len(approved) == len({name for decision in approved for name in decision.lesson_ids}) == 3
    assert (world.shop.folder / "CLAUDE.md").read_text() == f"{RULES}\n@LEARNED.md\n"
