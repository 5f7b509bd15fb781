"""How good facts are that any answers hold, or any model finds, against labels."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from learnloop.distill import model_call
from learnloop.errors import Unreadable
from learnloop.learn.facts import answers, fact_findings, fact_scores, requests
from learnloop.learn.facts.fact_findings import Checks, TypedPrompt
from learnloop.learn.facts.fact_scores import AnsweredDraft, AnswerScore, JudgedDraft, LabelledPrompt
from learnloop.learn.lessons.folding import LEAST_SURE
from learnloop.service import workspace
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, redact

_LABELS = TypeAdapter(LabelledPrompt | JudgedDraft)
_LABEL = 'a line is {"text": a prompt, "facts": […]} or {"statement": a draft, "verdict": "A"}'
_ANSWER = "a line is one of learn facts requests, with an answer"


def of_answers(labels: Iterable[str], answered: Iterable[str]) -> list[AnswerScore]:
    """The score of answered requests by labels, of all drafts and of the sure ones; raises Unreadable."""
    read, held = list(_labels(labels)), list[Sequence[AnsweredDraft] | None]()
    for number, line in enumerate(answered, 1):
        if line.strip():
            try:
                held.append(_drafts(json.loads(line)))
            except (ValueError, KeyError, IndexError, TypeError):
                raise Unreadable(f"line {number} is no request with an answer", _ANSWER) from None
    return _scored(read, held)


def trial(ws: Workspace, labels: Iterable[str]) -> list[AnswerScore]:
    """The same for the person's model, asked about the labelled prompts; its calls count against the limits.

    Raises Unreadable for a line that is no label, and Refused or Busy where nothing may be asked.
    """
    agent_guard.refuse("have a model asked")
    read = list(_labels(labels))
    prompts = [label.text for label in read if isinstance(label, LabelledPrompt)]
    held: list[Sequence[AnsweredDraft] | None] = []
    for at in range(0, len(prompts), requests.MOST_PROMPTS):
        part = {f"p{number}": text for number, text in enumerate(prompts[at : at + requests.MOST_PROMPTS], 1)}
        quoted = [requests.Quoted(name, text) for name, text in part.items()]
        request = requests.extraction(quoted, requests.Known())
        workspace.ingest(ws)  # the limits count what was asked before
        answer, run = model_call.ask_alone(ws.root, ws.settings, request, len(part), ws.settings.facts.model)
        held.append(None if run.error else list(_held(answer, part, requests.Known())))
    workspace.ingest(ws)
    return _scored(read, held)


def _scored(
    labels: Sequence[LabelledPrompt | JudgedDraft], held: Sequence[Sequence[AnsweredDraft] | None]
) -> list[AnswerScore]:
    prompts = [label for label in labels if isinstance(label, LabelledPrompt)]
    judged = [label for label in labels if isinstance(label, JudgedDraft)]
    drafts = [draft for of_answer in held for draft in of_answer or ()]
    scored = (fact_scores.of_answers(drafts, prompts, judged, least) for least in (0, LEAST_SURE))
    return [each.with_(answers=len(held), failed=held.count(None)) for each in scored]


def _drafts(line: dict[str, Any]) -> list[AnsweredDraft] | None:
    """What the strict reader leaves of an answered request; None where the answer cannot be read."""
    data = [json.loads(item) for item in str(line["text"]).split("\n")[1:-1]]
    given, messages = data[0], {item["message"]: item["text"] for item in data[1:]}
    lessons = given["known lessons"]
    context = requests.Known(
        given["project"], given["files of the project say"], lessons, {name: name for name in lessons}
    )
    try:
        answer = answers.parse(line["answer"])
    except answers.BadAnswer:
        return None
    return list(_held(answer, messages, context))


def _held(answer: answers.Answer, messages: dict[str, str], given: requests.Known) -> Iterator[AnsweredDraft]:
    prompts = {name: TypedPrompt(name, clock.iso(0), "", text) for name, text in messages.items()}
    for finding in fact_findings.of_prompts(answer.facts, prompts, Checks(given)):
        if finding["status"] == "raw":
            rests_on = tuple(messages[name] for name in finding["event_ids"])
            yield AnsweredDraft(finding["text"], finding["sure"], rests_on)


def _labels(lines: Iterable[str]) -> Iterator[LabelledPrompt | JudgedDraft]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                label = _LABELS.validate_json(line)
            except ValidationError:
                raise Unreadable(f"line {number} is no label", _LABEL) from None
            if isinstance(label, LabelledPrompt):
                label = label.with_(text=redact.cleaned(label.text[: requests.MOST_CHARS]))
            yield label
