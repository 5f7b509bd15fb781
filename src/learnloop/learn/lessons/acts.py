"""What a lesson holds agents to, as rules, and whether a call obeys or breaks them. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from learnloop.models.lesson_check import EXPANDED, with_due_moment
from learnloop.wire import check_rules, globs, relevance

Rule = dict[str, Any]
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
    sides = lesson if side in lesson else {**lesson, **_derived(str(lesson.get("statement", "")))}
    rules = forbidding(sides) if side == "unwanted" else _never(_events(sides.get("wanted")))
    return bool(rules) and check_rules.breaks(rules, at_hand(call).acts)


def forbidding(lesson: Mapping[str, Any]) -> list[Rule]:
    """The rules of a lesson that forbid an act, those of its unwanted calls first."""
    asked = (lesson.get("wanted") or {}).get("commands", ())
    mine = [_expanded(rule) for rule in lesson.get("check") or () if rule["form"] != "due"]
    return [*_never(_events(lesson.get("unwanted"), asked)), *mine]


def due_rules(lesson: Mapping[str, Any]) -> list[Rule]:
    """The rules of a lesson that make something due; one of an earlier version has a due moment."""
    stored = with_due_moment(lesson.get("due"), lesson.get("check") or ())
    return [_expanded(rule) for rule in stored if rule["form"] == "due"]


def _expanded(rule: Rule) -> Rule:
    """A rule with the patterns that `<source>` and `<tests>` stand for."""

    def patterns(on: str, name: str, value: Any) -> Any:
        symbols = EXPANDED.get(("runs" if on == "command" else "files") if name == "unless" else name)
        return (
            [every for pattern in value for every in symbols.get(pattern, (pattern,))] if symbols else value
        )

    def side(events: list[Rule]) -> list[Rule]:
        return [
            {name: patterns(event["on"], name, value) for name, value in event.items()} for event in events
        ]

    return {**rule, "act": side(rule["act"]), "then": side(rule.get("then", []))}


def _never(events: list[Rule]) -> list[Rule]:
    return [{"form": "never", "act": events}] if events else []


def _events(patterns: Mapping[str, Any] | None, unless: Sequence[str] = ()) -> list[Rule]:
    """The acts that patterns of calls mean; prose may speak of code, but not use a sign."""
    given = {name: _unique((patterns or {}).get(name, ())) for name in ("commands", "files", "tokens")}
    signs = [token for token in given["tokens"] if not any(map(str.isalnum, token))]
    code = [token for token in given["tokens"] if token not in signs]
    events = (
        {"on": "command", "runs": given["commands"], "unless": list(unless)},
        {"on": "write", "files": given["files"]},
        {"on": "write", "text": code, "skip": ["docs"]},
        {"on": "write", "text": signs},
    )  # fmt: skip
    return [event for event in events if any(event.get(name) for name in ("runs", "files", "text"))]


def _unique(values: Iterable[str]) -> list[str]:
    stripped = (value.strip() for value in values)
    return list(dict.fromkeys(value for value in stripped if value))


def due_side(lesson: Mapping[str, Any], call: AgentCall) -> str:
    """What a call does to what a lesson makes due: opens it, or settles it by a file or a command."""
    sides = (check_rules.side(rule, at_hand(call).acts) for rule in due_rules(lesson))
    return next(filter(None, sides), "")


@lru_cache(maxsize=64)
def at_hand(call: AgentCall) -> check_rules.Call:
    """A call as the hook that stops calls sees it."""
    tool = "Write" if call.file else "Bash"
    given = {"file_path": call.file, "content": call.text} if call.file else {"command": call.command}
    moment = relevance.Moment({
        "tool": tool, "file": call.file, "project": call.project, "cwd": call.cwd,
    })  # fmt: skip
    return check_rules.Call(moment, {"tool_name": tool, "tool_input": given})


def runs(call: AgentCall, patterns: Sequence[str]) -> bool:
    """Whether a call runs a command that patterns mean."""
    return check_rules.breaks(_never(_events({"commands": patterns})), at_hand(call).acts)


@lru_cache(maxsize=512)
def _derived(statement: str) -> dict[str, Any]:
    """The patterns of a lesson that was stored before lessons had any."""
    from learnloop.learn.lessons import call_patterns  # loads the grammar

    sides = call_patterns.derive(statement)
    return {"wanted": sides.wanted.as_json(), "unwanted": sides.unwanted.as_json()}


def name(call: AgentCall) -> str:
    """What a lesson about a call is likely to name: the program, or the file."""
    if call.file:
        return call.file.rpartition("/")[2]
    return next((command.partition(" ")[0] for command in globs.simple_commands(call.command)), "")
