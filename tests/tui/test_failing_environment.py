"""The console where things go wrong around it: its terminal, its store, the clock; in its own process."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from learnloop.service.lessons import rows
from learnloop.service.workspace import open_workspace
from learnloop_tui.view.state import Happening
from tests.generated_drafts import seed_queue
from tests.tui.fakes import NOW_MS, FakeBridge, console, lesson
from tests.tui.person import LEARN_TUI, Outside, at, at_terminal

if TYPE_CHECKING:
    from scripts.perf.terminal import Terminal

    from tests.tui.person import Person

PASTE = "\x1b[200~{}\x1b[201~"
MEGABYTE = 1_000_000
COLOUR = re.compile(rb"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")
"""Any sequence that sets a colour."""

pytestmark = pytest.mark.long  # whole processes in terminals of their own: a crowded machine makes them wait


@pytest.fixture
def queue(root: str) -> str:
    """A store with 30 drafts."""
    seed_queue(root, 30, now_ms=NOW_MS)
    return root


def terminal(person: Person) -> Terminal:
    """The terminal that the person sits at."""
    assert isinstance(person.seat, Outside)
    return person.seat.terminal


async def test_a_terminal_made_too_small_says_so_and_takes_no_verdicts(queue: str) -> None:
    with at_terminal(queue) as person:
        await person.sees("Inbox 30", "│▌", "p keep")
        first = person.under_cursor[:30]
        terminal(person).resize(30, 8)
        await person.sees("30 × 8", "40 × 10")
        await person.types("p")
        terminal(person).resize(120, 30)
        await person.sees("Inbox 30", "│▌", "p keep")
        assert person.under_cursor[:30] == first
        terminal(person).resize(30, 8)
        await person.sees("30 × 8")
        await person.types("q")
        terminal(person).until_gone()


async def test_after_five_hundred_resizes_the_last_size_is_drawn(queue: str) -> None:
    dice = random.Random(7)
    with at_terminal(queue) as person:
        await person.sees("│▌")
        for _ in range(500):
            terminal(person).resize(dice.randint(1, 300), dice.randint(1, 100))
            terminal(person).rest(0.001)
        terminal(person).resize(100, 24)
        await person.seat.until(_is_whole_at_100)
        lines = person.seat.screen().splitlines()
        assert lines[0].endswith("6 Health")
        assert lines[23].startswith(" p keep")


def _is_whole_at_100(screen: str) -> bool:
    """The frame ends in the last column, and the row under the cursor stands in it."""
    lines = screen.splitlines()
    return (
        len(lines) == 24
        and lines[1].startswith("╭─ Inbox 30")
        and len(lines[1]) == 100
        and lines[1][-1] == "╮"
        and "│▌" in screen
    )


async def test_a_pasted_megabyte_is_bounded_in_each_field(queue: str) -> None:
    with at_terminal(queue) as person:
        await person.sees("│▌")
        await person.types("slash")
        await person.sees("words, or")
        await person.types(PASTE.format("x" * MEGABYTE))
        await person.sees("Pasted the first 10,000 characters of 1,000,000", " 0 of 30")
        await person.types("escape")
        await person.sees("│▌")
        await person.types("r")
        await person.sees("one key, or")
        await person.types("e")
        await person.sees("the reason in your words")
        await person.types(PASTE.format("y" * MEGABYTE))
        await person.sees("yyyy")
        await person.types("escape")
        await person.sees_no("one key, or")
        await person.types("e")
        await person.sees("enter or ctrl+s saves")
        await person.types(PASTE.format("zw " * (MEGABYTE // 3)))
        await person.sees("zw zw zw")
        await person.types("escape")
        await person.sees("Not saved")
        await person.types("escape")
        await person.sees_no("Not saved")
        assert terminal(person).is_alive


async def test_a_store_that_vanishes_is_reported_and_the_next_one_is_followed(queue: str) -> None:
    with at_terminal(queue) as person:
        await person.sees("│▌")
        shutil.rmtree(queue)
        await person.sees("The store is gone")
        await person.types("p", "6")
        await person.sees("Health")
        await person.types("1")
        seed_queue(queue, 3)
        await person.sees("Inbox 3", "│▌")
        await person.promotes("is used")
    assert len(rows.rows(open_workspace(queue), "active")) == 1


READ_ONLY = """
mount --bind "$1" "$1" || exit 77
(while [ ! -e "$2" ]; do sleep 0.05; done
 mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && : > "$2.done") &
exec "$3"
"""


def _may_mount() -> bool:
    unshare = shutil.which("unshare")
    return unshare is not None and not subprocess.run([unshare, "-m", "true"], capture_output=True).returncode


@pytest.mark.skipif(not _may_mount(), reason="needs unshare and the right to mount")
async def test_a_store_that_turns_read_only_refuses_verdicts_in_words(queue: str, tmp_path: Path) -> None:
    signal = tmp_path / "now"
    unshare = str(shutil.which("unshare"))
    argv = (unshare, "-m", "/bin/sh", "-c", READ_ONLY, "sh", queue, str(signal), LEARN_TUI)
    with at_terminal(queue, argv=argv) as person:
        await person.sees("│▌")
        before = person.under_cursor[:30]
        signal.touch()
        await person.seat.until(lambda _: signal.with_name("now.done").exists())
        await person.types("p")
        await person.seat.until(lambda screen: "read-only" in screen.lower())
        await person.sees("Inbox 30", before)
        await person.goes_to(before)


async def test_put_aside_and_brought_back_it_draws_itself_anew(queue: str) -> None:
    with at_terminal(queue, argv=("/bin/bash", "--norc", "--noprofile", "-i")) as person:
        await person.types(f"PS1='shell> '; {LEARN_TUI}", "enter")
        await person.sees("Inbox 30", "│▌")
        await person.types("ctrl+z")
        await person.sees("Stopped", "shell>")
        await person.types("fg", "enter")
        await person.sees("Inbox 30", "│▌")
        await person.promotes("is used")
        await person.types("q")
        await person.sees("shell>")


@pytest.fixture(params=["NO_COLOR", "16 colours", "256 colours", "no LANG"])
def looks(request: pytest.FixtureRequest) -> dict[str, str]:
    """Terminals that cannot show everything."""
    return {
        "NO_COLOR": {"TERM": "xterm-256color", "NO_COLOR": "1"},
        "16 colours": {"TERM": "xterm", "COLORTERM": ""},
        "256 colours": {"TERM": "xterm-256color", "COLORTERM": ""},
        "no LANG": {"TERM": "xterm-256color", "LANG": "C", "LC_ALL": "C"},
    }[request.param]


async def test_terminals_of_few_colours_show_and_do_the_same(queue: str, looks: dict[str, str]) -> None:
    with at_terminal(queue, looks=looks) as person:
        await person.sees("Inbox 30", "│▌")
        await person.promotes("is used")
        await person.sees("Inbox 29")
        raw = terminal(person).raw
    if "NO_COLOR" in looks:
        assert not COLOUR.search(raw)
    else:
        assert b"\x1b[38;2;" not in raw, "no truecolor where the terminal does not say that it has it"


@pytest.mark.parametrize(("looks", "why"), [({"TERM": "dumb"}, "plain lines only"), ({}, "TERM is not set")])
async def test_a_dumb_terminal_gets_a_sentence_and_the_way_out(
    queue: str, looks: dict[str, str], why: str
) -> None:
    with at_terminal(queue, looks=looks) as person:
        await person.sees(why, "learn triage --plain")
        terminal(person).until_gone()


YEAR_MS = 365 * 86_400_000


@pytest.mark.parametrize("leap", [-YEAR_MS, -1, YEAR_MS])
async def test_a_clock_that_jumps_stops_nothing(leap: int) -> None:
    bridge = FakeBridge(lesson(1), lesson(2))
    leaps = [0]
    async with console(bridge, clock=lambda: NOW_MS + leaps[-1]) as seen:
        person, before = at(seen), seen.app.health.pulse
        leaps.append(leap)
        await person.promotes("tool1")
        bridge.news = [Happening(NOW_MS, "prompt", "shop", "“hello”")]
        await seen.until(lambda: seen.app.health.pulse is not before)
        await person.sees("hello")
        await person.goes_to("tool2")


@pytest.mark.parametrize("name", ["journal.jsonl", "config.toml", "store/lessons.json", "console.lock"])
async def test_a_fifo_in_place_of_a_document_is_named_at_once(queue: str, name: str) -> None:
    path = Path(queue, name)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    with at_terminal(queue) as person:
        await person.sees("regular file")
        await person.types("q")
        terminal(person).until_gone()
