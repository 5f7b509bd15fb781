"""Write screenshots/*.svg from the demo scene: fixed clock, fixed size, nothing from the network.

`--check` compares instead and fails where a picture is out of step.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from learnloop.service import place
from learnloop_tui.widgets import status_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from textual.pilot import Pilot

    from learnloop.service.health.check import Check
    from learnloop_tui.app.app import ConsoleApp
    from learnloop_tui.bridge import ServiceBridge

FOLDER = Path(__file__).resolve().parent.parent / "screenshots"
NOW_MS = 1_760_000_000_000
PERSON = "/home/robin"
NARROW = (60, 30)
_LONG_S = 3600.0
AT_A_TERMINAL = place.Processes((("bash",), ("sshd",)), "pts/0", "sshd", 0)
"""Whoever draws the pictures, a person sits at the console in them."""


@dataclass(frozen=True)
class Shot:
    """One picture: the keys that lead to it, what it waits for, its size and theme."""

    name: str
    keys: tuple[str, ...] = ()
    awaits: str = ""
    size: tuple[int, int] = (120, 34)
    theme: str = "learnloop-dark"
    empty: bool = False
    opens: tuple[str, ...] = ()
    """Keys pressed once it shows what it waits for; they open a dialog."""
    came_back: bool = False
    """Somebody was here forty days before, when nothing of the scene was there."""
    has_fact: bool = False
    """A fact was approved in a project whose agents read no file of facts yet."""
    also: tuple[str, ...] = ()
    """Further house themes, by the end of their names, in which the same screen is taken."""

    @property
    def names(self) -> dict[str, str]:
        """The pictures that it makes, with the theme of each."""
        return {self.name: self.theme} | {f"{self.name}-{end}": f"learnloop-{end}" for end in self.also}


SHOTS = (
    Shot("triage", ("j",), "told when", also=("light", "contrast", "ansi")),
    Shot("triage-narrow", ("j",), "told when", size=NARROW),
    Shot("explain", ("j", "enter"), "sentences like this"),
    Shot("needs-words", ("slash", *"is:needs-words refunds", "enter"), "told when", opens=("p",)),
    Shot("stop-choice", ("slash", *"typescript any", "enter"), "told when", opens=("p",)),
    Shot("reject", ("r",)),
    Shot("edit", ("e",)),
    *(
        Shot(f"kind-{kind}", ("2", "slash", *word, "enter"), look, size=(130, 40))
        for kind, word, look in (
            ("checklist", "backfill", "BEFORE A BACKFILL"),
            ("pattern", "usequery", "Pattern"),
            ("warning", "terraform", "CRITICAL WARNING"),
            ("requirement", "migration", "REQUIREMENT"),
        )
    ),
    Shot("edit-checklist", ("2", "slash", *"backfill", "enter"), "told when", size=(130, 44), opens=("e",)),
    Shot("backtest", ("j", "enter"), "Tried on", size=(130, 54)),
    Shot("merge", ("space", "space"), "told when", size=(130, 36), opens=("m",)),
    Shot("lessons", ("2", *("j" * 12)), "told when", also=("light",)),
    Shot("lessons-narrow", ("2", *("j" * 12)), "told when", size=NARROW),
    Shot("lesson-lift", ("2", "slash", *"pnpm, not", "enter"), "held out"),
    Shot("charts", ("2", *("j" * 12), "enter"), "Corrections by week", size=(130, 60)),
    Shot("origins", ("slash", *"-origin:prompt", "enter"), "told when", size=(170, 40)),
    Shot("filter", ("slash", *"-kind:fact category:"), "told when"),
    Shot("groups", ("v", "v", "j"), "told when"),
    Shot("palette", (), "told when", opens=("ctrl+p", *"pipeline")),
    Shot("discovery", ("2", "slash", *"is:discovery", "enter", "enter"), "verified", size=(130, 40)),
    Shot("agents", ("4",), "Corrected most", also=("light",)),
    Shot("agents-narrow", ("4",), "Corrected most", size=NARROW),
    Shot("preferences", ("2", "F", "F", "j", "j"), "concise (", also=("light",)),
    Shot("preferences-narrow", ("2", "F", "F", "j", "j"), "concise (", size=NARROW),
    Shot("patches", ("5",), "Applying would", also=("light",)),
    Shot("patches-narrow", ("5",), "Applying would", size=NARROW),
    Shot("patch-preview", ("5", "d"), " │ "),
    Shot(
        "file-dialog",
        ("5", "slash", *"functions", "enter"),
        "Applying would",
        size=(130, 36),
        opens=("a",),
        has_fact=True,
    ),
    Shot("patch-conflict", ("5", "f"), "Conflict", size=(130, 36), opens=("x",)),
    Shot("sessions", ("3", "j", "j"), "└ test-writer"),
    Shot(
        "sessions-light",
        ("3", "j", "enter", "k", "k"),
        "correction",
        size=(150, 40),
        theme="learnloop-light",
    ),
    Shot("sessions-narrow", ("3",), "asks you", size=NARROW),
    Shot("sessions-wide", ("3", "j"), "correction", size=(240, 50)),
    Shot("health", ("6", "d"), "quarantine", size=(120, 44), also=("light",)),
    Shot("health-narrow", ("6",), "Working", size=NARROW),
    Shot("memory", ("3", "f", "j"), "Steps", also=("light",)),
    Shot("memory-narrow", ("3", "f"), "Steps", size=NARROW),
    Shot("day-log", ("3", "F", *("j" * 5)), "You corrected", size=(130, 40)),
    Shot("experiments", ("2", *("F" * 3), "j"), "fewer:", also=("light",)),
    Shot("experiments-narrow", ("2", *("F" * 3)), "told or not", size=NARROW),
    Shot("help", ("question_mark",)),
    Shot("bulk-promote", ("f", "asterisk"), "told when", size=(130, 40), opens=("p",)),
    Shot("bulk-reject", ("f", *(["space"] * 6)), "told when", size=(130, 40), opens=("r",)),
    Shot("since", ("j",), "told when", came_back=True),
    Shot("welcome", empty=True),
)


@contextmanager
def world() -> Iterator[Path]:
    """A home and a root of their own, where it is always the same time, in UTC, and messages stay.

    They are below `/tmp` wherever else temporary files are: room for text depends on the length of paths.
    """
    before = dict(os.environ)
    with (
        tempfile.TemporaryDirectory(dir="/tmp") as folder,
        mock.patch("learnloop.wire.clock.now_ms", return_value=NOW_MS),
        mock.patch("learnloop.service.place.processes", return_value=AT_A_TERMINAL),
        mock.patch.dict(status_lines.SHOWN_S, information=_LONG_S, warning=_LONG_S),
    ):
        for name in ("XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR"):
            os.environ.pop(name, None)
        os.environ.update(HOME=folder, LEARNLOOP_HOME=f"{folder}/home", LEARNLOOP_BACKGROUND="0", TZ="UTC")
        os.environ.update(COLORTERM="truecolor", TERM="xterm-256color", PATH="/usr/bin:/bin")
        time.tzset()
        try:
            yield Path(folder)
        finally:
            os.environ.clear()
            os.environ.update(before)
            time.tzset()


@contextmanager
def studio() -> Iterator[Callable[[Shot], dict[str, str]]]:
    """Takes pictures of the scene, each as it was seeded: an open console may change it."""
    from learnloop.demo import demo_store
    from learnloop.ingest import task_history

    with world() as folder:
        demo_store.seed(f"{folder}/home", now_ms=NOW_MS)
        task_history.refresh(f"{folder}/home")  # a slow machine would show the days that it has read so far
        shutil.copytree(folder / "home", folder / "seeded", symlinks=True)
        yield lambda shot: _taken_afresh(shot, folder)


def take(shots: tuple[Shot, ...] = SHOTS) -> dict[str, str]:
    """The pictures by name."""
    with studio() as taken:
        return {name: svg for shot in shots for name, svg in taken(shot).items()}


def _taken_afresh(shot: Shot, folder: Path) -> dict[str, str]:
    shutil.rmtree(folder / "home")
    shutil.copytree(folder / "seeded", folder / "home", symlinks=True)
    if shot.came_back:
        seen = json.dumps({"at": NOW_MS - 40 * 86_400_000})
        (folder / "home" / "console-visit.json").write_text(seen, "utf-8")
    if shot.has_fact:
        _approve_fact(folder / "home")
    return asyncio.run(_take(shot, folder))


def _approve_fact(root: Path) -> None:
    from learnloop.service import workspace
    from learnloop.service.review import verdicts

    project = root / "demo-home" / "code" / "tidewater"
    (project / ".git").mkdir(parents=True)
    (project / "CLAUDE.md").write_text("# Tidewater\n\nTide tables for harbours.\n", "utf-8")
    ws, words = workspace.open_workspace(str(root)), "Prefers functions over classes"
    verdicts.add(ws, words, scope="project", project=str(project), source="synthesis")


async def _take(shot: Shot, folder: Path) -> dict[str, str]:
    from learnloop_tui.app.app import ConsoleApp

    root = f"{folder}/{'empty' if shot.empty else 'home'}"
    app = ConsoleApp(elsewhere(root, str(folder)), clock=lambda: NOW_MS)
    async with app.run_test(size=shot.size) as pilot:
        app.theme = shot.theme
        async with asyncio.timeout(30):
            while not (app.health.pulse and app.main.following):
                await pilot.pause(0.01)
            await press(app, pilot, shot.keys)
            while not shows(app, shot.awaits):
                await pilot.pause(0.01)
            await press(app, pilot, shot.opens)
            while shot.opens and app.screen is app.main:
                await pilot.pause(0.01)
        return {name: await _picture(app, pilot, theme, str(folder)) for name, theme in shot.names.items()}


async def _picture(app: ConsoleApp, pilot: Pilot[str], theme: str, folder: str) -> str:
    app.theme = theme
    await still(app, pilot)
    return portable(app.export_screenshot(title="Learnloop"), folder)


def shows(app: ConsoleApp, words: str) -> bool:
    """Whether the words stand there, and the details are those of the row under the cursor."""
    from learnloop_tui.panes.lesson_list import LessonListPane
    from learnloop_tui.panes.sessions import SessionsPane
    from learnloop_tui.view import text

    shown, pane = app.main.screen_text(), app.main.pane
    if isinstance(pane, SessionsPane) and pane.view.current is not None:
        return words in shown and pane.story.session_id == pane.view.current.id
    row = pane.view.current if isinstance(pane, LessonListPane) else None
    if not isinstance(pane, LessonListPane) or row is None:
        return words in shown
    is_of_row = text.line(row.label.removeprefix("Needs words: ")) in text.line(shown)
    return words in shown and bool(pane.insights(row.id).sections) and is_of_row


_OF_MACHINE = ("hooks", "hook code", "folder")
"""Checks that find no agent and other modes where pictures are taken."""


def elsewhere(root: str, folder: str) -> ServiceBridge:
    """The bridge to the service, with nothing of this machine in what the doctor says."""
    from learnloop.service.health import doctor
    from learnloop_tui.bridge import ServiceBridge, machine_queries

    class Elsewhere(ServiceBridge):
        async def long(self, query: Any, *args: Any, **kwargs: Any) -> Any:
            answer = await super().long(query, *args, **kwargs)
            if query is machine_queries.pulse:
                return answer._replace(hooked=bool(answer.health.last_capture))
            is_doctor = query is doctor.examine
            return (
                [_portable_check(check, folder) for check in answer if check.name not in _OF_MACHINE]
                if is_doctor
                else answer
            )

    return Elsewhere(root)


def _portable_check(check: Check, folder: str) -> Check:
    message = "80,000 MiB free" if check.name == "disk" else check.message.replace(folder, PERSON)
    return check.model_copy(update={"message": message, "hint": check.hint.replace(folder, PERSON)})


_FOR_EVER = ("live", "patch-files", "refresh")
"""Groups of workers that end with the console."""


async def press(app: ConsoleApp, pilot: Pilot[str], keys: tuple[str, ...]) -> None:
    """Press each key once what the one before set off is done: a list may have no rows before."""
    for key in keys:
        await pilot.press(key)
        while await _is_busy(app):
            await pilot.pause(0.01)


async def still(app: ConsoleApp, pilot: Pilot[str]) -> None:
    """Wait until nothing is under way, what was decided is ingested and shown, and no cursor blinks."""
    from textual.widget import Widget
    from textual.widgets import Input, TextArea

    from learnloop_tui.dialogs.edit import Trial

    while not all(widget.is_mounted for widget in app.screen.walk_children(Widget, with_self=True)):
        await pilot.pause(0.02)
    for field in (*app.screen.query(Input), *app.screen.query(TextArea)):
        field.cursor_blink = False
    while any(not str(trial.visual).strip() for trial in app.screen.query(Trial)):
        await pilot.pause(0.02)
    quiet = 0
    while quiet < 5:
        await pilot.pause(0.02)
        quiet = 0 if await _is_busy(app) else quiet + 1


async def _is_busy(app: ConsoleApp) -> bool:
    """Whether a worker has yet to end, or a verdict to be shown; below a dialog some wait for its answer."""
    under_way = [worker for worker in app.workers if not worker.is_finished and worker.group not in _FOR_EVER]
    if app.screen is not app.main:
        return any(worker.node is app.screen for worker in under_way)
    is_shown = not app.verdicts.pending and await app.bridge.load() is app.main.snapshot
    return bool(under_way) or not is_shown


def portable(svg: str, folder: str) -> str:
    """A picture without network addresses, ids that change from run to run, and this machine's folders."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!-- .*? -->\s*", "", svg)
    svg = re.sub(r"terminal-\d+-", "terminal-", svg)
    return svg.replace(folder, PERSON)


def main(arguments: list[str]) -> int:
    """Write the pictures that changed, or with `--check` list them and fail."""
    changed = [name for name, svg in take().items() if _changed(name, svg, write="--check" not in arguments)]
    for name in changed:
        print(f"{name}.svg {'is out of step: run make screenshots' if '--check' in arguments else 'written'}")
    return 1 if changed and "--check" in arguments else 0


def _changed(name: str, svg: str, *, write: bool) -> bool:
    file = FOLDER / f"{name}.svg"
    if file.exists() and file.read_text("utf-8") == svg:
        return False
    if write:
        FOLDER.mkdir(exist_ok=True)
        file.write_text(svg, "utf-8")
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
