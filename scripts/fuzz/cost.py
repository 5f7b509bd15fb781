"""Inputs chosen for cost: repeated structures, and what a doubling of their size costs."""

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.fuzz import corpus
from scripts.fuzz.targets import TARGETS, Target

Frame = tuple[bytes, bytes]
MOST = 3.0
"""How much more twice the size may cost: between a linear cost, 2, and a quadratic one, 4."""
SIZES = {"feedback": 16_384, "redaction": 18_432, "filter_words": 4_096}
"""Bytes up to which a target is tried; of others `_SIZE`."""
_SIZE = 65_536
_FIRST = 1_024
_PROMPT = b'{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"'
_BATCH = b'{"hook_event_name":"PostToolBatch","session_id":"s","tool_calls":['
_LINE = b'{"type":"user","sessionId":"s","timestamp":"2026-01-31T09:00:00Z","message":{"content":"'
FRAMES: dict[str, tuple[Frame, ...]] = {
    "payload": ((_PROMPT, b'"}'), (_BATCH, b"{}]}")),
    "transcript": ((_LINE, b'"}}'),),
    "offered": ((b"[PROCESS_KNOWLEDGE]\n", b"\n[/PROCESS_KNOWLEDGE]\n"), (b"## Lessons Learned\n", b"\n")),
    "yaml": ((b"a:\n", b"\nb: c\n"),),
    "redaction": ((b"my password ", b" is hunter22"), (b"https://", b"@host")),
    "feedback": (
        (b"No, don't use pip", b" use uv instead."),
        (b"Always run the tests", b"before each commit"),
    ),
    "settings": ((b'{"hooks":{"Stop":[', b"{}]}}"), (b'{"a":"', b'"}')),
    "prompt_file": ((b"<!-- learnloop:begin append 1 -->\n", b"\n<!-- learnloop:end append 1 -->\n"),),
    "command_line": ((b"echo '", b"' && git push"), (b'sh -c "', b'"')),
    "imported": (
        (b"# a", b"x\n"),
        (b"- a", b"b\n"),
        (b"---\nname: ", b"\n---\nx\n"),
        (b'{"nodes":[{"label":"', b'"}]}'),
    ),
    "filter_words": ((b'"', b'"'), (b"seen:", b"x")),
    "journal_line": ((b'{"id":"', b'"}'),),
    "path_pattern": ((b"**/", b"\nsrc/a/b.py"), (b"src/**/*.py\n", b"/x.py")),
}
"""What a structure may stand within, besides standing alone."""
_TELLING_MS = 4.0
"""Below this a measurement says nothing, and costs nobody anything."""


@dataclass(frozen=True)
class Finding:
    """A structure whose cost grows faster than its size."""

    target: str
    unit: str
    size: int
    ms: float
    factor: float

    def __str__(self) -> str:
        cost = f"{self.ms:.0f} ms, doubled {self.factor:.1f}×"
        return f"{self.target}: {self.unit!r} × {self.size:,} bytes: {cost}"


def units(name: str, *, pairs: bool) -> Iterator[bytes]:
    """What is repeated: each word of the grammar, a few real inputs, and each pair of words."""
    words = [word.encode("utf-8") for word in corpus.WORDS[name]]
    yield from words
    yield from filter(None, corpus.seeds(name)[:: max(len(corpus.seeds(name)) // 5, 1)])
    if pairs:
        yield from (first + second for first, second in itertools.permutations(words, 2))


def search(name: str, *, pairs: bool, most_s: float = 1e9) -> tuple[int, list[Finding]]:
    """Try the structures of a target, alone and in each frame; how many, and those that cost too much."""
    deadline = time.monotonic() + most_s
    tried, findings = 0, []
    for unit, frame in itertools.product(units(name, pairs=pairs), ((b"", b""), *FRAMES.get(name, ()))):
        if time.monotonic() > deadline:
            break
        tried += 1
        finding = examine(name, unit, frame)
        findings += [finding] if finding else []
    return tried, findings


def examine(name: str, unit: bytes, frame: Frame = (b"", b"")) -> Finding | None:
    """A finding where the cost grows too fast: where it first tells anything, or up to the largest size."""
    target, most = TARGETS[name], SIZES.get(name, _SIZE)
    size = _FIRST
    while size <= most and _ms(target, _input(unit, frame, size), 1) < _TELLING_MS:
        size *= 2
    if size > most:
        return None
    return _grows(name, unit, frame, size) or _grows(name, unit, frame, most // 2)


def _grows(name: str, unit: bytes, frame: Frame, size: int) -> Finding | None:
    """A finding where twice the size costs too much, seen five times: a busy machine slows single runs."""
    factor = 0.0
    for _ in range(5):
        before, after = (_ms(TARGETS[name], _input(unit, frame, bytes_), 2) for bytes_ in (size, 2 * size))
        factor = after / max(before, 1e-6)
        if factor <= MOST:
            return None
    shown = b"%b[%b]%b" % (frame[0], unit[:60], frame[1])
    return Finding(name, shown.decode("utf-8", "replace"), size, before, factor)


def _input(unit: bytes, frame: Frame, size: int) -> bytes:
    return frame[0] + (unit * (size // len(unit) + 1))[:size] + frame[1]


def _ms(target: Target, data: bytes, rounds: int) -> float:
    """The least of some measurements, in milliseconds of this thread."""
    times = []
    for _ in range(rounds):
        start = time.thread_time()
        target(data)
        times.append((time.thread_time() - start) * 1e3)
    return min(times)
