"""Patches through the service: proposals, targets, applying, reverting, what is refused, history, backups."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.errors import LearnloopError, NotFound, Refused
from learnloop.service import event_log
from learnloop.service.history import undo
from learnloop.service.lessons import documents
from learnloop.service.patches import block_upkeep, board, patch_history, patches, preview, proposals
from learnloop.service.workspace import Workspace
from learnloop.wire import clock
from tests.service.patches import patch_home


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_apply_preserves_everything_and_revert_gives_the_same_bytes(root: str, home: Path) -> None:
    folder = patch_home.agents(home)
    shapes = {
        "crlf.md": b"# T\r\n\r\nbody\r\n", "bom.md": b"\xef\xbb\xbf# T\nbody", "mixed.md": b"a\r\nb\nc",
        "empty.md": b"", "front.md": b"---\nname: front\n---\nbody\n", "umlaut.md": "größe 漢字\n".encode(),
    }  # fmt: skip
    for name, data in shapes.items():
        (folder / name).write_bytes(data)
        (folder / name).chmod(0o640)
    ws = patch_home.rules(root, 3)
    report = patches.apply(ws, patch_home.ids(ws))
    assert not report.failed
    for name, data in shapes.items():
        now = (folder / name).read_bytes()
        assert now != data
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o640
        assert now.startswith(data.rstrip(b"\r\n"))
        assert now.endswith(b"\n") == (data.endswith(b"\n") or not data)
    assert (folder / "crlf.md").read_bytes().replace(b"\r\n", b"").count(b"\n") == 0
    again = patches.apply(ws, patch_home.ids(ws))
    assert {result.did for result in again.results} == {"unchanged"}
    patches.revert(ws, patch_home.ids(ws))
    assert snapshot(folder) == shapes
    assert sorted(path.name for path in folder.iterdir()) == sorted(shapes)


def test_other_words_take_the_place_of_the_old_ones(root: str, home: Path) -> None:
    file = patch_home.agents(home, "reviewer") / "reviewer.md"
    before = file.read_bytes()
    ws = patch_home.rules(root)
    (patch_id,) = patch_home.ids(ws)
    patches.apply(ws, [patch_id])
    proposals.edit(ws, patch_id, "- Tests of every kind are run first.", "prepend")
    now = board.Board(ws)
    assert [one.standing for one in preview.statuses(now, now.find(patch_id))] == ["outdated"]
    (one,) = patches.apply(ws, [patch_id]).results
    assert one.did == "updated"
    text = file.read_text()
    assert "Integration" not in text
    assert text.index("Tests of every kind") < text.index("Work with care")
    patches.revert(ws, [patch_id])
    assert file.read_bytes() == before


def test_a_dismissed_proposal_is_not_made_again_in_other_words(root: str, home: Path) -> None:
    patch_home.agents(home, "reviewer")
    ws = patch_home.rules(root)
    (patch_id,) = patch_home.ids(ws)
    proposals.dismiss(ws, [patch_id], "recall is enough")
    assert patches.listing(ws, "proposed") == []
    assert patches.listing(ws, "dismissed")[0].reason_dismissed == "recall is enough"
    with pytest.raises(Refused, match="dismissed"):
        patches.apply(ws, [patch_id])
    undo.undo(ws)
    assert [patch.id for patch in patches.listing(ws, "proposed")] == [patch_id]


def test_undo_and_redo_change_the_files_too(root: str, home: Path) -> None:
    folder = patch_home.agents(home, "reviewer", "tester")
    before = snapshot(folder)
    ws = patch_home.rules(root, 2)
    patches.apply(ws, patch_home.ids(ws))
    after = snapshot(folder)
    undo.undo(ws)
    assert snapshot(folder) == before
    undo.redo(ws)
    assert snapshot(folder) == after
    undo.undo(ws)
    assert snapshot(folder) == before
    assert {patch.state for patch in patches.listing(ws)} == {"proposed"}


def test_undo_returns_its_own_decision_while_another_process_decides(
    root: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch_home.agents(home, "reviewer")
    ws = patch_home.rules(root)
    applied = patches.apply(ws, patch_home.ids(ws))
    assert not applied.failed
    others: list[str] = []

    def settle_late(ws: Workspace) -> None:
        if not others:
            others.append(decided_elsewhere(root))
        settle(ws)

    settle = event_log.settle
    monkeypatch.setattr(event_log, "settle", settle_late)
    decision = undo.undo(ws)
    assert decision is not None
    assert (decision.action, decision.args["did"]) == ("undo", "revert")
    newest = documents.decisions(root)[-2:]
    assert [each.id for each in newest] == [decision.id, *others], "the other process decided last"
    assert newest[0] == decision


def decided_elsewhere(root: str) -> str:
    """The id of a decision that another process appends now."""
    code = (
        "from learnloop.service.review import verdicts\n"
        "from learnloop.service.workspace import open_workspace\n"
        f"print(verdicts.add(open_workspace({root!r}), 'Secrets are read from the environment').id)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_the_history_shows_who_did_what_when_with_hashes(root: str, home: Path) -> None:
    patch_home.agents(home, "reviewer")
    ws = patch_home.rules(root)
    (patch_id,) = patch_home.ids(ws)
    patches.apply(ws, [patch_id])
    patches.revert(ws, [patch_id])
    proposals.dismiss(ws, [patch_id])
    entries = patch_history.history(ws, patch_id)
    assert [one["did"] for one in entries] == ["dismiss", "revert", "apply", "propose"]
    assert {one["by"] for one in entries[:3]} == {"cli"}
    (done,) = entries[2]["results"]
    assert len(done["sha256_before"]) == len(done["sha256_after"]) == len(done["backup"]) == 64
    decisions = [one for one in documents.decisions(root) if one.action == "patch"]
    assert [one.args["did"] for one in decisions] == ["apply", "revert", "dismiss"]
    assert json.loads(Path(root, "store", "patches.json").read_text())["patches"]


def test_gc_keeps_the_last_backup_of_an_applied_patch(
    root: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = patch_home.agents(home, "reviewer") / "reviewer.md"
    before = file.read_bytes()
    ws = patch_home.rules(root, 2)
    one, two = patch_home.ids(ws)
    patches.apply(ws, [one])
    patches.apply(ws, [two])
    patches.revert(ws, [two])
    year = clock.now_ms() + 366 * 86_400_000
    with monkeypatch.context() as later:
        later.setattr(clock, "now_ms", lambda: year)
        assert block_upkeep.gc(ws, dry_run=True).removed == 2
        report = block_upkeep.gc(ws)
    assert (report.removed, report.kept) == (2, 1)
    patches.revert(ws, [one], resolution="restore")
    assert file.read_bytes() == before
    assert stat.S_IMODE(next((Path(root) / "backups" / "patches").iterdir()).stat().st_mode) == 0o600


def test_an_unknown_patch_is_reported(root: str, home: Path) -> None:
    ws = patch_home.rules(root, 0)
    with pytest.raises(NotFound, match="no patch"):
        board.Board(ws).find("zzzz")
    with pytest.raises(LearnloopError, match="no patch was named"):
        patches.apply(ws, [])
