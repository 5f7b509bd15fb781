"""The class of an error: its telling line without numbers, paths, hashes and colours. Pure."""

import re

LONGEST = 120
INTERRUPTED = "interrupted"
"""The class of a call that the person stopped."""
_READ = 2000
_COLOUR = re.compile(r"(?:\x1b|\ufffd)\[[0-9;?]*[A-Za-z]")
_EXIT = re.compile(r"^\W*exit code \d+\W*", re.I)
_RAISED = re.compile(r"^(?:E\s+)?(?:[\w.]+(?:Error|Exception|Warning|Exit)\b|panic:|AssertionError)")
_TELLING = re.compile(
    r"\berror\b|\bfail(?:ed|ure|s)?\b|not found|no such|denied|cannot|can't|unable|fatal|refused|timed? ?out"
    r"|undefined|missing|invalid|unexpected|conflict",
    re.I,
)
_MASKS = (
    (re.compile(r"\bhttps?://\S+"), "<url>"),
    (re.compile(r"(?:[A-Za-z]:)?[~.]{0,2}[\\/][\w.@+~-]+(?:[\\/][\w.@+~-]*)*|\b[\w.-]+/[\w./-]+"), "<path>"),
    (re.compile(r"\b[\w-]+\.(?:[a-z]{1,4}|json|toml|yaml)\b(?=[:\s\"'),]|$)"), "<path>"),
    (re.compile(r"\b(?=[0-9a-f-]*\d)(?=[0-9a-f-]*[a-f])[0-9a-f]{7,}(?:-[0-9a-f]+)*\b", re.I), "<hash>"),
    (re.compile(r"\b0x[0-9a-f]+\b", re.I), "<n>"),
    (re.compile(r"(?<![\w.])\d+(?:[.,:]\d+)*"), "<n>"),
)  # fmt: skip


def telling_line(error: str) -> str:
    """Return the line that says most: the last exception, else the first complaint, else the first line."""
    lines = [" ".join(line.split()) for line in _COLOUR.sub("", error[:_READ]).splitlines()]
    lines = [line for line in lines if line]
    said = list(filter(None, (_EXIT.sub("", line) for line in lines))) or lines
    raised = [line for line in said if _RAISED.match(line)]
    complaints = (line for line in said if _TELLING.search(line))
    return raised[-1] if raised else next(complaints, next(iter(said), ""))


def error_class(error: str) -> str:
    """Return what errors of one kind have in common; `no message` where there is none."""
    line = telling_line(error)
    for form, mask in _MASKS:
        line = form.sub(mask, line)
    return line[:LONGEST].strip() or "no message"
