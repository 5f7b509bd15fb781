"""Files that somebody else changes, moves or removes between preview, applying and reverting."""

import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from learnloop.errors import Refused
from learnloop.patch import blocks
from learnloop.service.history import undo
from learnloop.service.patches import block_upkeep, board, patch_history, patches
from tests.service.patches import patch_home


def test_a_change_between_preview_and_apply_is_noticed(root: str, home: Path) -> None:
    file = patch_home.agents(home, "reviewer", "tester") / "reviewer.md"
    ws = patch_home.rules(root)
    patches.preview(ws, patch_home.ids(ws))
    file.write_text(file.read_text() + "Somebody was here.\n")
    before = file.read_bytes()
    report = patches.apply(ws, patch_home.ids(ws))
    assert {Path(result.path).name: result.did for result in report.results} == {
        "reviewer.md": "refused", "tester.md": "applied",
    }  # fmt: skip
    assert file.read_bytes() == before
    patches.preview(ws, patch_home.ids(ws))
    assert not patches.apply(ws, patch_home.ids(ws)).failed


def test_a_change_while_it_is_written_is_noticed(
    root: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = patch_home.agents(home, "reviewer") / "reviewer.md"
    ws = patch_home.rules(root)
    chosen, fsync = patch_home.ids(ws), os.fsync

    def edited_meanwhile(fd: int) -> None:
        if not file.read_text().endswith("Now.\n"):
            file.write_text("Now.\n")
        fsync(fd)

    monkeypatch.setattr(os, "fsync", edited_meanwhile)
    report = patches.apply(ws, chosen)
    monkeypatch.undo()
    assert "changed meanwhile" in report.results[0].error
    assert file.read_text() == "Now.\n"


def test_edits_elsewhere_stay_and_blocks_revert_in_any_order(root: str, home: Path) -> None:
    file = patch_home.agents(home, "reviewer") / "reviewer.md"
    before = file.read_text()
    ws = patch_home.rules(root, 3)
    one, two, three = patch_home.ids(ws)
    patches.apply(ws, [one, two, three])
    file.write_text(file.read_text().replace("Work with care.", "Work with much care.") + "At the end.\n")
    for patch_id in (two, three, one):
        patches.revert(ws, [patch_id])
    assert file.read_text() == before.replace("Work with care.", "Work with much care.") + "At the end.\n"
    patches.apply(ws, [two])
    assert [held.id for held in blocks.blocks(file.read_text())] == [two]


def _conflict(root: str, home: Path) -> tuple[Any, Path, str, bytes]:
    file = patch_home.agents(home, "reviewer") / "reviewer.md"
    before = file.read_bytes()
    ws = patch_home.rules(root)
    (patch_id,) = patch_home.ids(ws)
    patches.apply(ws, [patch_id])
    file.write_text(file.read_text().replace("Integration tests", "All tests"))
    return ws, file, patch_id, before


def test_a_block_edited_by_hand_is_a_conflict_with_three_sides(root: str, home: Path) -> None:
    ws, file, patch_id, _ = _conflict(root, home)
    now = file.read_bytes()
    report = patches.revert(ws, [patch_id])
    (one,) = report.results
    assert one.did == "conflict"
    assert one.sides is not None
    assert "Work with care." in one.sides["before"]
    assert "Integration tests" in one.sides["ours"]
    assert "All tests" in one.sides["now"]
    assert file.read_bytes() == now
    assert board.Board(ws).find(patch_id).targets[0].state == "conflict"
    assert patch_history.history(ws)[0]["sentence"].endswith("1 in conflict")
    assert "edited by hand" in block_upkeep.modified_blocks(ws)[0]


@pytest.mark.parametrize("resolution", ["keep", "remove", "restore"])
def test_a_conflict_is_decided(root: str, home: Path, resolution: Any) -> None:
    ws, file, patch_id, before = _conflict(root, home)
    report = patches.revert(ws, [patch_id], resolution=resolution)
    assert not report.failed
    text = file.read_text()
    assert "learnloop" not in text
    assert ("All tests are run" in text) == (resolution == "keep")
    if resolution != "keep":
        assert file.read_bytes() == before
    assert board.Board(ws).find(patch_id).state == "proposed"


def test_a_torn_block_is_a_conflict_too(root: str, home: Path) -> None:
    ws, file, patch_id, _ = _conflict(root, home)
    torn = re.sub(rf"- .*(<!-- learnloop:{patch_id}/\w+ -->)", r"\1", file.read_text())
    file.write_text(torn)
    (one,) = patches.revert(ws, [patch_id]).results
    assert one.did == "conflict"
    assert "marks" in one.error


def test_a_file_that_is_gone_is_reported_and_comes_back_from_the_backup(root: str, home: Path) -> None:
    file = patch_home.agents(home, "reviewer") / "reviewer.md"
    before = file.read_bytes()
    file.chmod(0o600)
    ws = patch_home.rules(root)
    chosen = patch_home.ids(ws)
    patches.apply(ws, chosen)
    file.unlink()
    (one,) = patches.revert(ws, chosen).results
    assert one.did == "missing"
    assert "--restore" in one.hint
    assert not patches.revert(ws, chosen, resolution="restore").failed
    assert file.read_bytes() == before
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_that_was_moved_is_found_and_reverted_there(root: str, home: Path) -> None:
    file = patch_home.agents(home, "reviewer") / "reviewer.md"
    before = file.read_bytes()
    ws = patch_home.rules(root)
    chosen = patch_home.ids(ws)
    patches.apply(ws, chosen)
    moved = file.rename(file.with_name("critic.md"))
    (one,) = patches.revert(ws, chosen).results
    assert str(moved) in one.error
    assert not patches.revert(ws, chosen, [str(moved)]).failed
    assert moved.read_bytes() == before


def test_undo_of_an_edited_block_is_refused_and_nothing_is_lost(root: str, home: Path) -> None:
    ws, file, _, _ = _conflict(root, home)
    now = file.read_bytes()
    with pytest.raises(Refused, match="edited by hand"):
        undo.undo(ws)
    assert file.read_bytes() == now
