"""What a reader of a turn is asked, and what of its answer holds: lessons that no check decides. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import Field, ValidationError

from learnloop.learn.facts import answers, requests, support
from learnloop.learn.facts.requests import Doc, Request
from learnloop.learn.lessons import trigger_words
from learnloop.models.base import Document
from learnloop.models.fact import TEXT_MAX, Broken
from learnloop.wire import globs
from learnloop.wire.text import cut

MOST_LESSONS, MOST_CHARS, MOST_CALLS = 12, 8_000, 60
"""Of one request; the characters are those of all calls."""
MOST_PROMPT, MOST_MESSAGE = 1_000, 4_000
_PLACE = 120
_MESSAGE = "message"
_APART = re.compile(r"[/._-]|(?<=[a-z0-9])(?=[A-Z])")
"""What parts the words of a name."""


class TurnCall(NamedTuple):
    """A call of a turn."""

    tool: str
    file: str = ""
    """Below the project where it lies there."""
    command: str = ""
    removed: str = ""
    added: str = ""
    failed: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """What counts as its characters."""
        return self.command, self.removed, self.added


class ReadTurn(NamedTuple):
    """What is told of a turn."""

    prompt: str
    calls: Sequence[TurnCall]
    message: str
    """The agent's last one."""

    @property
    def words(self) -> str:
        """All of it, names also in their parts."""
        parts = [part for call in self.calls for part in (call.file, *call.texts)]
        text = "\n".join([self.prompt, *parts, self.message])
        return f"{text}\n{_APART.sub(' ', text)}"


class _Named(Document):
    lesson: str = Field(max_length=8)
    place: str = Field(max_length=400)
    why: str = Field(max_length=2_000)


class _Verdict(Document):
    broken: tuple[_Named, ...] = Field(max_length=2 * MOST_LESSONS)


def applying(lessons: Iterable[Doc], turn: ReadTurn, project: str) -> list[Doc]:
    """Of lessons of a project those that a turn may have broken, the nearest first; none where none is near.

    First those whose files or commands it touched, then those that share words with it, then how to behave
    towards the person. The others follow where there is room, those of the project first.
    """
    docs = {str(doc["id"]): doc for doc in sorted(lessons, key=lambda doc: doc.get("scope") == "global")}
    met = [key for key, doc in docs.items() if _is_met(doc.get("triggers") or {}, turn.calls, project)]
    words = {key: str(doc["statement"]) for key, doc in docs.items()}
    near = support.nearest(words, turn.words)
    conduct = [key for key, text in words.items() if trigger_words.is_conduct(text)]
    ordered = [*met, *near, *conduct]
    return [docs[key] for key in dict.fromkeys([*ordered, *docs] if ordered else ())][:MOST_LESSONS]


def _is_met(triggers: Mapping[str, Any], calls: Sequence[TurnCall], project: str) -> bool:
    """Whether a call is one that triggers name."""
    files = [globs.spot(call.file, (project,)) for call in calls if call.file]
    lines = [(globs.simple_commands(call.command), call.command) for call in calls if not call.file]
    return any(
        globs.covers(name, file) for name in triggers.get("file_patterns", ()) for file in files
    ) or any(globs.runs(name, *line) for name in triggers.get("command_patterns", ()) for line in lines)


def request(lessons: Sequence[str], turn: ReadTurn) -> Request:
    """Ask which of lessons, in this order `L1`, `L2` …, a turn broke."""
    data: list[Doc] = [{"instruction": f"L{at}", "text": text} for at, text in enumerate(lessons, 1)]
    data += [{"asked for": turn.prompt}] if turn.prompt else []
    data += (_told(f"c{at}", call) for at, call in enumerate(_fitting(turn.calls), 1))
    data += [{"call": _MESSAGE, "text": turn.message}]
    return requests.asked("ask", requests.page("ask_turn"), data, _Verdict.model_json_schema())


def _told(name: str, call: TurnCall) -> Doc:
    written = {"before": call.removed, "after": call.added} if call.removed else {"text": call.added}
    fields = {"tool": call.tool, "file": call.file, "command": call.command, "failed": call.failed, **written}
    return {"call": name, **{key: value for key, value in fields.items() if value}}


def _fitting(calls: Sequence[TurnCall]) -> Iterator[TurnCall]:
    """The last calls, the long texts cut so that all of them have room."""
    last = calls[-MOST_CALLS:]
    lengths = sorted(len(text) for call in last for text in call.texts if text)
    left = longest = MOST_CHARS - len(lengths)  # a sign for each that is cut
    for at, length in enumerate(lengths):
        longest = left // (len(lengths) - at)
        left -= min(length, longest)
    for call in last:
        command, removed, added = (cut(text, longest) for text in call.texts)
        yield call._replace(command=command, removed=removed, added=added)


def broken(given: Mapping[str, Any], lessons: Sequence[Doc], turn: ReadTurn) -> tuple[Broken, ...]:
    """What an answer says that a turn broke, each lesson once.

    Raises BadAnswer for an answer of another form, and for one that names a lesson or a place that was not in
    the question: then none of it is believed.
    """
    try:
        verdict = _Verdict.model_validate(given)
    except ValidationError:
        raise answers.BadAnswer("the answer does not fit the schema") from None
    docs = {f"L{at}": doc for at, doc in enumerate(lessons, 1)}
    places = _places(turn)
    breaches: dict[str, Broken] = {}
    for named in verdict.broken:
        if named.lesson not in docs or named.place not in places:
            raise answers.BadAnswer("the answer names a lesson or a place that it was not asked about")
        doc = docs[named.lesson]
        breaches.setdefault(named.lesson, Broken(
            lesson_id=str(doc["id"]), words=str(doc["statement"]), place=places[named.place],
            why=cut(answers.statement(named.why[:400]), TEXT_MAX),
        ))  # fmt: skip
    return tuple(breaches.values())


def _places(turn: ReadTurn) -> dict[str, str]:
    """The places that an answer may name, each as a person is told of it: calls, files, the last message."""
    last = turn.calls[-MOST_CALLS:]
    of_calls = {f"c{at}": call.file or call.command or call.tool for at, call in enumerate(last, 1)}
    of_files = {call.file: call.file for call in last if call.file}
    named = {**of_files, **of_calls, _MESSAGE: "the last message"}
    return {name: cut(" ".join(place.split()), _PLACE) for name, place in named.items()}
