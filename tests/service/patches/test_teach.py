"""`learn patches --teach`: the snippet goes in and out like every other patch, and says what really works."""

import json
import re
import shlex
from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.learn.offers import knowledge, offered_blocks
from learnloop.patch import propose
from learnloop.service.lessons import documents
from learnloop.service.patches import patches, proposals
from learnloop.service.workspace import open_workspace
from tests.service.patches import patch_home

OWN = "# Mine\r\n\r\nBe kind."


@pytest.fixture
def home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    patch_home.agents(home, "reviewer")
    (home / ".claude" / "CLAUDE.md").write_bytes(OWN.encode())
    monkeypatch.chdir(home)
    return home


def _files(home: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in home.rglob("*.md")}


def _run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(list(words))
    output = capsys.readouterr()
    return code, output.out, output.err


def test_it_is_shown_first_then_applied_then_taken_out(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = _files(home)
    code, out, err = _run(capsys, "teach")
    assert (code, _files(home)) == (0, before)
    assert out.startswith("--- ")
    assert "+learn discover --category gotcha" in out
    assert (found := re.search(r"learn patches apply (\w+)", err))
    assert _run(capsys, "patches", "apply", found[1])[0] == 0
    changed = {name for name, text in _files(home).items() if text != before[name]}
    assert changed == {str(home / ".claude" / "CLAUDE.md")}
    assert _run(capsys, "patches", "revert", found[1])[0] == 0
    assert _files(home) == before


def test_applied_twice_it_is_there_once(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(capsys, "teach", "--apply")[:2][0] == 0
    once = _files(home)
    code, _, err = _run(capsys, "teach")
    assert (code, "Nothing would change" in err) == (0, True)
    code, out, _ = _run(capsys, "teach", "--apply", "--json")
    assert (code, [one["did"] for one in json.loads(out)]) == (0, ["unchanged"])
    assert _files(home) == once


def test_an_agent_is_taught_in_its_own_file(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = _files(home)
    assert _run(capsys, "teach", "--agent", "reviewer", "--apply")[0] == 0
    changed = {Path(name).name for name, text in _files(home).items() if text != before[name]}
    assert changed == {"reviewer.md"}
    for _ in range(2):
        assert _run(capsys, "undo")[0] == 0
    assert _files(home) == before
    assert [patch.state for patch in patches.listing(open_workspace())] == ["dismissed"]
    assert _run(capsys, "redo")[0] == 0
    assert [patch.state for patch in patches.listing(open_workspace())] == ["proposed"]


def test_a_dismissed_snippet_is_proposed_again_when_it_is_asked_for(
    home: Path, root: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ws = open_workspace(root)
    patch = proposals.teach(ws)
    proposals.dismiss(ws, [patch.id])
    assert proposals.teach(ws).state == "proposed"


def test_an_older_wording_is_brought_up_to_date_but_not_one_that_the_person_changed(
    home: Path, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = open_workspace(root)
    with monkeypatch.context() as older:
        older.setattr(propose, "SNIPPET", "### Older words")
        patch = proposals.teach(ws)
        assert patches.apply(ws, [patch.id]).failed == ()
    assert proposals.teach(ws).block == propose.SNIPPET
    assert [result.did for result in patches.apply(ws, [patch.id]).results] == ["updated"]
    assert "Older words" not in (home / ".claude" / "CLAUDE.md").read_text()
    proposals.edit(ws, patch.id, "My own words.")
    assert proposals.teach(ws).block == "My own words."


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--agent", "nobody"), "no prompt file of an agent 'nobody' was found – there are reviewer"),
        (("--agent", "../reviewer"), "is no name of an agent"),
        (("--file", "/nowhere/at/all.md", "--apply"), "/nowhere/at/all.md"),
    ],
)
def test_what_cannot_be_taught_is_reported(
    home: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    before = _files(home)
    code, _, err = _run(capsys, "teach", *words)
    assert (code, told in err) == (1, True)
    assert _files(home) == before


def test_without_an_instruction_file_it_says_what_to_make(
    home: Path, root: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".claude" / "CLAUDE.md").unlink()
    code, _, err = _run(capsys, "teach")
    assert (code, "make one, as ~/.claude/CLAUDE.md" in err) == (1, True)
    assert documents.decisions(root) == []


def test_what_the_snippet_shows_is_what_is_understood(
    home: Path, root: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = re.search(r"```sh\nlearn (.*?)\n```", propose.SNIPPET, re.S)
    assert command
    assert _run(capsys, *shlex.split(command[1].replace("\\\n", " ")))[0] == 0
    shown = re.search(r"```text\n(.*?)\n```", propose.SNIPPET, re.S)
    assert shown
    assert (
        list(offered_blocks.find_blocks(propose.SNIPPET)) == []
    )  # standing in a file it is an example, nothing else
    (block,) = offered_blocks.find_blocks(f"Done.\n\n{shown[1]}\n")
    assert block.problem is None
    made = knowledge.lesson_from_block(
        block.read(), knowledge.Origin("e1", "2026-01-01T00:00:00.000Z", "block")
    )
    assert (made.kind, made.triggers.file_patterns) == ("checklist", ("**/example.json",))
