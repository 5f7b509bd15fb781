"""Claims: which decisions count as made by an agent until a person accepts them. Pure."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from learnloop.models import Decision
from learnloop.wire import clock

UPKEEP = "upkeep"
HAND = "hand"
"""Who decided what was edited into a document."""
STANDING = "facts"
"""Who approves facts where a person gave a standing approval; `learn.facts.standing_approval` bounds it."""
BY_HAND = "its document was edited by hand"
SETTLING = ("accept", "discard")
"""What a person does about a claimed decision."""
UNATTENDED = "only a person at a terminal accepts or discards"
IN_CALL = "it was made during a command of an agent"
NEW_TERMINAL = "its terminal began during a command of an agent"
TYPED_FOR = "a command of an agent may have typed it"
_TYPED_MS = 2_000
"""How long keys may take from such a command to a decision."""
_STARTING_MS = 1_000
"""How long before a call a client began that is surely not its doing."""
NO_CLIENT = "no client started the hook that recorded them"
UNSEALED = "no hook of Learnloop recorded them"
BESIDE_CALL = "they came during a command of an agent"
_NO_CLIENT = re.compile(
    r"(ba|da|a|z|fi|k|mk|c|tc)?sh|busybox|env|init|systemd|xargs|timeout|setsid|nohup|sudo|at|crond?|tmux.*|screen"
    r"|script|expect|socat|make"
)
"""Programs that run what they are given; a client is none of them. One may be written in Python, so that an
interpreter is no such program."""
NOT_TYPED = "no command for it was typed in the agent's session"
_TYPED_ARGUMENTS = {"promote": ("statement", ""), "archive": ("reason", "unused"), "rate": ("verdict", "")}
"""The verdicts that the plugin has a command for: the argument besides the lessons, and its default."""
_SHORTEST_ID = 4


class Span(NamedTuple):
    """The time of an agent's call, milliseconds."""

    start: int
    end: int
    names_us: bool
    """Whether it names Learnloop's programs or files: it counts a while longer."""
    until: int
    """The end of what it may have left running."""
    leaves: bool = False
    """Whether it plainly left something running."""
    types: bool = False
    """Whether it may type into other terminals."""
    client: int = 0
    """The process id of the client that made it, as its session's prompts say; 0 where they do not."""

    def covers(self, ms: int, *, typed: bool = False) -> bool:
        """Whether something at that time may be its doing.

        What a person types to an agent comes between its calls, so there only what runs counts.
        """
        is_over = typed and not (self.names_us and self.leaves)
        return self.start <= ms < self.end if is_over else self.start <= ms <= self.until


def by_itself(decision: Decision) -> str:
    """Why a decision is claimed, by what it says of itself; empty where that is nothing."""
    place = decision.place
    if decision.action in SETTLING and not (place and place.attended):
        return UNATTENDED
    if place is None or decision.by in (UPKEEP, STANDING) or not place.agent or decision.door == "plugin":
        return ""
    return f"it came from below an agent ({place.agent})"


def within(decision: Decision, spans: Iterable[Span]) -> str:
    """Why a decision is claimed, by the calls that agents made around it.

    A person decides while agents work, so at an attended terminal only calls count that may have typed there,
    or in which the terminal began.
    """
    place = decision.place
    if place is None or decision.by in (UPKEEP, STANDING):
        return ""
    at = clock.parse_ms(decision.ts)
    if place.attended:
        began, spans = place.since_ms, list(spans)
        if any(span.types and span.start <= at <= span.end + _TYPED_MS for span in spans):
            return TYPED_FOR
        is_played = any(span.names_us and span.start <= began <= span.end for span in spans)
        return NEW_TERMINAL if is_played else ""
    typed = decision.door == "plugin"
    return IN_CALL if any(span.covers(at, typed=typed) for span in spans) else ""


def of_prompt(ts: str, starter: Mapping[str, Any], spans: Iterable[Span]) -> str:
    """Why a prompt may be an agent's doing, by what started its hook and the calls around it.

    A client that was there before a call, and did not make it, is not its doing.
    """
    at, client = clock.parse_ms(ts), starter.get("pid", 0)
    if _NO_CLIENT.fullmatch(str(starter.get("name", ""))):
        return NO_CLIENT
    since = starter.get("since", at) + _STARTING_MS
    others = (span for span in spans if since >= span.start or span.client in (0, client))
    return BESIDE_CALL if any(span.covers(at, typed=True) for span in others) else ""


_WAYS = {"--stop": "stop", "--remind": "remind", "--tell": "tell", "--mention": "tell"}


def is_typed(prompt: str, action: str, ids: Sequence[str], args: Mapping[str, Any]) -> bool:
    """Whether a prompt is the plugin's command for exactly this verdict, as a shell would read it.

    Each lesson is named by the beginning of its id, and each argument is the verdict's own, whole.
    """
    try:
        name, *words = shlex.split(prompt) or [""]
    except ValueError:
        return False
    if name != f"/learn:{action}" or action not in _TYPED_ARGUMENTS or not ids:
        return False
    named, typed = _arguments(action, words)
    asked = {
        key: _bare(args.get(key, "" if key in ("way", "check") else given)) for key, given in typed.items()
    }
    is_one_of = all(any(lesson_id.startswith(word) for lesson_id in ids) for word in named)
    is_named = all(any(lesson_id.startswith(word) for word in named) for lesson_id in ids)
    return is_one_of and is_named and min(map(len, named)) >= _SHORTEST_ID and asked == typed


def _arguments(action: str, words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The lessons that a command names, and the verdict's arguments that follow from the rest."""
    argument, default = _TYPED_ARGUMENTS[action]
    typed, rest = {argument: default}, list(words)
    if action == "promote":
        typed["check"] = ""
        typed["way"] = next((_WAYS[word] for word in rest if word in _WAYS), "")
        rest = [word for word in rest if word not in _WAYS]
    if action == "rate":
        typed[argument] = rest.pop() if rest else ""
    elif f"--{argument}" in rest[:-1]:
        at = rest.index(f"--{argument}")
        typed[argument] = _bare(rest[at + 1])
        del rest[at : at + 2]
    return rest, typed


def _bare(value: object) -> str:
    return " ".join(str(value).split())
