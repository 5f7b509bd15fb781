"""What the verbs print that decide about lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop.cli import output
from learnloop.cli.lesson_table import short, summary
from learnloop.errors import Refused
from learnloop.service.lessons.row import told_words

if TYPE_CHECKING:
    from learnloop.models.decision import Decision
    from learnloop.service.review.check_trial import Choice, Trial
    from learnloop.service.workspace import Workspace


def is_claimed(ws: Workspace, decision: Decision) -> bool:
    """Whether a decision does not count, because an agent may have made it; prints that."""
    from learnloop.service.lessons import documents

    stored = next((each for each in documents.decisions(ws.root) if each.id == decision.id), decision)
    if stored.claimed:
        output.line(f"This does not count: {stored.claimed}.")
        output.note("Repeat it in a terminal of your own; learn undo --history says where this came from")
    return bool(stored.claimed)


def print_decision(ws: Workspace, decision: Decision) -> bool:
    """Print what a decision did, one line for each lesson, or that it does not count; whether it does."""
    from learnloop.service.history import sentences
    from learnloop.service.lessons import lookup

    if is_claimed(ws, decision):
        return False
    done = sentences.VERBS.get(decision.action, decision.action)
    for lesson_id in decision.lesson_ids:
        lesson = lookup.find(ws, lesson_id)
        words = told_words(lesson.as_json()) or summary(lesson)
        output.line(f"{done} {short(ws, lesson.id)}  {output.safe(words)}")
    if settled := sentences.settled(decision):
        output.line(f"It settles{settled.removeprefix(', and')}.")
    return True


def print_place(ws: Workspace, decision: Decision) -> None:
    """Print the files in which a lesson that was kept may stand too, and how it gets there."""
    from learnloop.service.id_prefix import shown
    from learnloop.service.patches import patches

    if offered := patches.offered(ws, decision.lesson_ids):
        patch, where = offered
        output.note(f"Also in {output.safe(where)}? learn patches preview {shown(patch.id)}, then apply")


def report(ws: Workspace, decision: Decision) -> None:
    """Print what a decision did and how to undo it."""
    if print_decision(ws, decision):
        output.note("Take it back with: learn undo")


def print_trial(trial: Trial) -> None:
    """Print a check as sentences, and what it would have done."""
    for sentence in trial.check:
        output.line(output.safe(f"{sentence[0].upper()}{sentence[1:]}."))
    output.line(f"It {trial.words}.")
    for hit in (*trial.stopped, *trial.sent_back)[-10:]:
        output.line(f"  {output.local(hit.ts)}  {output.safe(output.short(hit.what, 100))}")


def ways(choice: Choice) -> str:
    """The ways in which a check may bind, each with its digit."""
    return " · ".join(f"[{at}] {choice.shown(way)}" for at, way in enumerate(choice.ways, 1))


def ask_way(ws: Workspace, lesson_id: str, statement: str | None) -> dict[str, Any]:
    """How a lesson binds, as a person answers who saw its check, and the check that it gets."""
    from learnloop.service.facts import check_proposals

    choice = check_proposals.choice(ws, lesson_id, statement)
    if choice is None:
        return {}
    print_trial(choice.trial)
    keys = {str(at): way for at, way in enumerate(choice.ways, 1)} | dict.fromkeys("p", choice.recommended)
    answer = output.ask(f"{ways(choice)} > ")
    while answer and answer not in keys:
        answer = output.ask("1, 2 or 3, enter for the recommended one > ")
    return {"way": keys.get(answer, choice.recommended), "check": choice.proposed}


def report_step(ws: Workspace, decision: Decision | None, verb: str) -> None:
    """Print what `undo` or `redo` did; raises Refused where there was nothing to do."""
    if decision is None:
        raise Refused(f"there is nothing to {verb}", "learn undo --history lists the verdicts")
    from learnloop.service.history import sentences

    if is_claimed(ws, decision):
        return
    sentence = sentences.step_sentence(ws, decision) or "a verdict"
    output.line(f"{'Undone' if verb == 'undo' else 'Redone'}: {output.safe(sentence)}")
    for other in sentences.passed_over(ws, decision) if verb == "undo" else ():
        output.note(f"A later one is left, since it does not count: {output.safe(other)}")
