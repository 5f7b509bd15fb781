"""Patches through the service: proposals, targets, applying, reverting, what is refused, history, backups."""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from learnloop.errors import LearnloopError, NotFound, Refused
from learnloop.hosts import agent_files
from learnloop.patch import blocks
from learnloop.service import event_log
from learnloop.service.history import undo
from learnloop.service.lessons import documents, queue
from learnloop.service.patches import block_upkeep, board, patch_history, patches, preview, proposals
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.store import files as store_files
from learnloop.wire import clock
from tests.service.patches import patch_home


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_rule_is_proposed_for_all_agents_and_the_main_instructions(root: str, home: Path) -> None:
    folder = patch_home.agents(home, "reviewer", "tester")
    (home / ".claude" / "CLAUDE.md").write_text("# Me\n")
    ws = patch_home.rules(root)
    (one,) = patches.listing(ws)
    assert (one.state, one.audience, one.source, one.confidence) == ("proposed", "agents", "rule", 0.95)
    assert [target.path for target in one.targets] == [
        str(folder / "reviewer.md"), str(folder / "tester.md"), str(home / ".claude" / "CLAUDE.md"),
    ]  # fmt: skip
    assert one.block == f"- {patch_home.RULES[0]}."
    assert one.evidence == (queue.listing(ws, "active")[0].id,)


def test_what_a_file_says_already_is_not_proposed_for_it(root: str, home: Path) -> None:
    folder = patch_home.agents(home, "reviewer", "tester")
    file = folder / "tester.md"
    file.write_text(file.read_text() + "\nIntegration tests are run before a change\nis called done.\n")
    (one,) = patches.listing(patch_home.rules(root))
    assert [target.path for target in one.targets] == [str(folder / "reviewer.md")]


def test_a_lesson_for_one_agent_goes_into_its_file_only(root: str, home: Path) -> None:
    folder = patch_home.agents(home, "reviewer", "tester")
    ws = patch_home.rules(root, 0)
    verdicts.add(ws, patch_home.RULES[0], triggers={"agent_names": ["tester"]})
    (one,) = patches.listing(ws)
    assert (one.audience, one.agent) == ("agent", "tester")
    assert [target.path for target in one.targets] == [str(folder / "tester.md")]


def test_a_rule_of_a_project_goes_into_its_instructions_the_persons_own_first(
    root: str, home: Path, tmp_path: Path
) -> None:
    patch_home.agents(home, "reviewer")
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    (project / "CLAUDE.md").write_text("# Shop\n")
    ws = patch_home.rules(root, 0)
    verdicts.add(ws, patch_home.RULES[0], scope="project", project=str(project))
    (one,) = patches.listing(ws)
    assert [target.path for target in one.targets] == [f"{project}/CLAUDE.md"]
    (project / "CLAUDE.local.md").write_text("Mine.\n")
    (one,) = patches.listing(ws)
    assert [target.path for target in one.targets] == [f"{project}/CLAUDE.local.md"]


def test_a_repositorys_agents_are_patched_only_when_named(root: str, home: Path, tmp_path: Path) -> None:
    patch_home.agents(home, "reviewer")
    project = tmp_path / "shop"
    theirs = patch_home.agents(project, "deployer") / "deployer.md"
    ws = patch_home.rules(root)
    (one,) = patches.listing(ws, projects=[str(project)])
    assert str(theirs) not in [target.path for target in one.targets]
    assert str(theirs) in [found.path for found in board.Board(ws, [str(project)]).candidates(one)]
    before = theirs.read_bytes()
    patches.apply(ws, [one.id], projects=[str(project)])
    assert theirs.read_bytes() == before
    patches.apply(ws, [one.id], [str(theirs)], [str(project)])
    assert "learnloop:begin" in theirs.read_text()
    patches.revert(ws, [one.id], projects=[str(project)])
    assert theirs.read_bytes() == before


def test_every_host_is_listed_with_what_its_files_say(root: str, home: Path, tmp_path: Path) -> None:
    patch_home.agents(home, "reviewer")
    project = tmp_path / "shop"
    places = {
        home / ".gemini/agents/a.md": "gemini", home / ".copilot/agents/b.agent.md": "copilot",
        home / ".config/opencode/agents/c.md": "opencode", home / ".factory/droids/d.md": "droid",
        home / ".cursor/agents/e.md": "cursor", home / ".codex/AGENTS.md": "codex",
        project / "AGENTS.md": "codex", project / ".cursor/rules/f.mdc": "cursor",
        project / ".claude/rules/g.md": "claude", project / "CLAUDE.local.md": "claude",
        project / ".github/copilot-instructions.md": "copilot", home / ".codex/agents/h.toml": "codex",
    }  # fmt: skip
    for path in places:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('name = "h"\n' if path.suffix == ".toml" else "Hello.\n")
    found = {target.path: target for target in patches.targets(patch_home.rules(root), [str(project)])}
    for path, host in places.items():
        assert found[str(path)].host == host
    assert "comments" in found[str(home / ".codex/agents/h.toml")].refusal
    reviewer = found[str(home / ".claude/agents/reviewer.md")]
    assert (reviewer.name, reviewer.description, reviewer.tools) == (
        "reviewer",
        "Works as reviewer",
        "Read, Grep",
    )
    assert reviewer.as_json()["blocks"] == []


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


def test_a_link_stays_a_link_and_its_target_is_edited(root: str, home: Path) -> None:
    folder = patch_home.agents(home, "real")
    (folder / "real.md").rename(folder.parent / "real.md")
    (folder / "linked.md").symlink_to("../real.md")
    ws = patch_home.rules(root)
    report = patches.apply(ws, patch_home.ids(ws))
    assert [result.did for result in report.results] == ["applied"]
    assert (folder / "linked.md").is_symlink()
    assert "learnloop" in (folder.parent / "real.md").read_text()


def test_a_link_that_leads_out_is_refused_by_name_unless_its_target_is_named(
    root: str, home: Path, tmp_path: Path
) -> None:
    folder = patch_home.agents(home, "reviewer")
    outside = tmp_path / "secret.md"
    outside.write_text("Secret.\n")
    (folder / "evil.md").symlink_to(outside)
    ws = patch_home.rules(root)
    (one,) = patches.listing(ws)
    assert str(folder / "evil.md") not in [target.path for target in one.targets]
    report = patches.apply(ws, [one.id], [str(folder / "evil.md")])
    assert [(result.did, str(folder / "evil.md") in result.error) for result in report.results] == [
        ("refused", True)
    ]
    assert outside.read_text() == "Secret.\n"
    named = patches.apply(ws, [one.id], [str(outside)])
    assert [result.did for result in named.results] == ["applied"]
    patches.revert(ws, [one.id])
    assert outside.read_text() == "Secret.\n"


@pytest.mark.parametrize(
    "name", ["../evil", "a/b", "/etc/passwd", "..", ".hidden", "a\\b", "x\x00y", "~root", ""]
)
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(Refused, match="is no name of an agent"):
        agent_files.check_name(name)


def test_an_agent_whose_front_matter_names_it_elsewhere_is_refused(root: str, home: Path) -> None:
    folder = patch_home.agents(home, "reviewer")
    (folder / "sly.md").write_text("---\nname: ../../outside\n---\nHi.\n")
    found = {Path(one.path).name: one for one in patches.targets(patch_home.rules(root))}
    assert "is no name of an agent" in found["sly.md"].refusal
    (one,) = patches.listing(patch_home.rules(root, 0))
    assert [Path(target.path).name for target in one.targets] == ["reviewer.md"]


def test_what_is_no_prompt_file_is_refused_by_name(
    root: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = patch_home.agents(home, "good")
    (folder / "binary.md").write_bytes(b"\x00\x01")
    (folder / "latin.md").write_bytes(b"gr\xfc\xdfe")
    (folder / "huge.md").write_bytes(b"x" * ((1 << 20) + 1))
    (folder / "twice.md").write_text("Hi.\n")
    os.link(folder / "twice.md", home / "other-name.md")
    (folder / "folder.md").mkdir()
    ws = patch_home.rules(root)
    bad = [str(folder / name) for name in ("binary.md", "latin.md", "huge.md", "twice.md", "folder.md")]
    before = {path: Path(path).read_bytes() for path in bad[:4]}
    report = patches.apply(ws, patch_home.ids(ws), [*bad, str(folder / "good.md"), str(folder / "gone.md")])
    said = {result.path: (result.did, result.error) for result in report.results}
    assert said[str(folder / "good.md")][0] == "applied"
    assert said[str(folder / "gone.md")][0] == "missing"
    for path, why in zip(bad, ("no text", "UTF-8", "1 MiB", "hard links", "no file"), strict=True):
        assert said[path][0] == "refused"
        assert why in said[path][1]
        assert path in said[path][1]
    assert {path: Path(path).read_bytes() for path in before} == before
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    theirs = patches.apply(ws, patch_home.ids(ws), [str(folder / "good.md")])
    assert "belongs to somebody else" in theirs.results[0].error


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


def test_a_file_that_cannot_be_written_is_reported(
    root: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = patch_home.agents(home, "reviewer") / "reviewer.md"
    ws = patch_home.rules(root)
    chosen = patch_home.ids(ws)
    monkeypatch.setattr(os, "access", lambda *_: False)
    report = patches.apply(ws, chosen, [str(file)])
    assert [(result.did, "cannot be written" in result.error) for result in report.results] == [
        ("refused", True)
    ]


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

    def ingest_late(ws: Workspace, wait_s: float | None = None) -> None:
        if not others:
            others.append(decided_elsewhere(root))
        ingest(ws, wait_s)

    ingest = event_log.ingest
    monkeypatch.setattr(event_log, "ingest", ingest_late)
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


def test_undo_of_an_edited_block_is_refused_and_nothing_is_lost(root: str, home: Path) -> None:
    ws, file, _, _ = _conflict(root, home)
    now = file.read_bytes()
    with pytest.raises(Refused, match="edited by hand"):
        undo.undo(ws)
    assert file.read_bytes() == now


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


def test_a_damaged_store_of_patches_comes_back(root: str, home: Path) -> None:
    patch_home.agents(home, "reviewer")
    ws = patch_home.rules(root)
    patches.apply(ws, patch_home.ids(ws))
    store_files.replace(Path(root, "store", "patches.json"), [b"{broken"])
    assert [patch.state for patch in patches.listing(ws)] == ["active"]
