"""Unified diffs as `patch` and `git apply` read them, a missing last newline told; and diffs side by side."""

import difflib
import io
from itertools import zip_longest

_CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file"


def unified(path: str, before: str, after: str) -> str:
    """The unified diff between two states of a file, empty where they are the same."""
    if before == after:
        return ""
    name = _name(path)
    output = difflib.unified_diff(lines(before), lines(after), name, name, n=_CONTEXT)
    return "".join(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}\n" for line in output)


def lines(text: str) -> list[str]:
    """A text's lines with their newlines; only a line feed ends one."""
    return list(io.StringIO(text, newline="\n"))


def side_by_side(before: str, after: str) -> list[tuple[str, str, str]]:
    """Rows of a diff with context: (what, left, right), what being ` `, `-`, `+`, `~` or `@` for a gap."""
    old = [line.rstrip("\r\n") for line in lines(before)]
    new = [line.rstrip("\r\n") for line in lines(after)]
    rows: list[tuple[str, str, str]] = []
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_CONTEXT):
        rows.append(("@", f"line {group[0][1] + 1}", f"line {group[0][3] + 1}"))
        for tag, a, b, c, d in group:
            if tag == "equal":
                rows += [(" ", line, line) for line in old[a:b]]
            else:
                for left, right in zip_longest(old[a:b], new[c:d]):
                    what = "+" if left is None else "-" if right is None else "~"
                    rows.append((what, left or "", right or ""))
    return rows


def _name(path: str) -> str:
    """A path as diffs name it: quoted as C strings are where it holds a character that would end it."""
    if path.isprintable() and not any(character in path for character in '"\\\t\n'):
        return path
    quoted = "".join(
        f"\\{byte:03o}" if byte < 32 or byte > 126 or byte in b'"\\' else chr(byte)
        for byte in path.encode("utf-8", "surrogateescape")
    )
    return f'"{quoted}"'
