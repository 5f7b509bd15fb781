"""What is fuzzed: each parser as a function of bytes, which says by its asserts what must hold of any."""

import atexit
import contextlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from learnloop.errors import LearnloopError
from learnloop.hosts import claude_transcripts, hook_settings
from learnloop.hosts.table import CLAUDE
from learnloop.importers import other_tools
from learnloop.learn.hear import candidates, prompts, wording
from learnloop.learn.hear.prompts import Context
from learnloop.learn.language import words
from learnloop.learn.offers import extract, knowledge, offered_blocks, plain_yaml
from learnloop.patch import blocks
from learnloop.service.lessons import filters
from learnloop.store import segments
from learnloop.wire import codec, globs, journal, payloads, redact, shell, text

Target = Callable[[bytes], None]
_CONTEXT = payloads.HookContext("/code/app", ("Bluebird", r"re:\bacme\.\w+"), 1_760_000_000_000)
_COMMAND = "python3 -I -S -c 'learnloop_hooks.entry' claude"
_ORIGIN = knowledge.Origin("e1", "2026-01-02T03:04:05.000Z", "block:x")
_PROMPT = Context(position=3, previous="add a page for the settings")
_NOW = 1_790_000_000_000


_BLANKS = re.compile(r"[{\[]\s+[}\]]")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def payload(data: bytes) -> None:
    """A firing becomes records that are journal lines, or a ValueError says why not."""
    try:
        value = codec.decode(_text(data))
        records = payloads.records("claude", value, _CONTEXT) if isinstance(value, dict) else []
    except (ValueError, RecursionError):
        return
    for line in journal.frame(records).split(b"\n"):
        assert not line or segments.parse(line) is not None


def journal_line(data: bytes) -> None:
    """A line is an event or none, and an event can be written again."""
    record = segments.parse(data)
    if record is not None:
        with contextlib.suppress(RecursionError):
            assert segments.parse(codec.encode(record).encode()) is not None


def command_line(data: bytes) -> None:
    """A command line is read into commands and the files that it writes."""
    commands, written, removed = shell.read(_text(data))
    assert all(isinstance(form, str) for forms in commands for form in forms)
    assert all(isinstance(file, str) for file in (*written, *removed))
    plain = globs.simple_commands(_text(data))
    globs.runs("git push *", plain, _text(data))


def path_pattern(data: bytes) -> None:
    """A pattern covers a path or does not."""
    pattern, _, path = _text(data).partition("\n")
    globs.covers(pattern, globs.spot(path, ("/code/app",)))
    globs.runs(pattern, globs.simple_commands(path), path)


def redaction(data: bytes) -> None:
    """Cleaned text is redacted, and stays one that can be written."""
    redact.redact(text.clean(_text(data)), ("Bluebird",)).encode("utf-8")


def offered(data: bytes) -> None:
    """A message, cleaned as the record of it is: its blocks are read or refused with a line of it."""
    message, refusals = text.clean(_text(data)), []
    for block in offered_blocks.find_blocks(message):
        try:
            knowledge.lesson_from_block(block.read(), _ORIGIN)
        except plain_yaml.Malformed as error:
            refusals.append(error)
    assert all(error.reason and 0 <= error.line <= message.count("\n") + 2 for error in refusals)
    extract.drop_sections(message)


def yaml(data: bytes) -> None:
    """A mapping is read or refused."""
    with contextlib.suppress(plain_yaml.Malformed):
        plain_yaml.parse_mapping(_text(data))


@cache
def _file(suffix: str) -> Path:
    """A file that each input is written to; where there is memory for files, in it."""
    memory = Path("/dev/shm")
    place = str(memory) if os.access(memory, os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="learnloop-fuzz-", dir=place)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder) / f"input{suffix}"


def transcript(data: bytes) -> None:
    """A transcript becomes events, each of them a line that the journal takes."""
    path = _file(".jsonl")
    path.write_bytes(data)
    for record in claude_transcripts.events(path, ("Bluebird",), home="/home/me"):
        assert segments.parse(codec.encode(record).encode()) is not None


def settings(data: bytes) -> None:
    """Our hooks come into any settings and leave them as they were, but for blanks within `{ }`."""
    before = _text(data)
    try:
        events = hook_settings.events_in(before)
        is_fresh = not hook_settings.installed(before)
        installed = hook_settings.with_hooks(before, CLAUDE.groups(_COMMAND))
    except (LearnloopError, ValueError, RecursionError):
        return
    assert json.loads(installed) is not None
    assert hook_settings.with_hooks(installed, CLAUDE.groups(_COMMAND)) == installed
    if is_fresh and before.strip() and not _BLANKS.search(before):
        assert hook_settings.without_hooks(installed, events) == before


def imported(data: bytes) -> None:
    """Another tool's file is read, or refused as one of our own errors."""
    for read in other_tools.READERS.values():
        path = _file(".md")
        path.write_bytes(data)
        with contextlib.suppress(LearnloopError):
            read(path)


def filter_words(data: bytes) -> None:
    """What is typed into a filter is a query, with its problems in words."""
    query = filters.parse(_text(data), _NOW)
    assert all(problem for problem in query.problems)
    filters.completions(_text(data), lambda field: ("shop", "main"))
    filters.last_word(_text(data))


def feedback(data: bytes) -> None:
    """A prompt is judged, and its sentences worded and scored."""
    prompt = text.clean(_text(data))
    prompts.detect_feedback(prompt, _PROMPT)
    own = words.own_words(prompt)
    candidates.chosen(own, candidates.ranked(own, 4))
    wording.make(prompt)


def prompt_file(data: bytes) -> None:
    """A prompt file falls into pieces that are the file; what blocks leave is outside of them."""
    content = data.decode("utf-8", "surrogateescape")
    pieces = blocks.parse(content)
    assert blocks.join(pieces) == content
    blocks.outside(pieces)


TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (
        payload, journal_line, command_line, path_pattern, redaction, offered, yaml, transcript, settings,
        imported, filter_words, feedback, prompt_file,
    )
}  # fmt: skip
