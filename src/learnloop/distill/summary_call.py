"""The summary of what is known of a project: by a model where one may read along, else by fixed rules."""

from collections.abc import Callable, Sequence
from functools import partial

from learnloop.distill import consented, model_call
from learnloop.errors import LearnloopError
from learnloop.ingest import known_facts
from learnloop.ingest.known_facts import ModelSummary
from learnloop.learn.facts import fact_findings, requests, support
from learnloop.learn.facts.answers import Answer
from learnloop.models.fact import FactRun
from learnloop.models.summary import KnownFacts
from learnloop.settings import Settings
from learnloop.wire import clock

MOST_CHARS = 24_000
"""Characters of all documents in one request."""
_NOTHING = "no line of the answer rests on what the sources say"
_Ask = Callable[[str, Settings, model_call.Question], tuple[Answer, FactRun]]


def known(root: str, settings: Settings, project: str) -> KnownFacts:
    """The summary for a reading, which holds the lock: a model is asked at most once a day."""
    before = known_facts.stored(root, project)
    is_asked = before is not None and before.asked[:10] == clock.iso(clock.now_ms())[:10]
    if is_asked or model_call.why_not(root, settings, model_call.runs(root)):
        return known_facts.read(root, project, settings)
    return _made(root, settings, project, model_call.ask)


def made_now(root: str, settings: Settings, project: str) -> KnownFacts:
    """The summary as a person asks for it."""
    return _made(root, settings, project, model_call.ask_alone)


def _made(root: str, settings: Settings, project: str, ask: _Ask) -> KnownFacts:
    is_on = settings.enabled and settings.record and project in consented.by_project(root, settings)
    asking = partial(_summed, root, settings, project, ask) if is_on else None
    return known_facts.read(root, project, settings, asking)


def request(approved: Sequence[str], texts: Sequence[str]) -> tuple[requests.Request, dict[str, str]]:
    """What a model would be asked, and the documents by the names that they have there."""
    room = MOST_CHARS
    documents: dict[str, str] = {}
    for text in filter(str.strip, ("\n".join(f"- {words}" for words in approved), *texts)):
        if room > 0:
            documents[f"p{len(documents) + 1}"] = text[:room]
            room -= len(text)
    quoted = [requests.Quoted(name, text) for name, text in documents.items()]
    return requests.summary(quoted, requests.new_fence()), documents


def _summed(
    root: str, settings: Settings, project: str, ask: _Ask, approved: Sequence[str], texts: Sequence[str]
) -> ModelSummary:
    """What a model makes of documents: of its lines those that rest on them."""
    asked, documents = request(approved, texts)
    model = settings.facts.merge_model
    try:
        answer, run = ask(root, settings, model_call.Question(asked, model, project, len(documents)))
    except LearnloopError as error:
        return ModelSummary(model, error=str(error))
    said = "\n".join(documents.values())
    lines = [(fact.text, fact.file) for fact in answer.facts if _holds(fact.text, said)]
    return ModelSummary(model, lines, run.error or ("" if lines else _NOTHING))


def _holds(line: str, said: str) -> bool:
    return support.is_supported(line, said) and not fact_findings.holds_redacted(line)
