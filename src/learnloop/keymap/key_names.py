"""Names of keys: as Textual calls them, as people write them, as the screen shows them."""

import unicodedata
from functools import cache

_ALIASES = {
    "esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "pgup": "pageup",
    "pgdn": "pagedown", "pgdown": "pagedown", "spacebar": "space",
    "↑": "up", "↓": "down", "←": "left", "→": "right",
}  # fmt: skip
_RENAMED = {
    "solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "hyphen_minus": "minus",
    "plus_sign": "plus", "low_line": "underscore",
}  # fmt: skip
"""Where Textual's name of a character is not the one in Unicode."""
_NAMED = frozenset((
    "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete", "escape", "enter",
    "tab", "space", "backspace",
    *(f"f{number}" for number in range(1, 25)),
))  # fmt: skip
_MODIFIERS = ("ctrl", "alt", "shift")
_SHOWN = {
    "space": "space", "slash": "/", "asterisk": "*", "question_mark": "?", "exclamation_mark": "!",
    "enter": "enter", "escape": "esc",
    "pagedown": "pgdn", "pageup": "pgup", "down": "↓", "up": "↑", "left": "←", "right": "→",
    "plus": "+", "minus": "-", "equals_sign": "=",
    "shift+down": "shift+↓", "shift+up": "shift+↑",
}  # fmt: skip


def normal(key: str) -> str:
    """A key in Textual's words (`/` is `slash`, `Ctrl+E` is `ctrl+e`); empty where there is no such key."""
    if len(key) == 1:
        return _of_character(key)
    *modifiers, name = [part.strip() for part in key.lower().split("+")] if key != "+" else ["+"]
    name = _ALIASES.get(name, name)
    if len(name) == 1:
        name = _of_character(name)
    is_key = name in _NAMED or name in _characters() or (len(name) == 1 and name.isalnum())
    if not is_key or not set(modifiers) <= set(_MODIFIERS):
        return ""
    return "+".join([*(modifier for modifier in _MODIFIERS if modifier in modifiers), name])


def shown(key: str) -> str:
    """A key's name as a person reads it."""
    if key in _SHOWN or len(key) == 1:
        return _SHOWN.get(key, key)
    *modifiers, name = key.split("+")
    return "+".join([*modifiers, _SHOWN.get(name, _characters().get(name, name))])


def _of_character(character: str) -> str:
    if character in _ALIASES:
        return _ALIASES[character]
    if character.isalnum():
        return character
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    return _RENAMED.get(name, name) if character.isprintable() else ""


@cache
def _characters() -> dict[str, str]:
    """The characters of a plain keyboard by the names of their keys."""
    return {_of_character(chr(code)): chr(code) for code in range(33, 127)}
