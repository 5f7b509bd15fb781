"""The triggers of a lesson that match nothing: those that are left once every page was looked at. Pure."""

from collections.abc import Mapping
from typing import Any

from learnloop.models.base import Document
from learnloop.recall import recorded_calls
from learnloop.recall.recorded_calls import Page
from learnloop.wire import globs, relevance


class Dead(Document):
    """A trigger that matches nothing."""

    trigger: str
    kind: str
    """`file`, `command`, `action keyword` or `context keyword`."""
    where: str
    """`repository`: no file there; `record`: no recorded call."""


class Unseen:
    """The triggers of a lesson (a record as the index holds it) that no recorded call or prompt matched."""

    def __init__(self, lesson: Mapping[str, Any]) -> None:
        self._project = lesson["project"]
        self._files = dict.fromkeys(lesson["files"])
        self._commands = {pattern: piece(pattern) for pattern in lesson["commands"]}
        self._words = {
            "action keyword": dict.fromkeys(lesson["action"]),
            "context keyword": dict.fromkeys(lesson["context"]),
        }

    def take(self, page: Page) -> None:
        """Drop what matches something on a page."""
        if self._files:
            self._drop_files(page)
        if self._commands:
            self._drop_commands(page)
        for left in self._words.values():
            for keyword in list(left):
                if any(
                    next(recorded_calls.standing(page, form), -1) >= 0 for form in relevance.forms(keyword)
                ):
                    del left[keyword]

    def found(self) -> tuple[Dead, ...]:
        """What is left."""
        left = [("file", list(self._files)), ("command", list(self._commands))]
        left += [(kind, list(words)) for kind, words in self._words.items()]
        return tuple(Dead(trigger=one, kind=kind, where="record") for kind, some in left for one in some)

    def _drop_files(self, page: Page) -> None:
        for file, project, cwd in {(one[2], one[4], one[5]) for one in page.situations if one[2]}:
            if self._project and self._project != project:
                continue
            where = globs.spot(file, tuple(base for base in (project, cwd) if base))
            for pattern in [one for one in self._files if globs.covers(one, where)]:
                del self._files[pattern]
            if not self._files:
                return

    def _drop_commands(self, page: Page) -> None:
        for command in {situation[3] for situation in page.situations if situation[3]}:
            for pattern in [one for one, held in self._commands.items() if held in command]:
                if globs.runs(pattern, globs.simple_commands(command), command):
                    del self._commands[pattern]


def piece(pattern: str) -> str:
    """The longest run of a command pattern without stars and spaces; every command it matches has it."""
    shown = pattern if globs.has_operator(pattern) else globs.plain_program(pattern)
    return max(shown.replace("*", " ").split(), key=len, default="")
