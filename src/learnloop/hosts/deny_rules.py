"""Claude Code's own deny rules that keep an agent from Learnloop's files and verdicts, in a settings text.

A function of a text raises ValueError where the text is not that of a settings file.
"""

from collections.abc import Iterable

from learnloop.hosts import json_edit
from learnloop.hosts.hook_settings import parsed
from learnloop.hosts.json_edit import Node

_FILE_TOOLS = ("Edit", "Write", "Read")
_VERBS = (
    "promote", "reject", "archive", "restore", "add", "edit", "replace", "merge", "gate", "pause", "resume",
    "undo", "redo", "trust", "import", "install", "uninstall", "config", "on", "off", "forget",
    "patches apply", "prime on", "prime off", "approve", "remember",
)  # fmt: skip


def rules(root: str) -> tuple[str, ...]:
    """The rules for a data root; `//` begins a full path."""
    files = (f"{tool}(/{root}/**)" for tool in _FILE_TOOLS)
    return (*files, "Bash(learn-tui:*)", *(f"Bash(learn {verb}:*)" for verb in _VERBS))


def missing(text: str, our_rules: Iterable[str]) -> tuple[str, ...]:
    """The rules that a text does not have."""
    present = {item.node.value for item in deny.items} if (deny := _deny(parsed(text))) else set()
    return tuple(rule for rule in our_rules if rule not in present)


def with_rules(text: str, new_rules: Iterable[str]) -> str:
    """The settings with these rules behind those that are there."""
    text = text if text.strip() else "{}\n"
    if parsed(text).get("permissions") is None:
        text = json_edit.append(text, parsed(text), {}, "permissions")
    if _deny(parsed(text)) is None:
        permissions = parsed(text).get("permissions")
        assert permissions is not None
        text = json_edit.append(text, permissions, [], "deny")
    for rule in new_rules:
        deny = _deny(parsed(text))
        assert deny is not None
        text = json_edit.append(text, deny, rule)
    return text


def without_rules(text: str, our_rules: Iterable[str], containers: Iterable[str]) -> str:
    """The settings without our rules, and without the empty `containers` that came with them."""
    for rule in our_rules:
        deny = _deny(parsed(text))
        places = [at for at, item in enumerate(deny.items) if item.node.value == rule] if deny else []
        if deny and places:
            text = json_edit.remove(text, deny, places[-1])
    for name in ("deny", "permissions"):
        root = parsed(text)
        container = root.get("permissions") if name == "deny" else root
        for at, item in enumerate(container.items if container and name in containers else ()):
            if container and item.key == name and not item.node.items:
                text = json_edit.remove(text, container, at)
                break
    return text


def lacking(text: str) -> tuple[str, ...]:
    """Which of `permissions` and its list `deny` a text lacks."""
    root = parsed(text)
    lacks = (("permissions", root.get("permissions")), ("deny", _deny(root)))
    return tuple(name for name, node in lacks if node is None)


def _deny(root: Node) -> Node | None:
    permissions = root.get("permissions")
    if permissions is not None and not isinstance(permissions.value, dict):
        raise ValueError('"permissions" is not an object')
    deny = permissions.get("deny") if permissions else None
    if deny is not None and not isinstance(deny.value, list):
        raise ValueError('"permissions.deny" is not a list')
    return deny
