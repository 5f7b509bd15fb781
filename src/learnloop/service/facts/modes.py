"""Where a model may read along: the one question about it, and what a person decided."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from learnloop import settings
from learnloop.distill import budget, model_clients, recording, work
from learnloop.errors import LearnloopError, Refused
from learnloop.ingest import known_facts
from learnloop.learn.facts import reading_consent, requests
from learnloop.learn.facts.reading_consent import AUTO, MODES, Consent
from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models import Decision
from learnloop.models.base import Document
from learnloop.service.facts import listing, turn_asking
from learnloop.service.lessons import documents
from learnloop.service.patches import fact_imports
from learnloop.service.patches.board import Board
from learnloop.service.review import agent_guard, trust, verdicts
from learnloop.service.setup import settings_file
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import paths
from learnloop.wire import project as wire_project

EVERYWHERE = reading_consent.EVERYWHERE
_DAYS = 7
"""The days by which a day's calls are guessed."""


class ReadingMode(Document):
    """What a model may do in one project."""

    project: str
    """`*` for every one that has none of its own."""
    mode: str
    """As decided."""
    in_force: str
    """The lower of decision and setting; off where a switch silences the project."""
    since: str


def set_mode(ws: Workspace, project: str, mode: str, imports: Sequence[str] = ()) -> Decision:
    """Let a model read along in a project or `EVERYWHERE`, or no more; raises Refused where it is so already.

    It sets the command of another client, where there is no Claude Code, and raises the setting that limits
    the mode, where that is lower; a consent that this setting kept out of force stays out of it.
    `off` everywhere withdraws every consent.
    `auto` needs a project whose files are trusted. `imports` says where the line goes that makes agents read
    what it writes, or `none`; raises Refused where that is open.
    """
    if mode not in MODES:
        raise Refused(f"{mode!r} is no mode", f"take {', '.join(MODES)}")
    decided = _decided(ws, AUTO)
    before = decided.get(project, decided.get(EVERYWHERE))
    is_same = mode == (before.mode if before else "off") and (project, mode) != (EVERYWHERE, "off")
    is_new = imports and not (before and before.imports == tuple(imports))
    if is_same and not is_new and not _is_limited(mode):
        raise Refused(f"{project} is {mode} already", "nothing is to be done")
    args: dict[str, Any] = {"project": project, "mode": mode}
    if mode == AUTO:
        if project == EVERYWHERE:
            raise Refused("auto reads and writes a project's files", "switch it on project by project")
        if not trust.is_trusted(ws.root, project):
            raise Refused(
                f"{project} is not trusted, and auto reads and writes its files", "run: learn config --trust"
            )
        for choice in fact_imports.of_project(Board(ws, [project]), project):
            fact_imports.placed(choice, imports)
        args["imports"] = list(imports)
    return _decide(ws, args, mode)


def judge_turns(ws: Workspace, project: str, *, is_on: bool) -> Decision:
    """Let a model judge the turns of a project or `EVERYWHERE`, or no more, as `set_mode` does.

    Raises Refused where it is so already.
    """
    given, mode = reading_consent.asked(documents.decisions(ws.root)), "draft" if is_on else "off"
    is_same = is_on is bool(given.get(project, given.get(EVERYWHERE))) and (is_on or project != EVERYWHERE)
    if is_same and not _is_limited(mode):
        raise Refused(f"turns of {project} are {'' if is_on else 'not '}judged", "nothing is to be done")
    return _decide(ws, {"project": project, "turns": is_on}, mode)


def _is_limited(mode: str) -> bool:
    """Whether the setting lets less be done than a mode."""
    return MODES.index(settings.load(environment=False).facts.mode) < MODES.index(mode)


def _decide(ws: Workspace, args: dict[str, Any], mode: str) -> Decision:
    """Decide, and set what that needs for a mode to be in force."""
    is_limited = _is_limited(mode)
    if is_limited and ws.settings.facts.mode == "off" and _decided(ws, AUTO):  # they sent nothing: ask again
        verdicts.decide(ws, "facts", [], {"project": EVERYWHERE, "mode": "off"})
    decision = verdicts.decide(ws, "facts", [], args)
    if is_limited:
        settings_file.set_("facts.mode", mode)
    facts = ws.settings.facts
    if mode != "off" and (command := model_clients.offered(facts)) != facts.command:
        settings_file.set_("facts.command", json.dumps(command))
    return decision


def modes(ws: Workspace) -> list[ReadingMode]:
    """The projects in which a model may read along, by their names."""
    decided, allowed = _decided(ws, AUTO), _decided(ws, ws.settings.facts.mode)
    return [
        ReadingMode(
            project=project, mode=each.mode, in_force=_in_force(ws, project, allowed), since=each.since
        )
        for project, each in sorted(decided.items())
    ]


def _decided(ws: Workspace, most: str) -> dict[str, Consent]:
    return reading_consent.by_project(documents.decisions(ws.root), most, [EVERYWHERE])


def _in_force(ws: Workspace, project: str, allowed: dict[str, Consent]) -> str:
    if project not in allowed or work.is_switched_off(ws.root, project):
        return "off"
    return allowed[project].mode


NO_TURN = "There is no turn yet that wrote files and that a lesson without a check applies to."


class Offer(NamedTuple):
    """All that the question shows."""

    project: str
    words: tuple[str, ...]
    """Who is asked, what, how often and at what price, a paragraph each."""
    request: str
    """The first request, as it would be sent."""
    title: str = "Let a model read along?"


class Answered(NamedTuple):
    """What became of the question."""

    where: str
    """The project, or every one, in which a model may read along now; empty for nowhere."""
    words: str
    past: str = ""
    """What it may read at once, with the price; empty where there is nothing."""


def if_open(ws: Workspace, folder: str) -> Offer | None:
    """The question, about the project of a folder or else the last one's; None where it is not to be asked.

    It is asked where nobody answered, there is somebody to ask, and no agent runs this.
    """
    try:
        is_set = "mode" in settings.read(paths.config_file()).get("facts", {})
        is_on = ws.settings.enabled and ws.settings.record and bool(model_clients.named(ws.settings.facts))
    except LearnloopError:
        return None
    every = effective_decisions(documents.decisions(ws.root))
    if not is_on or is_set or any(each.action == "facts" for each in every) or agent_guard.is_inside():
        return None
    return offer(ws, _project_at(ws, folder))


def turns_if_open(ws: Workspace, folder: str) -> Offer | None:
    """The question about turns: asked where a model reads along, a turn is there, and nobody answered."""
    every, project = effective_decisions(documents.decisions(ws.root)), _project_at(ws, folder)
    is_answered = any(each.action == "facts" and "turns" in each.args for each in every)
    if is_answered or agent_guard.is_inside() or project not in work.consents(ws.root, ws.settings):
        return None
    question = turns_offer(ws, project)
    return None if question.request == NO_TURN else question


def _project_at(ws: Workspace, folder: str) -> str:
    """The project of a folder where sessions were seen in it, or none anywhere; else the last session's."""
    here, sessions = wire_project.find(str(Path(folder).resolve())), Store(ws.root).sessions()
    return here if not sessions or any(each.project == here for each in sessions) else sessions[0].project


def nothing_waits(ws: Workspace, project: str) -> str:
    """Why nothing goes next; where no model reads along in a project, with what would go first."""
    if project in work.consents(ws.root, ws.settings):
        return "Nothing waits to be read."
    head = f"── Nothing is sent: no model reads along in {project}. With learn facts on goes first:"
    return f"{head}\n{_first_request(ws, project)}"


def offer(ws: Workspace, project: str) -> Offer:
    """The question about a project."""
    return Offer(project, tuple(_words(ws, project)), _first_request(ws, project))


def turns_offer(ws: Workspace, project: str) -> Offer:
    """The question whether turns of a project may be judged, with the request about its last one."""
    facts, name = ws.settings.facts, Path(project).name
    request = turn_asking.next_request(ws, project)
    words = (
        "A model can judge the turns of your agents that wrote files: which lessons did they break that no"
        " check can tell? The agent is told at your next prompt, and it is counted.",
        f"To whom: {model_clients.named(facts)}.",
        f"What: of each such turn in {name} your prompt, the calls with what they wrote (at most 8,000"
        " characters), the agent's last message, all redacted; up to 12 lessons. What would be sent about the"
        " last turn stands below, whole.",
        f"How much: a call a turn; {facts.turns_per_day} calls or ${facts.turns_cost_per_day:.2f} end a day.",
        "learn facts show --turns prints what would be sent, learn facts off --turns ends it.",
    )
    shown = f"{request.system}\n\n{request.text}" if request else NO_TURN
    return Offer(project, words, shown, "Let a model judge turns?")


def answer(ws: Workspace, project: str, key: str) -> Answered:
    """Settle the question by a key: `y` in this project, `a` in all, `n` in none; raises Refused."""
    if key == "n":
        set_mode(ws, EVERYWHERE, "off")
        return Answered("", "Nothing is sent, and you are not asked again. learn facts on would.")
    where, place = (project, Path(project).name) if key == "y" else (EVERYWHERE, "every project")
    set_mode(ws, where, "draft")
    words = f"A model reads along in {place} from now on. learn facts off ends it."
    return Answered(where, words, _past(ws, where))


def answer_turns(ws: Workspace, project: str, key: str) -> str:
    """Settle the question about turns by a key, as `answer` does, and say what holds; raises Refused."""
    judge_turns(ws, project if key == "y" else EVERYWHERE, is_on=key != "n")
    if key == "n":
        return "No turn is judged, and you are not asked again. learn facts on --turns would."
    place = Path(project).name if key == "y" else "every project"
    return f"A model judges turns that write files in {place} from now on. learn facts off --turns ends it."


def _first_request(ws: Workspace, project: str) -> str:
    """The request that goes first where a model reads a project's history; else its frame without prompts."""
    batch = next(work.history(ws.root, project), None)
    if batch:
        asked = recording.ask(ws.root, batch, ws.settings)
    else:
        asked = requests.extraction([], known_facts.given(ws.root, project, ws.settings, ""))
    return f"{asked.system}\n\n{asked.text}"


def _words(ws: Workspace, project: str) -> list[str]:
    facts, name = ws.settings.facts, Path(project).name
    every = list(work.last_days(ws.root, _DAYS))
    of_project = [batch for batch in every if batch.session.project == project]
    daily = f"{_a_day(ws, of_project)} in {name}"
    daily += f", {_a_day(ws, every)} in all projects" if len(every) > len(of_project) else ""
    return [
        "A model can read along: it finds the lessons in what you type, also where you only imply them.",
        f"To whom: {model_clients.named(facts)}.",
        f"What: the words that you type in {name} from now on, redacted, without what you paste; names of"
        " files and commands of the turn before, and of the project for a check of a draft that you look at;"
        " what your lessons and files say already. The first request stands below, whole.",
        f"How much, by your last week: {daily}. A day ends at {facts.calls_per_day} calls or"
        f" ${facts.cost_per_day:.2f}.",
        "What it finds waits in the Inbox. learn facts show prints what goes next, learn facts off ends it.",
    ]


def _past(ws: Workspace, where: str) -> str:
    batches = list(work.history(ws.root, where))
    prompts = sum(len(batch.prompts) for batch in batches)
    calls = f"{len(batches)} call{'s' * (len(batches) != 1)}"
    last = f"{prompts} prompts" if prompts != 1 else "prompt"
    return f"Your last {last}: {calls}, {_cost(ws, batches, 1)}" if batches else ""


def _a_day(ws: Workspace, batches: Sequence[work.Batch]) -> str:
    if not batches:
        return "nothing yet"
    calls = len(batches) / _DAYS
    often = f"about {calls:.0f} calls" if calls >= 1.5 else "about a call"
    return f"{often} a day for {_cost(ws, batches, 1 / _DAYS)}"


def _cost(ws: Workspace, batches: Sequence[work.Batch], share: float) -> str:
    """What batches cost, by what calls cost this person so far, else by a small model's usual price."""
    if model_clients.offered(ws.settings.facts):
        return "what that command takes for it"
    cents = 100 * share * budget.guess([len(batch.text) for batch in batches], listing.runs(ws))
    return "less than a cent" if cents < 1 else f"about {cents:.0f} cent{'s' * (round(cents) != 1)}"
