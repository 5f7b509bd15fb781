"""Training texts in a file: one a line, in groups that a line in square brackets opens."""

import re
from collections.abc import Iterator
from pathlib import Path

_GROUP = re.compile(r"\[([a-z]+(?: [a-z]+)*)\]$")


def read(path: Path) -> Iterator[tuple[str, str]]:
    """Each text with the name of its group.

    Before the first group the name is empty, and lines that begin with # are no texts.
    """
    group = ""
    for line in path.read_text("utf-8").splitlines():
        if opened := _GROUP.match(line):
            group = opened[1]
        elif line and (group or line[0] != "#"):
            yield group, line.replace("\\n", "\n").replace("\\u200b", "\u200b")
