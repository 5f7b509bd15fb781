"""A long field in the person's own editor: taken back, left, or refused with a sentence."""

import os
import shlex
import stat
import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest
from scripts.perf.terminal import Terminal
from textual.app import App
from textual.widgets import Input, Static

from learnloop.demo import demo_store
from learnloop.service.lessons import documents, rows
from learnloop.service.workspace import open_workspace
from learnloop_tui.dialogs import outside
from learnloop_tui.dialogs.edit import EditScreen
from learnloop_tui.widgets.sentence import Sentence
from tests.tui.fakes import Console, FakeBridge, console, lesson

Script = Callable[[str], None]


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Script:
    """Sets EDITOR to a script of that body; $1 is the file."""

    def write(body: str) -> None:
        path = tmp_path / "my editor"
        path.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        path.chmod(0o700)
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", f"{shlex.quote(str(path))} --wait")

    return write


async def _form(seen: Console, monkeypatch: pytest.MonkeyPatch) -> EditScreen:
    monkeypatch.setattr(seen.app, "suspend", nullcontext)
    await seen.press("e")
    await seen.until(lambda: isinstance(seen.app.screen, EditScreen))
    form = seen.app.screen
    assert isinstance(form, EditScreen)
    return form


def _problem(form: EditScreen) -> str:
    return str(form.query_one(".problem", Static).visual)


async def test_the_statement_is_taken_back_and_saved(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    script(
        """[ "$1" = --wait ] && ls -l "$2" | cut -c1-10 > "$0.mode"
        printf 'Tabs \\033[31m[/x]\\nare used.\\n' > "$2" """
    )
    bridge = FakeBridge(lesson(1), lesson(2))
    async with console(bridge) as seen:
        form = await _form(seen, monkeypatch)
        await seen.press("f4")
        await seen.until(lambda: "are used." in form.query_one(Sentence).text)
        assert form.query_one(Sentence).text.endswith("[/x] are used.")
        assert "\x1b" not in form.query_one(Sentence).text
        await seen.press("ctrl+s")
        await seen.until(lambda: bool(bridge.verdicts))
        assert bridge.verdicts[0].args["statement"].endswith("[/x] are used.")
    assert Path(shlex.split(os.environ["EDITOR"])[0] + ".mode").read_text().strip() == "-rw-------"


async def test_what_is_not_taken_is_said(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    async with console(FakeBridge(lesson(1))) as seen:
        script("exit 0")
        form = await _form(seen, monkeypatch)
        for body, said in (
            ("exit 3", "ended with 3, so nothing was taken."),
            ("exit 0", "Left as it was."),
            ("head -c 30000 /dev/zero | tr '\\0' x > \"$2\"",
             "That is 30,000 characters, 20,000 are the most: nothing was taken."),
            ("printf '\\377\\376' > \"$2\"", "no UTF-8, so nothing was taken."),
            ('rm "$2"', "could not be used: No such file or directory."),
        ):  # fmt: skip
            script(body)
            await seen.press("f4")
            await seen.until(partial(_is_said, form, said))
            assert form.query_one(Sentence).text == "tool1 is used here"


def _is_said(form: EditScreen, words: str) -> bool:
    return words in _problem(form)


async def test_an_editor_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor -w")
    async with console(FakeBridge(lesson(1))) as seen:
        form = await _form(seen, monkeypatch)
        await seen.press("f4")
        await seen.until(lambda: "The editor no-such-editor was not found" in _problem(form))
        monkeypatch.delenv("VISUAL")
        monkeypatch.delenv("EDITOR", raising=False)
        monkeypatch.setenv("PATH", "/nonexistent")
        await seen.press("f4")
        await seen.until(lambda: "There is no editor: set EDITOR" in _problem(form))


async def test_words_behind_the_editor_key_do_not_reach_the_list(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    script("""printf 'Tabs are used.\\n' > "$2" """)
    bridge = FakeBridge(lesson(1), lesson(2))
    async with console(bridge) as seen:
        monkeypatch.setattr(seen.app, "suspend", nullcontext)
        await seen.burst("e", "f4", *"pp")
        assert seen.app.screen.query_one(Sentence).text == "Tabs are used.pp"
        assert not bridge.verdicts


def test_nothing_private_goes_to_a_shared_folder(
    script: Script, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(f"""printf %s "$2" > {shlex.quote(str(tmp_path))}/seen""")
    app = App[object]()
    monkeypatch.setattr(app, "suspend", nullcontext)
    assert outside.edit(app, "words").problem == ""
    edited = Path((tmp_path / "seen").read_text())
    assert edited.is_relative_to(root)
    assert not list(Path(root).iterdir())


def test_no_file_is_left_behind(
    script: Script, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    script("exit 1")

    app = App[object]()
    monkeypatch.setattr(app, "suspend", nullcontext)
    assert outside.edit(app, "words").words is None
    assert not list(tmp_path.glob("learnloop-*"))
    assert stat.S_IMODE(tmp_path.stat().st_mode) & 0o700


@pytest.mark.long
def test_in_a_real_terminal_the_console_steps_aside_and_comes_back(root: str, script: Script) -> None:
    demo_store.seed(root)
    ws = open_workspace(root)
    first = rows.rows(ws, "draft")[0].id
    script("""echo EDITOR-HAS-THE-SCREEN; printf 'Spaces are used here.\\n' > "$2" """)
    with Terminal([sys.executable, "-m", "learnloop_tui.main"], dict(os.environ)) as seen:
        seen.until("Evidence")
        seen.press("e")
        seen.until("Edit ")
        seen.press("\x0f")
        seen.until("EDITOR-HAS-THE-SCREEN")
        seen.until("Spaces are used here.")
        seen.press("\x13")
        seen.until("edit by console")
    assert documents.find(ws, first).statement == "Spaces are used here."


async def test_an_input_gets_one_line(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    script("""printf 'because\\nof that\\n' > "$2" """)
    async with console(FakeBridge(lesson(1))) as seen:
        form = await _form(seen, monkeypatch)
        form.query_one("#description", Input).focus()
        await seen.press("ctrl+o")
        await seen.until(lambda: form.query_one("#description", Input).value == "because of that")


async def test_a_terminal_that_cannot_be_left_is_reported(script: Script) -> None:
    script("exit 0")
    async with console(FakeBridge(lesson(1))) as seen:
        await seen.press("e")
        await seen.until(lambda: isinstance(seen.app.screen, EditScreen))
        await seen.press("f4")
        form = seen.app.screen
        assert isinstance(form, EditScreen)
        await seen.until(lambda: "cannot be left for an editor" in _problem(form))
