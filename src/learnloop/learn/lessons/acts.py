"""What a lesson holds agents to, as rules, and whether a call obeys or breaks them. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from learnloop.models.lesson_check import EXPANDED, of_patterns, reads_first, upgraded
from learnloop.wire import check_rules, globs, relevance

Rule = dict[str, Any]


class AgentCall(NamedTuple):
    """A call of an agent: a file that it writes, or a command that it runs."""

    file: str = ""
    command: str = ""
    text: str = ""
    """The beginning of what is written."""
    project: str = ""
    cwd: str = ""


def breach(lesson: Mapping[str, Any], call: AgentCall) -> str:
    """What of a call alone breaks a lesson (a stored document); "" where nothing does."""
    return check_rules.breaks(forbidding(lesson), at_hand(call).acts)


def is_kept(lesson: Mapping[str, Any], call: AgentCall) -> bool:
    """Whether a call does what a lesson asks for instead of what it forbids."""
    instead = [rule["then"] for rule in forbidding(lesson) if rule["form"] == "never"]
    return any(check_rules.fits(events, act) for events in instead for act in at_hand(call).acts)


def deciding(lesson: Mapping[str, Any]) -> list[Rule]:
    """The rules of a lesson by which it is kept or broken."""
    return [_expanded(rule) for rule in upgraded(lesson).get("check") or () if not reads_first(rule)]


def forbidding(lesson: Mapping[str, Any]) -> list[Rule]:
    """The rules of a lesson that forbid an act."""
    return [rule for rule in deciding(lesson) if rule["form"] != "due"]


def named(lesson: Mapping[str, Any]) -> str:
    """A command or code that a lesson forbids, by which a person knows it."""
    events = (event for rule in forbidding(lesson) if rule["form"] == "never" for event in rule["act"])
    return next(
        (str(call) for event in events for name in ("runs", "text") for call in event.get(name, ())), ""
    )


def due_rules(lesson: Mapping[str, Any]) -> list[Rule]:
    """The rules of a lesson that make something due."""
    return [rule for rule in deciding(lesson) if rule["form"] == "due"]


def gates(lesson: Mapping[str, Any]) -> list[Rule]:
    """The rules of a lesson that stop a call so that it is read first."""
    return [_expanded(rule) for rule in upgraded(lesson).get("check") or () if reads_first(rule)]


def binding(lesson: Mapping[str, Any], way: str) -> dict[str, bool]:
    """Whether a lesson stops and reminds where it binds in a way: `stop`, `remind` or `tell`.

    One without a check can only remind, by a model that judges the turn while the agent waits.
    """
    forbids, dues = bool(forbidding(lesson)), bool(due_rules(lesson))
    is_judged = not upgraded(lesson).get("check")
    reminds = (dues and way == "stop") or (way == "remind" and (dues or forbids or is_judged))
    return {"stops": forbids and way == "stop", "reminds": reminds}


def _expanded(rule: Rule) -> Rule:
    """A rule with the patterns that `<source>` and `<tests>` stand for."""

    def patterns(on: str, name: str, value: Any) -> Any:
        symbols = EXPANDED.get(("runs" if on == "command" else "files") if name == "unless" else name)
        every = [each for pattern in value for each in symbols.get(pattern, (pattern,))] if symbols else value
        return list(expand_braces(every)) if name == "files" else every

    def side(events: list[Rule]) -> list[Rule]:
        return [
            {name: patterns(event["on"], name, value) for name, value in event.items()} for event in events
        ]

    return {**rule, "act": side(rule["act"]), "then": side(rule.get("then", []))}


_MOST_BRACES = 64


def expand_braces(raw_patterns: Iterable[str]) -> Iterator[str]:
    """File patterns with `{a,b}` expanded: people write that, gitignore does not know it."""
    for pattern in raw_patterns:
        yield from _braced(pattern, _MOST_BRACES)


def _braced(pattern: str, room: int) -> list[str]:
    before, opened, rest = pattern.partition("{")
    inside, closed, after = rest.partition("}")
    if not opened or not closed or "," not in inside or "{" in inside:
        return [pattern]
    alternatives = [f"{before}{part}{after}" for part in inside.split(",")]
    return [whole for part in alternatives[:room] for whole in _braced(part, room // len(alternatives))]


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
    return bool(check_rules.breaks(of_patterns({"commands": patterns}, {}), at_hand(call).acts))


def name(call: AgentCall) -> str:
    """What a lesson about a call is likely to name: the program, or the file."""
    if call.file:
        return call.file.rpartition("/")[2]
    return next((command.partition(" ")[0] for command in globs.simple_commands(call.command)), "")
