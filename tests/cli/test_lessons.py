"""Looking at lessons and deciding about them on the command line."""

import json
import shlex
import stat
from pathlib import Path

import pytest

from learnloop.models import Lesson, Triggers
from learnloop.service.recall import moments
from tests.cli.store import ACTIVE, ARCHIVED, LESSONS, PIP, UV, WORDLESS, Learn, lesson, seed
from tests.fact_scene import say


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    seed(root)
    return Learn(capsys)


def _state(learn: Learn) -> dict[str, str]:
    return {row["id"]: row["status"] for row in learn.listing("lessons")}


def test_drafts_are_listed_likeliest_first(learn: Learn) -> None:
    assert [row["id"] for row in learn.listing("lessons", "--drafts")] == [UV, PIP, WORDLESS]
    assert learn("lessons", "--drafts") == 0
    head, first, *_ = learn.out.splitlines()
    assert head.split() == ["ID", "CHANCE", "SEEN", "WHERE", "SAYS"]
    assert "Use uv, not pip." in first
    assert "\x1b" not in learn.out
    assert "[bold]why[/x]" in learn.out


def test_a_line_of_the_filter_language_narrows_listings_and_search(learn: Learn) -> None:
    assert [row["id"] for row in learn.listing("lessons", "--filter", "status:archived")] == [ARCHIVED]
    assert [row["id"] for row in learn.listing("lessons", "--drafts", "--filter", "is:needs-words")] == [
        WORDLESS
    ]
    assert [row["id"] for row in learn.listing("lessons", "pip", "--filter=-status:draft")] == []
    assert learn("lessons", "--drafts", "--filter", "not -is:needs-words") == 0
    assert "Use uv, not pip." in learn.out
    assert len(learn.out.splitlines()) == 2
    assert learn("lessons", "--filter", "nothing-like-it") == 0
    assert "No lesson fits all of that" in learn.out + learn.err


def test_a_filter_that_makes_no_sense_is_refused_with_the_way_out(learn: Learn) -> None:
    assert learn("lessons", "--filter", "prio:urgent") == 1
    assert "prio: knows critical, high, medium, low" in learn.err
    assert learn("lessons", "--filter", "(a+)+$ " * 10_000) == 1
    assert "only the first 1,000 characters are read" in learn.err


def test_one_lesson_is_shown_with_its_evidence(learn: Learn) -> None:
    assert learn("show", "uvuv2") == 0
    assert "don't use pip, use uv" in learn.out
    assert "pip *" in learn.out
    assert learn("show", "word") == 0
    assert "[bold]why[/x]" in learn.out
    assert "\x1b" not in learn.out
    assert learn("show", UV, "--json") == 0
    assert Lesson.model_validate(json.loads(learn.out)) == LESSONS[0]


@pytest.mark.parametrize(
    "verb",
    ["show", "promote", "edit --archive", "edit"],
)
@pytest.mark.parametrize(
    ("name", "what"), [("zzzz", "no lesson"), ("uv", "too short"), ("uvuv", "2 lessons begin with")]
)
def test_a_name_that_names_no_lesson_changes_nothing(learn: Learn, verb: str, name: str, what: str) -> None:
    before = _state(learn)
    assert what in learn.refused(*verb.split(), name)
    assert _state(learn) == before


def test_a_promotion_is_reported_undone_and_redone(learn: Learn) -> None:
    assert learn("promote", "uvuv2") == 0
    assert "Use uv, not pip." in learn.out
    assert _state(learn)[UV] == "active"
    assert learn("undo") == 0
    assert "Use uv, not pip." in learn.out
    assert _state(learn)[UV] == "draft"
    assert learn("undo", "--redo") == 0
    assert _state(learn)[UV] == "active"
    assert [row["action"] for row in learn.listing("undo", "--history")] == ["redo", "undo", "promote"]


def test_every_verdict_changes_the_state(learn: Learn) -> None:
    assert learn("reject", UV, "--reason", "one task only") == 0
    assert learn("edit", "--archive", ACTIVE, "--reason", "superseded") == 0
    assert learn("edit", "--restore", ARCHIVED) == 0
    assert _state(learn) == {
        UV: "rejected",
        PIP: "draft",
        WORDLESS: "draft",
        ACTIVE: "archived",
        ARCHIVED: "active",
    }
    assert learn("edit", "--pause", ARCHIVED) == 0
    assert learn("lessons", "--status", "active") == 0
    assert "paused" in learn.out
    assert learn("edit", "--resume", ARCHIVED) == 0
    assert learn("undo", "--history") == 0
    assert "one task only" in learn.out


def test_nothing_to_undo_is_refused(learn: Learn) -> None:
    learn.refused("undo")
    learn.refused("undo", "--redo")


def test_fields_are_edited_by_options(learn: Learn) -> None:
    assert learn("edit", UV, "--priority", "HIGH", "--file-pattern", "*.toml", "--file-pattern", "*.txt") == 0
    document = json.loads(_shown(learn, UV))
    assert document["priority"] == "HIGH"
    assert document["triggers"]["file_patterns"] == ["*.toml", "*.txt"]
    assert document["triggers"]["command_patterns"] == ["pip *"]
    assert learn("edit", UV, "--command-pattern", "", "--scope", "global") == 0
    document = json.loads(_shown(learn, UV))
    assert not document["triggers"].get("command_patterns")
    assert document["scope"] == "global"
    assert learn("edit", UV, "--scope", "global") == 0
    assert "Nothing changed" in learn.out


def _shown(learn: Learn, lesson_id: str) -> str:
    assert learn("show", lesson_id, "--json") == 0
    return learn.out


def _editor(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    editor = folder / "my editor"
    editor.write_text(f"#!/bin/sh\n{script}\n")
    editor.chmod(0o700)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{shlex.quote(str(editor))} --wait")


def test_fields_are_edited_in_an_editor(
    learn: Learn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mode = tmp_path / "mode"
    quoted = shlex.quote(str(mode))
    _editor(
        monkeypatch,
        tmp_path,
        f'stat -c %a "$2" > {quoted} 2>/dev/null || stat -f %Lp "$2" > {quoted}\n'
        'sed "s/^priority: .*/priority: CRITICAL/" "$2" > "$2.new" && mv "$2.new" "$2"',
    )
    assert learn("edit", UV) == 0, learn.err
    assert json.loads(_shown(learn, UV))["priority"] == "CRITICAL"
    assert mode.read_text().strip() == "600"


def test_an_editor_that_changes_nothing_changes_nothing(
    learn: Learn, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _editor(monkeypatch, tmp_path, "true")
    assert learn("edit", UV) == 0
    assert "Nothing changed" in learn.out
    assert learn.listing("undo", "--history") == []
    assert not list(Path(root).glob("edit-*"))


def test_a_text_that_makes_no_sense_is_kept(
    learn: Learn, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _editor(monkeypatch, tmp_path, 'echo nonsense >> "$2"')
    told = learn.refused("edit", UV)
    (kept,) = Path(root).glob("edit-*")
    assert str(kept) in told
    assert "nonsense" in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


@pytest.mark.parametrize("script", ["exit 1", None])
def test_an_editor_that_fails_changes_nothing(
    learn: Learn, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None
) -> None:
    if script is None:
        monkeypatch.setenv("EDITOR", shlex.quote(str(tmp_path / "missing")))
        monkeypatch.delenv("VISUAL", raising=False)
    else:
        _editor(monkeypatch, tmp_path, script)
    assert "editor" in learn.refused("edit", UV)
    assert not list(Path(root).glob("edit-*"))


def test_a_typed_preference_is_active_at_once(learn: Learn, tmp_path: Path) -> None:
    assert learn("add", "Answers are short.") == 0
    (found,) = (row for row in learn.listing("lessons") if row["statement"] == "Answers are short.")
    assert (found["status"], found["kind"], found["scope"]) == ("active", "preference", "global")
    (tmp_path / "here").mkdir()
    assert learn("add", "Tests are fast.", "--project", str(tmp_path / "here")) == 0
    (found,) = (row for row in learn.listing("lessons") if row["statement"] == "Tests are fast.")
    assert (found["scope"], found["project"]) == ("project", str(tmp_path / "here"))
    learn.refused("add", "  ")
    learn.refused("add", "Tests are fast.", "--project", str(tmp_path / "gone"))


def test_empty_listings_are_empty_lists(root: str, capsys: pytest.CaptureFixture[str]) -> None:
    learn = Learn(capsys)
    for line in (
        "lessons --drafts",
        "lessons",
        "lessons x",
        "undo --history",
        "sessions",
        "sessions --feedback",
        "sessions --projects",
    ):
        argv = line.split()
        assert learn.listing(*argv) == []
        assert learn(*argv) == 0
        assert learn.out == ""
        assert learn.err


def test_one_option_says_what_is_stopped(learn: Learn) -> None:
    def stopped() -> tuple[bool, bool]:
        (found,) = (row for row in learn.listing("lessons") if row["id"] == UV)
        return any("then" not in rule for rule in found["check"]), found["stops"]

    learn("edit", UV, "--statement", "Use uv, never pip.")
    assert learn("check", UV, "--first") == 0
    assert stopped() == (True, False)
    assert learn("check", UV, "--tell") == 0
    assert stopped() == (False, False)
    assert learn("stop", UV) == 0
    assert stopped() == (False, True)
    assert learn("gate", UV) == 0
    assert stopped() == (True, True)
    assert learn("gate", UV, "--off") == 0
    assert "gate is now: learn check --tell" in learn.err
    assert stopped() == (False, False)
    learn("edit", UV, "--file-pattern", "", "--command-pattern", "")
    assert "names no file and no command" in learn.refused("check", UV, "--first")


def test_trust_names_a_command_that_works(learn: Learn) -> None:
    assert learn("config", "--trust") == 0
    _, _, command = learn.out.strip().partition("See: learn ")
    assert learn(*command.split()) == 0


@pytest.mark.parametrize(
    ("triggers", "changes", "when"),
    [
        ({}, {}, "recalled when a session starts"),
        ({}, {"priority": "LOW"}, "never recalled by itself, because its priority is LOW"),
        (
            {"file_patterns": ("*.py",)}, {"priority": "CRITICAL"},
            "recalled when a session starts and before *.py is written",
        ),
        (
            {"action_keywords": ("a1", "b2", "c3", "d4", "e5"), "agent_names": ("reviewer",)}, {},
            "recalled at prompts about a1, b2, c3, d4 or 1 more, for reviewer alone",
        ),
        (
            {"file_patterns": ("*.py",), "tool_names": ("Bash",)}, {},
            "never recalled: its tools have no trigger here",
        ),
    ],
)  # fmt: skip
def test_the_moments_of_a_lesson_are_said_as_its_triggers_have_them(
    triggers: dict[str, tuple[str, ...]], changes: dict[str, str], when: str
) -> None:
    told = lesson(ACTIVE, status="active", triggers=Triggers(**triggers), **changes)
    assert moments.describe_moments(told) == when


@pytest.mark.parametrize(
    ("words", "statement"),
    [
        ("please always sign commits, thanks", "Always sign commits."),
        ("Use uv. Never pip.", "Use uv. Never pip."),
    ],
)
def test_what_one_states_is_cut_to_what_it_says_and_its_moment_is_named(
    learn: Learn, words: str, statement: str
) -> None:
    assert learn("add", words) == 0
    (row,) = [row for row in learn.listing("lessons") if row["source"] == "told"]
    told = Lesson.model_validate(row)
    assert told.statement.rstrip(".") == statement.rstrip(".")
    learn("undo")
    learn("add", words)
    assert learn.err == f"It is {moments.describe_moments(told)}. Take it back with: learn undo\n"


def test_a_lesson_may_hold_until_a_day_that_is_to_come(learn: Learn) -> None:
    assert learn("edit", ACTIVE, "--expires", "2999-01-31") == 0
    assert learn("show", ACTIVE) == 0
    assert "2999-01-31" in learn.out
    assert "is over – learn edit --archive" in learn.refused("edit", ACTIVE, "--expires", "2020-01-31")
    assert "'soon' is no day" in learn.refused("edit", ACTIVE, "--expires", "soon")
    assert learn("edit", ACTIVE, "--expires", "") == 0
    assert [row["expires_at"] for row in learn.listing("lessons") if row["id"] == ACTIVE] == [None]


def test_what_was_replaced_names_its_successor(learn: Learn) -> None:
    assert learn("edit", "--merge", UV, PIP) == 0
    assert learn("show", PIP) == 0
    assert "archived (superseded)" in learn.out
    (line,) = (line for line in learn.out.splitlines() if line.startswith("  replaced by"))
    assert line.split()[-1] == UV[:5]


def test_promoting_says_when_no_session_was_seen_in_the_project(
    root: str, learn: Learn, tmp_path: Path
) -> None:
    assert learn("promote", UV) == 0
    assert "No session was ever seen in /w/app: learn edit ID --project FOLDER" in learn.err
    say(root, "write a test", project=str(tmp_path))
    assert learn("edit", PIP, "--project", str(tmp_path)) == 0
    assert learn("promote", PIP) == 0
    assert "No session" not in learn.err
