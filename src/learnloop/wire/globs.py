"""File patterns with the habits of gitignore and command patterns with those of a shell user, without `re`.

Files: a pattern without a slash floats (`*.py`, `Makefile`), one with a slash is tied to the project's root
(`src/*.py`, `/setup.py`); `**` stands for any number of folders; a trailing slash, and any pattern that
matches a folder, covers everything below it; `?`, `[a-z]` and `[!a-z]` stand for one character. A pattern
that begins with a slash is tried as an absolute path as well.

Commands: a pattern is compared with each simple command of a line (`a && b; c | d`), after wrappers and
assignments (`sudo`, `env`, `X=1`) and the folder of the program are dropped. It has to match from the first
word on and end where a word ends, so that `git push` covers `git push origin` and not `git pushx`. `*` stands
for any text. A pattern that itself holds an operator (`curl * | sh`) is looked for in the whole line.
"""

_SPECIAL = ("*", "?", "[", "\\")
_OPERATORS = ("|", "&", ";", "\n")
_BREAKS = {ord(sign): "\n" for sign in "|&;()`\n"}
_WRAPPERS = (
    "sudo", "env", "command", "exec", "nohup", "time", "nice", "builtin", "if", "then", "else", "elif", "do",
    "while", "until", "!", "{",
)  # fmt: skip
_WORKTREES = [".claude", "worktrees"]

Spot = tuple[list[str] | None, list[str]]
"""A path as its segments: below the project (None outside of it), and absolute."""


def spot(path: str, bases: tuple[str, ...]) -> Spot:
    """Where a path is: relative to the first of the folders that holds it, and absolute.

    A relative path is taken to start in the last of the folders.
    """
    if not path.startswith("/"):
        path = f"{bases[-1]}/{path}" if bases else path
    absolute = _segments(path)
    for base in bases:
        above = _segments(base)
        if above and len(absolute) > len(above) and absolute[: len(above)] == above:
            relative = absolute[len(above) :]
            return (relative[3:] if relative[:2] == _WORKTREES and relative[3:] else relative), absolute
    return (None if any(bases) else absolute), absolute


def _segments(path: str) -> list[str]:
    segments: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            del segments[-1:]
        elif segment not in ("", "."):
            segments.append(segment)
    return segments


def covers(pattern: str, where: Spot) -> bool:
    """Whether a file pattern covers a path: relative to the project, or absolute outside of it."""
    relative, absolute = where
    segments = parse(pattern)
    if not segments:
        return False
    if _walk(segments, absolute if relative is None else relative):
        return True
    return pattern.startswith("/") and relative is not None and _walk(segments, absolute)


def parse(pattern: str) -> list[str]:
    """A file pattern as segments that are matched from the root on."""
    below = pattern.endswith("/")
    segments = [segment for segment in pattern.split("/") if segment not in ("", ".")]
    if segments and "/" not in pattern.rstrip("/"):
        segments.insert(0, "**")
    if segments and below:
        segments += ["*", "**"] if segments[-1] == "**" else ["**"]
    return segments


def _walk(pattern: list[str], path: list[str]) -> bool:
    """Whether a pattern matches a path or a folder above it; the last `**` needs something below it."""
    i = j = 0
    retry, mark = -1, 0
    while i < len(pattern):
        if pattern[i] == "**":
            if i == len(pattern) - 1:
                return j < len(path)
            retry, mark = i, j
            i += 1
        elif j < len(path) and like(pattern[i], path[j]):
            i, j = i + 1, j + 1
        elif retry >= 0 and mark < len(path):
            mark += 1
            i, j = retry + 1, mark
        else:
            return False
    return True


def is_plain(segment: str) -> bool:
    """Whether a segment of a pattern stands for itself alone."""
    return not any(sign in segment for sign in _SPECIAL)


def like(pattern: str, name: str) -> bool:
    """Whether one segment of a pattern matches one name."""
    if is_plain(pattern):
        return pattern == name
    if pattern[0] == "*" and is_plain(pattern[1:]):
        return name.endswith(pattern[1:])
    i = j = mark = 0
    retry = -1
    while j < len(name):
        if pattern[i : i + 1] == "*":
            retry, mark = i, j
            i += 1
            continue
        step = _step(pattern, i, name[j])
        if step:
            i, j = i + step, j + 1
        elif retry >= 0:
            mark += 1
            i, j = retry + 1, mark
        else:
            return False
    return not pattern[i:].strip("*")


def _step(pattern: str, i: int, character: str) -> int:
    """How much of a pattern stands for this character, 0 where it does not match."""
    sign = pattern[i : i + 1]
    if sign == "[":
        first = i + 2 if pattern[i + 1 : i + 2] in ("!", "^") else i + 1
        body = pattern[i + 1 : max(pattern.find("]", first + 1), i + 1)]  # nothing where it never closes
        if body:
            return len(body) + 2 if _is_in(body, character) else 0
    elif sign == "\\" and i + 1 < len(pattern):
        return 2 if pattern[i + 1] == character else 0
    return 1 if sign == character or sign == "?" else 0


def _is_in(body: str, character: str) -> bool:
    negated = body[0] in "!^" and len(body) > 1
    body = body[1:] if negated else body
    k = 0
    while k < len(body):
        if body[k + 1 : k + 2] == "-" and k + 2 < len(body):
            if body[k] <= character <= body[k + 2]:
                return not negated
            k += 3
            continue
        if body[k] == character:
            return not negated
        k += 1
    return negated


def simple_commands(line: str) -> list[str]:
    """The simple commands of a line, each without wrappers, assignments and the program's folder.

    What `sudo` runs stands there with it as well: a pattern may mean just that.
    """
    commands = []
    for command in _unquoted(line).split("\n"):
        words = command.split()
        start = 0
        while start < len(words) - 1 and _is_before_program(words, start):
            start += 1
        if words:
            program = words[start].rpartition("/")[2] or words[start]
            commands.append(" ".join([program, *words[start + 1 :]]))
        if "sudo" in words[:start]:
            commands.append(f"sudo {commands[-1]}")
    return commands


def _unquoted(line: str) -> str:
    """The line with a newline for each operator outside of quotes, and none inside."""
    rest, pieces = line.replace("\\\n", " "), []
    while rest:
        double, single = rest.find('"'), rest.find("'")
        start = min(double, single) if double >= 0 <= single else max(double, single)
        if start < 0:
            break
        end = rest.find(rest[start], start + 1) + 1 or len(rest)
        pieces.append(rest[:start].translate(_BREAKS) + rest[start:end].replace("\n", " "))
        rest = rest[end:]
    return "".join(pieces) + rest.translate(_BREAKS)


def _is_before_program(words: list[str], at: int) -> bool:
    word = words[at]
    name, assigns, _ = word.partition("=")
    return (
        word in _WRAPPERS
        or (bool(assigns) and name.isidentifier())
        or (word.startswith("-") and at > 0 and words[at - 1] in _WRAPPERS)
    )


def runs(pattern: str, commands: list[str], line: str) -> bool:
    """Whether a command pattern covers one of a line's simple commands; one with operators, the line."""
    if has_operator(pattern):
        return _text_like(f"* {' '.join(pattern.split())} *", f" {' '.join(line.split())} ")
    program = plain_program(pattern)
    return bool(program) and any(
        _text_like(program, command) or _text_like(program + " *", command) for command in commands
    )


def has_operator(pattern: str) -> bool:
    """Whether a command pattern speaks about more than one simple command."""
    return any(sign in pattern for sign in _OPERATORS)


def plain_program(pattern: str) -> str:
    """A command pattern in single spaces, without the folder of its program."""
    first, _, rest = " ".join(pattern.split()).partition(" ")
    program = first.rpartition("/")[2] or first
    return f"{program} {rest}" if rest else program


def _text_like(pattern: str, text: str) -> bool:
    """Whether a text matches a pattern in which `*` stands for any text."""
    first, *others = pattern.split("*")
    if not others:
        return pattern == text
    last = others.pop()
    if not text.startswith(first):
        return False
    at = len(first)
    for piece in others:
        at = text.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return len(text) - at >= len(last) and text.endswith(last)
