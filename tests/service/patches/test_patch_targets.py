"""Which files a patch is proposed for, and which names are refused."""

import os
from pathlib import Path

import pytest

from learnloop.errors import Refused
from learnloop.hosts import agent_files
from learnloop.service.lessons import queue
from learnloop.service.patches import board, patches
from learnloop.service.review import verdicts
from tests.service.patches import patch_home


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
