"""What reaches stdout: aligned text, pure JSON, nothing that steers a terminal."""

import json

import pytest

from learnloop.cli import output
from learnloop.cli.columns import Column

HOSTILE = "\x1b[31mred\x1b[0m [bold]not markup[/x] \u202eevil\x07\x9b2J\r\nnext"


def test_captured_text_cannot_steer_the_terminal() -> None:
    line = output.safe(HOSTILE)
    assert line.isprintable()
    assert "[bold]not markup[/x]" in line


def test_plain_listings_are_aligned_and_free_of_colour(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(
        [Column("ID"), Column("N", "right"), Column("SAYS")], [["ab", 5, HOSTILE], ["日本", 12, "x"]]
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ID     N  SAYS"
    assert lines[1].startswith("ab     5  ")
    assert lines[2] == "日本  12  x"
    assert "\x1b" not in "".join(lines)


def test_tables_on_a_terminal_never_read_markup(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    output.table([Column("SAYS", wide=True)], [[HOSTILE], ["[/]"]])
    told = capsys.readouterr().out
    assert "[bold]not markup[/x]" in told
    assert "[/]" in told
    assert "\x07" not in told


def test_json_is_the_same_text_again_and_safe_to_look_at(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"text": HOSTILE, "emoji": "👩‍💻", "astral": "\U000e0041", "lone": "\ud800", "plain": "žluť"}
    output.as_json(value)
    told = capsys.readouterr().out
    assert json.loads(told) == value
    assert told.replace("\n", "").isprintable()
    assert "žluť" in told
