"""Queries on a lesson that take longer than reading it: duplicates, contradictions, its backtest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop_tui.view import text
from learnloop_tui.view.state import DetailLine, LessonInsights, Section

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from learnloop.models import Lesson
    from learnloop.service.lessons.upkeep import Proposal
    from learnloop.service.recall.backtest import Backtest
    from learnloop.service.workspace import Workspace
    from learnloop_tui.bridge.protocol import Stopped


_WAYS = {
    "stop": "t stops {} once per session", "gate": "t stops the first call it matters at",
    "remind": "e lets it remind agents", "reword": "e rewords it", "narrow": "e narrows it",
    "archive": "x drops it",
}  # fmt: skip
_SHOWN = 10
_SESSIONS = 3


def insights(ws: Workspace, stopped: Stopped, row_id: str) -> LessonInsights | None:
    """Where a lesson is written already, its duplicates, contradiction and backtest; None if stopped."""
    from learnloop.service.lessons import lookup, overlaps

    lesson = lookup.find(ws, row_id)
    sections = [*_read_facts(ws, lesson), *_so_far(ws, lesson), *_discovery(ws, lesson), *_upkeep(ws, lesson)]
    sections += _already_written(ws, lesson)
    near = overlaps.similar_lessons(ws, lesson)
    contradiction = overlaps.contradiction_of(ws, lesson)
    if near:
        facts = (
            DetailLine(f"{round(100 * other.similarity)} %", f"{other.short} {other.statement}",
                 "warn" if other.is_same else "text")
            for other in near
        )  # fmt: skip
        sections.append(Section("Near-duplicates (m merges)", tuple(facts)))
    if contradiction is not None:
        other = contradiction.other
        sides = (
            DetailLine("", contradiction.reason, "warn"),
            DetailLine(f"the {other.status}", other.statement),
        )
        sections.append(Section("Contradicts (c compares and replaces)", sides))
    backtest = None if stopped() else trial(ws, stopped, row_id, {})
    if backtest is None:
        return None
    against = (contradiction.other.lesson_id, contradiction.reason) if contradiction is not None else None
    return LessonInsights((*sections, backtest), tuple(other.lesson_id for other in near), against)


def trial(ws: Workspace, stopped: Stopped, row_id: str, changes: Mapping[str, Any]) -> Section | None:
    """The backtest of a lesson with changes that are not kept yet; None if stopped."""
    from learnloop.service.lessons import lookup
    from learnloop.service.recall import backtest, cost

    relevant = {name: value for name, value in changes.items() if name in ("triggers", "priority")}
    lesson = lookup.find(ws, row_id).with_(**relevant)
    costs, result = cost.cost(ws, lesson, stopped), backtest.backtest(ws, lesson, stopped)
    if costs is None or result is None:
        return None
    fact = DetailLine("cost", costs.words, "warn" if costs.judgement else "text")
    facts = (fact, *_backtest_facts(result, backtest.summary(result)))
    return Section("Backtest", facts, tuple(_scores(result)), "told")


def _so_far(ws: Workspace, lesson: Lesson) -> Iterator[Section]:
    """What a lesson in use cost and changed."""
    from learnloop.service.lessons import corrections
    from learnloop.service.recall import at_start, cost

    so_far = (
        ("told", cost.of_tellings(lesson)), ("changed", corrections.story(ws, lesson.id)),
        ("at start", at_start.at_start(ws.root, lesson.project).place_of(lesson.id)),
    )  # fmt: skip
    if facts := tuple(DetailLine(label, words) for label, words in so_far if words):
        yield Section("So far", facts)


def _read_facts(ws: Workspace, lesson: Lesson) -> Iterator[Section]:
    """The facts that a model read, with what each stage made of them and cost."""
    from learnloop.service.facts import listing

    lines = listing.story(ws, lesson.id)
    if lines:
        yield Section("A model read it", tuple(DetailLine(label, words) for label, words in lines))


def _upkeep(ws: Workspace, lesson: Lesson) -> Iterator[Section]:
    from learnloop.service.lessons import upkeep

    if (proposal := upkeep.proposal_for(ws, lesson.id)) is not None:
        yield Section(
            proposal.reason.replace("_", " ").capitalize(), tuple(_to_look_at(ws, lesson, proposal))
        )
    if (draft := upkeep.expiry_of(ws, lesson.id)) is not None:
        when = {0: "today", 1: "tomorrow"}.get(draft.days, f"in {draft.days} days")
        yield Section("Unreviewed", (DetailLine("", f"archived {when}, unless you look at it", "warn"),))
    if lesson.proposed_priority and lesson.proposed_priority != lesson.priority:
        why = "it comes again and again" if lesson.seen_count > 1 else "of what is at stake"
        seen = f"{lesson.proposed_priority}, because {why} (e changes the priority)"
        yield Section("Proposed priority", (DetailLine("", seen, "accent"),))
    if lesson.gate:
        stops = "the first call it matters at is stopped once in a session"
        yield Section("Gate", (DetailLine("on", stops, "accent"),))
    if lesson.notes:
        kinds = {"silent": "silent", "came_back": "came back", "ignored": "ignored"}
        notes = (
            DetailLine(kinds[note.kind], f"{note.ts[:10]}: {text.line(note.words)}", "warn")
            for note in lesson.notes[-3:]
        )
        yield Section("Notes", tuple(notes))


def _to_look_at(ws: Workspace, lesson: Lesson, proposal: Proposal) -> Iterator[DetailLine]:
    """Why a lesson in use needs a look, what was said first and again, and the keys of the ways out."""
    from learnloop.service.recall import cost, moments

    if not proposal.said_again:
        yield DetailLine("because", proposal.words.partition(": ")[2], "warn")
    for label, words in (("you said", proposal.first_said), ("again", proposal.said_again)):
        if proposal.said_again and words:
            yield DetailLine(label, words, "quote")
    if proposal.reason == "too_broad":
        yield DetailLine("cost", cost.words_for(ws, lesson), "warn")
    ways = " · ".join(_WAYS[way].format(moments.describe_unwanted(lesson)) for way in proposal.ways)
    yield DetailLine("you can", f"{ways} · r keeps it".replace("`", ""), "accent")


def _discovery(ws: Workspace, lesson: Lesson) -> Iterator[Section]:
    from learnloop.service.lessons import discoveries

    ranked = discoveries.ranked_discovery(lesson)
    if ranked is None:
        return
    verified = {0: "not yet", 1: "once"}.get(ranked.verifications, f"{ranked.verifications} times")
    about = f"{lesson.category.replace('_', ' ')}, {ranked.days} days old"
    place = discoveries.rank_place(ws, lesson)
    facts = [DetailLine("verified", verified), DetailLine("about", about)]
    facts += [DetailLine("useful", f"number {place[0]} of {place[1]} discoveries")] if place else []
    yield Section("Discovery", tuple(facts), (DetailLine("", discoveries.explain(ranked), "muted"),))


def _already_written(ws: Workspace, lesson: Lesson) -> Iterator[Section]:
    from learnloop.service.lessons import overlaps

    matches = overlaps.known_places(ws, lesson)
    facts = [
        fact
        for match in matches[:5]
        for fact in (
            DetailLine("in", f"{match.path}:{match.line}, read by {match.readers}", "warn"),
            DetailLine("", text.cut(match.said, 200), "quote"),
        )
    ]
    if facts:
        yield Section("Already known", tuple(facts))


def _backtest_facts(backtest: Backtest, summary: str) -> Iterator[DetailLine]:
    yield DetailLine("fires", summary, "text" if backtest.fired else "warn")
    if backtest.led:
        look = "good" if backtest.led_fired else "warn"
        turns = "turn" if backtest.led == 1 else "turns"
        count = f"in {backtest.led_fired} of {backtest.led} {turns} that led to the correction"
        yield DetailLine("led to it", count, look)
    for dead in backtest.dead:
        nothing = "no file of the repository" if dead.where == "repository" else "nothing recorded"
        yield DetailLine("dead", f"{dead.kind} {dead.trigger}: {nothing}", "warn")
    for session in backtest.sessions[:_SESSIONS]:
        place = session.project.rstrip("/").rpartition("/")[2]
        yield DetailLine("session", f"{session.session_id[:8]} {place}, {session.fired}×", "muted")
    if backtest.session_count > _SESSIONS:
        yield DetailLine("", f"and {backtest.session_count - _SESSIONS:,} more sessions", "muted")
    if backtest.repository:
        yield DetailLine("files", f"not looked at: {backtest.repository}", "muted")


def _scores(backtest: Backtest) -> Iterator[DetailLine]:
    for index, shot in enumerate(backtest.first[:_SHOWN]):
        parts = f"{shot.tool} tool + {shot.target} target + {shot.action} action + {shot.context} context"
        score = f"{shot.final} = ({parts}) × {shot.multiplier / 100:g}, from {shot.threshold} on"
        what = shot.what.replace(f"{shot.project}/", "") if shot.project else shot.what
        yield DetailLine("first" if index == 0 else "", what or shot.moment, "text")
        yield DetailLine("", f"{score}; {shot.why}", "muted")
