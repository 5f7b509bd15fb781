"""Checks that a model proposes for a lesson: asked for, tried on acts from another call, and offered."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from learnloop.distill import model_call, recording, work
from learnloop.errors import NotFound, Refused
from learnloop.ingest import recent_calls, start_reading
from learnloop.learn.facts import answers, requests
from learnloop.learn.facts.requests import Act, Examples, Proposed
from learnloop.learn.lessons import acts, decisions
from learnloop.models import Evidence, Lesson
from learnloop.models.base import Document
from learnloop.models.lesson_check import MOST_RULES, CheckRule
from learnloop.service import workspace
from learnloop.service.lessons import documents
from learnloop.service.review import check_trial
from learnloop.service.review.check_trial import Choice, Trial
from learnloop.service.workspace import Workspace
from learnloop.settings import Settings
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import check_memory, check_rules, redact, relevance

Doc = dict[str, Any]
_PLACE = "/project"
_FOLDER, _WANTED = "facts/checks", ".wanted"
_MOST_MESSAGES, _MOST_NAMES = 6, 30


class Proposal(Document):
    """What a model proposes for a lesson."""

    statement: str
    """The words that it was asked about: others are asked about anew."""
    check: tuple[CheckRule, ...] = ()
    """Rules that agree with acts from a call that had not seen them; none where no check is worth it."""


def proposed(ws: Workspace, lesson: Lesson, *, asks: bool = True) -> tuple[Lesson, Trial] | None:
    """A lesson without a check with the one that a model proposes, and what that would have done so far.

    None where none is proposed. Where a model may read along and was not asked yet, it is asked in the
    background: look again. Not so without `asks`.
    """
    if acts.deciding(lesson.as_json()):
        return None
    held = _held(ws.root, lesson)
    if held is None:
        if asks:
            want(ws, lesson)
        return None
    lesson = lesson.with_(check=held.check)
    lesson = lesson.with_(**acts.binding(lesson.as_json(), "stop"))
    return (lesson, check_trial.trial(ws, lesson)) if held.check else None


def choice(
    ws: Workspace, lesson_id: str, statement: str | None = None, *, asks: bool = True
) -> Choice | None:
    """How a lesson may bind, with other words if they are given: by its check, else by a proposed one.

    None where it has neither.
    """
    lesson = documents.find(ws, lesson_id)
    if statement:
        lesson = lesson.with_(**decisions.reworded(lesson.as_json(), statement))
    if acts.deciding(lesson.as_json()):
        return check_trial.choice(lesson, check_trial.trial(ws, lesson))
    offer = None if statement else proposed(ws, lesson, asks=asks)
    return check_trial.choice(*offer, proposed=offer[0].check) if offer else None


def want(ws: Workspace, lesson: Lesson) -> bool:
    """Have a check proposed, where a model may read along in the lesson's project; return whether it may."""
    may = documents.came_from(ws, lesson) in work.consents(ws.root, ws.settings) and bool(lesson.statement)
    if may:
        files.replace(_file(ws.root, lesson.id).with_suffix(_WANTED), [])
        start_reading.start(ws.root)
    return may


def ask_wanted(ws: Workspace, settings: Settings) -> None:
    """Ask for the checks that are wanted, each once, until none may be asked for; raises Busy."""
    for wanted in sorted(Path(ws.root, _FOLDER).glob(f"*{_WANTED}")):
        try:
            lesson = documents.find(ws, wanted.stem)
            project = documents.came_from(ws, lesson)
            if consent := work.consents(ws.root, settings).get(project):
                check = _check(ws, settings, _about(ws, lesson, project, consent.since))
                held = Proposal(statement=lesson.statement, check=check)
                files.replace(_file(ws.root, lesson.id), [held.model_dump_json().encode()])
        except (answers.BadAnswer, NotFound):
            pass  # the lesson went, or it is asked again when the draft is looked at again
        except Refused:
            return
        wanted.unlink(missing_ok=True)


def _check(ws: Workspace, settings: Settings, about: Doc) -> tuple[CheckRule, ...]:
    """The check that is left of all answers; raises BadAnswer or Refused before there are acts to try one."""
    tried: list[Doc] = []
    seen: list[Examples] = []
    try:
        while request := next_request(about, tried, seen):
            given = _answer(ws, settings, request)
            if request.stage == "acts":
                seen.append(read(Examples, given))
            else:
                tried.append(given)
    except (answers.BadAnswer, Refused):
        if not seen:
            raise
    return best(tried, seen)


def _answer(ws: Workspace, settings: Settings, request: requests.Request) -> Doc:
    model = settings.facts.merge_model if request.stage == "check" else settings.facts.model
    about = recording.new_run(request.stage, "", model, 1)
    answer, run = model_call.ask_alone(ws.root, settings, request, about)
    workspace.ingest(ws)  # the limits count it
    if run.error:
        raise answers.BadAnswer(run.error)
    return dict(answer.given)


def next_request(about: Doc, tried: Sequence[Doc], seen: Sequence[Examples]) -> requests.Request | None:
    """What is asked next for a check; None where it is settled.

    First the check, then acts from a call that has not seen it, then from one that looks for its faults.
    Where acts are against it, it is mended once.
    """
    if not tried:
        return requests.for_check(about)
    if tried[1:] or tried[0] == {"check": []}:
        return None
    held = best(tried, seen)
    if not seen or (held and not seen[1:]):
        return requests.for_acts(about, [rule.words for rule in held] if seen else ())
    wrong = contradictions(tried[0], seen)
    return requests.for_check(about, wrong) if wrong else None


def _about(ws: Workspace, lesson: Lesson, project: str, since: str) -> Doc:
    """What is told of a lesson: its messages since the consent, and the names of what was run and written."""
    store = Store(ws.root)
    taught = [each for each in lesson.evidence if each.ts >= since and _is_of(store, each, lesson, project)]
    seen, calls = taught[-_MOST_MESSAGES:], recent_calls.of(store.state(), project)
    about = {
        "lesson": lesson.statement, "project": Path(project).name, "scope": lesson.scope,
        "messages": [each.quote for each in seen],
        "files of that turn": _names(project, [file for each in seen for file in each.files]),
        "commands of that turn": work.named([line for each in seen for line in each.commands]),
        "files written here": _names(project, calls.files), "commands run here": work.named(calls.commands),
    }  # fmt: skip
    return {name: value[-_MOST_NAMES:] if isinstance(value, list) else value for name, value in about.items()}


def _is_of(store: Store, evidence: Evidence, lesson: Lesson, project: str) -> bool:
    """Whether something was said in a project: a consent there covers no words of another one."""
    session = store.session(evidence.session_id)
    return (session.project if session else lesson.project) == project


def _names(project: str, paths: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(path.removeprefix(f"{project}/") for path in paths))


def _file(root: str, lesson_id: str) -> Path:
    return Path(root, _FOLDER, f"{lesson_id}.json")


def _held(root: str, lesson: Lesson) -> Proposal | None:
    try:
        held = Proposal.model_validate_json(files.read(_file(root, lesson.id)) or b"")
    except (OSError, ValidationError):
        return None
    return held if held.statement == lesson.statement else None


def read(model: type[Any], given: Mapping[str, Any]) -> Any:
    """An answer as an object of a model; raises BadAnswer."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise answers.BadAnswer(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def contradictions(given: Doc, seen: Sequence[Examples]) -> list[Doc]:
    """A check with why it cannot be read, or the acts that are against it; nothing where there are none."""
    try:
        rules = _rules(given)
    except answers.BadAnswer as error:
        return [given, {"refused": str(error)}]
    wrong = [
        {"keeps to it, but is stopped": _said(turn), "found": hit}
        for each in seen for turn in each.keeps if (hit := _hit(rules, turn))
    ]  # fmt: skip
    wrong += [
        {"breaks it, but passes": _said(turn)}
        for each in seen for turn in each.breaks if not _hit(rules, turn)
    ]  # fmt: skip
    return [given, *wrong] if wrong else []


def _rules(given: Doc) -> tuple[CheckRule, ...]:
    """The rules of an answer; raises BadAnswer, also for one that would be stored with gaps."""
    check: tuple[CheckRule, ...] = tuple(rule.with_(every=False) for rule in read(Proposed, given).check)
    for text in (text for rule in check for event in (*rule.act, *rule.then) for text in event.patterns):
        if redact.cleaned(text) != text:
            raise answers.BadAnswer(f"`{text}` looks like a secret")
    return check


def best(tried: Iterable[Doc], seen: Sequence[Examples]) -> tuple[CheckRule, ...]:
    """Of all checks the rules that catch most, none of which stops what keeps to the lesson.

    That is by acts from who had not seen the check; of what the other wrote a rule may stop as much as it
    catches.
    """
    keeps, doubts = ([turn for each in part for turn in each.keeps] for part in (seen[:1], seen[1:]))
    breaks = [turn for each in seen for turn in each.breaks]

    def worth(rules: Sequence[CheckRule]) -> int:
        caught, stopped = (sum(bool(_hit(rules, turn)) for turn in turns) for turns in (breaks, doubts))
        return caught - stopped

    checks = [[rule for rule in _agreeing(given, keeps) if worth([rule]) >= 0] for given in tried]
    chosen = max(checks, key=worth)
    for rule in (rule for rules in checks for rule in rules):
        if worth([*chosen, rule]) > worth(chosen):
            chosen.append(rule)
    return tuple(chosen[:MOST_RULES]) if worth(chosen) > 0 else ()


def _agreeing(given: Doc, keeps: Sequence[Sequence[Act]]) -> Iterator[CheckRule]:
    """Rules of an answer, with those of their events that stop nothing of what keeps to the lesson."""
    with contextlib.suppress(answers.BadAnswer):
        for rule in _rules(given):
            alone = [rule.with_(act=(event,)) for event in rule.act]
            left = [each for each in alone if not any(_hit([each], turn) for turn in keeps)]
            if left:
                yield rule.with_(act=tuple(event for each in left for event in each.act))


def _said(turn: Sequence[Act]) -> list[Doc]:
    return [act.model_dump(exclude_defaults=True) for act in turn]


def _hit(rules: Sequence[CheckRule], turn: Sequence[Act]) -> str:
    """What of a turn the rules stop, or that something is due at its end; "" where it passes."""
    agent = check_trial.Agent({"check": [rule.as_json() for rule in rules]})
    for act in turn:
        if not act.say:
            if hit := agent.play(_call(act)):
                return hit
            agent.play(_call(act), passed=check_memory.has_passed(act.result or "ok"))
    return agent.end(next((act.say for act in reversed(turn) if act.say), "Done."))


def _call(act: Act) -> check_rules.Call:
    file = act.write or act.read
    path = file if file[:1] in ("/", "~", "") else f"{_PLACE}/{file}"
    tool, given = act.call, dict(act.input)
    if act.run:
        tool, given = "Bash", {"command": act.run}
    elif act.write:
        tool = "Edit" if act.old else "Write"
        text = {"old_string": act.old, "new_string": act.text} if act.old else {"content": act.text}
        given = {"file_path": path, **text}
    elif act.read:
        tool, given = "Read", {"file_path": path}
    moment = relevance.Moment({"tool": tool, "file": path, "project": _PLACE, "cwd": _PLACE})
    return check_rules.Call(moment, {"tool_name": tool, "tool_input": given})
