"""The triggers of a lesson that match nothing: those that are left after every batch. Pure."""

from collections.abc import Mapping
from typing import Any

from learnloop.models.base import Document
from learnloop.recall import recorded_calls
from learnloop.recall.recorded_calls import CallBatch
from learnloop.wire import globs, relevance


class Dead(Document):
    """A trigger that matches nothing."""

    trigger: str
    kind: str
    """`file`, `command`, `action keyword` or `context keyword`."""
    where: str
    """`repository`: no file there; `record`: no recorded call."""


class Unseen:
    """The triggers of a lesson (a record of the index) that no recorded call or prompt matched."""

    def __init__(self, lesson: Mapping[str, Any]) -> None:
        self._project = lesson["project"]
        self._files = dict.fromkeys(lesson["files"])
        self._commands = {pattern: piece(pattern) for pattern in lesson["commands"]}
        self._words = {
            "action keyword": dict.fromkeys(lesson["action"]),
            "context keyword": dict.fromkeys(lesson["context"]),
        }

    def take(self, batch: CallBatch) -> None:
        """Drop what matches something in a batch."""
        self._drop_files(batch)
        for command in {situation[3] for situation in batch.situations if self._commands and situation[3]}:
            for pattern in [pattern for pattern, run in self._commands.items() if run in command]:
                if globs.runs(pattern, globs.simple_commands(command), command):
                    del self._commands[pattern]
        for keywords in self._words.values():
            for keyword in list(keywords):
                forms = relevance.forms(keyword)
                if any(next(recorded_calls.texts_with(batch, form), -1) >= 0 for form in forms):
                    del keywords[keyword]

    def _drop_files(self, batch: CallBatch) -> None:
        if not self._files:
            return
        for file, project, cwd in {(spot[2], spot[4], spot[5]) for spot in batch.situations if spot[2]}:
            if self._project and self._project != project:
                continue
            where = globs.spot(file, tuple(base for base in (project, cwd) if base))
            for pattern in [pattern for pattern in self._files if globs.covers(pattern, where)]:
                del self._files[pattern]
            if not self._files:
                return

    def dead(self) -> tuple[Dead, ...]:
        """Return what is left."""
        left = {"file": list(self._files), "command": list(self._commands)}
        left |= {kind: list(keywords) for kind, keywords in self._words.items()}
        return tuple(
            Dead(trigger=trigger, kind=kind, where="record")
            for kind, triggers in left.items()
            for trigger in triggers
        )


def piece(pattern: str) -> str:
    """The longest run of a command pattern without stars and spaces; every command it matches has it."""
    shown = pattern if globs.has_operator(pattern) else globs.plain_program(pattern)
    return max(shown.replace("*", " ").split(), key=len, default="")
