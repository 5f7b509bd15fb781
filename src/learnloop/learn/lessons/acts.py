"""Whether a call obeys a lesson or breaks it, by the lesson's wanted and unwanted patterns. Pure."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from learnloop.learn.lessons import call_patterns
from learnloop.models.due_moment import DueMoment
from learnloop.wire import globs, relevance, stops

Side = Literal["wanted", "unwanted"]


class AgentCall(NamedTuple):
    """A call of an agent: a file that it writes, or a command that it runs."""

    file: str = ""
    command: str = ""
    text: str = ""
    """The beginning of what is written."""
    project: str = ""
    cwd: str = ""


def matches(lesson: Mapping[str, Any], side: Side, call: AgentCall) -> bool:
    """Whether a call is one of those that a lesson (a stored document) wants or does not want."""
    sides = lesson if side in lesson else _derived(str(lesson.get("statement", "")))
    if not any(sides[side].values()):
        return False
    wanted = sides["wanted"]["commands"] if side == "unwanted" else ()
    return at_hand(call).breaks({**sides[side], "wanted": wanted})


def due_side(lesson: Mapping[str, Any], call: AgentCall) -> Literal["", "opens", "file", "command"]:
    """What a call does to what a lesson makes due: opens it, or settles it by a file or a command."""
    if not any((lesson.get("due") or {}).values()):
        return ""
    due, seen = DueMoment.model_validate(lesson["due"]).expanded(), at_hand(call)
    if seen.runs(due["commands"]):
        return "command"
    if seen.changes(due["files"]):
        return "file"
    return "opens" if seen.changes(due["after"]) else ""


@lru_cache(maxsize=64)
def at_hand(call: AgentCall) -> stops.CallAtHand:
    """A call as the hook that stops calls sees it."""
    tool = "Write" if call.file else "Bash"
    given = {"file_path": call.file, "content": call.text} if call.file else {"command": call.command}
    moment = relevance.Moment({
        "tool": tool, "file": call.file, "project": call.project, "cwd": call.cwd,
    })  # fmt: skip
    return stops.CallAtHand(moment, {"tool_name": tool, "tool_input": given})


@lru_cache(maxsize=512)
def _derived(statement: str) -> dict[str, Any]:
    """The patterns of a lesson that was stored before lessons had any."""
    sides = call_patterns.derive(statement)
    return {"wanted": sides.wanted.as_json(), "unwanted": sides.unwanted.as_json()}


def name(call: AgentCall) -> str:
    """What a lesson about a call is likely to name: the program, or the file."""
    if call.file:
        return call.file.rpartition("/")[2]
    return next((command.partition(" ")[0] for command in globs.simple_commands(call.command)), "")
