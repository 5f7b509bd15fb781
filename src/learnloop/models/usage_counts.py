"""The counts of a lesson's use, as stores of any age hold them. Imports no pydantic."""

from collections.abc import Mapping
from typing import Any

_OLDER = ("followed", "recurred_told")


def is_older(usage: Mapping[str, Any]) -> bool:
    """Whether they were counted before tellings had outcomes."""
    return any(name in usage for name in _OLDER)


def current(usage: Mapping[str, Any]) -> dict[str, Any]:
    """The counts under their present names, until history is analysed anew.

    Older stores count a turn as `followed` and a complaint in a session that was told as `recurred_told`.
    """
    if not is_older(usage):
        return dict(usage)
    rest = {name: value for name, value in usage.items() if name not in _OLDER}
    older = {
        "told_sessions": usage.get("recalled", 0),
        "heeded": usage.get("followed", 0),
        "corrected": usage.get("recurred_told", 0),
    }
    return older | rest
