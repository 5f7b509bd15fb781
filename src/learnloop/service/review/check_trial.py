"""What a check would have done in the recorded history, and what it would do with one act."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from learnloop.errors import Refused
from learnloop.learn.lessons import acts
from learnloop.models import Lesson
from learnloop.models.base import Document
from learnloop.models.check import Rule
from learnloop.service.workspace import Workspace
from learnloop.wire import check_memory, check_rules, relevance

MOST_CALLS, MOST_BYTES, _SHOWN = 20_000, 16_384, 10
_RULES = TypeAdapter(tuple[Rule, ...])
_KINDS = ("prompt", "tool_start", "tool_end", "tool_failed", "turn_end")


class Stopped(Document):
    """An act that would have been stopped, or a turn that would have been sent back."""

    ts: str
    session_id: str
    what: str
    """The command, the file, or the words."""
    found: str


class Trial(Document):
    """What a check would have done, once for each session and agent."""

    calls: int = 0
    turns: int = 0
    stopped: tuple[Stopped, ...] = ()
    sent_back: tuple[Stopped, ...] = ()
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


class _Agent(NamedTuple):
    """A session's agent, and which lessons stopped or reminded it."""

    done: check_memory.Done
    stopped: list[Stopped]
    sent_back: list[Stopped]


def read(text: str) -> tuple[Rule, ...]:
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


def rules_of(lesson: Lesson) -> list[dict[str, Any]]:
    """The rules of a lesson as hooks play them, those of its wanted and unwanted calls with them."""
    doc = lesson.as_json()
    return [*acts.forbidding(doc), *acts.due_rules(doc)]


def sentences(lesson: Lesson) -> list[str]:
    """The rules of a lesson, a sentence each."""
    return [Rule.model_validate(rule).words for rule in rules_of(lesson)]


def try_act(lesson: Lesson, project: str, *, command: str = "", file: str = "", text: str = "") -> str:
    """What of one act breaks a lesson's rules, with nothing before it; "" where nothing does."""
    given = {"command": command} if command else {"file_path": file, "content": text}
    tool = "Bash" if command else "Write"
    moment = relevance.Moment({"tool": tool, "file": file, "project": project, "cwd": project})
    call = check_rules.Call(moment, {"tool_name": tool, "tool_input": given}, is_live=True)
    record = {"id": lesson.id, "checks": rules_of(lesson)}
    done = check_memory.Done()
    if broken := next(check_rules.broken([record], call, done), None):
        return f"stopped: {broken[3]}"
    check_rules.note([record], call, done, passed=None)
    return "lets it run, and sends the turn back unless what is due follows" if done.due() else ""


def trial(ws: Workspace, lesson: Lesson) -> Trial:
    """What the rules of a lesson would have done at the newest recorded calls of where it holds."""
    record = {"id": lesson.id, "checks": rules_of(lesson)}
    agents: dict[tuple[str, str], _Agent] = defaultdict(lambda: _Agent(check_memory.Done(), [], []))
    prompted: dict[str, list[str]] = defaultdict(list)
    calls = turns = 0
    for event in _events(ws.root, lesson):
        session, agent = event["session_id"], agents[event["session_id"], event.get("agent_id") or ""]
        if event["kind"] == "prompt":
            prompted[session].append(event["ts"])
            agent.done.turn()
        elif event["kind"] == "turn_end":
            turns += 1
            _ended(record, agent, event)
        else:
            calls += event["kind"] == "tool_start"
            _called(record, agent, event)
    every = list(agents.values())
    at = [(hit.session_id, hit.ts) for agent in every for hit in (*agent.stopped, *agent.sent_back)]
    corrected = [seen for seen in lesson.evidence if prompted.get(seen.session_id)]
    caught = sum(_is_caught(at, seen.session_id, seen.ts, prompted) for seen in corrected)
    return Trial(
        calls=calls, turns=turns, corrected=len(corrected), caught=caught,
        stopped=tuple(hit for agent in every for hit in agent.stopped)[-_SHOWN * 10 :],
        sent_back=tuple(hit for agent in every for hit in agent.sent_back)[-_SHOWN * 10 :],
    )  # fmt: skip


def _is_caught(
    at: Iterable[tuple[str, str]], session: str, ts: str, prompted: Mapping[str, Sequence[str]]
) -> bool:
    """Whether there was a hit in the turn before a correction."""
    before = [prompt for prompt in prompted[session] if prompt < ts]
    return any(name == session and (before[-1] if before else "") <= hit <= ts for name, hit in at)


def _called(record: dict[str, Any], agent: _Agent, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    file, command = str(payload.get("file") or ""), str(payload.get("command") or "")
    tool, project = str(payload.get("tool") or ""), event.get("project") or ""
    given = (
        {"command": command} if command else {"file_path": file, "content": str(payload.get("text") or "")}
    )
    moment = relevance.Moment({"tool": tool, "file": file, "project": project, "cwd": event.get("cwd")})
    call = check_rules.Call(moment, {"tool_name": tool, "tool_input": given})
    if event["kind"] != "tool_start":
        check_rules.note([record], call, agent.done, passed=event["kind"] == "tool_end")
        return
    broken = next(check_rules.broken([record], call, agent.done), None)
    if broken and not agent.stopped:
        agent.stopped.append(_hit(event, command or file, broken[3]))
    check_rules.note([record], call, agent.done, passed=None)


def _ended(record: dict[str, Any], agent: _Agent, event: Mapping[str, Any]) -> None:
    said = str(event["payload"].get("message") or event["payload"].get("claim") or "")
    call = check_rules.Call(relevance.Moment({}), {}, said=said)
    broken = next(check_rules.broken([record], call, agent.done), None)
    check_rules.note([record], call, agent.done, passed=None)
    if (broken or agent.done.due()) and not agent.sent_back:
        agent.sent_back.append(_hit(event, "the end of the turn", broken[3] if broken else "what is due"))


def _hit(event: Mapping[str, Any], what: str, found: str) -> Stopped:
    return Stopped(ts=event["ts"], session_id=event["session_id"], what=what[:200], found=found)


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
