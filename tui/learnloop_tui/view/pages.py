"""Whole pages as lines: the first run, and what empty lists show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.keymap import commands
from learnloop_tui.view import text
from learnloop_tui.view.page_parts import block, message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from learnloop_tui.view.text import Line


def no_drafts(*, hooked: bool, lessons: int) -> list[Line]:
    """An empty queue."""
    if not hooked:
        hints = ["No agent reports to Learnloop yet, so nothing new can arrive."]
        return message("Nothing waits", hints, _offered("install", "backfill"))
    hints = ["When you correct your agent, a draft appears here by itself."]
    if lessons:
        hints.append("1 lesson is in use." if lessons == 1 else f"{lessons:,} lessons are in use.")
    return message("All done ✓", hints, _offered("backfill", "lessons", "health"))


def no_match(query: str) -> list[Line]:
    """A filter that nothing passes."""
    return message("No match", [f"Nothing here contains “{text.cut(query, 40)}”."], _offered("escape"))


def no_lessons(view: str) -> list[Line]:
    """No lesson in the chosen view."""
    if view == "all":
        return message("No lessons yet", ["Keep a draft, and it is listed here."], _offered("triage"))
    return message(f"{view.capitalize()}: no lesson", [], _offered("view"))


def _offered(*command_ids: str) -> list[tuple[str, str]]:
    return [(commands.BY_ID[name].key, commands.BY_ID[name].help) for name in command_ids]


def wrapped(lines: Iterable[Line], width: int) -> list[Line]:
    """Lines of one piece wrapped to a width, each as far from the left as it was."""
    fitting: list[Line] = []
    for line in lines:
        if len(line) != 1 or text.width(line[0][0]) <= width:
            fitting.append(line)
            continue
        words, look = line[0]
        margin = " " * (len(words) - len(words.lstrip()))
        fitting += [
            ((margin + part, look),) for part in text.wrap(words.lstrip(), max(8, width - len(margin) - 1))
        ]
    return fitting


def loading() -> list[Line]:
    """Before the first rows; a page shows such a line only if it takes a while."""
    return [(), (("  Loading …", "wait"),)]


def choices(*, hooked: bool, drafts: int) -> list[str]:
    """The commands that the first run offers, the next step first."""
    first, last = (["triage"], []) if drafts else ([], ["triage"])
    return [*first, *([] if hooked else ["install"]), "backfill", "demo", *last]


def welcome(width: int, chosen: str, hooked: bool, captured: str, drafts: int) -> list[Line]:
    """The first run on an empty machine as a menu, and what came of it so far."""
    lines: list[Line] = [
        (), (("  ◉ Welcome to Learnloop", "brand"),), (),
        *block(_PURPOSE, min(width - 1, 75), "text", indent=2), (),
    ]  # fmt: skip
    if hooked:
        glyph, look = ("✓", "good") if captured else ("◌", "warn")
        words = captured or "Waiting for your first prompt: start your agent and type one."
        lines += [
            (("  ✓ ", "good"), ("Hooks are in.", "text")),
            ((f"  {glyph} ", look), (words, "good" if captured else "text")),
        ]
        if drafts:
            waiting = "1 draft waits" if drafts == 1 else f"{drafts:,} drafts wait"
            lines.append((("  ○ ", "strong"), (waiting, "text")))
        lines.append(())
    for command_id in choices(hooked=hooked, drafts=drafts):
        command, is_chosen = commands.BY_ID[command_id], command_id == chosen
        bar = ("▌", "accent") if is_chosen else (" ", "text")
        lines.append(((" ", "text"), bar, (f" {command.key} ", "key"), (f"  {command.title}", "strong")))
        lines += [*block(_HELP.get(command_id, command.help), min(width, 76), "muted", indent=7), ()]
    return lines


_PURPOSE = (
    "You correct your coding agent; Learnloop keeps the correction, shows it here as a draft, and once you "
    "approve it, recalls it for the agent at the right moment. Everything stays on this machine."
)
_HELP = {
    "install": "Registers hooks with the agents on this machine that you choose, after showing what changes. "
    "Taken back by: learn uninstall",
    "backfill": "Reads the sessions you already had, of projects you choose, and drafts lessons from them.",
    "demo": "Opens a made-up store that is thrown away afterwards.",
}
