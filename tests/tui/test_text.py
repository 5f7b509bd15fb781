"""The door for captured text, and that there is no other."""

import ast
from pathlib import Path

import pytest
from rich.style import Style

import learnloop_tui
from learnloop_tui.view import text

HOSTILE = (
    "[/foo] [red]x[/red] [@click=app.quit]q[/]",
    "\x1b]0;title\x07\x1b[31mred\x1b[0m",
    "\x9b31m c1 \x90 \x85",
    "abc\u202edcba\u2066 \u200f",
    "שלום עולם",
    "日本語テキスト",
    "👩‍👩‍👧‍👦 ✌️ 🇩🇪",
    "a\ud800b\x00\x7f",
    "tab\there\r\nnext\rlast",
    "e\u0301" * 5,
)


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("cells", [1, 7])
def test_what_comes_out_is_printable_and_measured(hostile: str, cells: int) -> None:
    for made in (text.line(hostile), text.cut(hostile, cells), text.fit(hostile, cells)):
        assert made.isprintable()
    assert text.width(text.cut(hostile, cells)) <= cells
    assert text.width(text.fit(hostile, cells)) == cells
    for wrapped in text.wrap(hostile, max(2, cells)):
        assert wrapped.isprintable()
        assert text.width(wrapped) <= max(2, cells)
    strip = text.strip(((hostile, "text"),), lambda _: Style(), cells)
    assert strip.text.isprintable()
    assert text.width(strip.text) == cells


@pytest.mark.parametrize("hostile", HOSTILE)
def test_content_is_never_markup(hostile: str) -> None:
    made = text.content(hostile)
    assert not made.spans
    assert made.plain.replace("\n", "").isprintable()


def test_ordinary_words_stay_as_they_are() -> None:
    assert text.line("no, use  uv\ninstead") == "no, use uv instead"
    assert text.wrap("one two three", 7) == ["one two", "three"]
    assert text.wrap("a\nb\n\n", 9) == ["a", "b"]
    assert text.wrap("one two three four", 7, limit=2) == ["one two", "three…"]
    assert text.cut("日本語", 4) == "日…"


def test_nothing_else_makes_what_is_drawn() -> None:
    """Segments, contents, toasts and texts of widgets are made in the door, or from literals, or by it."""
    folder = Path(learnloop_tui.__file__).parent
    found = [
        f"{path.relative_to(folder)}:{node.lineno} {name}"
        for path in sorted(folder.rglob("*.py"))
        if path.name != "text.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and (name := _forbidden(node, path.stem))
    ]
    assert found == []


_MAKERS = {"Content", "Segment", "Text", "Strip", "from_markup", "assemble", "styled"}
_SHOWERS = {"Static", "Label", "Option", "Selection", "Button", "update"}


def _forbidden(call: ast.Call, module: str) -> str:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in _MAKERS:
        return name
    if name == "notify" and isinstance(call.func, ast.Attribute) and _is_ours(call.func.value, module):
        return ""  # it cleans the words, and is looked at itself
    if name == "notify":
        words = call.args[0]
        safe = _from_the_door(words) and any(
            keyword.arg == "markup" and getattr(keyword.value, "value", True) is False
            for keyword in call.keywords
        )
        return "" if safe else name
    if name in _SHOWERS and call.args and not _harmless(call.args[0]):
        return name
    return ""


def _is_ours(value: ast.expr, module: str) -> bool:
    """Whether a toast goes through `Notifications`, not to Textual at once."""
    if isinstance(value, ast.Name):
        return value.id == "self" and module == "notifications"
    return isinstance(value, ast.Attribute) and value.attr in ("notifications", "_notifications")


def _harmless(argument: ast.expr) -> bool:
    named = isinstance(argument, ast.Name) and argument.id in ("prompt", "before")
    own = isinstance(argument, ast.Call) and getattr(argument.func, "attr", "") == "_option"
    return isinstance(argument, ast.Constant | ast.Dict) or named or own or _from_the_door(argument)


def _from_the_door(argument: ast.expr) -> bool:
    if not isinstance(argument, ast.Call) or not isinstance(argument.func, ast.Attribute):
        return False
    return isinstance(argument.func.value, ast.Name) and argument.func.value.id == "text"


def test_titles_of_frames_come_through_the_door() -> None:
    folder = Path(learnloop_tui.__file__).parent
    assigned = [
        (path.name, node.value)
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Attribute) and target.attr in ("border_title", "border_subtitle", "tooltip")
    ]
    assert assigned
    assert [name for name, value in assigned if not _from_the_door(value)] == []
