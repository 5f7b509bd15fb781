"""A lesson's details as lines: what one decides by first, and everything else where it is asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from learnloop.faces import charts, lesson_page
from learnloop.faces.parts import Field, Heading, Words
from learnloop.keymap import commands
from learnloop.service.elapsed import elapsed
from learnloop.service.lessons.row import asked_words
from learnloop.wire import clock
from learnloop_tui.view import text
from learnloop_tui.view.page_parts import block, draw
from learnloop_tui.view.state import LessonInsights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from learnloop.faces.parts import Part
    from learnloop.models import Lesson
    from learnloop_tui.view.state import Detail, DetailLine, Row
    from learnloop_tui.view.text import Line, Piece


def layout(
    row: Row, detail: Detail | None, width: int, now_ms: int, *, explained: bool,
    insights: LessonInsights | None = None,
) -> list[Line]:  # fmt: skip
    """The details of a lesson, laid out for that width: what one decides by, and where explained the rest.

    What is not loaded yet is left out.
    """
    width = min(width, text.READABLE)
    if detail is None:
        return [*_head(row, width)]
    lesson, known = detail.lesson, insights or LessonInsights()
    said = lesson_page.said(row, lesson, partial(ago, now_ms=now_ms))
    return [
        *_head(row, width), *_claims(lesson, width), *draw((*said, *lesson_page.words(lesson)), width),
        *draw(_sections(known, "top"), width), *draw(_decisive(row, detail, insights), width),
        *_keys(row, width, explained), *(draw(_rest(row, detail, known, now_ms), width) if explained else ()),
    ]  # fmt: skip


def _rest(row: Row, detail: Detail, known: LessonInsights, now_ms: int) -> Iterator[Part]:
    """What explains a lesson, and is not needed to decide on it."""
    lesson, when = detail.lesson, partial(ago, now_ms=now_ms)
    yield Heading("Why")
    yield from lesson_page.record(row, lesson, detail.strength)
    yield from _sections(known, "rest")
    yield from lesson_page.told(lesson)
    yield from _sections(known, "told")
    yield from lesson_page.evidence(lesson, when)
    yield from charts.corrections(lesson, now_ms)
    yield from lesson_page.use(lesson, when)
    if detail.past:
        yield Heading("History")
    for decision in detail.past[:20]:
        words = f"{decision.sentence} (undone)" if decision.undone else decision.sentence
        yield Field(short_ago(decision.ts, now_ms), words, "muted" if decision.undone else "text")


def _sections(known: LessonInsights, place: str) -> Iterator[Part]:
    for section in known.sections:
        if section.place == place:
            yield Heading(section.title)
            yield from _facts(section.facts)


def _facts(facts: Iterable[DetailLine]) -> Iterator[Part]:
    return (Field(fact.label, fact.value, fact.look, 4) for fact in facts)


def _decisive(row: Row, detail: Detail, insights: LessonInsights | None) -> Iterator[Part]:
    """State and effect, here and in the team, when it is told, what that costs, what stands against it."""
    if row.status != "draft":
        yield from lesson_page.state(row, detail.lesson, detail.outcome)
    yield Field("team", detail.team)
    if row.status in ("draft", "active"):
        from learnloop.service.recall import moments

        yield Field("told when", f"{moments.told_when(detail.lesson)} · {_where(row)}", limit=3)
        if insights is None:
            yield Field("cost", "looking …", "wait")
        else:
            yield from _facts(insights.facts)
    yield Words()


def _where(row: Row) -> str:
    where = lesson_page.where(row)
    return where if row.scope == "global" else f"in {where}"


_KEYS = {
    "draft": ("promote", "reject", "edit", "scope"), "active": ("archive", "pause", "edit", "scope"),
    "paused": ("pause", "archive", "edit", "scope"), "archived": ("restore", "edit"),
    "rejected": ("restore", "edit"),
}  # fmt: skip


def _keys(row: Row, width: int, explained: bool) -> Iterator[Line]:
    """The keys that decide on it, and the one for all the rest."""
    wider = {"global": "this project only", "module": "whole project"}
    titles = {"scope": wider.get(row.scope, "everywhere")}
    titles |= {"open": "less" if explained else "all the rest", "pause": "resume" if row.paused else "pause"}
    line: list[Piece] = []
    for command in (commands.BY_ID[name] for name in (*_KEYS[row.state], "open")):
        pieces = ((f" {command.key}", "key"), (f" {titles.get(command.id, command.title)} ", "muted"))
        if sum(text.width(part) for part, _ in (*line, *pieces)) > width:
            yield tuple(line)
            line = []
        line += pieces
    yield tuple(line)


def _head(row: Row, width: int) -> Iterator[Line]:
    look = "quote" if row.needs_words else "strong"
    yield from block(row.statement or "(no words yet)", width, look, indent=1)
    yield ()
    if row.needs_words:
        yield from block(f"✎ needs words: {asked_words(row.statement)} p asks.", width, "warn", indent=1)
    if row.external:
        words = "⚠ perhaps not your words: read all of it before you keep it"
        yield from block(words, width, "warn", indent=1)


def _claims(lesson: Lesson, width: int) -> Iterator[Line]:
    """The verdicts that wait for the person, with all that they would change."""
    for claim in lesson.claims:
        yield from block(f"⚠ claimed {claim.action}: {claim.reason}", width, "bad", indent=1)
        if claim.words:
            yield from block(claim.words, width, "quote", indent=3)
    if lesson.claims:
        yield from block("p accepts it as your own, r discards it", width, "warn", indent=1)
        yield ()


def ago(ts: str, now_ms: int) -> str:
    """How long ago a time was, in words."""
    seconds = (now_ms - clock.parse_ms(ts)) // 1000
    if seconds < 60:
        return "just now" if seconds < 5 else f"{seconds} s ago"
    return f"{short_ago(ts, now_ms)} ago"


def short_ago(ts: str, now_ms: int) -> str:
    """How long ago a time was, without the word."""
    return elapsed(now_ms - clock.parse_ms(ts))
