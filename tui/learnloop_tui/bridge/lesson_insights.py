"""What the console works out about a lesson besides reading it, in a worker thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop_tui.view import text
from learnloop_tui.view.state import Beside, Fact, Row, Section

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from learnloop.models import Lesson
    from learnloop.service.workspace import Workspace

    Stopped = Callable[[], bool]


def proposed(ws: Workspace, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows with those behind the drafts that are proposed for archiving."""
    from learnloop.service.lessons import rows as light

    if not light.has_proposals(ws):
        return rows  # what tells of them takes longer to import than the rows take to read
    from learnloop.service.lessons import upkeep

    found = {one.lesson_id: one.words for one in upkeep.proposals(ws)}
    if not found:
        return rows
    shown = tuple(row._replace(proposal=found[row.id]) for row in rows if row.id in found)
    others = [row for row in rows if row.id not in found]
    drafts = [row for row in others if row.status == "draft"]
    return (*drafts, *shown, *(row for row in others if row.status != "draft"))


def beside(ws: Workspace, row_id: str, stopped: Stopped) -> Beside | None:
    """Where a lesson is said already, what says nearly the same, what contradicts it, what it would do."""
    from learnloop.service.lessons import lookup, overlaps

    lesson = lookup.find(ws, row_id)
    sections = [*_found_out(ws, lesson), *_upkeep(ws, lesson)]
    near = overlaps.near_lessons(ws, lesson)
    against = overlaps.contradicting(ws, lesson)
    sections += _known(ws, lesson)
    if near:
        facts = (
            Fact(f"{round(100 * one.similarity)} %", f"{one.short} {one.statement}", _look(one.is_same))
            for one in near
        )
        sections.append(Section("Near-duplicates (m merges)", tuple(facts)))
    if against is not None:
        said = (Fact("", against.reason, "warn"), Fact("the other", against.other.statement))
        sections.append(Section("Contradicts (c compares)", said))
    if stopped():
        return None
    tried = trial(ws, row_id, {}, stopped)
    if tried is None:
        return None
    other = (against.other.lesson_id, against.reason) if against is not None else None
    return Beside((*sections, tried), tuple(one.lesson_id for one in near), other)


def trial(ws: Workspace, row_id: str, changes: Mapping[str, Any], stopped: Stopped) -> Section | None:
    """The backtest of a lesson with changes that are not kept yet; None where it was stopped."""
    from learnloop.service.lessons import lookup
    from learnloop.service.recall import backtest
    from learnloop_tui.view.backtest import section

    tried = {name: value for name, value in changes.items() if name in ("triggers", "priority")}
    lesson = lookup.find(ws, row_id)
    found = backtest.backtest(ws, lesson.with_(**tried) if tried else lesson, stopped)
    return None if found is None else section(found, backtest.summary(found))


def _look(is_same: bool) -> str:
    return "warn" if is_same else "text"


def _upkeep(ws: Workspace, lesson: Lesson) -> Iterator[Section]:
    from learnloop.service.lessons import upkeep

    if (found := upkeep.proposed(ws, lesson.id)) is not None:
        advice = Fact("you can", f"{found.advice} (x archives, e edits, t gate, r keeps it)")
        yield Section("Proposed for archiving", (Fact("because", found.words, "warn"), advice))
    if (draft := upkeep.expires(ws, lesson.id)) is not None:
        when = {0: "today", 1: "tomorrow"}.get(draft.days, f"in {draft.days} days")
        yield Section("Unreviewed", (Fact("", f"archived {when}, unless you look at it", "warn"),))
    if lesson.proposed_priority and lesson.proposed_priority != lesson.priority:
        why = "it comes again and again" if lesson.seen_count > 1 else "of what is at stake"
        seen = f"{lesson.proposed_priority}, because {why} (e changes the priority)"
        yield Section("Proposed priority", (Fact("", seen, "accent"),))
    if lesson.gate:
        stops = "the first call it matters at is stopped once in a session"
        yield Section("Gate", (Fact("on", stops, "accent"),))
    if lesson.notes:
        kinds = {"silent": "silent", "came_back": "came back"}
        notes = (
            Fact(kinds[one.kind], f"{one.ts[:10]}: {text.line(one.words)}", "warn")
            for one in lesson.notes[-3:]
        )
        yield Section("Notes", tuple(notes))


def _found_out(ws: Workspace, lesson: Lesson) -> Iterator[Section]:
    """What a discovery's place among the discoveries comes from."""
    from learnloop.service.lessons import discoveries

    found = discoveries.ranked(lesson)
    if found is None:
        return
    verified = {0: "not yet", 1: "once"}.get(found.verifications, f"{found.verifications} times")
    about = f"{lesson.category.replace('_', ' ')}, {found.days} days old"
    place = discoveries.place(ws, lesson)
    facts = [Fact("verified", verified), Fact("about", about)]
    facts += [Fact("useful", f"{found.rank:.2f}, number {place[0]} of {place[1]}")] if place else []
    yield Section("Discovery", tuple(facts), (Fact("", discoveries.explain(found), "muted"),))


def _known(ws: Workspace, lesson: Lesson) -> list[Section]:
    from learnloop.service.lessons import overlaps

    found = overlaps.said_already(ws, lesson)
    if not found:
        return []
    facts = []
    for one in found[:5]:
        facts.append(Fact("in", f"{one.path}:{one.line}, read by {one.readers}", "warn"))
        facts.append(Fact("", text.cut(one.said, 200), "quote"))
    return [Section("Already known", tuple(facts))]
