"""How good the facts are: against the person's verdicts, and on labelled prompts with any model."""

from collections.abc import Iterable, Sequence

from pydantic import ValidationError

from learnloop.distill import model_call
from learnloop.errors import LearnloopError, Unreadable
from learnloop.learn.facts import fact_findings, fact_scores, requests
from learnloop.learn.facts.answers import ReadFact
from learnloop.learn.facts.fact_findings import TypedPrompt
from learnloop.learn.facts.fact_scores import ExtractionScore, FactScore, LabelledPrompt
from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.learn.profile.agent_tallies import wilson
from learnloop.models.fact import FactRun
from learnloop.service import workspace
from learnloop.service.facts import listing
from learnloop.service.lessons import documents
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, redact

_LABELS = 'a line is {"text": a prompt, "facts": [what a reader found in it]}'


def scores(ws: Workspace) -> list[FactScore]:
    """What became of the facts: all, then by kind, model and source."""
    models = {run.id: run.model for run in listing.runs(ws)}
    edited = {
        lesson_id
        for decision in effective_decisions(documents.decisions(ws.root))
        if decision.action in ("edit", "promote") and "statement" in decision.args
        for lesson_id in decision.lesson_ids
    }
    return fact_scores.scores(listing.facts(ws), models, documents.lessons(ws.root), edited)


def trial(ws: Workspace, lines: Iterable[str], command: Sequence[str], model: str) -> ExtractionScore:
    """Ask a model about labelled prompts; its calls count against the limits.

    Raises Unreadable for a line that is no labelled prompt, and Refused or Busy where nothing may be asked.
    """
    agent_guard.refuse("have a model asked")
    labelled = [_line(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    facts = ws.settings.facts
    own = facts.model_copy(update={"command": tuple(command)}) if command else facts
    settings = ws.settings.model_copy(update={"facts": own})
    score = ExtractionScore(prompts=len(labelled), labelled=sum(len(each.facts) for each in labelled))
    for at in range(0, len(labelled), requests.MOST_PROMPTS):
        part = {f"p{number}": row for number, row in enumerate(labelled[at : at + requests.MOST_PROMPTS], 1)}
        quoted = [requests.Quoted(name, row.text) for name, row in part.items()]
        request = requests.extraction(quoted, "", requests.new_fence())
        question = model_call.Question(request, model or facts.model, "", len(part))
        workspace.ingest(ws)  # the limits count what was asked before
        try:
            found, run = model_call.ask_alone(ws.root, settings, question)
        except LearnloopError:
            if not score.calls:
                raise
            break
        score = _added(score, part, found, run)
    workspace.ingest(ws)
    kept_facts = score.facts - score.unsupported
    return score.with_(
        found_interval=wilson(score.found, score.labelled), beside_interval=wilson(score.beside, kept_facts)
    )


def _added(
    score: ExtractionScore, part: dict[str, LabelledPrompt], facts: Sequence[ReadFact], run: FactRun
) -> ExtractionScore:
    prompts = {name: TypedPrompt(f"{name:0<32}", clock.iso(0), "", row.text) for name, row in part.items()}
    findings = fact_findings.of_prompts(facts, prompts, lambda _: "")
    found, total, unsupported, beside = fact_scores.compared(part, prompts, findings)
    is_priced = run.cost_usd is not None and (score.cost_usd is not None or not score.calls)
    return score.with_(
        found=score.found + found, facts=score.facts + total, unsupported=score.unsupported + unsupported,
        beside=score.beside + beside, calls=score.calls + 1, failed=score.failed + bool(run.error),
        seconds=score.seconds + run.ms / 1000,
        cost_usd=(score.cost_usd or 0.0) + (run.cost_usd or 0.0) if is_priced else None,
    )  # fmt: skip


def _line(number: int, line: str) -> LabelledPrompt:
    try:
        label = LabelledPrompt.model_validate_json(line)
    except ValidationError:
        raise Unreadable(f"line {number} is no labelled prompt", _LABELS) from None
    return label.with_(text=redact.cleaned(label.text[: requests.MOST_CHARS]))
