"""The console's fixed lines: panes at the top, live event and status, keys at the bottom."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from learnloop.keymap import commands
from learnloop_tui.view import text
from learnloop_tui.view.event_words import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set

    from learnloop.keymap.commands import Command
    from learnloop_tui.view.state import Happening
    from learnloop_tui.view.text import Linked, Piece

PANES = ("triage", "lessons", "sessions", "agents", "patches", "health")


def panes(place: str, counts: Mapping[str, str], demo: bool, width: int = 200) -> Linked:
    """The name of the program, then the panes with their numbers and counts; by number where it is narrow."""
    current = commands.views(place)[0][0]
    names = (f"{_NAME}demo ", " demo ") if demo else (_NAME, _MARK)
    name, labels, gap = _fitting(current, counts, names, width - 1)
    pieces: list[Piece] = [(name, "warn" if demo else "brand"), (" ", "text")]
    links = {}
    for pane, label in labels.items():
        pieces += [(label, "tab" if pane == current else "muted"), (gap, "text")]
        links[label] = pane
    return tuple(pieces), links


_NAME = " ◉ Learnloop "
_MARK = " ◉ "


def _fitting(
    current: str, counts: Mapping[str, str], names: tuple[str, str], width: int
) -> tuple[str, dict[str, str], str]:
    """What fits first: all; no counts; only the sign for a name; titles close together; numbers.

    `names` are the program's name and the sign for it. With one and the labels comes what stands between.
    """
    whole = {pane: _label(pane, f" {counts[pane]}" if counts.get(pane) else "") for pane in PANES}
    titles = {pane: _label(pane, _waiting(pane, counts) or _sign(pane, counts)) for pane in PANES}
    near = {pane: label.rstrip() for pane, label in titles.items()}
    numbers = {pane: f" {commands.BY_ID[pane].key}{_sign(pane, counts)} " for pane in PANES}
    numbers |= {pane: label for pane, label in whole.items() if pane == current}
    name, mark = names
    ways = ((name, whole, " "), (name, titles, " "), (mark, titles, " "), (mark, near, ""),
            (name, numbers, " "))  # fmt: skip
    for words, labels, gap in ways:
        taken = text.width(words) + sum(text.width(label) + len(gap) for label in labels.values())
        if taken <= width:
            return words, labels, gap
    return mark, numbers, " "


def _label(pane: str, count: str) -> str:
    return f" {commands.BY_ID[pane].key} {commands.BY_ID[pane].title}{count} "


def _waiting(pane: str, counts: Mapping[str, str]) -> str:
    """The count of the Inbox, which stays where the others go."""
    return f" {counts[pane]}" if pane == "triage" and counts.get(pane, "0") != "0" else ""


def _sign(pane: str, counts: Mapping[str, str]) -> str:
    count = counts.get(pane) or ""
    return "" if count.replace(",", "").isalnum() else count


def keys(shown: Sequence[Command], disabled: Set[str], width: int) -> Linked:
    """The keys that work here; those that do nothing now are dimmed."""
    pieces: list[Piece] = [(" ", "text")]
    links: dict[str, str] = {}
    left = width - 1
    for command in _by_need(shown, width):
        label = f" {command.title}  "
        left -= text.width(command.key + label)
        if left < 0:
            break
        off = command.id in disabled
        pieces += [(command.key, "muted" if off else "key"), (label, "label" if off else "muted")]
        links[label] = command.id
    return tuple(pieces), links


def _by_need(shown: Sequence[Command], width: int) -> list[Command]:
    """In the table's order; where not all fit, room is kept for help at the end."""
    last = commands.BY_ID["help"]
    need = sum(text.width(command.key + command.title) + 3 for command in shown)
    if need <= width - 1 or last not in shown:
        return list(shown)
    room = width - 1 - text.width(last.key + last.title) - 3
    chosen = []
    for command in shown:
        size = text.width(command.key + command.title) + 3
        if command is last or size > room:
            continue
        room -= size
        chosen.append(command)
    return [*chosen, last]


def live(latest: Happening | None, following: bool, width: int) -> Linked:
    """The last event that a hook wrote."""
    dot: Piece = (" ● ", "good") if following and latest else (" ○ ", "muted")
    if latest is None:
        return (dot, ("no events yet", "muted")), {}
    glyph, kind = KINDS.get(latest.kind, ("·", latest.kind))
    time = datetime.fromtimestamp(latest.ms / 1000).astimezone().strftime("%H:%M:%S")
    pieces: list[Piece] = [dot, (f"{time} ", "muted"), (f"{glyph} {kind} ", "label")]
    if latest.project:
        pieces.append((text.cut(latest.project, 24) + " ", "muted"))
    left = width - sum(text.width(part) for part, _ in pieces)
    return (*pieces, (text.cut(latest.words, max(0, left)), "text")), {}


_MESSAGE_LOOKS = {"warning": "warn", "error": "bad"}


def message(words: str, severity: str, times: int, width: int) -> Linked:
    """The newest message; where it is cut, the key that shows all of it."""
    again = f" (×{times})" if times > 1 else ""
    shown, key = f" {words}{again}", commands.BY_ID["messages"].key
    look = _MESSAGE_LOOKS.get(severity, "strong")
    if text.width(shown) <= width:
        return ((shown, look),), {}
    rest = f"{again} {key} shows all "
    return ((" " + text.cut(words, width - text.width(rest) - 1), look), (rest, "label")), {rest: "messages"}


def status(words: str, well: bool, width: int) -> Linked:
    """The health of hooks and store; a click opens the pane."""
    status_words = f" {text.cut(words, width - 2)} "
    return ((status_words, "muted" if well else "warn"),), {status_words: "health"}
