"""Files that a person names for a patch: only those that agents read as instructions."""

from pathlib import Path

import pytest

from learnloop.service.patches import patches
from learnloop.service.workspace import Workspace
from learnloop.wire import paths
from tests.service.patches import patch_home


@pytest.fixture
def mine(root: str) -> None:
    """A store with a patch to apply."""
    patch_home.agents(Path(paths.home()), "reviewer")
    patch_home.rules(root)


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(
    "name",
    [".bashrc", ".ssh/config", ".ssh/notes.md", "shop/.git/config", "shop/.git/info.md", "shop/Makefile",
     "shop/requirements.txt", ".netrc"],
)  # fmt: skip
def test_a_named_file_that_is_no_instruction_file(ws: Workspace, name: str) -> None:
    file = Path(paths.home()) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("a = 1\n")
    (patch_id, *_) = patch_home.ids(ws)
    (result,) = patches.apply(ws, [patch_id], [str(file)]).results
    assert (result.did, "is no instruction file" in result.error) == ("refused", True)
    assert file.read_text() == "a = 1\n"


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize("name", ["shop/notes.md", "shop/.cursorrules", "shop/.clinerules", "shop/a.mdc"])
def test_a_named_instruction_file(ws: Workspace, name: str) -> None:
    file = Path(paths.home()) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("# Notes\n")
    (patch_id, *_) = patch_home.ids(ws)
    assert patches.apply(ws, [patch_id], [str(file)]).results[0].did == "applied"
