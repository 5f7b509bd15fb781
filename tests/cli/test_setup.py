"""Installing, switching, setting: what `learn` does to files that are not its own."""

import json
import re
import shlex
from pathlib import Path

import pytest

from learnloop.hosts.table import CLAUDE
from learnloop.wire import paths, switches
from tests.cli.store import Learn
from tests.cli.terminal import Keyboard, on_terminal


@pytest.fixture
def settings(root: str) -> Path:
    """The user's settings file of Claude Code, with something of theirs in it."""
    path = Path(paths.home(), ".claude", "settings.json")
    path.parent.mkdir()
    path.write_text('{\n  "model": "opus"\n}\n')
    return path


def test_install_shows_what_it_did_and_what_comes_next(learn: Learn, settings: Path) -> None:
    before = settings.read_bytes()
    assert learn("install") == 0
    assert str(settings) in learn.out
    kept = next(line for line in learn.out.splitlines() if "kept in" in line)
    assert Path(kept.split("kept in ")[1].rstrip(".")).read_bytes() == before
    assert "learn-tui" in learn.out
    (plugin,) = map(Path, shlex.split(learn.out.strip().rpartition("--plugin-dir ")[2]))
    assert (plugin / ".claude-plugin" / "plugin.json").is_file()
    assert learn("install") == 0
    assert "already" in learn.out
    assert learn("uninstall") == 0
    assert settings.read_bytes() == before


def test_a_dry_run_says_in_six_lines_what_would_change(learn: Learn, settings: Path, root: str) -> None:
    before = settings.read_bytes()
    assert learn("install", "--dry-run") == 0
    assert len((learn.out + learn.err).splitlines()) == 6
    assert learn.out.startswith(f"Would add {len(CLAUDE.events)} hooks to {settings}:\n")
    assert settings.read_bytes() == before
    assert not Path(root).exists()


@pytest.fixture
def codex(root: str) -> Path:
    """The folder of a person who uses Codex too."""
    folder = Path(paths.home(), ".codex")
    folder.mkdir()
    return folder


def test_install_asks_which_of_several_agents_are_meant(
    learn: Learn, settings: Path, codex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = settings.read_bytes()
    monkeypatch.setattr("sys.stdin", Keyboard("2\n"))
    assert learn("install") == 0
    assert "  1 claude\n  2 codex\n" in learn.out
    assert (codex / "hooks.json").is_file()
    assert settings.read_bytes() == before
    assert "Hooks need review" in learn.err
    assert learn("uninstall") == 0
    assert list(codex.iterdir()) == []


def test_uninstall_names_the_prompt_files_in_which_blocks_stay(learn: Learn, settings: Path) -> None:
    (file := settings.with_name("CLAUDE.md")).write_text("# Me\n")
    for words in (("install", "--host", "claude"), ("add", "Never use emojis in posts.")):
        assert learn(*words) == 0
    for words in (("apply", "--all", "--dry-run"), ("apply", "--all")):
        assert learn("patches", *words) == 0
    assert learn("uninstall") == 0
    assert f"What you applied stays in {file}; to take it out too: learn patches revert --all" in learn.out
    assert learn("patches", "revert", "--all") == 0
    assert file.read_text() == "# Me\n"


def test_all_agents_are_meant_where_the_person_only_presses_enter(
    learn: Learn, settings: Path, codex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = settings.read_bytes()
    monkeypatch.setattr("sys.stdin", Keyboard("\n"))
    assert learn("install") == 0
    assert "learnloop" in settings.read_text()
    assert "learnloop" in (codex / "hooks.json").read_text()
    assert learn("uninstall") == 0
    assert (list(codex.iterdir()), settings.read_bytes()) == ([], before)


def test_without_a_terminal_the_others_are_named(learn: Learn, settings: Path, codex: Path) -> None:
    assert learn("install") == 0
    assert "learn install --host codex" in learn.err
    assert list(codex.iterdir()) == []


def test_an_agent_that_was_not_run_is_marked_wherever_it_is_named(
    learn: Learn, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder := Path(paths.home(), ".cursor")).mkdir()
    assert learn("install") == 0
    assert "cursor (not run) is on this machine too: learn install --host cursor" in learn.err
    monkeypatch.setattr("sys.stdin", Keyboard("2\n"))
    assert learn("install") == 0
    assert "  1 claude\n  2 cursor (not run)\n" in learn.out
    assert "Note: Cursor (not run): its hooks were built from documents" in learn.err
    assert json.loads((folder / "hooks.json").read_text())["version"] == 1
    assert learn("status") == 0
    assert f"{folder}/hooks.json (not run)" in learn.out
    learn("doctor")
    assert f"registered in {folder}/hooks.json (not run: its hooks were" in learn.out
    assert f"registered in {settings}\n" in learn.out
    assert learn("uninstall") == 0
    assert list(folder.iterdir()) == []


def test_the_diff_shows_every_line_and_changes_nothing(learn: Learn, settings: Path, root: str) -> None:
    before = settings.read_bytes()
    assert learn("install", "--diff") == 0
    assert learn.out.startswith("--- ")
    assert '+  "hooks": {' in learn.out
    assert settings.read_bytes() == before
    assert not Path(root).exists()


@pytest.mark.parametrize(
    "before",
    ['{\n  "model": "opus"\n}\n', "", "{}", '{"permissions": {"allow": ["Bash(ls:*)"]}}\n',
     '{\n\t"permissions": {\n\t\t"deny": [ "Bash(learn promote:*)", "WebFetch" ]\n\t}\n}'],
)  # fmt: skip
@pytest.mark.parametrize("touched", [False, True])
def test_deny_rules_come_by_an_option_and_go_without_a_trace(
    learn: Learn, settings: Path, root: str, before: str, touched: bool
) -> None:
    settings.write_text(before)
    assert learn("install") == 0
    assert f"(/{root}/**)" not in settings.read_text()
    assert "learn install --deny-rules --diff" in learn.out
    plain = settings.read_bytes()
    assert learn("install", "--deny-rules", "--diff") == 0
    assert json.dumps(f"Edit(/{root}/**)") in learn.out
    assert settings.read_bytes() == plain

    assert learn("install", "--deny-rules") == 0
    deny = json.loads(settings.read_text())["permissions"]["deny"]
    assert {f"Edit(/{root}/**)", f"Write(/{root}/**)", f"Read(/{root}/**)", "Bash(learn-tui:*)"} <= set(deny)
    assert deny.count("Bash(learn promote:*)") == 1
    assert learn("install", "--deny-rules") == 0
    assert json.loads(settings.read_text())["permissions"]["deny"] == deny
    if touched:  # so that it is edited back, not restored from the copy
        settings.write_text(settings.read_text() + "\n")
    assert learn("uninstall") == 0
    after = settings.read_text() if settings.exists() else ""
    assert after.strip() in {before.strip(), before.strip() or "{}"}
    if not touched:
        assert after == before


def test_settings_that_cannot_be_parsed_are_left_alone(learn: Learn, settings: Path) -> None:
    settings.write_text('{"hooks": ')
    assert str(settings) in learn.refused("install")
    assert str(settings) in learn.refused("uninstall")
    assert settings.read_text() == '{"hooks": '


def test_local_scope_is_the_current_project(
    learn: Learn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = tmp_path / "app" / "src"
    below.mkdir(parents=True)
    (tmp_path / "app" / ".git").mkdir()
    monkeypatch.chdir(below)
    assert learn("install", "--scope", "local") == 0, learn.err
    assert "hooks" in json.loads((tmp_path / "app" / ".claude" / "settings.local.json").read_text())
    assert learn("uninstall", "--scope", "local") == 0
    assert not (tmp_path / "app" / ".claude").exists()


def test_the_hook_command_is_one_line_for_a_shell(learn: Learn, root: str) -> None:
    assert learn("install", "--hook-command", "--host", "claude") == 0
    assert learn.out.count("\n") == 1
    assert shlex.split(learn.out)[1:4] == ["-I", "-S", "-c"]
    assert Path(paths.hooks(root), "current").exists()


def test_switching_off_and_on_everywhere(learn: Learn, root: str) -> None:
    assert learn("off") == 0
    assert "learn on" in learn.out
    assert not switches.recording(root, "/w")
    assert learn("on") == 0
    assert switches.recording(root, "/w")
    assert learn("off", "--recall") == 0
    assert switches.recording(root, "/w")
    assert not switches.recalling(root, "/w")
    assert learn("on", "--recall") == 0
    assert switches.recalling(root, "/w")


def test_switching_one_project(
    learn: Learn, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "app" / ".git").mkdir(parents=True)
    (tmp_path / "app" / "src").mkdir()
    monkeypatch.chdir(tmp_path / "app" / "src")
    assert learn("off", "--project") == 0
    assert str(tmp_path / "app") in learn.out
    assert not switches.recording(root, str(tmp_path / "app"))
    assert switches.recording(root, str(tmp_path))
    assert learn("off") == 0
    assert learn("on", "--project", str(tmp_path / "app")) == 0
    assert "still off everywhere" in learn.err
    learn.refused("off", "--project", str(tmp_path / "gone"))


def test_a_setting_that_keeps_recall_off_is_named(learn: Learn) -> None:
    assert learn("config", "recall", "false") == 0
    assert learn("on") == 0
    assert "learn config recall true" in learn.err


def test_switches_work_while_the_settings_make_no_sense(learn: Learn, root: str) -> None:
    Path(root).mkdir()
    Path(paths.config_file()).write_text("record = [")
    assert learn("off") == 0
    assert learn("on") == 0


def test_settings_are_shown_changed_and_reset(learn: Learn, root: str) -> None:
    entries = {entry["key"]: entry for entry in learn.listing("config")}
    assert entries["budgets.per_call"]["value"] == 3
    assert learn("config", "budgets.per_call", "2") == 0
    assert learn("config", "budgets.per_call") == 0
    assert learn.out == "2\n"
    assert learn("config") == 0
    assert "2 (file)" in next(line for line in learn.out.splitlines() if line.startswith("budgets.per_call"))
    assert learn("config", "budgets.per_call", "--unset") == 0
    assert learn("config", "budgets.per_call", "--json") == 0
    assert json.loads(learn.out) == 3


def test_ten_settings_are_listed_and_what_was_set_and_all_when_asked(
    learn: Learn, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LEARNLOOP_BACKGROUND", raising=False)
    assert learn("config") == 0
    assert len(learn.out.splitlines()) <= 11
    assert "25 more: learn config --all" in learn.err
    assert learn("config", "queue_size", "30") == 0
    assert learn("config") == 0
    assert "queue_size" in learn.out
    assert learn("config", "--all") == 0
    assert len(learn.out.splitlines()) == 1 + len(learn.listing("config"))


@pytest.mark.parametrize("words", [["config"], ["config", "--all"]])
def test_settings_fit_a_terminal_of_80_columns(learn: Learn, root: str, words: list[str]) -> None:
    shown = re.sub(r"\x1b\[[\d;]*m", "", on_terminal(["--no-pager", *words]).decode())
    lines = [line for line in shown.splitlines() if not line.startswith("File: ")]
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["SETTING", "VALUE", "MEANS"]


def test_settings_that_cannot_be_parsed_are_named(learn: Learn, root: str) -> None:
    Path(root).mkdir()
    Path(paths.config_file()).write_text("record = [")
    for argv in (["config"], ["lessons", "--drafts"], ["install"], ["ingest"], ["add", "Answers are short."]):
        assert paths.config_file() in learn.refused(*argv)
    assert sorted(path.name for path in Path(root).iterdir()) == [
        "config.toml",
        "record-off",
        "settings-note",
    ]
    assert learn("config", "--path") == 0


def test_a_wrong_number_is_asked_again(
    learn: Learn, settings: Path, codex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = settings.read_bytes()
    monkeypatch.setattr("sys.stdin", Keyboard("7\nboth\n2\n"))
    assert learn("install") == 0
    assert "answer with numbers from 1 to 2, or all" in learn.err
    assert "'both' is no number of the list" in learn.err
    assert ((codex / "hooks.json").is_file(), settings.read_bytes()) == (True, before)
