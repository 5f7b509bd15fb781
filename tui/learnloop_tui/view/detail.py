"""A lesson's details as lines: statement, evidence, when it fires, what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.service.elapsed import elapsed
from learnloop.service.lessons.row import asked_words, is_same_words
from learnloop.wire import clock
from learnloop_tui.view import charts, text
from learnloop_tui.view import lesson_lines as lines
from learnloop_tui.view.page_parts import block, field, heading, signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from learnloop.models import Evidence, Lesson
    from learnloop_tui.view.state import Detail, Row, Section
    from learnloop_tui.view.text import Line


def layout(
    row: Row, detail: Detail | None, width: int, now_ms: int, *, explained: bool,
    sections: Sequence[Section] = (),
) -> list[Line]:  # fmt: skip
    """The details of a lesson, laid out for that width; what is not loaded yet is left out."""
    width = min(width, text.READABLE)
    if detail is None:
        return [*_head(row, width)]
    lesson = detail.lesson
    lines = [*_quote(row, lesson, width), *_head(row, width), *_claims(lesson, width)]
    lines += _example(lesson, width)
    lines += _content(lesson, width)
    lines += _numbers(row, detail, width, explained)
    lines += _sections(sections, "top", width, explained)
    lines += _reasons(lesson, width)
    lines += _told(lesson, width)
    lines += _sections(sections, "told", width, explained)
    lines += _evidence(lesson, width, now_ms)
    lines += charts.corrections(lesson, width, now_ms)
    lines += _outcome(row, lesson, width, now_ms)
    lines += _past(detail, width, now_ms)
    return lines


def _quote(row: Row, lesson: Lesson, width: int) -> Iterator[Line]:
    """What the person said, first of all, where the statement does not say just that."""
    quote = lesson.evidence[-1].quote if lesson.evidence else ""
    if row.status == "draft" and not is_same_words(quote, row.statement):
        yield from block(f"❝ {quote} ❞", width, "quote", indent=1)
        yield ()


def _head(row: Row, width: int) -> Iterator[Line]:
    look = "quote" if row.needs_words else "strong"
    yield from block(row.statement or "(no words yet)", width, look, indent=1)
    yield ()
    if row.needs_words:
        yield from block(f"✎ needs words: {asked_words(row.statement)} p asks.", width, "warn", indent=1)
    if row.external:
        words = "⚠ perhaps not your words: read all of it before you promote it"
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


def _numbers(row: Row, detail: Detail, width: int, explained: bool) -> Iterator[Line]:
    lesson = detail.lesson
    glyph, look = lines.STATE_GLYPHS[row.state]
    where = lines.where(row) + (f"/{lesson.path}" if lesson.path else "")
    facts = (row.short, lesson.kind, lesson.priority, where)
    yield ((f" {glyph} {row.state}", look), ("  " + text.cut(" · ".join(facts), width - 14), "muted"))
    yield _strength(row)
    if explained:
        yield from block(detail.strength, width, "muted", indent=8)
    if row.status != "draft":
        yield from block(detail.outcome, width, "strong", indent=1)
    for why in detail.promise if explained and lesson.usage.recalled else ():
        yield from block(why, width, "muted", indent=8)


def _strength(row: Row) -> Line:
    """Of a draft the chance that it is kept, in a word and as a number; of other lessons the number."""
    is_draft = row.status == "draft"
    meter = (lines.meter(row.strength), lines.CHANCE_LOOKS[row.chance])
    words = f" {row.chance} {row.strength}" if is_draft else f" {row.strength}"
    return ((" chance " if is_draft else " strength ", "label"), meter, (words, "strong"))


def _sections(sections: Sequence[Section], place: str, width: int, explained: bool) -> Iterator[Line]:
    for section in sections:
        if section.place == place:
            yield from heading(section.title, width)
            for fact in (*section.facts, *(section.explained if explained else ())):
                yield from field(fact.label, fact.value, width, fact.look, limit=4)


def _reasons(lesson: Lesson, width: int) -> Iterator[Line]:
    yield from heading("Why", width)
    yield from field("from", _origin(lesson), width)
    if lesson.context:
        yield from field("reason", lesson.context, width)
    if lesson.description and lesson.description not in (f"From: {seen.quote}" for seen in lesson.evidence):
        yield from field("more", lesson.description, width)
    seen = "once" if lesson.seen_count == 1 else f"{lesson.seen_count} times"
    held = f", {lesson.held_back} times held back since you rejected it" if lesson.held_back else ""
    yield from field("seen", f"{seen}{held}", width)


def _origin(lesson: Lesson) -> str:
    from learnloop.learn.lessons import origins

    whose = {"user": "your words", "agent": "an agent's words", "external": "words from outside"}
    read = " · read from a transcript" if lesson.evidence and lesson.evidence[0].backfilled else ""
    return f"{origins.describe_source(lesson.source) or '–'} · {whose[lesson.trust]}{read}"


def _told(lesson: Lesson, width: int) -> Iterator[Line]:
    yield from heading("Recalled when", width)
    triggers = lesson.triggers
    named = (
        ("tools", triggers.tool_names),
        ("files", triggers.file_patterns),
        ("commands", triggers.command_patterns),
        ("actions", triggers.action_keywords),
        ("words", triggers.context_keywords),
        ("agents", triggers.agent_names),
    )
    for label, values in named:
        if values:
            yield from field(label, "  ".join(values), width)
    for label, calls in (("wanted", lesson.wanted), ("unwanted", lesson.unwanted)):
        if calls:
            stopped = " (stopped once per session)" if lesson.stops and label == "unwanted" else ""
            yield from field(label, calls.words + stopped, width)
    if lesson.due:
        reminded = " (an agent that ends before is reminded once)" if lesson.reminds else ""
        yield from field("due", lesson.due.words + reminded, width)
    if lesson.content:
        from learnloop.learn.lessons import content

        yield from field(
            "reads", f"{content.agent_text(lesson.as_json())} ({lesson.id[:4]})", width, limit=12
        )
    if lesson.priority == "CRITICAL":
        yield from field("start", "of every session, being CRITICAL", width)
    elif lesson.priority != "LOW" and not _has_moment(lesson):
        yield from field("start", "of every session, as no call or prompt is its moment", width)
    if lesson.priority == "LOW":
        yield from block("LOW: never recalled by itself", width, "warn", indent=1)


def _has_moment(lesson: Lesson) -> bool:
    triggers = lesson.triggers
    return bool(triggers.file_patterns or triggers.command_patterns or triggers.action_keywords or lesson.due)


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
            short_ago(decision.ts, now_ms),
            decision.sentence + taken_back,
            width,
            "muted" if decision.undone else "text",
        )


def ago(ts: str, now_ms: int) -> str:
    """How long ago a time was, in words."""
    seconds = (now_ms - clock.parse_ms(ts)) // 1000
    if seconds < 60:
        return "just now" if seconds < 5 else f"{seconds} s ago"
    return f"{short_ago(ts, now_ms)} ago"


def short_ago(ts: str, now_ms: int) -> str:
    """How long ago a time was, without the word."""
    return elapsed(now_ms - clock.parse_ms(ts))
