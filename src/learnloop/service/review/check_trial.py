"""What a check would have done in the recorded history, and what it would do with one act."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from learnloop.errors import Refused
from learnloop.learn.lessons import acts
from learnloop.models import Lesson
from learnloop.models.base import Document
from learnloop.models.lesson_check import CheckRule, reads_first
from learnloop.service.workspace import Workspace
from learnloop.wire import check_memory, check_rules, relevance

MOST_CALLS, MOST_BYTES = 20_000, 16_384
_RULES = TypeAdapter(tuple[CheckRule, ...])
NOISY = 10, 5
"""A check that one in so many calls breaks, and at least so many, would stop an agent at every turn."""
_FOR_GOOD = frozenset(
    ("push", "apply", "publish", "deploy", "delete", "destroy", "drop", "release", "rm", "--force", "--hard")
)
"""Words of commands that cannot be taken back."""
Way = Literal["stop", "remind", "tell", "always"]
WAYS: dict[Way, str] = {
    "stop": "stop it", "remind": "remind at the end", "tell": "only tell", "always": "stop it every time",
}  # fmt: skip
"""The last is offered where an act cannot be taken back, or the lesson is CRITICAL."""
_KINDS = ("prompt", "tool_start", "tool_end", "tool_failed", "turn_end")


class Hit(Document):
    """An act that would have been stopped, or a turn that would have been sent back."""

    ts: str
    session_id: str
    what: str
    """The command or the file; of a turn what was found, or that something is due."""


class Trial(Document):
    """What a check would have done, once for each session and agent."""

    check: tuple[str, ...] = ()
    """Its rules, a sentence each."""
    calls: int = 0
    turns: int = 0
    broken: int = 0
    """Calls that break it, also those after the first one of an agent."""
    stopped: tuple[Hit, ...] = ()
    sent_back: tuple[Hit, ...] = ()
    corrected: int = 0
    """Corrections that the lesson comes from and that are recorded."""
    caught: int = 0
    """Those of them before which it would have stopped the agent, or sent it back."""

    @property
    def words(self) -> str:
        """The trial in one sentence."""
        if not self.calls:
            return "could be tried on nothing that is recorded yet"
        words = f"would have stopped {len(self.stopped)} of your last {self.calls:,} calls"
        words += f", and sent back {len(self.sent_back)} of {self.turns:,} turns" if self.sent_back else ""
        caught = "yes" if self.caught else "no"
        return words + (f"; would have caught the act that you corrected: {caught}" if self.corrected else "")


class Choice(Document):
    """What a person has to know to decide how a lesson binds."""

    trial: Trial
    proposed: tuple[CheckRule, ...] = ()
    """The check where it is not the lesson's own yet."""
    every: tuple[CheckRule, ...] = ()
    """The check that stops a call every time, where that is a way."""
    ways: tuple[Way, ...]
    recommended: Way

    def shown(self, way: Way) -> str:
        """A way in words."""
        return f"{WAYS[way]}{' (recommended)' if way == self.recommended else ''}"

    def given(self, way: str) -> dict[str, Any]:
        """What a verdict has to say for a way: `way`, and the `check` that the lesson gets."""
        check = self.every if way == "always" else self.proposed
        return {"way": "stop" if way == "always" else way, **({"check": check} if check else {})}


def choice(lesson: Lesson, history: Trial, proposed: tuple[CheckRule, ...] = ()) -> Choice:
    """How a lesson with a check may bind, by what that would have done.

    The weakest way that binds is recommended: what is noisy is reminded of at the end, unless the act cannot
    be taken back or the lesson is CRITICAL.
    """
    rules, ways = acts.deciding(lesson.as_json()), tuple(WAYS)[:3]
    if all(rule["form"] == "due" for rule in rules):
        return Choice(trial=history, proposed=proposed, ways=ways[1:], recommended="remind")
    share, least = NOISY
    is_noisy = history.broken >= max(least, history.calls / share) or any(map(_is_at_every_edit, rules))
    is_grave = lesson.priority == "CRITICAL" or any(map(_is_for_good, rules))
    weakest: Way = "remind" if is_noisy and not is_grave else "stop"
    every = tuple(
        rule if rule.form == "due" or reads_first(rule.as_json()) else rule.with_(every=True)
        for rule in lesson.check
    )
    ways = tuple(WAYS) if is_grave else ways
    return Choice(
        trial=history, proposed=proposed, ways=ways, recommended=weakest, every=every if is_grave else ()
    )


def _is_at_every_edit(rule: Mapping[str, Any]) -> bool:
    """Whether it is about order, and looks at each file that is written."""
    return rule["form"] == "before" and any(
        event["on"] == "write" and not event.get("text") and not event.get("fresh") for event in rule["act"]
    )


def _is_for_good(rule: Mapping[str, Any]) -> bool:
    judged = rule["then"] if rule["form"] == "after" else rule["act"]
    words = (word for event in judged for name in ("runs", "has") for word in event.get(name, ()))
    return not _FOR_GOOD.isdisjoint(part for word in words for part in word.split())


def read(text: str) -> tuple[CheckRule, ...]:
    """The rules of a JSON text, one or a list; raises Refused with the place of the first fault."""
    if len(text) > MOST_BYTES:
        raise Refused("the check is too large", f"say it in {MOST_BYTES:,} characters")
    try:
        given = json.loads(text)
        given = given.get("check", given) if isinstance(given, dict) else given
        return _RULES.validate_python([given] if isinstance(given, dict) else given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise Refused(f"{place}: {first['msg'].removeprefix('Value error, ')}", "docs/checks.md") from None
    except ValueError as error:
        raise Refused(f"the check is no JSON ({error})", "docs/checks.md has ten") from None


def try_act(lesson: Lesson, project: str, *, command: str = "", file: str = "", text: str = "") -> str:
    """What would happen at one act with nothing before it; "" where the rules let it be."""
    agent = Agent(lesson.as_json())
    event = {"project": project, "cwd": project, "payload": {"file": file, "command": command, "text": text}}
    hit = agent.play(_call(event, is_live=True))
    if hit:
        return f"stopped: {hit}"
    return "lets it run, and sends the turn back unless what is due follows" if agent.done.due() else ""


def trial(ws: Workspace, lesson: Lesson) -> Trial:
    """What the rules of a lesson would have done at the newest recorded calls of where it holds."""
    doc = lesson.as_json()
    agents: dict[tuple[str, str], Agent] = defaultdict(lambda: Agent(doc))
    prompted: dict[str, list[str]] = defaultdict(list)
    kinds: Counter[str] = Counter()
    for event in _events(ws.root, lesson):
        kinds[event["kind"]] += 1
        if event["kind"] == "prompt":
            prompted[event["session_id"]].append(event["ts"])
        agents[event["session_id"], event.get("agent_id") or ""].take(event)
    stopped = tuple(hit for agent in agents.values() for hit in agent.stopped)
    sent_back = tuple(hit for agent in agents.values() for hit in agent.sent_back)
    broken = sum(agent.broken for agent in agents.values())
    begun = [
        max((ts for ts in prompted[seen.session_id] if ts < seen.ts), default="") for seen in lesson.evidence
    ]
    corrected = [
        (seen.session_id, ts, seen.ts) for seen, ts in zip(lesson.evidence, begun, strict=True) if ts
    ]
    at = {(hit.session_id, hit.ts) for hit in (*stopped, *sent_back)}
    caught = sum(any(name == of and begin <= ts <= end for name, ts in at) for of, begin, end in corrected)
    return Trial(
        check=tuple(rule.words for rule in lesson.check), calls=kinds["tool_start"], turns=kinds["turn_end"],
        broken=broken, stopped=stopped, sent_back=sent_back, corrected=len(corrected), caught=caught,
    )  # fmt: skip


class Agent:
    """An agent of a session that is held to a lesson (a stored document), and what that did."""

    def __init__(self, lesson: Mapping[str, Any]) -> None:
        self._record = {"id": "", "checks": acts.deciding(lesson)}
        self.done = check_memory.Done()
        self.broken = 0
        self.stopped: list[Hit] = []
        self.sent_back: list[Hit] = []

    def take(self, event: Mapping[str, Any]) -> None:
        """Play an event; of what it breaks the first is a hit."""
        kind, payload = event["kind"], event["payload"]
        if kind == "prompt":
            self.done.turn()
        elif kind == "turn_end":
            self._hit(self.sent_back, event, self.end(str(payload.get("message") or "")))
        elif kind == "tool_start":
            hit = self.play(_call(event))
            self.broken += bool(hit)
            self._hit(self.stopped, event, hit and (payload.get("command") or hit))
        else:
            self.play(_call(event), passed=kind == "tool_end")

    def play(self, call: check_rules.Call, passed: bool | None = None) -> str:
        """What of a call breaks the lesson, if it is about to run; the call is remembered."""
        records = [self._record]
        broken = next(check_rules.broken(records, call, self.done), None) if passed is None else None
        check_rules.note(records, call, self.done, passed=passed)
        return broken[3] if broken else ""

    def end(self, message: str) -> str:
        """What the last message of a turn breaks, or that something is due."""
        hit = self.play(check_rules.Call(relevance.Moment({}), {}, message=message))
        return hit or ("something is due" if self.done.due() else "")

    def _hit(self, hits: list[Hit], event: Mapping[str, Any], what: str) -> None:
        if what and not hits:
            hits.append(Hit(ts=event["ts"], session_id=event["session_id"], what=what[:200]))


def _call(event: Mapping[str, Any], *, is_live: bool = False) -> check_rules.Call:
    """The call that an event records."""
    payload = event["payload"]
    file, command = str(payload.get("file") or ""), str(payload.get("command") or "")
    tool = str(payload.get("tool") or ("Bash" if command else "Write"))
    written = {"file_path": file, "content": str(payload.get("text") or "")}
    moment = relevance.Moment({"tool": tool, "file": file, "project": event["project"], "cwd": event["cwd"]})
    given = {"tool_name": tool, "tool_input": {"command": command} if command else written}
    return check_rules.Call(moment, given, is_live=is_live)


def _events(root: str, lesson: Lesson) -> Iterator[dict[str, Any]]:
    """The newest recorded events of where a lesson holds, oldest first."""
    from learnloop.store import pending, segments

    names = segments.names(root)
    newest = [pending.records(root, names[-1] if names else "", kinds=_KINDS)]
    left = MOST_CALLS - len(newest[0])
    for name in reversed(names):
        if left <= 0:
            break
        newest.append([event for event in segments.read(root, name) if event.get("kind") in _KINDS])
        left -= len(newest[-1])
    everywhere = lesson.scope == "global" or not lesson.project
    events = (event for batch in reversed(newest) for event in batch if "payload" in event)
    return (event for event in events if everywhere or event.get("project") == lesson.project)
