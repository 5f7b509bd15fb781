"""Listings on a real terminal: the pager, the width, colours, bars."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.store import LESSONS, lesson, seed
from tests.cli.terminal import LEARN, on_terminal

MARKED = {"LEARNLOOP_PAGER": "sed s/^/paged:/", "LEARNLOOP_QUEUE_SIZE": "90"}
COLOUR = re.compile(rb"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|38|48|9[0-7])[;m]")
MANY = tuple(
    lesson(f"{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}" + "z" * 24, statement=f"Rule {n} is followed.")
    for n in range(80)
)


@pytest.fixture(autouse=True)
def _many(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PAGER", "LEARNLOOP_PAGER", "LESS", "NO_COLOR", "COLUMNS", "LINES", "TERM"):
        monkeypatch.delenv(name, raising=False)
    seed(root, (*LESSONS, *MANY))


@pytest.mark.parametrize("argv", [["lessons", "--drafts"], ["show", "uvuv2"]])
def test_what_is_longer_than_the_screen_goes_through_the_pager(argv: list[str]) -> None:
    shown = on_terminal(argv, size=(10, 80), env=MARKED)
    assert shown.startswith(b"paged:")
    assert shown.count(b"\r\npaged:") > 10


@pytest.mark.parametrize(
    ("argv", "lines", "env"),
    [
        (["lessons", "--drafts"], 200, MARKED),
        (["lessons", "--drafts", "--no-pager"], 10, MARKED),
        (["lessons", "--drafts"], 10, MARKED | {"LEARNLOOP_PAGER": ""}),
        (["lessons", "--drafts"], 10, MARKED | {"LEARNLOOP_PAGER": "no-such-pager -R"}),
        (["lessons", "--drafts"], 10, MARKED | {"TERM": "dumb"}),
        (["lessons", "--drafts", "--json"], 10, MARKED),
    ],
)
def test_everything_else_is_printed_at_once(argv: list[str], lines: int, env: dict[str, str]) -> None:
    shown = on_terminal(argv, size=(lines, 80), env=env)
    assert b"Rule 79 is followed." in shown
    assert b"paged:" not in shown


def test_a_pager_gets_the_environment_as_git_gives_it_and_may_be_left_early() -> None:
    told = on_terminal(
        ["lessons", "--drafts"], size=(10, 80), env=MARKED | {"LEARNLOOP_PAGER": "sh -c 'echo LESS=$LESS'"}
    )
    assert told == b"LESS=FRX\r\n"
    told = on_terminal(
        ["lessons", "--drafts"], size=(10, 80), env={"PAGER": "head -n 1", "LEARNLOOP_QUEUE_SIZE": "90"}
    )
    assert told.count(b"\n") == 1


def test_pipes_get_neither_pager_nor_colour() -> None:
    done = subprocess.run(
        [*LEARN, "lessons", "--drafts"],
        env=os.environ | MARKED | {"TERM": "xterm"},
        capture_output=True,
        check=True,
    )
    assert b"paged:" not in done.stdout
    assert b"\x1b" not in done.stdout


@pytest.mark.parametrize("columns", [20, 80, 240])
def test_every_width_shows_ids_and_words_whole(columns: int) -> None:
    shown = on_terminal(["--no-pager", "lessons"], size=(300, columns))
    plain = re.sub(rb"\x1b\[[0-9;]*m", b"", shown).decode()
    ids = re.findall(r"^(?:ID: )?([a-z0-9]{4,5})\b", plain, re.M)
    assert len(set(ids)) == len(LESSONS) + len(MANY)
    assert "…" not in plain
    if columns >= 60:
        assert all(len(line) <= columns for line in plain.splitlines())


def test_colours_are_for_terminals_that_want_them() -> None:
    assert COLOUR.search(on_terminal(["--no-pager", "lessons", "--drafts"]))
    assert not COLOUR.search(on_terminal(["--no-pager", "lessons", "--drafts"], env={"NO_COLOR": "1"}))
    assert b"\x1b" not in on_terminal(["--no-pager", "lessons", "--drafts"], env={"TERM": "dumb"})
    assert b"\x1b" not in on_terminal(["doctor"], env={"TERM": "dumb"})


@pytest.mark.slow
def test_long_work_shows_a_bar_where_a_person_watches(root: str, tmp_path: Path) -> None:
    document = tmp_path / "lessons.json"
    document.write_text(json.dumps({"version": 1, "lessons": [one.as_json() for one in MANY]}))
    assert b"Importing" in on_terminal(["import", str(document)])
    assert b"\x1b" not in on_terminal(["import", str(document)], env={"TERM": "dumb"})
    done = subprocess.run([*LEARN, "import", str(document)], capture_output=True, check=True)
    assert done.stderr in (b"", b"learn: still at work: importing\n")
    assert b"Segments" in on_terminal(["ingest", "--all"])
    assert b"Segments" not in on_terminal(["ingest", "--all"], env={"TERM": "dumb"})
