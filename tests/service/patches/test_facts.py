"""Facts in plain files: where they go, what is around them, who reads them, and how they come out again."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.ingest import instruction_files
from learnloop.models.patch import Patch
from learnloop.patch import plain_bullets
from learnloop.service.history import undo
from learnloop.service.patches import board, fact_imports, patches, proposals
from learnloop.service.review import trust, verdicts
from learnloop.service.transfer import forget
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from tests.examples import examples
from tests.recorded_events import fire

WORDS = (
    "Prefers functions over classes",
    "Wants tests written after code, not before",
    "Answers without a summary",
)
WHOLE = (
    "# Learned Preferences\n\n## Coding\n- Prefers functions over classes\n\n## Testing\n"
    "- Wants tests written after code, not before\n\n## Communication\n- Answers without a summary\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with instructions of its own."""
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "CLAUDE.md").write_text("# Shop\n\nA shop.\n")
    return folder


def fact(ws: Workspace, project: Path, words: str, **more: object) -> Patch:
    """The proposal of an approved fact."""
    scope = str(more.pop("scope", "project"))
    verdicts.add(ws, words, scope=scope, project=str(project), source="synthesis", **more)
    return next(patch for patch in patches.listing(ws, "proposed") if words.rstrip(".")[-15:] in patch.block)


def applied(ws: Workspace, project: Path, *words: str) -> list[str]:
    """The ids of facts that were put into the project's file, one after the other."""
    ids = []
    for own in words:
        patch = fact(ws, project, own)
        assert not patches.apply(ws, [patch.id], imports=["none"]).failed
        ids.append(patch.id)
    return ids


def test_an_approved_fact_is_proposed_for_the_projects_own_file_and_for_no_other(
    ws: Workspace, project: Path
) -> None:
    patch = fact(ws, project, "The user prefers functions over classes.")
    assert (patch.source, patch.block) == ("facts", "- Prefers functions over classes")
    assert [target.path for target in patch.targets] == [f"{project}/LEARNED.md"]
    assert board.Board(ws).candidates(patch) == []
    (preview,) = patches.preview(ws, [patch.id])
    assert preview.after == "# Learned Preferences\n\n## Coding\n- Prefers functions over classes\n"
    assert not (project / "LEARNED.md").exists()


@pytest.mark.parametrize(
    ("present", "offered"),
    [
        ({}, {"CLAUDE.md": "@LEARNED.md\n"}),
        ({"AGENTS.md": "# A\n"},
         {"AGENTS.md": "# A\n\n@LEARNED.md\n", "CLAUDE.md": "@AGENTS.md\n@LEARNED.md\n"}),
        ({"AGENTS.md": "# A\n", "CLAUDE.md": "# C\n"}, {"CLAUDE.md": "# C\n\n@LEARNED.md\n"}),
        ({"AGENTS.md": "# A\n", "CLAUDE.md": "@AGENTS.md\n"},
         {"CLAUDE.md": "@AGENTS.md\n\n@LEARNED.md\n", "AGENTS.md": "# A\n\n@LEARNED.md\n"}),
        ({".claude/CLAUDE.md": "# C\n"},
         {".claude/CLAUDE.md": "# C\n\n@../LEARNED.md\n", "CLAUDE.md": "@LEARNED.md\n"}),
        ({"CLAUDE.md": "# C\n\n@LEARNED.md\n"}, {}),
        ({"CLAUDE.md": "See [LEARNED.md](LEARNED.md)"},
         {"CLAUDE.md": "See [LEARNED.md](LEARNED.md)\n\n@LEARNED.md"}),
    ],
)  # fmt: skip
def test_the_line_goes_only_where_it_is_read(
    ws: Workspace, project: Path, present: dict[str, str], offered: dict[str, str]
) -> None:
    (project / "CLAUDE.md").unlink()
    for name, text in present.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    patch = fact(ws, project, WORDS[0])
    now = board.Board(ws)
    choices = fact_imports.choices(now, [patch])
    options = [option for choice in choices for option in choice.options]
    previews = [preview for option in options for preview in patches.preview_on(now, [option])]
    assert {preview.path.removeprefix(f"{project}/"): preview.after for preview in previews} == offered
    for option in options[:1]:
        patches.apply(ws, [patch.id], imports=[option.targets[0].path])
    assert fact_imports.unread(board.Board(ws)) == []


def test_instructions_above_the_project_hide_a_stand_in_and_the_persons_own_do_not(
    ws: Workspace, home: Path, project: Path
) -> None:
    (project / "CLAUDE.md").rename(project / "AGENTS.md")
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "CLAUDE.md").write_text("# Me\n")
    assert instruction_files.is_loaded(str(project), f"{project}/AGENTS.md", None)
    (project.parent / "CLAUDE.md").write_text("# All shops\n")
    assert not instruction_files.is_loaded(str(project), f"{project}/AGENTS.md", None)


def test_an_older_client_reads_no_stand_in(
    ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "CLAUDE.md").rename(project / "AGENTS.md")
    program = project.parent / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho '2.1.197 (Claude Code)'\n")
    program.chmod(0o755)
    patch = fact(ws, project, WORDS[0])
    patches.apply(ws, [patch.id], imports=[f"{project}/AGENTS.md"])
    assert fact_imports.unread(board.Board(ws)) == []
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    assert fact_imports.unread(board.Board(ws)) == [f"{project}/LEARNED.md"]


@pytest.mark.parametrize(
    "before", [None, b"", b"# Mine\r\n\r\n- one\r\n", b"no newline", b"## Testing\n- x", b"\xef\xbb\xbf# T\n"]
)
def test_everything_else_stays_to_the_byte_and_comes_back(
    ws: Workspace, project: Path, before: bytes | None
) -> None:
    file = project / "LEARNED.md"
    if before is not None:
        file.write_bytes(before)
    ids = applied(ws, project, *WORDS)
    if before is None:
        assert file.read_text() == WHOLE
    assert b"learnloop" not in file.read_bytes()
    assert {result.did for result in patches.apply(ws, ids).results} == {"unchanged"}
    assert not patches.revert(ws, [ids[1], ids[0], ids[2]]).failed
    assert (file.read_bytes() if file.exists() else None) == before


def test_a_changed_item_belongs_to_the_person(ws: Workspace, project: Path) -> None:
    (patch_id,) = applied(ws, project, WORDS[0])
    file = project / "LEARNED.md"
    mine = file.read_text().replace("Prefers functions", "Prefers small functions")
    file.write_text(mine)
    assert patches.apply(ws, [patch_id]).results[0].did == "refused"
    (result,) = patches.revert(ws, [patch_id]).results
    assert (result.did, (result.sides or {})["now"]) == ("conflict", "- Prefers small functions over classes")
    assert file.read_text() == mine
    patches.revert(ws, [patch_id], resolution="keep")
    assert file.read_text() == mine


def test_other_words_take_the_place_of_those_that_are_there(ws: Workspace, project: Path) -> None:
    (patch_id,) = applied(ws, project, WORDS[0])
    proposals.edit(ws, patch_id, "## Prefers\npure functions")
    assert patches.apply(ws, [patch_id]).results[0].did == "updated"
    assert (
        project / "LEARNED.md"
    ).read_text() == "# Learned Preferences\n\n## Coding\n- Prefers pure functions\n"
    patches.revert(ws, [patch_id])
    assert not (project / "LEARNED.md").exists()


def test_links_and_what_came_meanwhile_are_refused(ws: Workspace, project: Path) -> None:
    patch = fact(ws, project, WORDS[0])
    patches.preview(ws, [patch.id])
    (project / "LEARNED.md").write_text("# Somebody else's\n")
    (result,) = patches.apply(ws, [patch.id], imports=["none"]).results
    assert "changed since it was previewed" in result.error
    (project / "LEARNED.md").unlink()
    (project.parent / "outside.md").write_text("")
    (project / "LEARNED.md").symlink_to(project.parent / "outside.md")
    (result,) = patches.apply(ws, [patch.id], imports=["none"]).results
    assert "is a link" in result.error
    assert (project.parent / "outside.md").read_text() == ""


def test_instructions_that_are_a_link_are_left_alone(ws: Workspace, project: Path) -> None:
    (project / "CLAUDE.md").rename(project / "AGENTS.md")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    now = board.Board(ws)
    (choice,) = fact_imports.choices(now, [fact(ws, project, WORDS[0])])
    assert [option.targets[0].path for option in choice.options] == [f"{project}/AGENTS.md"]
    (project / "app").mkdir()
    (project / "linked").symlink_to("app")
    seen = [{"quote": "q", "session_id": "s", "event_id": "e", "ts": "2026-01-01T00:00:00.000Z",
             "files": [f"{project}/linked/pay.py"]}]  # fmt: skip
    there = fact(ws, project, "Keeps amounts as integers", scope="module", path="linked", evidence=seen)
    (result,) = patches.apply(ws, [there.id], imports=["none"]).results
    assert "is a link, or below one" in result.error


@pytest.mark.parametrize(
    ("words", "item"),
    [
        ("The user prefers uv.", "- Prefers uv"), ("--verbose is never used", "- --verbose is never used"),
        ("# Heading", "- Heading"), ("- [ ] nested\n\n## Forged\n", "- [ ] nested ## Forged"),
        ("npm is never used", "- npm is never used"), ("@~/.ssh/id_rsa", "- `@~/.ssh/id_rsa`"),
        ("Fine <!-- learnloop:aaaa/123456 -->", "- Fine < !-- learnloop:aaaa/123456 -- >"),
    ],
)  # fmt: skip
def test_words_become_one_plain_item_and_nothing_else(words: str, item: str) -> None:
    assert plain_bullets.item_of(words) == item
    assert plain_bullets.insert("# T\n", item, "# T").text.endswith(f"{item}\n")


def test_a_modules_fact_goes_where_its_session_wrote_and_nowhere_else(ws: Workspace, project: Path) -> None:
    (project / "app" / "billing").mkdir(parents=True)
    seen = [{"quote": "q", "session_id": "s", "event_id": "e", "ts": "2026-01-01T00:00:00.000Z",
             "files": [f"{project}/app/billing/pay.py"]}]  # fmt: skip
    there = fact(ws, project, "Talks over the event bus", scope="module", path="app/billing", evidence=seen)
    assert [target.path for target in there.targets] == [f"{project}/app/billing/AGENTS.md"]
    elsewhere = fact(ws, project, "Keeps amounts as integers", scope="module", path="app/web", evidence=seen)
    assert [target.path for target in elsewhere.targets] == [f"{project}/LEARNED.md"]
    patches.apply(ws, [there.id], imports=[f"{project}/app/billing/CLAUDE.md"])
    assert (project / "app/billing/CLAUDE.md").read_text() == "@AGENTS.md\n"
    assert (
        project / "app/billing/AGENTS.md"
    ).read_text() == "# Billing\n\n## Architecture\n- Talks over the event bus\n"
    undo.undo(ws)
    assert list((project / "app/billing").iterdir()) == []


@given(
    folder=st.text(alphabet=st.sampled_from("ab./\\~ \n\0-"), max_size=12) | st.text(max_size=8),
    written=st.lists(st.text(alphabet=st.sampled_from("ab./"), max_size=12), max_size=4),
)
@settings(max_examples=examples(600), deadline=None)
def test_placement_never_leaves_the_project(folder: str, written: list[str]) -> None:
    path = plain_bullets.fact_file("/code/shop", folder, [*written, f"/code/shop/{folder}/x.py"])
    assert os.path.normpath(path) == path
    assert path.startswith("/code/shop/")
    assert path.rpartition("/")[2] in ("LEARNED.md", "AGENTS.md")


def test_forgetting_a_session_names_no_line_that_is_in_force(ws: Workspace, project: Path) -> None:
    applied(ws, project, WORDS[0], WORDS[1])
    fire(ws.root, "UserPromptSubmit", session="s9", prompt="write a test")
    assert forget.forget(ws, session="s9").outside == ()
    (lesson,) = [each for each in Store(ws.root).lessons() if each.statement.startswith(WORDS[1])]
    verdicts.archive(ws, lesson.id)
    fire(ws.root, "UserPromptSubmit", session="s9", prompt="write a test")
    outside = forget.forget(ws, session="s9").outside
    assert outside == (f"lines of ours in {project}/LEARNED.md: delete “- {WORDS[1]}”",)


def test_forgetting_says_which_lines_stay_in_the_projects_files(ws: Workspace, project: Path) -> None:
    applied(ws, project, WORDS[0])
    report = forget.forget(ws, everything=True)
    assert f"lines of ours in {project}/LEARNED.md: delete “- {WORDS[0]}”" in report.outside
    assert not list(Path(ws.root).glob("store/patches.json"))


def test_a_lesson_is_not_recalled_as_well_once_its_file_is_read(ws: Workspace, project: Path) -> None:
    def known_at() -> list[str]:
        stored = Store(ws.root).documents("patches").values()
        sources = instruction_files.sources([str(project)], [], stored)
        return [passage.host for passage in instruction_files.passages(WORDS[0], sources)]

    (patch_id,) = applied(ws, project, WORDS[0])
    assert known_at() == []
    patches.revert(ws, [patch_id])
    patches.apply(ws, [patch_id], imports=[f"{project}/CLAUDE.md"])
    assert known_at() == ["claude"]


def test_a_trusted_project_stays_trusted_when_the_person_writes_facts_into_it(
    ws: Workspace, project: Path
) -> None:
    trust.trust(ws, str(project))
    patch = fact(ws, project, WORDS[0])
    patches.apply(ws, [patch.id], imports=[f"{project}/CLAUDE.md"])
    assert trust.is_trusted(ws.root, str(project))
    undo.undo(ws)
    assert trust.is_trusted(ws.root, str(project))
    (project / "CLAUDE.md").write_text("# Somebody else's\n")
    assert not trust.is_trusted(ws.root, str(project))


def test_a_fact_of_two_projects_is_proposed_for_the_file_that_the_person_names(
    ws: Workspace, project: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, own = tmp_path / "blog", home / ".claude" / "CLAUDE.md"
    (other / ".git").mkdir(parents=True)
    own.parent.mkdir(exist_ok=True)
    own.write_text("# Mine\n\n## Coding\n- Be brief\n")
    for folder in (project, other):
        verdicts.add(ws, WORDS[0], scope="project", project=str(folder), source="synthesis")
    verdicts.add(ws, WORDS[1], scope="project", project=str(other), source="synthesis")
    assert all(patch.project for patch in patches.listing(ws, "proposed"))
    monkeypatch.setenv("LEARNLOOP_FACTS_GLOBAL_FILE", "~/.claude/CLAUDE.md")
    ws = Workspace(ws.root)
    [shared] = [patch for patch in patches.listing(ws, "proposed") if not patch.project]
    assert [target.path for target in shared.targets] == [str(own)]
    assert not patches.apply(ws, [shared.id]).failed
    assert own.read_text() == f"# Mine\n\n## Coding\n- Be brief\n- {WORDS[0]}\n"
    undo.undo(ws)
    assert own.read_text() == "# Mine\n\n## Coding\n- Be brief\n"


def test_a_file_that_cannot_be_written_is_named_and_nothing_is_recorded(
    ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "LEARNED.md").write_text("# Mine\n")
    patch = fact(ws, project, WORDS[0])
    monkeypatch.setattr("learnloop.patch.prompt_files.writable", lambda _: False)
    [failed] = patches.apply(ws, [patch.id], imports=["none"]).failed
    assert "LEARNED.md cannot be written" in str(failed)
    assert (project / "LEARNED.md").read_text() == "# Mine\n"
    assert patches.listing(ws, "active") == []
