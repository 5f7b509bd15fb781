"""The one question whether a model may read along: what it is shown, and that it is asked once."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from learnloop import settings
from learnloop.distill import budget, client_checks, recording, work
from learnloop.errors import LearnloopError
from learnloop.ingest import known_facts
from learnloop.learn.facts import reading_consent, requests
from learnloop.service.facts import listing, modes
from learnloop.service.facts.modes import EVERYWHERE
from learnloop.service.lessons import documents
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import paths
from learnloop.wire import project as wire_project

DAYS = 7
"""The days by which a day's calls are guessed."""


class Offer(NamedTuple):
    """All that the question shows."""

    project: str
    words: tuple[str, ...]
    """Who is asked, what, how often and at what price, a paragraph each."""
    request: str
    """The first request, as it would be sent."""


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
        is_on = ws.settings.enabled and ws.settings.record and bool(client_checks.named(ws.settings.facts))
    except LearnloopError:
        return None
    is_answered = is_set or reading_consent.is_answered(documents.decisions(ws.root))
    if not is_on or is_answered or agent_guard.is_inside():
        return None
    here, sessions = wire_project.find(folder), Store(ws.root).sessions()
    is_known = not sessions or any(session.project == here for session in sessions)
    return offer(ws, here if is_known else sessions[0].project)


def offer(ws: Workspace, project: str) -> Offer:
    """The question about a project."""
    return Offer(project, tuple(_words(ws, project)), first_request(ws, project))


def answer(ws: Workspace, project: str, key: str) -> Answered:
    """Settle the question by a key: `y` in this project, `a` in all, `n` in none; raises Refused."""
    if key == "n":
        modes.set_mode(ws, EVERYWHERE, "off")
        return Answered("", "Nothing is sent, and you are not asked again. learn facts on would.")
    where, place = (project, Path(project).name) if key == "y" else (EVERYWHERE, "every project")
    modes.set_mode(ws, where, "draft")
    words = f"A model reads along in {place} from now on. learn facts off ends it."
    return Answered(where, words, _past(ws, where))


def reads_in(ws: Workspace, project: str) -> bool:
    """Whether a model reads along in a project now."""
    return project in work.consents(ws.root, ws.settings)


def first_request(ws: Workspace, project: str) -> str:
    """The request that goes first where a model reads a project's history; else its frame without prompts."""
    batch = next(work.history(ws.root, project), None)
    if batch:
        asked = recording.ask(ws.root, batch, ws.settings)
    else:
        asked = requests.extraction([], known_facts.given(ws.root, project, ws.settings, ""))
    return f"{asked.system}\n\n{asked.text}"


def _words(ws: Workspace, project: str) -> list[str]:
    facts, name = ws.settings.facts, Path(project).name
    every = list(work.last_days(ws.root, DAYS))
    of_project = [batch for batch in every if batch.session.project == project]
    daily = f"{_a_day(ws, of_project)} in {name}"
    daily += f", {_a_day(ws, every)} in all projects" if len(every) > len(of_project) else ""
    return [
        "A model can read along: it finds the lessons in what you type, also where you only imply them.",
        f"To whom: {client_checks.named(facts)}.",
        f"What: the words that you type in {name} from now on, redacted, without what you paste; names of"
        " files and commands of the turn before; what your lessons and files say already. The first request"
        " stands below, whole.",
        f"How much, by your last week: {daily}. A day ends at {facts.calls_per_day} calls or"
        f" ${facts.cost_per_day:.2f}.",
        "What it finds waits in Triage. learn facts show prints what goes next, learn facts off ends it.",
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
    calls = len(batches) / DAYS
    often = f"about {calls:.0f} calls" if calls >= 1.5 else "about a call"
    return f"{often} a day for {_cost(ws, batches, 1 / DAYS)}"


def _cost(ws: Workspace, batches: Sequence[work.Batch], share: float) -> str:
    """What batches cost, by what calls cost this person so far, else by a small model's usual price."""
    if ws.settings.facts.command:
        return "what your command takes for it"
    cents = 100 * share * budget.guess([len(batch.text) for batch in batches], listing.runs(ws))
    return "less than a cent" if cents < 1 else f"about {cents:.0f} cent{'s' * (round(cents) != 1)}"
