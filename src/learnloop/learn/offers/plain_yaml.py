"""Reads untrusted YAML into plain texts, lists and mappings: no tags, anchors or aliases, within limits.

Only `str`, `list` and `dict` are built of PyYAML's nodes, so that a text cannot name a type, repeat a part or
nest too deeply.
"""

from dataclasses import dataclass, field
from typing import Any

import yaml

MOST_CHARACTERS = 16_000
MOST_LINES = 400
MOST_DEPTH = 6
MOST_NODES = 500
_LONGEST_LINE = 4_000
_REFUSED = (yaml.AnchorToken, yaml.AliasToken, yaml.TagToken)

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
    lines: dict[Path, int] = {}
    try:
        for token in yaml.scan(text, Loader=yaml.BaseLoader):
            if isinstance(token, _REFUSED):
                raise Malformed("anchors, aliases and tags are not read", token.start_mark.line + 1)
        root = yaml.compose(text, Loader=yaml.BaseLoader)
        value = _plain(root, (), lines) if root else None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Malformed(error.problem or "is not YAML", mark.line + 1 if mark else 1) from None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError, IndexError) as error:
        if isinstance(error, Malformed):
            raise
        raise Malformed("is not YAML") from None
    if not isinstance(value, dict):
        raise Malformed("is no mapping of names to values")
    return YamlMapping(value, lines)


def _check_size(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise Malformed(f"is longer than {MOST_CHARACTERS} characters")
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise Malformed(f"has more than {MOST_LINES} lines", MOST_LINES)
    for number, line in enumerate(lines, 1):
        if len(line) > _LONGEST_LINE:
            raise Malformed(f"a line is longer than {_LONGEST_LINE} characters", number)


def _plain(node: Any, path: Path, lines: dict[Path, int]) -> Any:
    """The text, list or mapping of a node, whose line is noted under its path."""
    line = node.start_mark.line + 1
    if len(lines) >= MOST_NODES:
        raise Malformed(f"has more than {MOST_NODES} values", line)
    if len(path) >= MOST_DEPTH:
        raise Malformed(f"is nested deeper than {MOST_DEPTH}", line)
    lines.setdefault(path, line)
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_plain(inner, (*path, str(at)), lines) for at, inner in enumerate(node.value)]
    mapping: dict[str, Any] = {}
    for key, inner in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise Malformed("a name is not a text", key.start_mark.line + 1)
        if key.value in mapping:
            raise Malformed(f"{key.value[:40]!r} is given twice", key.start_mark.line + 1)
        mapping[key.value] = _plain(inner, (*path, key.value), lines)
    return mapping
