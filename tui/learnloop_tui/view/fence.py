"""The questions before an undo or a redo that reaches beyond this console. Pure."""

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


def elsewhere(approved: Sequence[str]) -> str:
    """What would be taken back that neither this console nor a terminal of the person's approved."""
    return "\n".join(["Approved elsewhere since your last visit:", *listed(approved, "", most=10)])


def listed(names: Sequence[str], what: str = " files", *, most: int = _SHOWN) -> list[str]:
    """The first ones, and how many more there are."""
    more = len(names) - most
    return [*names[:most], *([f"and {more} more{what}"] if more > 0 else [])]


def _when(ms: int, now_ms: int) -> str:
    then, now = (datetime.fromtimestamp(at / 1000).astimezone() for at in (ms, now_ms))
    days = (now.date() - then.date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{then.day} {then:%b}")
    return f"{day}{'' if then.year == now.year else f' {then.year}'} {then:%H:%M}"
