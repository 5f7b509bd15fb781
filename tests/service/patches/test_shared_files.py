"""Which hosts read a prompt file, and how few files a block has to go into."""

from pathlib import Path

import pytest

from learnloop.ingest import instruction_files
from learnloop.service.patches import board, file_jobs, patches
from learnloop.service.review import verdicts
from tests.service.patches import patch_home


def test_one_block_serves_all_hosts_that_read_a_file(root: str, home: Path, tmp_path: Path) -> None:
    for host in (".claude", ".codex", ".qwen", ".copilot"):
        (home / host).mkdir()
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    ws = patch_home.rules(root, 0)
    verdicts.add(ws, patch_home.RULES[0], scope="project", project=str(project))

    def ticked() -> list[str]:
        (one,) = patches.listing(ws)
        return [str(Path(target.path).relative_to(project)) for target in one.targets]

    (project / "AGENTS.md").write_text("# Shop\n")
    assert ticked() == ["AGENTS.md"]
    (project / "CLAUDE.md").write_text("@AGENTS.md\n")
    assert ticked() == ["AGENTS.md"]
    (project / "CLAUDE.md").write_text("# Shop\n")
    assert ticked() == ["CLAUDE.md", "AGENTS.md"]
    (project / "GEMINI.md").write_text("# Shop\n")
    assert ticked() == ["CLAUDE.md", "AGENTS.md"], "nobody here uses Gemini"
    (home / ".gemini").mkdir()
    assert ticked() == ["CLAUDE.md", "AGENTS.md", "GEMINI.md"]


def test_a_block_silences_only_the_hosts_that_read_it(root: str, home: Path) -> None:
    for name in (".claude/CLAUDE.md", ".codex/AGENTS.md"):
        (home / name).parent.mkdir()
        (home / name).write_text("# Mine\n")
    ws = patch_home.rules(root)
    (one,) = patches.listing(ws)
    patches.apply(ws, [one.id], [str(home / ".claude/CLAUDE.md")])
    (doc,) = board.stored_patches(root).values()
    sources = instruction_files.sources([], [], [doc.as_json()])
    assert {source.host for source in sources if source.text} == {"claude"}


@pytest.mark.parametrize(
    ("hosts", "name"),
    [((), "CLAUDE.md"), ((".claude", ".factory"), "CLAUDE.md"), ((".claude", ".codex"), "AGENTS.md"),
     ((".gemini",), "GEMINI.md")],
)  # fmt: skip
def test_a_project_gets_the_file_that_the_persons_agents_read(
    root: str, home: Path, tmp_path: Path, hosts: tuple[str, ...], name: str
) -> None:
    for host in hosts:
        (home / host).mkdir()
    project = tmp_path / "shop"
    project.mkdir()
    ws = patch_home.rules(root, 0)
    verdicts.add(ws, patch_home.RULES[0], scope="project", project=str(project))
    (one,) = patches.listing(ws)
    assert file_jobs.create(ws, one.id) == f"{project}/{name}"
    (one,) = patches.listing(ws)
    assert [target.path for target in one.targets] == [f"{project}/{name}"]
