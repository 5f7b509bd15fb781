"""Write docs/tour.svg, an animated walk through the demo: fixed clock, fixed size, nothing from the network.

`--check` compares instead and fails where it is out of step.
"""

from __future__ import annotations

import asyncio
import re
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from scripts import screenshots

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from learnloop_tui.app.app import ConsoleApp

FILE = Path(__file__).resolve().parent.parent / "docs" / "tour.svg"
SIZE = (112, 30)
_CAPTION = 64
"""The height of the caption under the console, pixels."""


class Step(NamedTuple):
    """Keys, what the screen shows then, and for how long; or a conversation, which needs no console."""

    caption: str
    keys: tuple[str, ...] = ()
    awaits: str = ""
    seconds: float = 3.0
    opens: bool = False
    """The keys open a dialog."""
    card: tuple[str, ...] = ()
    """The lines of a conversation, each with who speaks before a colon."""


STEPS = (
    Step(
        "You correct your agent, as always.",
        card=(
            "you: add the requests library",
            "agent: Bash: pip install requests",
            "you: don't use pip here, use uv",
        ),
    ),
    Step("Learnloop drafts lessons from what you said, the likeliest first.", awaits="told when"),
    Step("Each draft says where it comes from and what it would cost.", tuple("j" * 3), "any in TypeScript"),
    Step("p keeps it. Shall it also stop the wrong call before it runs?", ("p",), opens=True),
    Step("Nothing is ever told that you have not approved. z takes it back.", ("1",), "Kept “"),
    Step("Each lesson counts what came of it: heeded, ignored.", ("2", *("j" * 15)), "told 2×"),
    Step("Which agent do you correct, how often, and on what?", ("4",), "Corrected most"),
    Step("A proven lesson goes into CLAUDE.md as a diff, and comes out again whole.", ("5", "d"), " │ "),
    Step("Every session, live: tools, subagents, what was recalled.", ("3", "j", "j"), "└ test-writer"),
    Step(
        "A week later, in another session.",
        card=(
            "you: add the rich library", "agent: Bash: pip install rich",
            "learnloop: Don't use pip here, use uv. (stopped once)", "agent: Bash: uv add rich",
        ),
        seconds=5,
    ),
)  # fmt: skip
_CARD_COLOURS = {"you": "#7aa5ec", "agent": "#c3c9d1", "learnloop": "#f0b429"}


def draw() -> str:
    """The animation as SVG."""
    with (
        screenshots.world() as folder,
        mock.patch("learnloop.service.place.signs", return_value=()),
    ):
        from learnloop.demo import demo_store

        demo_store.seed(f"{folder}/home", now_ms=screenshots.NOW_MS)
        return animated(asyncio.run(_walk(folder)))


async def _walk(folder: Path) -> list[str]:
    """A picture of the console after each step."""
    from learnloop_tui.app.app import ConsoleApp

    app = ConsoleApp(screenshots.elsewhere(f"{folder}/home", str(folder)), clock=lambda: screenshots.NOW_MS)
    async with app.run_test(size=SIZE) as pilot:
        async with asyncio.timeout(100):
            while not (app.health.pulse and app.main.following):
                await pilot.pause(0.01)
            return [await _picture(app, pilot, step, folder) for step in STEPS if not step.card]


async def _picture(app: ConsoleApp, pilot: Pilot[str], step: Step, folder: Path) -> str:
    await screenshots.press(app, pilot, step.keys)
    while step.opens == (app.screen is app.main) or not _says(app, step.awaits):
        await pilot.pause(0.01)
    await screenshots.still(app, pilot)
    return screenshots.portable(app.export_screenshot(title="Learnloop"), str(folder))


def _says(app: ConsoleApp, words: str) -> bool:
    messages = (str(message) for message in app.notifications.messages)
    is_message = any(words in message for message in messages)
    return screenshots.shows(app, "" if is_message else words)


def animated(pictures: list[str]) -> str:
    """The steps one after the other, each with its caption; the first alone where motion is unwanted."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', pictures[0])
    assert box is not None
    width, height = float(box[1]), float(box[2])
    left = iter(pictures)
    frames = [
        _frame(number, step, _card(step, width, height) if step.card else next(left), (width, height))
        for number, step in enumerate(STEPS)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + _CAPTION}">\n'
        f"<style>{_style()}</style>\n{''.join(frames)}</svg>\n"
    )


def _frame(number: int, step: Step, picture: str, size: tuple[float, float]) -> str:
    """One picture under names of its own, with its caption."""
    width, height = size
    own = picture.replace("terminal-", f"f{number}-").replace("<svg ", f'<svg height="{height}" ', 1)
    return (
        f'<g class="frame frame-{number}">{own}'
        f'<rect x="1" y="{height + 6}" width="{width - 2}" height="{_CAPTION - 8}" rx="8" fill="#20262e"/>'
        f'<text class="caption" x="{width / 2}" y="{height + 42}">{escape(step.caption)}</text></g>\n'
    )


def _card(step: Step, width: float, height: float) -> str:
    """A conversation as large lines in the middle."""
    top = height / 2 - 30 * len(step.card)
    lines = [f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="8" fill="#191d24"/>']
    for number, line in enumerate(step.card):
        who, _, words = line.partition(": ")
        lines.append(
            f'<text class="card" y="{top + 64 * number + 48}" fill="{_CARD_COLOURS[who]}">'
            f'<tspan x="120">{who}</tspan><tspan x="360">{escape(words)}</tspan></text>'
        )
    return "".join(lines)


def _style() -> str:
    """Each frame is visible during its part of the whole time."""
    whole = sum(step.seconds for step in STEPS)
    rules = [
        f".frame{{opacity:0;animation:{whole:g}s step-end infinite}}",
        ".caption{font:600 24px system-ui,sans-serif;fill:#e6e8eb;text-anchor:middle}",
        ".card{font:30px ui-monospace,Menlo,Consolas,monospace}",
    ]
    start = 0.0
    for number, step in enumerate(STEPS):
        begin, end = (f"{100 * at / whole:.3f}%" for at in (start, start + step.seconds))
        rules.append(f".frame-{number}{{animation-name:show-{number}}}")
        before = "0%{opacity:0}" if number else ""
        rules.append(f"@keyframes show-{number}{{{before}{begin}{{opacity:1}}{end}{{opacity:0}}}}")
        start += step.seconds
    rules.append("@media(prefers-reduced-motion){.frame{animation:none}.frame-1{opacity:1}}")
    return "".join(rules)


def main(arguments: list[str]) -> int:
    """Write the tour, or with `--check` compare it and fail."""
    svg = draw()
    if FILE.exists() and FILE.read_text("utf-8") == svg:
        return 0
    if "--check" in arguments:
        print("docs/tour.svg is out of step: run make screenshots")
        return 1
    FILE.write_text(svg, "utf-8")
    print("docs/tour.svg written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
