"""What a lesson makes due on the command line: shown, edited, approved, refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.store import ACTIVE, PIP, Learn, seed

CHANGELOG = "Update CHANGELOG.md with every change in src/"


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    seed(root)
    return Learn(capsys)


def lesson(learn: Learn, lesson_id: str = PIP) -> dict[str, object]:
    (row,) = (row for row in learn.listing("lessons") if row["id"] == lesson_id)
    return row


def due(learn: Learn, lesson_id: str = PIP) -> list[tuple[str, str]]:
    """The first pattern of both sides of what is due."""
    check: Any = lesson(learn, lesson_id)["check"]
    sides = [[*rule[side][0].values()][1][0] for rule in check for side in ("act", "then")]
    return list(zip(sides[::2], sides[1::2], strict=True))


def test_it_follows_from_the_words_and_is_shown(learn: Learn) -> None:
    assert learn("edit", PIP, "--statement", CHANGELOG) == 0
    assert due(learn) == [("src/**", "**/CHANGELOG.md")]
    assert learn("show", PIP) == 0
    shown = " ".join(learn.out.split())
    assert "check after you write src/**: write CHANGELOG.md, before you are done" in shown
    assert "an agent is not reminded at the end" in shown


def test_what_a_person_set_survives_an_edit_of_the_statement(learn: Learn, tmp_path: Path) -> None:
    learn("edit", PIP, "--statement", CHANGELOG)
    rule = {"form": "due", "act": [{"on": "write", "files": ["src/**"]}],
            "then": [{"on": "command", "runs": ["make log"]}]}  # fmt: skip
    file = tmp_path / "check.json"
    file.write_text(json.dumps(rule), "utf-8")
    assert learn("check", PIP, "--set", str(file)) == 0
    learn("edit", PIP, "--statement", "Update CHANGELOG.md with every change in lib/")
    assert (due(learn), lesson(learn)["reminds"]) == ([("src/**", "make log")], True)
    assert learn("undo") == 0
    assert lesson(learn)["statement"] == f"{CHANGELOG}"
    learn("undo")
    assert (due(learn), lesson(learn)["reminds"]) == ([("src/**", "**/CHANGELOG.md")], False)


def test_words_that_were_not_touched_by_a_person_are_read_anew(learn: Learn) -> None:
    learn("edit", PIP, "--statement", CHANGELOG)
    learn("edit", PIP, "--statement", "Run the tests after every change")
    assert due(learn) == [("<source>", "<tests>")]
    learn("edit", PIP, "--statement", "Use uv, not pip.")
    assert due(learn) == [("pip", "uv")]


@pytest.mark.parametrize(("options", "reminds"), [((), False), (("--remind",), True)])
def test_an_approval_may_switch_the_reminder_on(
    learn: Learn, options: tuple[str, ...], reminds: bool
) -> None:
    learn("edit", PIP, "--statement", CHANGELOG)
    assert learn("promote", PIP, *options) == 0
    assert lesson(learn)["reminds"] is reminds
    said = "agents are held to it: after you write src/**: write CHANGELOG.md"
    assert (said in learn.err + learn.out) is False or reminds
    assert learn("check", PIP, "--tell" if reminds else "--stop") == 0
    assert lesson(learn)["reminds"] is not reminds


def test_a_check_is_tried_before_it_is_stored_and_at_any_act(learn: Learn, tmp_path: Path) -> None:
    file = tmp_path / "check.json"
    file.write_text(
        '[{"form": "never", "act": [{"on": "write", "files": ["*.ts"], "text": ["any"]}]}]', "utf-8"
    )
    assert learn("check", ACTIVE, "--set", str(file)) == 0
    assert "Never write *.ts that adds `any`." in learn.out
    assert learn("check", ACTIVE, "--try", "src/a.ts", "--text", "let a: any") == 0
    assert learn.out.strip() == "stopped: any in src/a.ts"
    assert learn("check", ACTIVE, "--try", "src/a.ts", "--text", "let a: many") == 0
    assert learn.out.strip() == "lets it run"
    before = lesson(learn, ACTIVE)
    file.write_text('[{"form": "never", "act": [{"on": "command"}]}]', "utf-8")
    assert learn("check", ACTIVE, "--set", str(file)) == 1
    assert "it would stop every command" in learn.err
    assert lesson(learn, ACTIVE) == before
