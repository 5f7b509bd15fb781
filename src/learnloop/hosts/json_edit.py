"""Edits to JSON text that leave every other byte as it is: indentation, order, number formats, escapes."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Node:
    """A value and its place in the text."""

    start: int
    end: int
    value: Any
    items: tuple["Item", ...] = field(default=())

    def get(self, key: str) -> "Node | None":
        """The value of an object's last member of that name, the one that counts."""
        nodes = [item.node for item in self.items if item.key == key]
        return nodes[-1] if nodes else None


@dataclass(frozen=True)
class Item:
    """A member of an object, which starts at its key, or an element of a list."""

    start: int
    key: str | None
    node: Node


def parse(text: str) -> Node:
    """The root value with the places of everything in it; raises ValueError where the text is not JSON."""
    json.loads(text)
    return _node(text, _skip(text, 0))


def append(text: str, container: Node, value: Any, key: str | None = None) -> str:
    """The text with one more item at the end of a list or object."""
    newline, unit = "\r\n" if "\r\n" in text else "\n", _unit(text)
    if container.items:
        first, end = container.items[0].start, container.items[-1].node.end
        if "\n" in text[container.start : first]:
            line = text[:first].rpartition("\n")[2]
            separator = f",{newline}{line}"
        else:
            unit, line, separator = None, "", ", "
        return f"{text[:end]}{separator}{_rendered(value, key, unit, line, newline)}{text[end:]}"
    inside = _rendered(value, key, None, "", newline)
    if unit is not None:
        line = text[: container.start].rpartition("\n")[2]
        base = line[: len(line) - len(line.lstrip(" \t"))]
        inside = f"{_rendered(value, key, unit, base + unit, newline)}{newline}{base}"
        inside = f"{newline}{base}{unit}{inside}"
    return f"{text[: container.start + 1]}{inside}{text[container.end - 1 :]}"


def remove(text: str, container: Node, index: int) -> str:
    """The text without one item of a list or object."""
    items = container.items
    if len(items) == 1:
        return text[: container.start + 1] + text[container.end - 1 :]
    if index > 0:
        return text[: items[index - 1].node.end] + text[items[index].node.end :]
    return text[: items[0].start] + text[items[1].start :]


def _rendered(value: Any, key: str | None, unit: str | None, line: str, newline: str) -> str:
    shown = json.dumps(value, indent=unit).replace("\n", newline + line)
    return shown if key is None else f"{json.dumps(key)}: {shown}"


def _unit(text: str) -> str | None:
    """One level of the text's indentation; None where it has one line, two spaces for `{}`."""
    indented = re.search(r"\n([ \t]+)\S", text)
    if indented:
        return indented[1]
    return None if len(text.split()) > 1 or len(text.strip()) > 2 else "  "


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _node(text: str, start: int) -> Node:
    value, end = _DECODER.raw_decode(text, start)
    return Node(start, end, value, tuple(_items(text, start)) if text[start] in "{[" else ())


def _items(text: str, start: int) -> Iterator[Item]:
    closer, at = ("}" if text[start] == "{" else "]"), _skip(text, start + 1)
    while text[at] != closer:
        begin, key = at, None
        if closer == "}":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        node = _node(text, at)
        yield Item(begin, key, node)
        at = _skip(text, node.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
