"""Completion in the shells themselves, and what any of them is answered."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.cli import registry
from learnloop.cli.registry import for_verb
from learnloop.cli.suggestions import SHELLS, completer
from learnloop.service.lessons import completion_names
from tests.cli.store import LESSONS, NOW, lesson, seed
from tests.cli.terminal import on_terminal

HOSTILE = lesson(
    "host" + "a" * 22, statement='$(touch /tmp/x) `id` "quoted" \x1b[2J\n\u202e end', status="active",
    project="/w/the app", created=NOW,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _on_path(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`learn` by its name, as a shell finds it."""
    learn = tmp_path / "bin" / "learn"
    learn.parent.mkdir()
    learn.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m learnloop.cli.main "$@"\n')
    learn.chmod(0o755)
    monkeypatch.setenv("PATH", f"{learn.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    seed(root, (*LESSONS, HOSTILE))


def _answered(line: str, shell: str = "bash") -> list[str]:
    """What the program answers a shell that completes `line`."""
    told = Path(os.environ["LEARNLOOP_HOME"]).parent / "answer"
    asked = {
        "_ARGCOMPLETE": "1", "_ARGCOMPLETE_SHELL": shell, "_ARGCOMPLETE_STDOUT_FILENAME": str(told),
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)),
        "_ARGCOMPLETE_IFS": "\n",
    } | ({"_ARGCOMPLETE_DFS": "\t"} if shell == "fish" else {})  # fmt: skip
    done = subprocess.run(["learn"], env=os.environ | asked, capture_output=True, check=True)
    assert done.stdout == b""
    return told.read_text("utf-8").split("\n")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_lessons_are_offered_with_what_they_say_and_nothing_that_steers(shell: str) -> None:
    (told,) = _answered("learn edit --pause host", shell)
    assert told.startswith("host")
    assert "$(touch /tmp/x) `id`" in told
    assert told.replace("\t", "").isprintable()


def test_every_argument_that_takes_a_lesson_completes_it() -> None:
    without = [
        verb.name
        for verb in (*registry.VERBS, *registry.VIEWS)
        for action in for_verb(verb, verb.load())._actions
        if action.metavar == "ID" and not action.option_strings and completer(verb.name, action) is None
    ]
    assert without == ["preferences"]  # beliefs have names of their own


def test_completing_reads_cheaply_and_writes_nothing(root: str) -> None:
    before = sorted(Path(root).rglob("*"))
    code = (
        "import os, sys; leave = os._exit; heavy = {'pydantic', 'rich', 'tinydb'}\n"
        "os._exit = lambda code: (print(sorted(heavy & set(sys.modules))), leave(0))\n"
        "from learnloop.cli.main import main; main([])"
    )
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": "learn edit uv", "COMP_POINT": "13",
             "_ARGCOMPLETE_STDOUT_FILENAME": os.devnull}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-u", "-c", code], env=os.environ | asked, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
    assert sorted(Path(root).rglob("*")) == before


def test_no_store_and_a_broken_one_give_no_names(root: str, tmp_path: Path) -> None:
    assert completion_names.lessons(str(tmp_path / "none"), "") == {}
    Path(root, "store", "lessons.json").write_bytes(
        b'"\xff":{"id"\n"abcd":{"status":"draft","statement":"\\q"\n'
    )
    assert completion_names.lessons(root, "a") == {}
    assert completion_names.projects(root) == []


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_takes_the_script(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = subprocess.run(["learn", "completion", shell], capture_output=True, check=True).stdout
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_completes_on_a_terminal() -> None:
    typed = (
        b'autoload -Uz compinit; compinit -u; eval "$(learn completion zsh)"\n'
        b"learn lesso\t--statu\tacti\t--js\t\nlearn show uvuv2\t| head -2\nexit\n"
    )
    shown = on_terminal(["-f", "-i"], typed, program=["zsh"], env={"TERM": "dumb"})
    assert b"Commits are signed." in shown
    assert b"Use uv, not pip." in shown


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes() -> None:
    asked = 'learn completion fish | source; complete -C "learn hook-c"; complete -C "learn show uvuv2"'
    done = subprocess.run(["fish", "--private", "-c", asked], capture_output=True, text=True, check=True)
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["hook-command", "uvuv2"]
