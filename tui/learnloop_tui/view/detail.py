"""A lesson's details as lines: what one decides by first, and everything else where it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.faces import charts
from learnloop.keymap import commands
from learnloop.service.elapsed import elapsed
from learnloop.service.lessons.row import asked_words, is_same_words
from learnloop.wire import clock
from learnloop_tui.view import lesson_lines as lines
from learnloop_tui.view import text
from learnloop_tui.view.page_parts import block, draw, field, heading, signed
from learnloop_tui.view.state import LessonInsights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from learnloop.models import Evidence, Lesson
    from learnloop_tui.view.state import Detail, Row, Section
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
    lines = [*_head(row, width), *_claims(lesson, width), *_said(row, lesson, width, now_ms)]
    lines += [*_example(lesson, width), *_content(lesson, width)]
    lines += _sections((section for section in known.sections if section.place == "top"), width)
    lines += _decisive(row, detail, width, insights)
    lines += _keys(row, width, explained)
    if explained:
        lines += _rest(row, detail, known, width, now_ms)
    return lines


def _rest(row: Row, detail: Detail, known: LessonInsights, width: int, now_ms: int) -> Iterator[Line]:
    """What explains a lesson, and is not needed to decide on it."""
    lesson = detail.lesson
    yield from _reasons(row, detail, width)
    yield from _sections((section for section in known.sections if section.place == "rest"), width)
    yield from _told(lesson, width)
    yield from _sections((section for section in known.sections if section.place == "told"), width)
    yield from _evidence(lesson, width, now_ms)
    yield from draw(charts.corrections(lesson, now_ms), width)
    yield from _outcome(row, lesson, width, now_ms)
    yield from _past(detail, width, now_ms)


def _said(row: Row, lesson: Lesson, width: int, now_ms: int) -> Iterator[Line]:
    """What the person said, where the statement does not say just that; when, and after what."""
    if not lesson.evidence:
        return
    seen = lesson.evidence[0 if row.needs_words else -1]  # a row without words shows the first ones
    if not is_same_words(seen.quote, row.statement):
        yield from block(f"❝ {seen.quote} ❞", width, "quote", indent=1, limit=4)
    verb = {"user": "said", "agent": "noted", "external": "seen"}[lesson.trust]
    times = f" {lesson.seen_count} times, last" if lesson.seen_count > 1 else ""
    done = _done(seen, lesson.project)
    words = f"{verb}{times} {ago(seen.ts, now_ms)}{', after the agent ' if done else ''}{done}"
    yield from block(words, width, "muted", indent=1, limit=3)
    yield ()


def _done(seen: Evidence, project: str) -> str:
    """What the agent had done, in a few words."""
    files = [file.removeprefix(f"{project}/") if project else file for file in seen.files]
    did = (("ran", seen.commands[-2:]), ("wrote", files[-2:]))
    return " and ".join(f"{verb} {', '.join(what)}" for verb, what in did if what)


def _decisive(row: Row, detail: Detail, width: int, insights: LessonInsights | None) -> Iterator[Line]:
    """State and effect, when agents are told it, what that costs, and what stands against it."""
    if row.status != "draft":
        glyph, look = lines.STATE_GLYPHS[row.state]
        yield from field("state", f"{glyph} {row.state}", width, look)
        yield from field("effect", detail.outcome, width, "strong")
        from learnloop.service.lessons import outcome_words

        if seen := outcome_words.moments(detail.lesson.as_json()):
            yield from field("its check", seen, width)
    if row.status in ("draft", "active"):
        from learnloop.service.recall import moments

        when = moments.told_when(detail.lesson)
        yield from field("told when", f"{when} · {_where(row)}", width, limit=3)
        for fact in insights.facts if insights else ():
            yield from field(fact.label, fact.value, width, fact.look, limit=4)
        if insights is None:
            yield ((" cost       looking …", "wait"),)
    yield ()


def _where(row: Row) -> str:
    where = lines.where_of(row) + (f"/{row.path}" if row.path else "")
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


def _example(lesson: Lesson, width: int) -> Iterator[Line]:
    """The code that belongs to the lesson, and the code that it speaks against."""
    in_content = getattr(lesson.content, "example", "")
    for label, code in (("for example", lesson.example), ("not", lesson.counter_example)):
        if code and code != in_content:
            yield ((f" {label}", "label"),)
            for line in text.clean(code).splitlines()[:_MOST_CODE]:
                indent = 3 + len(line) - len(line.lstrip())
                yield ((" " * indent + text.cut(line, width - indent - 1), "text"),)
            yield ()


_MOST_CODE = 12
"""Lines of an example that are shown."""

_PRIORITY_LOOKS = {"CRITICAL": "bad", "HIGH": "warn", "MEDIUM": "accent"}


def _content(lesson: Lesson, width: int) -> Iterator[Line]:
    from learnloop.learn.lessons import content

    shown = content.display_lines(lesson.as_json())
    if not shown:
        return
    if lesson.kind != "checklist" and is_same_words(lesson.title, lesson.statement):
        shown = shown[2:]  # without the title, which says the same
    look = _PRIORITY_LOOKS.get(lesson.priority, "muted")
    yield ((f" {text.cut(content.heading(lesson.kind, lesson.priority), width - 2)}", look),)
    for at, line in enumerate(shown):
        if line:
            yield from block(line, width, "strong" if at == 0 else "text", indent=1)
        else:
            yield ()
    yield ()


def _sections(sections: Iterable[Section], width: int) -> Iterator[Line]:
    for section in sections:
        yield from heading(section.title, width)
        for fact in section.facts:
            yield from field(fact.label, fact.value, width, fact.look, limit=4)


def _reasons(row: Row, detail: Detail, width: int) -> Iterator[Line]:
    lesson = detail.lesson
    yield from heading("Why", width)
    yield from field("lesson", f"{row.short} · {lesson.kind} · {lesson.priority}", width)
    if row.status == "draft":
        yield from field("chance", f"{row.chance}, {row.strength} of 100: {detail.strength}", width)
    yield from field("from", _origin(lesson), width)
    if lesson.context:
        yield from field("reason", lesson.context, width)
    if lesson.description and lesson.description not in (f"From: {seen.quote}" for seen in lesson.evidence):
        yield from field("more", lesson.description, width)
    if lesson.held_back:
        yield from field("again", f"said {lesson.held_back} times since you dropped it", width)


def _origin(lesson: Lesson) -> str:
    from learnloop.learn.lessons import origins

    whose = {"user": "your words", "agent": "an agent's words", "external": "words from outside"}
    read = " · read from a transcript" if lesson.evidence and lesson.evidence[0].backfilled else ""
    return f"{origins.describe_source(lesson.source) or '–'} · {whose[lesson.trust]}{read}"


def _told(lesson: Lesson, width: int) -> Iterator[Line]:
    yield from heading("Recalled when", width)
    triggers = lesson.triggers
    named = (
        ("tools", triggers.tool_names), ("files", triggers.file_patterns),
        ("commands", triggers.command_patterns), ("actions", triggers.action_keywords),
        ("words", triggers.context_keywords), ("agents", triggers.agent_names),
    )  # fmt: skip
    for label, values in named:
        if values:
            yield from field(label, "  ".join(values), width)
    reminded = " (an agent that ends before is reminded once)" if lesson.reminds else ""
    for rule in lesson.check:
        yield from field("check", rule.words + (reminded if rule.form == "due" else ""), width)
    if lesson.run:
        yield from field("runs", lesson.run.words, width, limit=12)
    if lesson.content:
        from learnloop.learn.lessons import content

        yield from field(
            "reads", f"{content.agent_text(lesson.as_json())} ({lesson.id[:4]})", width, limit=12
        )
    if lesson.priority == "LOW":
        yield from block("LOW: never recalled by itself", width, "warn", indent=1)


def _evidence(lesson: Lesson, width: int, now_ms: int) -> Iterator[Line]:
    if not lesson.evidence:
        return
    yield from heading("Evidence", width)
    for at, seen in enumerate(reversed(lesson.evidence)):
        if at:
            yield ()
        yield from _seen(seen, lesson.project, width, now_ms)


def _seen(seen: Evidence, project: str, width: int, now_ms: int) -> Iterator[Line]:
    yield from signed(" ❝ ", "accent", seen.quote, width - 2, "quote", 12)
    agent = "" if seen.agent == "main" else f" · {seen.agent}"
    when = f"{ago(seen.ts, now_ms)} · session {seen.session_id[:8]}{agent}"
    yield ((f"   {text.cut(when, width - 4)}", "muted"),)
    if seen.task:
        yield from field("asked", seen.task, width, limit=4)
    files = tuple(file.removeprefix(f"{project}/") if project else file for file in seen.files)
    for label, values in (("ran", seen.commands), ("wrote", files), ("failed", seen.failures)):
        yield from _several(label, values, width, "bad" if label == "failed" else "text")
    if seen.whole:
        yield from field("in full", seen.whole, width)
    if seen.refusal:
        yield from field("refused", seen.refusal, width, "warn")


def _several(label: str, values: tuple[str, ...], width: int, look: str, most: int = 5) -> Iterator[Line]:
    for at, value in enumerate(values[:most]):
        yield from field(label if at == 0 else "", value, width, look, limit=3)
    if len(values) > most:
        yield from field("", f"and {len(values) - most} more", width, "muted")


def _outcome(row: Row, lesson: Lesson, width: int, now_ms: int) -> Iterator[Line]:
    usage = lesson.usage
    if usage.recalled:
        yield from heading("Use", width)
        if usage.last_recalled:
            yield from field("last told", ago(usage.last_recalled, now_ms), width)
        back = "once" if usage.recurred == 1 else f"{usage.recurred} times"
        yield from field("came back", back if usage.recurred else "never", width)
        if usage.silent:
            yield from field("silent", f"{usage.silent} times at a file of its own", width, "warn")
    if row.status == "rejected":
        yield from field("rejected", lesson.rejection_reason or "no reason given", width)
    if row.status == "archived" and lesson.archived_reason:
        yield from field("archived", lesson.archived_reason, width)


def _past(detail: Detail, width: int, now_ms: int) -> Iterator[Line]:
    if not detail.past:
        return
    yield from heading("History", width)
    for decision in detail.past[:20]:
        taken_back = " (undone)" if decision.undone else ""
        yield from field(
            short_ago(decision.ts, now_ms), decision.sentence + taken_back, width,
            "muted" if decision.undone else "text",
        )  # fmt: skip


def ago(ts: str, now_ms: int) -> str:
    """How long ago a time was, in words."""
    seconds = (now_ms - clock.parse_ms(ts)) // 1000
    if seconds < 60:
        return "just now" if seconds < 5 else f"{seconds} s ago"
    return f"{short_ago(ts, now_ms)} ago"


def short_ago(ts: str, now_ms: int) -> str:
    """How long ago a time was, without the word."""
    return elapsed(now_ms - clock.parse_ms(ts))
