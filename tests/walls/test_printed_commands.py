"""Commands that are printed for copying hold in any folder: what is put into them is quoted."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.service import silences
from learnloop.service.setup import install, settings_file
from learnloop.service.workspace import Workspace

ROOT = Path(__file__).parents[2]
_COMMAND = re.compile(
    r"(?:\b(?:learn|learn-tui|claude|codex|kill|git|pip) |--)[a-z-](?:(?![.,;:–] )[^(\n])*\Z"
)
"""The end of a text that stands in a command: no sentence ended since it began."""
_NEEDS_NONE = {
    "everywhere", "words",  # options that are fixed texts
    "installation.host", "installation.scope", "mode", "other", "name", "key", "each",  # words of the program
    "item.short", "its", "lesson.short", "mine", "short", "thing.short", "shown(patch.id)",  # ids
    "shown(str(lesson['id']))", "files",  # files: quoted one by one
    "pid", "value",  # numbers
    "branch[1].lower()",  # a pattern of commands, not one to type
    "setting[:60]!r",  # what was typed
}  # fmt: skip
_ODD = 'a b\'s "c" $d ü 🎈'


def _put_in(text: ast.JoinedStr) -> Iterator[str]:
    """The expressions that a text puts into a command."""
    before = ""
    for part in text.values:
        if isinstance(part, ast.Constant):
            before += str(part.value)
        elif isinstance(part, ast.FormattedValue):
            if _COMMAND.search(before):
                yield ast.unparse(part.value) + ("!r" if part.conversion == ord("r") else "")
            before += "X"


def _unquoted(source: str) -> set[str]:
    texts = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.JoinedStr)]
    return {each for text in texts for each in _put_in(text) if not each.startswith("quote(")}


@pytest.mark.parametrize(
    ("source", "unquoted"),
    [
        ('f"{why}: learn on --project {project} switches it on"', {"project"}),
        ('f"See: claude --plugin-dir {plugin}"', {"plugin"}),
        ('f" --file {path}"', {"path"}),
        ('f"learn edit --merge {lesson!r}"', {"lesson!r"}),
        ('f"learn show {quote(lesson)} has {count} more"', {"count"}),
        ('f"run learn doctor ({error})"', set()),
        ('f"learn undo. {path} stays"', set()),
        ('f"{path} is gone; learn doctor"', set()),
    ],
)
def test_what_is_put_into_a_command_is_found(source: str, unquoted: set[str]) -> None:
    assert _unquoted(source) == unquoted


def test_every_command_is_quoted() -> None:
    files = [path for folder in ("src", "tui", "hooks") for path in (ROOT / folder).rglob("*.py")]
    found = {path.name: _unquoted(path.read_text("utf-8")) - _NEEDS_NONE for path in files}
    assert {name: expressions for name, expressions in found.items() if expressions} == {}


def test_a_project_of_any_name_is_switched_on_by_what_is_printed(ws: Workspace, tmp_path: Path) -> None:
    project = tmp_path / _ODD
    project.mkdir()
    settings_file.switch(ws, False, str(project))
    (silence,) = [each for each in silences.of(ws.root, str(project)) if "switched off in" in each.why]
    words = shlex.split(silence.way_out)
    assert words[:4] == ["learn", "on", "--project", str(project)]
    assert main(words[1:4]) == 0
    assert not [each for each in silences.of(ws.root, str(project)) if "switched off in" in each.why]


def test_install_prints_the_folder_of_the_plugin_quoted(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(install, "plugin_folder", lambda: f"/{_ODD}/plugin")
    assert main(["install"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "--plugin-dir" in line)
    assert shlex.split(line.partition("review: ")[2]) == ["claude", "--plugin-dir", f"/{_ODD}/plugin"]
