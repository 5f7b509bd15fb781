"""The question before an undo or a redo that reaches beyond this console. Pure."""

from collections.abc import Sequence
from datetime import datetime

from learnloop_tui.view.state import Ahead

_SHOWN = 4


def question(direction: str, ahead: Ahead, now_ms: int) -> str:
    """What was decided and when, where it was not here, and which files the step writes."""
    where = "" if ahead.door in ("console", "") else f", given with {ahead.door}"
    lines = [f"{direction.capitalize()} from {_when(ahead.ms, now_ms)}{where}:", ahead.words]
    if ahead.files:
        lines += ["", "This writes:", *listed(ahead.files)]
    return "\n".join(lines)


def listed(files: Sequence[str]) -> list[str]:
    """The first files, and how many more there are."""
    more = len(files) - _SHOWN
    return [*files[:_SHOWN], *([f"and {more} more files"] if more > 0 else [])]


def _when(ms: int, now_ms: int) -> str:
    then, now = (datetime.fromtimestamp(at / 1000).astimezone() for at in (ms, now_ms))
    days = (now.date() - then.date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{then.day} {then:%b}")
    return f"{day}{'' if then.year == now.year else f' {then.year}'} {then:%H:%M}"
