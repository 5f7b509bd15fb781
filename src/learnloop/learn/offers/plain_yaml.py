"""Reads untrusted YAML into plain texts, lists and mappings: no tags, anchors or aliases, within limits.

PyYAML's parser gives events one by one. Only `str`, `list` and `dict` are built from them, so that a text
cannot name a type, repeat a part or nest too deeply. Each limit is checked before an event is used.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

MOST_CHARACTERS = 16_000
MOST_LINES = 400
MOST_DEPTH = 6
MOST_NODES = 500
_LONGEST_LINE = 4_000

Path = tuple[str, ...]


class Malformed(ValueError):
    """A text that cannot be read: `reason` in words, `line` from 1 within the text."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(f"line {line}: {reason}")
        self.reason, self.line = reason, line


@dataclass
class YamlMapping:
    """A mapping with the line of each part, by its path of keys."""

    value: dict[str, Any]
    lines: dict[Path, int] = field(default_factory=dict)
    offset: int = 0
    """Lines before it in the surrounding text."""

    def line(self, *path: str) -> int:
        """The line of a part, or of the part around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.offset + self.lines.get(path, 1)


def parse_mapping(text: str) -> YamlMapping:
    """The mapping in a text; raises Malformed if it is no mapping or exceeds a limit."""
    _check_size(text)
    try:
        builder = _Builder(yaml.parse(text, Loader=yaml.SafeLoader))
        value = builder.document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Malformed(error.problem or "is not YAML", mark.line + 1 if mark else 1) from None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError, IndexError) as error:
        if isinstance(error, Malformed):
            raise
        raise Malformed("is not YAML") from None
    if not isinstance(value, dict):
        raise Malformed("is no mapping of names to values")
    return YamlMapping(value, builder.lines)


def _check_size(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise Malformed(f"is longer than {MOST_CHARACTERS} characters")
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise Malformed(f"has more than {MOST_LINES} lines", MOST_LINES)
    for number, line in enumerate(lines, 1):
        if len(line) > _LONGEST_LINE:
            raise Malformed(f"a line is longer than {_LONGEST_LINE} characters", number)


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


class _Builder:
    """Builds plain values from parser events."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._nodes = 0
        self.lines: dict[Path, int] = {}

    def document(self) -> Any:
        """The one document's value; None for an empty text."""
        value: Any = None
        seen = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                seen += 1
                if seen > 1:
                    raise Malformed("a second document begins", _line(event))
            elif isinstance(event, yaml.NodeEvent):
                value = self._value(event, ())
        return value

    def _value(self, event: Any, path: Path) -> Any:
        line = _line(event)
        self._check(event, line, path)
        self.lines.setdefault(path, line)
        if isinstance(event, yaml.ScalarEvent):
            return event.value
        if isinstance(event, yaml.SequenceStartEvent):
            return [self._value(inner, (*path, str(at))) for at, inner in enumerate(self._inside())]
        return self._mapping(path)

    def _mapping(self, path: Path) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        inside = self._inside()
        for key in inside:
            line = _line(key)
            self._check(key, line, path)
            if not isinstance(key, yaml.ScalarEvent):
                raise Malformed("a name is not a text", line)
            if key.value in mapping:
                raise Malformed(f"{key.value[:40]!r} is given twice", line)
            inner = (*path, key.value)
            self.lines[inner] = line
            mapping[key.value] = self._value(next(inside), inner)
        return mapping

    def _inside(self) -> Iterator[Any]:
        """The events of a collection up to its end."""
        for event in self._events:
            if isinstance(event, yaml.CollectionEndEvent):
                return
            yield event

    def _check(self, event: Any, line: int, path: Path) -> None:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise Malformed(f"has more than {MOST_NODES} values", line)
        if len(path) >= MOST_DEPTH:
            raise Malformed(f"is nested deeper than {MOST_DEPTH}", line)
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise Malformed("anchors and aliases are not read", line)
        if event.tag:
            raise Malformed("tags are not read", line)
