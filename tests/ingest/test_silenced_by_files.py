"""What a project's files may silence: nothing before trust, nothing that matters most, nothing unsaid."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.errors import Refused
from learnloop.ingest import instruction_files
from learnloop.models.lesson_check import reading_first
from learnloop.service import workspace
from learnloop.service.health import doctor
from learnloop.service.profile import project_findings
from learnloop.service.review import trust, verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import index, paths, relevance, search

SAID = "Logging is used instead of print."
MOMENT = {"moment": "tool", "tool": "Write"}


@pytest.fixture
def project(home: Path, tmp_path: Path) -> Path:
    (home / ".claude").mkdir()
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def is_told(ws: Workspace, project: Path) -> bool:
    workspace.ingest(ws)
    opened = index.read(paths.index(ws.root))
    assert opened is not None
    asked = {**MOMENT, "file": f"{project}/a.py", "project": str(project)}
    return bool(search.best(opened, relevance.Moment(asked), 3, lambda _: True, 70))


def add(ws: Workspace, project: Path, **fields: Any) -> str:
    lesson_id = verdicts.add(
        ws, SAID, scope="project", project=str(project), triggers={"file_patterns": ["*.py"]}
    ).lesson_ids[0]
    if fields:
        verdicts.edit(ws, lesson_id, fields)
    return lesson_id


@pytest.mark.parametrize(
    "fields", [{"priority": "CRITICAL"}, {"check": reading_first({"file_patterns": ["*.py"]})}]
)
def test_gates_and_critical_lessons_are_told_whatever_a_file_says(
    project: Path, ws: Workspace, fields: dict[str, Any]
) -> None:
    add(ws, project, **fields)
    (project / "CLAUDE.md").write_text(f"- {SAID}\n")
    trust.trust(ws, str(project))
    assert is_told(ws, project)


@pytest.mark.parametrize(
    "text",
    [
        f"<!-- {SAID} -->",
        f"<!--\n{SAID}\n-->\nAnything else.",
        f"<!--\n{SAID}",
        f"~~{SAID}~~",
        f"- ~~{SAID}~~",
        f"```\n{SAID}\n```",
        f"~~~~ text\n```\n{SAID}\n~~~~",
        f"````\n{SAID}",
        f"## Obsolete and wrong\n\n- {SAID}\n\n### More\n\n- {SAID}",
        f"# Old rules (no longer valid)\n{SAID}",
        "- Logging is used instead of print, except now.",
        "Logging is used instead of print unless you debug.",
        f"<!-- learnloop:begin append 1 · x -->\n{SAID}\n<!-- learnloop:end append 1 -->",
    ],
)
def test_what_a_file_does_not_really_say_silences_nothing(project: Path, text: str) -> None:
    (project / "CLAUDE.md").write_text(f"# Shop\n\n{text}\n")
    files = instruction_files.sources([str(project)], [str(project)])
    assert {source.path for source in files} == {str(project / "CLAUDE.md")}
    assert instruction_files.passages(SAID, files) == []


@pytest.mark.parametrize(
    "text", [f"<!-- a -->\n- {SAID}", f"## Old\n\n## New\n- {SAID}", f"```\n```\n{SAID}"]
)
def test_what_stands_beside_it_still_counts_with_its_line(project: Path, text: str) -> None:
    (project / "CLAUDE.md").write_text(text)
    files = instruction_files.sources([str(project)], [str(project)])
    passage, *_ = instruction_files.passages(SAID, files)
    assert SAID in text.split("\n")[passage.line - 1]


def test_a_link_out_of_the_project_is_not_read(project: Path, tmp_path: Path) -> None:
    (tmp_path / "private.md").write_text(SAID)
    (project / "CLAUDE.md").symlink_to(tmp_path / "private.md")
    (project / "AGENTS.md").symlink_to(tmp_path / "private.md")
    files = instruction_files.sources([str(project)], [str(project)])
    assert instruction_files.passages(SAID, files) == []


def test_trust_ends_when_the_files_say_something_else(project: Path, ws: Workspace) -> None:
    add(ws, project)
    (project / "CLAUDE.md").write_text("# Shop\n\nNothing of interest.\n")
    trust.trust(ws, str(project))
    assert is_told(ws, project)
    (project / "CLAUDE.md").write_text(f"# Shop\n\n- {SAID}\n")
    assert is_told(ws, project), "the new words wait for the person"
    assert not trust.is_trusted(ws.root, str(project))
    assert not project_findings.project_patterns(ws, str(project)).trusted
    trust.trust(ws, str(project))
    assert not is_told(ws, project)


def test_a_file_that_joins_the_trusted_ones_ends_trust_too(project: Path, ws: Workspace) -> None:
    trust.trust(ws, str(project))
    assert trust.is_trusted(ws.root, str(project))
    (project / "AGENTS.md").write_text(SAID)
    assert not trust.is_trusted(ws.root, str(project))


def test_a_change_of_trusted_files_is_told(project: Path, ws: Workspace) -> None:
    add(ws, project)
    trust.trust(ws, str(project))
    (project / "CLAUDE.md").write_text(SAID)
    workspace.ingest(ws)
    checks = [check for check in doctor.examine(ws) if check.name == "trust"]
    assert [check.level for check in checks] == ["warn"]
    assert str(project) in checks[0].message
    assert json.loads(Path(paths.news(ws.root)).read_text())["changed"] == [str(project)]


def test_trust_is_taken_back_after_a_change_too(project: Path, ws: Workspace) -> None:
    trust.trust(ws, str(project))
    (project / "CLAUDE.md").write_text(SAID)
    trust.trust(ws, str(project), trusted=False)
    (project / "CLAUDE.md").unlink()
    assert not trust.is_trusted(ws.root, str(project))
    with pytest.raises(Refused):
        trust.trust(ws, str(project), trusted=False)


@pytest.mark.parametrize(
    "named", ["~nobody-of-that-name/x.md", "x" * 5000 + ".md", "a\0b.md", "loop.md", "shut/x.md", "."]
)
def test_an_odd_import_is_left_out(project: Path, named: str) -> None:
    (project / "loop.md").symlink_to("loop.md")
    (project / "CLAUDE.md").write_text(f"@{named}\n@more.md\n")
    (project / "more.md").write_text(SAID)
    files = instruction_files.sources([str(project)], [str(project)])
    assert [Path(source.path).name for source in files if source.host == "claude"] == ["CLAUDE.md", "more.md"]


def test_files_that_import_each_other_are_read_once(project: Path) -> None:
    """Else each import of a hop costs as much as all imports of the next."""
    for name in ("CLAUDE.md", "a.md", "b.md"):
        (project / name).write_text("@a.md\n@b.md\n" * 300)
    files = instruction_files.sources([str(project)], [str(project)])
    assert [Path(source.path).name for source in files if source.host == "claude"] == [
        "CLAUDE.md",
        "a.md",
        "b.md",
    ]
