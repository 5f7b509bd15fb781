"""What is known of a project: which sources are read, how they are summed up, and when that is made anew."""

import json
import os
from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.ingest import known_facts, retention
from learnloop.models.fact import KnownFacts
from learnloop.service.profile import project_findings
from learnloop.service.review import trust, verdicts
from learnloop.service.transfer import forget
from learnloop.service.workspace import Workspace
from tests.secret_texts import made

DIRECTIVES = ".agents/docs/development"


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    """A project with instruction files, and the person's own directives."""
    (home / DIRECTIVES).mkdir(parents=True)
    (home / DIRECTIVES / "coding-directives.md").write_text("# Coding\n\n- Prefer functions over classes\n")
    (home / DIRECTIVES / "testing-directives.md").write_text(
        "# Testing\n\n- Write tests after code, not before\n"
    )
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "AGENTS.md").write_text(
        "# Shop\n\nA shop. Never commit to main.\n\n"
        "```\n- code\n```\n\n## Replies\n- Answer in one paragraph\n"
    )
    (folder / "LEARNED.md").write_text(
        "# Learned Preferences\n\n## Architecture\n- Handlers use the event bus\n"
    )
    return folder


def lines(facts: KnownFacts) -> list[str]:
    return [line for part in facts.lines.values() for line in part]


def test_a_projects_own_files_are_read_only_once_it_is_trusted(ws: Workspace, project: Path) -> None:
    own = lines(project_findings.summary(ws, str(project)))
    assert sorted(own) == ["Prefer functions over classes", "Write tests after code, not before"]
    trust.trust(ws, str(project))
    assert project_findings.summary(ws, str(project)).lines == {
        "Coding": ("Prefer functions over classes", "Never commit to main."),
        "Testing": ("Write tests after code, not before",),
        "Communication": ("Answer in one paragraph",),
        "Architecture": ("Handlers use the event bus",),
    }


def test_it_is_made_anew_when_a_source_or_a_lesson_changed_and_not_before(
    ws: Workspace, project: Path
) -> None:
    trust.trust(ws, str(project))
    first = project_findings.summary(ws, str(project))
    assert project_findings.summary(ws, str(project)) == first
    verdicts.add(ws, "Use uv, never pip", scope="project", project=str(project))
    assert "Use uv, never pip" in str(lines(project_findings.summary(ws, str(project))))
    (project / "CLAUDE.md").write_text("- Migrations are written by hand\n")
    trust.trust(ws, str(project))
    assert "Migrations are written by hand" in lines(project_findings.summary(ws, str(project)))


def test_a_fact_that_stands_in_a_source_is_known(ws: Workspace, project: Path) -> None:
    def known_as(words: str) -> str:
        return known_facts.restating(ws.root, str(project), ws.settings)(words)

    assert known_as("Write tests after code, not before") == "Write tests after code, not before"
    assert known_as("The handlers use the event bus") == ""
    trust.trust(ws, str(project))
    assert known_as("The handlers use the event bus") == "Handlers use the event bus"


@pytest.mark.parametrize("name", ["../outside.md", "linked.md", "/etc/../etc/passwd\0"])
def test_no_source_leads_out_of_the_project(
    ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (project.parent / "outside.md").write_text("- Something from outside of it\n")
    (project / "linked.md").symlink_to(project.parent / "outside.md")
    trust.trust(ws, str(project))
    monkeypatch.setenv("LEARNLOOP_FACTS_SOURCES", json.dumps([name.rstrip("\0")]))
    assert lines(project_findings.summary(Workspace(ws.root), str(project))) == []


def test_a_secret_in_a_source_does_not_reach_the_disk(ws: Workspace, project: Path) -> None:
    token = made("ghp_<w36>", 7)[0]
    (project / "AGENTS.md").write_text(f"- Never use the token {token} in tests\n")
    trust.trust(ws, str(project))
    assert project_findings.summary(ws, str(project)).sources
    written = [path for path in Path(ws.root, "facts").rglob("*") if path.is_file()]
    assert written
    assert not any(token in path.read_text() for path in written)


def test_the_command_prints_it_and_says_what_is_not_read(
    ws: Workspace, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["facts", "--init", "--project", str(project)]) == 0
    said = capsys.readouterr()
    assert (
        said.out
        == "## Coding\n- Prefer functions over classes\n\n## Testing\n- Write tests after code, not before\n"
    )
    assert "is not trusted" in said.err
    trust.trust(ws, str(project))
    assert main(["facts", "--init", "--project", str(project), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["project"] == str(project)


def test_it_goes_when_it_is_forgotten_and_after_its_time(ws: Workspace, project: Path) -> None:
    def stored() -> list[Path]:
        return list(Path(ws.root, "facts", "known").glob("*.json"))

    project_findings.summary(ws, str(project))
    (only,) = stored()
    os.utime(only, (0, 0))
    retention.retire(ws.root)
    assert stored() == []
    project_findings.summary(ws, str(project))
    forget.forget(ws, everything=True)
    assert stored() == []


def test_a_rule_beyond_the_summary_is_known_too(ws: Workspace, project: Path) -> None:
    letters = [f"{first}{second}" for first in "abcdefghij" for second in "klmnopqr"]
    many = "".join(f"- Module {name * 3} owns {name[::-1] * 3}\n" for name in letters)
    (project / "AGENTS.md").write_text(f"## Always\n{many}\n## Notes\n- Invoices are never rounded\n")
    trust.trust(ws, str(project))
    assert "Invoices are never rounded" not in lines(project_findings.summary(ws, str(project)))
    restated = known_facts.restating(ws.root, str(project), ws.settings)
    assert restated("Invoices are never rounded.") == "Invoices are never rounded"
    assert restated("Orders are never rounded.") == ""
