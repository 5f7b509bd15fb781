"""`learn` as a program: usage, exit codes, failures."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.cli import registry
from learnloop.cli.main import main
from learnloop.errors import LearnloopError, Unreadable
from learnloop.wire import paths

LEARN = [sys.executable, "-m", "learnloop.cli.main"]


def test_help_lists_what_one_can_remember_and_all_of_it_when_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--help"]) == 0
    short = capsys.readouterr().out
    assert main(["help", "--all"]) == 0
    output = capsys.readouterr().out
    assert all(f"  {name} " in output for name in registry.NAMES)
    everyday = [verb for verb in registry.VERBS if verb.group != registry.HIDDEN]
    assert [verb.name for verb in everyday if f"  {verb.name} " not in short] == []
    assert len(everyday) <= 20
    assert len(registry.VERBS) <= 36
    assert short.count("\n  ") <= 26
    assert "learn help --all" in short


@pytest.mark.parametrize(("name", "now"), registry.RENAMED.items())
def test_every_older_name_answers_and_says_what_it_is_now(
    name: str, now: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    output = capsys.readouterr()
    assert output.out.startswith(
        f"usage: learn {' '.join(now[:1] if '--from' in now or now[0] == 'check' else now)}"
    )
    assert output.err == f"learn: {name} is now: learn {' '.join(now)}\n"


OF_THE_RELEASE_BEFORE = """\
install backfill status triage lessons show add edit promote reject undo why sessions patches config doctor
on off report forget uninstall ingest detect tasks log projects feedback drafts stats archive restore pause
resume backtest merge replace gate rate keep upkeep redo history agents
preferences experiments holdout teach memories prime facts discover mcp draft init trust export import
completion hook-command
"""


def test_no_verb_of_the_release_before_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    names = OF_THE_RELEASE_BEFORE.split()
    assert {"archive", "hook-command"} < set(names)
    assert [name for name in names if main([name, "--help"])] == []
    told = capsys.readouterr().err.splitlines()
    assert len(told) == len(names) - len({verb.name for verb in registry.VERBS}.intersection(names))


def test_an_option_that_is_a_command_of_its_own_may_stand_anywhere(
    root: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for argv in (["undo", "--json", "--history"], ["undo", "--history", "--json"], ["history", "--json"]):
        assert main(argv) == 0
        assert capsys.readouterr().out == "[]\n"
    assert main(["edit", "k3fq", "--pause", "--resume"]) == 2
    assert "not understood: --resume" in capsys.readouterr().err
    assert main(["add", "--", "--undo"]) == 0  # behind -- nothing is an option


def test_help_is_a_verb_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    assert "learn VERB" in capsys.readouterr().out
    assert main(["help", "promote"]) == 0
    assert "learn promote" in capsys.readouterr().out
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("learnloop ")


def test_every_verb_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for name in registry.NAMES:
        assert main([name, "--help"]) == 0
        assert f"learn {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "what"),
    [
        (["promot", "abcd"], "did you mean 'promote'?"),
        (["delete", "abcd"], "edit --archive retires a lesson"),
        (["tui"], "learn-tui"),
        (["--wat"], "--wat"),
        (["show"], "ID is missing"),
        (
            ["lessons", "--status", "wrong"],
            "--status takes 'active', 'draft', 'archived', 'rejected', not 'wrong'",
        ),
        (["off", "--for"], "--for needs a value"),
        (["off", "--for", "soon"], "'soon' is not a time"),
        (["off", "--project", "--all"], "does not go with"),
        (["undo", "--history", "--limit", "0"], "above 0"),
        (["forget"], "--all"),
        (["config", "--unset"], "KEY"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(
    argv: list[str], what: str, root: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("learn: ")
    assert output.err.count("\n") == 1
    assert what in output.err


def test_no_verb_shows_the_help_and_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "promote" in output.err


def _failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def run(arguments: list[str]) -> int:
        raise error

    monkeypatch.setattr(registry, "parse", run)


def test_an_expected_failure_is_one_line_and_exit_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _failing(monkeypatch, Unreadable("a\nb\x1b[2J cannot be read", "mend it"))
    assert main(["status"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert output.err.startswith("learn: a b")
    assert output.err.endswith(" – mend it\n")
    assert "\x1b" not in output.err


def test_ctrl_c_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    _failing(monkeypatch, KeyboardInterrupt())
    assert main(["status"]) == 130


def test_a_fault_of_ours_is_exit_3_with_a_log(
    root: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _failing(monkeypatch, ValueError("surprise"))
    assert main(["add", "something private"]) == 3
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    (log,) = Path(paths.log(root)).iterdir()
    assert str(log) in output
    assert "ValueError: surprise" in log.read_text()
    assert "private" not in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_fault_that_cannot_be_logged_still_says_so(
    root: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(root).write_text("in the way")
    _failing(monkeypatch, ValueError("surprise"))
    assert main(["status"]) == 3
    assert "surprise" in capsys.readouterr().err


def test_settings_that_make_no_sense_are_refused_before_anything_is_done(
    root: str, capsys: pytest.CaptureFixture[str]
) -> None:
    config = Path(paths.config_file())
    config.parent.mkdir(parents=True)
    config.write_text("quue_size = 3\n")
    assert main(["add", "Answers are short."]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert "did you mean 'queue_size'?" in output.err
    assert sorted(path.name for path in Path(root).iterdir()) == [
        "config.toml",
        "record-off",
        "settings-note",
    ]


def test_a_root_that_cannot_be_made_is_reported(
    tmp_path: Path, root: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "dangling").symlink_to(tmp_path / "gone")
    monkeypatch.setenv("LEARNLOOP_HOME", str(tmp_path / "dangling" / "root"))
    for argv in (["add", "Answers are short."], ["install"], ["off"]):
        assert main(argv) == 1, argv
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.startswith("learn: ")
        assert output.err.count("\n") == 1
    assert not (tmp_path / "user" / ".claude").exists()


def test_a_failing_hook_refresh_does_not_stop_a_verb(
    root: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from learnloop.service.setup import install

    def refresh(ws: object) -> None:
        raise LearnloopError("cannot")

    hooks = Path(paths.hooks(root))
    hooks.mkdir(parents=True)
    (hooks / "current").symlink_to("gone")
    monkeypatch.setattr(install, "refresh", refresh)
    assert main(["config", "--path"]) == 0
    assert capsys.readouterr().out == f"{paths.config_file()}\n"


def test_a_closed_pipe_is_quiet(root: str) -> None:
    process = subprocess.Popen(
        [*LEARN, "config", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_help_loads_neither_models_nor_rich() -> None:
    code = (
        "import sys; from learnloop.cli.main import main; main(['--help']);"
        "print(sorted({'pydantic', 'rich', 'tinydb', 'textual'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
def test_output_that_finds_no_room_is_one_line_and_exit_1(root: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*LEARN, "config", "--json"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr.startswith("learn: no space left on device")
    assert done.stderr.count("\n") == 1


def test_json_is_json_where_the_output_is_ascii(root: str) -> None:
    env = dict(os.environ, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C.UTF-8")
    subprocess.run([*LEARN, "add", "Größen stehen in Metern 漢字."], env=env, check=True)
    listed = subprocess.run([*LEARN, "lessons", "--json"], env=env, stdout=subprocess.PIPE, check=True).stdout
    assert listed.isascii()
    assert json.loads(listed)[0]["statement"] == "Größen stehen in Metern 漢字."


def test_each_verb_loads_and_each_file_is_of_a_verb() -> None:
    from learnloop.cli import commands

    modules = {verb.load().run.__module__ for verb in (*registry.VERBS, *registry.VIEWS)}
    files = {path.stem for path in Path(commands.__path__[0]).glob("*.py")} - {"__init__"}
    assert files == {name.rpartition(".")[2] for name in modules}
