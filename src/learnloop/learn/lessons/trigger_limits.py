"""Limits of triggers: they can match something but not everything, and are few and short. Pure."""

from collections.abc import Mapping
from typing import Any

from learnloop.wire import globs, text

MOST, LONGEST = 100, 500
"""The most triggers of one field, and the most characters of one trigger."""
_NAMES = {
    "tool_names": "tools", "file_patterns": "files", "command_patterns": "commands",
    "action_keywords": "actions", "context_keywords": "words", "agent_names": "agents",
}  # fmt: skip


def problem(triggers: Mapping[str, Any]) -> tuple[str, str] | None:
    """The first invalid field of triggers, and why; None if all are valid."""
    for name, label in _NAMES.items():
        values = [str(value) for value in triggers.get(name) or ()]
        check = _CHECKS.get(name, lambda _: "")
        wrong = _in_general(values, label) or next(filter(None, map(check, values)), "")
        if wrong:
            return name, wrong
    return None


def _in_general(values: list[str], label: str) -> str:
    if len(values) > MOST:
        return f"There are {len(values):,} {label}: {MOST} is the most. Name what they have in common."
    for value in values:
        if len(value) > LONGEST:
            return f"{text.cut(value, 30)!r} has {len(value):,} characters: {LONGEST} is the most."
        if text.REPLACEMENT in text.clean(value) or not value.isprintable():
            return f"{text.cut(text.clean(value), 30)!r} has characters that nobody can see."
    return ""


def _file(pattern: str) -> str:
    shown = text.cut(pattern, 30)
    segments = globs.parse(pattern)
    if not any(segment.strip("*?") for segment in segments):
        return f"{shown!r} matches every file: name files, or leave it empty and name actions."
    if ".." in segments:
        return f"{shown!r} goes up with “..”: patterns begin at the project's folder."
    if _is_open(pattern, "[", "]"):
        return f"{shown!r} opens a bracket that never closes: write \\[ for a bracket itself."
    if _is_open(pattern, "{", "}"):
        return f"{shown!r} opens a brace that never closes."
    return ""


def _is_open(pattern: str, opening: str, closing: str) -> bool:
    at = pattern.replace("\\" + opening, "").rfind(opening)
    return at >= 0 and closing not in pattern.replace("\\" + opening, "")[at:]


def _command(pattern: str) -> str:
    is_open = not pattern.replace("*", "").strip()
    return f"{text.cut(pattern, 30)!r} matches every command: name a program." if is_open else ""


def _keyword(word: str) -> str:
    return "" if any(map(str.isalnum, word)) else f"{text.cut(word, 30)!r} has no letter to look for."


_CHECKS = {
    "file_patterns": _file, "command_patterns": _command,
    "action_keywords": _keyword, "context_keywords": _keyword,
}  # fmt: skip
