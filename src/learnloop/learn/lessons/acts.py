"""Whether a call obeys a lesson or breaks it, by the lesson's wanted and unwanted patterns. Pure."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from learnloop.learn.lessons import call_patterns
from learnloop.wire import globs

Side = Literal["wanted", "unwanted"]


class AgentCall(NamedTuple):
    """A call of an agent: a file that it writes, or a command that it runs."""

    file: str = ""
    command: str = ""
    text: str = ""
    """The beginning of what is written."""
    project: str = ""


def matches(lesson: Mapping[str, Any], side: Side, call: AgentCall) -> bool:
    """Whether a call is one of those that a lesson (a stored document) wants or does not want."""
    patterns = lesson[side] if side in lesson else _derived(str(lesson.get("statement", "")))[side]
    if not any(patterns.values()):
        return False
    if call.command and patterns.get("commands"):
        simple = globs.simple_commands(call.command)
        if any(globs.runs(pattern, simple, call.command) for pattern in patterns["commands"]):
            return True
    if not call.file:
        return False
    spot = globs.spot(call.file, (call.project,) if call.project else ())
    is_covered = any(_covers(pattern, spot) for pattern in patterns.get("files") or ())
    return is_covered or any(token in call.text for token in patterns.get("tokens") or ())


@lru_cache(maxsize=512)
def _derived(statement: str) -> dict[str, Any]:
    """The patterns of a lesson that was stored before lessons had any."""
    sides = call_patterns.derive(statement)
    return {"wanted": sides.wanted.as_json(), "unwanted": sides.unwanted.as_json()}


def _covers(pattern: str, spot: globs.Spot) -> bool:
    if pattern.startswith("!"):
        return not globs.covers(pattern[1:], spot)
    return globs.covers(pattern, spot)


def name(call: AgentCall) -> str:
    """What a lesson about a call is likely to name: the program, or the file."""
    if call.file:
        return call.file.rpartition("/")[2]
    return next((command.partition(" ")[0] for command in globs.simple_commands(call.command)), "")
