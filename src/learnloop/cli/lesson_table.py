"""Lessons in a few words, lists of them, the filter that narrows them, and what verdicts print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop.cli import output
from learnloop.cli.columns import Column
from learnloop.errors import Refused
from learnloop.service.lessons.row import is_same_words, told_words, wordless_label

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterable, Sequence

    from learnloop.models.decision import Decision
    from learnloop.models.lesson import Lesson
    from learnloop.service.lessons.row import Row
    from learnloop.service.review.check_trial import Choice, Trial
    from learnloop.service.workspace import Workspace


def add_filter(parser: ArgumentParser) -> None:
    """`--filter LINE`, in the filter language."""
    parser.add_argument(
        "--filter", default="", metavar="LINE",
        help="only what fits a line of the filter language, as in 'kind:pattern prio:>=high -project:shop'",
    )  # fmt: skip


def matching_ids(ws: Workspace, line: str) -> frozenset[str] | None:
    """The ids of the lessons that match a filter line; None for an empty line."""
    if not line:
        return None
    from learnloop.service.lessons import query

    return frozenset(row.id for row in query.matching_rows(ws, line))


def filtered(ws: Workspace, line: str, lessons: list[Lesson]) -> list[Lesson]:
    """The lessons that match a filter line."""
    ids = matching_ids(ws, line)
    return lessons if ids is None else [lesson for lesson in lessons if lesson.id in ids]


def print_drafts(rows: Sequence[Row], empty: str) -> None:
    """Print drafts with their chance to be kept."""
    columns = [Column("ID", style="cyan"), Column("CHANCE"), *_SHARED]
    cells = [[row.short, f"{row.chance} {row.strength}", *_shared(row)] for row in rows]
    output.table(columns, cells, empty=empty)


def print_lessons(rows: Sequence[Row], empty: str) -> None:
    """Print lessons with their status, the sessions that were told, and how many of those judged heeded."""
    counts = (Column("TOLD", "right"), Column("HEEDED", "right"))
    columns = [Column("ID", style="cyan"), Column("STATE"), *counts, *_SHARED]
    cells = [
        [
            row.short,
            row.state,
            f"{row.recalled}×" if row.recalled else "–",
            row.heeded or "–",
            *_shared(row),
        ]
        for row in rows
    ]
    output.table(columns, cells, empty=empty)


def print_matches(ws: Workspace, lessons: Sequence[Lesson], empty: str) -> None:
    """Print lessons in the order they are given in."""
    from learnloop.service.lessons import rows

    row_by_id = {row.id: row for row in rows.rows(ws, None)}
    print_lessons([row_by_id[lesson.id] for lesson in lessons], empty)


_SHARED = (Column("SEEN", "right"), Column("WHERE"), Column("SAYS", wide=True))


def _shared(row: Row) -> list[object]:
    from learnloop.faces import lesson_page

    return [row.seen, lesson_page.where(row), output.safe(row.all_words)]


def summary(lesson: Lesson) -> str:
    """The statement, or what still needs words, with that mark."""
    if lesson.statement:
        return lesson.statement
    quote = lesson.evidence[0].quote if lesson.evidence else ""
    return wordless_label(output.short(lesson.title or quote, 200))


def quoted(lesson: Lesson) -> str:
    """What was said, as a line above a draft; empty where the statement says just that."""
    quote = output.short(lesson.evidence[-1].quote, 400) if lesson.evidence else ""
    if lesson.status != "draft" or is_same_words(quote, lesson.statement or lesson.title):
        return ""
    return f"You said: {quote}" if lesson.trust == "user" else f"Not your words ({lesson.trust}): {quote}"


def short(ws: Workspace, lesson_id: str) -> str:
    """The id of a lesson as every list and message shows it."""
    from learnloop.service.lessons import documents

    return documents.short(ws.root, lesson_id)


def print_lesson(ws: Workspace, lesson: Lesson, figures: Iterable[tuple[str, str]] = ()) -> None:
    """Print a lesson in full; `figures` are more fields: what telling it costs, and what it changed."""
    from learnloop.cli import pages
    from learnloop.faces import lesson_page
    from learnloop.faces.parts import Field, Title, Words
    from learnloop.service.lessons import outcome_words, queue, rows
    from learnloop.service.transfer import team

    row = next(row for row in rows.rows(ws, None) if row.id == lesson.id)
    outcome = outcome_words.story(lesson.as_json())
    pages.show(
        [
            Title(row.label), Words(), *lesson_page.said(row, lesson, output.local),
            *lesson_page.words(lesson), *lesson_page.state(row, lesson, outcome),
            Field("team", team.counted(ws.root, lesson.id)),
            *(Field(label, value) for label, value in figures), Field("where", lesson_page.where(row)),
            *lesson_page.record(row, lesson, queue.explain_strength(lesson)), *lesson_page.told(lesson),
            *lesson_page.evidence(lesson, output.local), *lesson_page.use(lesson, output.local),
        ]
    )  # fmt: skip


def print_run(lesson: Lesson) -> None:
    """Print the command that has to pass, whole."""
    if lesson.run:
        output.line(f"Runs: {output.safe(lesson.run.words)}.")


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
    from learnloop.service.lessons import documents

    if is_claimed(ws, decision):
        return False
    done = sentences.VERBS.get(decision.action, decision.action)
    for lesson_id in decision.lesson_ids:
        lesson = documents.find(ws, lesson_id)
        words = told_words(lesson.as_json()) or summary(lesson)
        output.line(f"{done} {short(ws, lesson.id)}  {output.safe(words)}")
    if settled := sentences.settled(decision):
        output.line(f"It settles{settled.removeprefix(', and')}.")
    return True


def print_place(ws: Workspace, decision: Decision) -> None:
    """Print the files in which a lesson that was kept may stand too, and how it gets there."""
    from learnloop.service.id_prefix import shown
    from learnloop.service.patches import board

    if offered := board.offered(ws, decision.lesson_ids):
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
        answer = output.ask("one of the numbers, enter for the recommended one > ")
    return choice.given(keys.get(answer, choice.recommended))


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
