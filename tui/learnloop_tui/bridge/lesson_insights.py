"""Queries on a lesson that take longer than reading it: duplicates, contradictions, its backtest."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from learnloop.keymap import commands
from learnloop_tui.view import text
from learnloop_tui.view.state import DetailLine, LessonInsights, Section

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from learnloop.models import Lesson
    from learnloop.models.preferences import Contradiction
    from learnloop.service.lessons.overlaps import KnownPlace, SimilarLesson
    from learnloop.service.lessons.upkeep import Proposal
    from learnloop.service.recall.backtest import Backtest, Cost, Doubt
    from learnloop.service.review.check_trial import Choice
    from learnloop.service.workspace import Workspace
    from learnloop_tui.bridge.protocol import Stopped


_WAYS = {
    "bind": "t lets its check bind", "first": "t blocks the first matching call", "reword": "e rewords it",
    "narrow": "e narrows it", "archive": "r drops it",
}  # fmt: skip
_ONE_TRIAL = threading.Lock()
_tried_lately: dict[tuple[str, ...], tuple[float, Choice]] = {}
"""The last choice: a draft that is looked at is tried, and not again where it is then kept."""
_LATELY_S = 60
_SHOWN = 5
_SESSIONS = 3


def insights(ws: Workspace, stopped: Stopped, row_id: str) -> LessonInsights | None:
    """What a lesson costs, where it is written already, what is like it or against it; None if stopped."""
    from learnloop.service.lessons import documents, overlaps

    lesson = documents.find(ws, row_id)
    near = overlaps.similar_lessons(ws, lesson)
    contradiction = overlaps.contradiction_of(ws, lesson)
    places = overlaps.known_places(ws, lesson)
    tried = None if stopped() else _tried(ws, stopped, lesson)
    if tried is None:
        return None
    doubt = _doubt(ws, lesson, tried[0], stopped)
    held = choice(ws, row_id, asks=False) if lesson.status in ("draft", "active") else None
    facts = [_cost(*tried), *_bound(held), *_doubted(doubt), *_held_out(ws, lesson)]
    if contradiction is not None:
        key = commands.BY_ID["compare"].key
        words = f"“{text.line(contradiction.other.statement)}” ({key} compares)"
        facts.append(DetailLine("against", words, "bad"))
    if near:
        key = commands.BY_ID["merge"].key
        facts.append(DetailLine("similar", f"“{text.line(near[0].statement)}” ({key} merges)", "accent"))
    if places:
        place = f"{places[0].path}:{places[0].line}"
        facts.append(DetailLine("known", f"agents read it already in {place}", "warn"))
    sections = (
        *_upkeep(ws, lesson), *_read_facts(ws, lesson), *_so_far(ws, lesson), *_discovery(ws, lesson),
        *_overlaps(near, contradiction), *_already_written(places), _backtest(tried[1]),
    )  # fmt: skip
    against = (contradiction.other.lesson_id, contradiction.reason) if contradiction is not None else None
    return LessonInsights(tuple(facts), sections, tuple(other.lesson_id for other in near), against, doubt)


def choice(ws: Workspace, row_id: str, words: str = "", *, asks: bool = True) -> Choice | None:
    """How a lesson may bind, with what its check would have done, as `check_proposals.choice`.

    What was worked out lately is not worked out again.
    """
    from learnloop.service.facts import check_proposals
    from learnloop.service.lessons import documents

    key = (ws.root, row_id, words, documents.find(ws, row_id).updated)
    with _ONE_TRIAL:
        at, held = _tried_lately.get(key, (0.0, None))
        if held is None or time.monotonic() - at > _LATELY_S:
            _tried_lately.clear()
            held = check_proposals.choice(ws, row_id, words, asks=asks)
            if held is not None:
                _tried_lately[key] = time.monotonic(), held
    return held


def _bound(held: Choice | None) -> Iterator[DetailLine]:
    """What a check would have done."""
    if held is not None:
        yield DetailLine("check", held.trial.words)


def trial(ws: Workspace, stopped: Stopped, row_id: str, changes: Mapping[str, Any]) -> Section | None:
    """The backtest of a lesson with changes that are not kept yet; None if stopped."""
    from learnloop.service.lessons import documents

    relevant = {name: value for name, value in changes.items() if name in ("triggers", "priority")}
    tried = _tried(ws, stopped, documents.find(ws, row_id).with_(**relevant))
    return (
        None
        if tried is None
        else Section("Tried on what was recorded", (_cost(*tried), *_backtest(tried[1]).facts))
    )


def _tried(ws: Workspace, stopped: Stopped, lesson: Lesson) -> tuple[Cost, Backtest] | None:
    from learnloop.service.recall import backtest

    costs = backtest.cost(ws, lesson, stopped)
    result = None if costs is None else backtest.backtest(ws, lesson, stopped)
    return None if costs is None or result is None else (costs, result)


def _cost(costs: Cost, result: Backtest) -> DetailLine:
    """How often it would have been told lately, and how many of the mistakes behind it that meets."""
    mistakes = "mistake" if result.led == 1 else "mistakes"
    caught = f" · caught {result.led_fired} of {result.led} {mistakes}" if result.led_fired else ""
    is_poor = costs.judgement or costs.no_room
    words, _, advice = costs.words.removeprefix("would be told at ").partition(": ")
    warning = f"{advice}: " if advice else ""
    return DetailLine("cost", f"{warning}{words}{caught}", "warn" if is_poor else "text")


def _doubt(ws: Workspace, lesson: Lesson, costs: Cost, stopped: Stopped) -> Doubt | None:
    from learnloop.service.recall import backtest

    return backtest.about(ws, lesson, costs, stopped) if lesson.status == "draft" else None


def _doubted(doubt: Doubt | None) -> Iterator[DetailLine]:
    """What speaks against its moments, and what its approval offers instead."""
    if doubt is not None:
        ways = f": {commands.BY_ID['promote'].key} offers {' · '.join(doubt.ways)}" if doubt.ways else ""
        yield DetailLine("moment", f"{doubt.words}{ways}", "warn")


def _held_out(ws: Workspace, lesson: Lesson) -> Iterator[DetailLine]:
    """What the lesson's newest experiment compares, per 100 moments of each variant."""
    from learnloop.service.experiments import reports

    report = reports.of_lesson(ws, lesson.id)
    if report is not None:
        labels = {"own": "own error", "done": "done", "corrected": "corrected", "success": "succeeded"}
        yield DetailLine(
            labels[report.experiment.outcome],
            f"per 100 moments {reports.per_hundred(report)}: {report.known}",
        )


def _overlaps(near: Sequence[SimilarLesson], contradiction: Contradiction | None) -> Iterator[Section]:
    if contradiction is not None:
        other = contradiction.other
        sides = (
            DetailLine("", contradiction.reason, "warn"),
            DetailLine(f"the {other.status}", other.statement),
        )
        yield Section("Says the opposite", sides)
    if near:
        facts = (
            DetailLine(f"{round(100 * other.similarity)} %", f"{other.short} {other.statement}",
                 "warn" if other.is_same else "text")
            for other in near
        )  # fmt: skip
        yield Section("Says nearly the same", tuple(facts))


def _so_far(ws: Workspace, lesson: Lesson) -> Iterator[Section]:
    """What a lesson in use cost and changed."""
    from learnloop.service.lessons import lesson_hosts
    from learnloop.service.recall import at_start, backtest

    so_far = (
        ("told", backtest.tellings_words(lesson)), ("changed", lesson_hosts.story(ws, lesson.id)),
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

    for proposal in (each for each in upkeep.proposals(ws) if each.lesson_id == lesson.id):
        title = proposal.reason.replace("_", " ").capitalize()
        yield Section(title, tuple(_to_look_at(ws, lesson, proposal)), "top")
    if (draft := upkeep.expiry_of(ws, lesson.id)) is not None:
        when = {0: "today", 1: "tomorrow"}.get(draft.days, f"in {draft.days} days")
        yield Section(
            "Unreviewed", (DetailLine("", f"archived {when}, unless you decide on it", "warn"),), "top"
        )
    if lesson.proposed_priority and lesson.proposed_priority != lesson.priority:
        why = "it comes again and again" if lesson.seen_count > 1 else "of what is at stake"
        seen = f"{lesson.proposed_priority}, because {why} (e changes the priority)"
        yield Section("Proposed priority", (DetailLine("", seen, "accent"),))
    if lesson.notes:
        kinds = {"silent": "silent", "came_back": "came back", "ignored": "ignored"}
        notes = (
            DetailLine(kinds[note.kind], f"{note.ts[:10]}: {text.line(note.words)}", "warn")
            for note in lesson.notes[-3:]
        )
        yield Section("Notes", tuple(notes))


def _to_look_at(ws: Workspace, lesson: Lesson, proposal: Proposal) -> Iterator[DetailLine]:
    """Why a lesson in use needs a look, what was said first and again, and the keys of the ways out."""
    from learnloop.service.recall import backtest

    if not proposal.said_again:
        yield DetailLine("because", proposal.words.partition(": ")[2], "warn")
    for label, words in (("you said", proposal.first_said), ("again", proposal.said_again)):
        if proposal.said_again and words:
            yield DetailLine(label, words, "quote")
    if proposal.reason == "too_broad":
        yield DetailLine("cost", backtest.cost_words(ws, lesson), "warn")
    ways = " · ".join(_WAYS[way] for way in proposal.ways)
    yield DetailLine("you can", f"{ways} · p keeps it".replace("`", ""), "accent")


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
    yield Section("Discovery", tuple(facts))


def _already_written(known: Sequence[KnownPlace]) -> Iterator[Section]:
    facts = [
        fact
        for match in known[:5]
        for fact in (
            DetailLine("in", f"{match.path}:{match.line}, read by {match.readers}", "warn"),
            DetailLine("", text.cut(match.said, 200), "quote"),
        )
    ]
    if facts:
        yield Section("Written already", tuple(facts))


def _backtest(result: Backtest) -> Section:
    """When it would have been told, as far back as anything is recorded."""
    from learnloop.service.recall import backtest

    return Section(
        "Tried on what was recorded", tuple(_backtest_facts(result, backtest.summary(result))), "told"
    )


def _backtest_facts(result: Backtest, summary: str) -> Iterator[DetailLine]:
    yield DetailLine("told at", summary, "text" if result.fired else "warn")
    for shot in result.first[:_SHOWN]:
        what = shot.what.replace(f"{shot.project}/", "") if shot.project else shot.what
        yield DetailLine("at", text.cut(what or shot.moment, 200), "muted")
    for session in result.sessions[:_SESSIONS]:
        place = session.project.rstrip("/").rpartition("/")[2]
        yield DetailLine("session", f"{session.session_id[:8]} {place}, {session.fired}×", "muted")
    if result.session_count > _SESSIONS:
        yield DetailLine("", f"and {result.session_count - _SESSIONS:,} more sessions", "muted")
