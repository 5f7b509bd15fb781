"""Unified diffs as `patch` and `git apply` read them, a missing last newline told; and diffs side by side."""

import difflib
from collections.abc import Iterator, Sequence

_CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file"


def unified(path: str, before: str, after: str) -> str:
    """The unified diff between two states of a file, empty where they are the same."""
    if before == after:
        return ""
    old, new = lines(before), lines(after)
    head, tail = _shared(old, new)
    first = max(0, head - _CONTEXT)
    last = max(0, tail - _CONTEXT)
    cut_old, cut_new = old[first : len(old) - last], new[first : len(new) - last]
    output = [f"--- {_name(path)}\n", f"+++ {_name(path)}\n"]
    for group in difflib.SequenceMatcher(None, cut_old, cut_new, autojunk=False).get_grouped_opcodes(
        _CONTEXT
    ):
        output += _hunk(group, cut_old, cut_new, first)
    return "".join(output)


def lines(text: str) -> list[str]:
    """A text's lines with their newlines; only a line feed ends one."""
    parts = text.split("\n")
    whole = [part + "\n" for part in parts[:-1]]
    return [*whole, parts[-1]] if parts[-1] else whole


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
                rows += _paired(old[a:b], new[c:d])
    return rows


def _paired(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for at in range(max(len(old), len(new))):
        left = old[at] if at < len(old) else ""
        right = new[at] if at < len(new) else ""
        yield ("~" if at < len(old) and at < len(new) else "-" if at < len(old) else "+"), left, right


def _shared(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines two texts share at the start and at the end, none counted twice."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    left = most - head
    tail = next((at for at in range(left) if old[-1 - at] != new[-1 - at]), left)
    return head, tail


def _hunk(
    group: Sequence[tuple[str, int, int, int, int]], old: list[str], new: list[str], base: int
) -> list[str]:
    a, b = group[0][1], group[-1][2]
    c, d = group[0][3], group[-1][4]
    output = [f"@@ -{_range(a, b, base)} +{_range(c, d, base)} @@\n"]
    for tag, i, j, k, m in group:
        if tag == "equal":
            output += [_line(" ", line) for line in old[i:j]]
            continue
        output += [_line("-", line) for line in old[i:j]]
        output += [_line("+", line) for line in new[k:m]]
    return output


def _range(start: int, stop: int, base: int) -> str:
    count = stop - start
    first = start + base + (1 if count else 0)
    return str(first) if count == 1 else f"{first},{count}"


def _line(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n{_NO_NEWLINE}\n"


def _name(path: str) -> str:
    """A path as diffs name it: quoted as C strings are where it holds a character that would end it."""
    if path.isprintable() and not any(character in path for character in '"\\\t\n'):
        return path
    quoted = "".join(
        f"\\{byte:03o}" if byte < 32 or byte > 126 or byte in b'"\\' else chr(byte)
        for byte in path.encode("utf-8", "surrogateescape")
    )
    return f'"{quoted}"'
