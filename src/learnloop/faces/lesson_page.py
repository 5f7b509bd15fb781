"""Lessons: what a page about one says, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.faces.parts import Field, Heading, Signed, Words
from learnloop.service.lessons.row import is_same_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnloop.faces.parts import Part, When
    from learnloop.models import Evidence, Lesson
    from learnloop.service.lessons.row import Row

STATE_GLYPHS = {
    "active": ("●", "good"), "paused": ("‖", "warn"), "draft": ("○", "accent"), "archived": ("▪", "muted"),
    "rejected": ("✗", "bad"),
}  # fmt: skip
_PRIORITY_LOOKS = {"CRITICAL": "bad", "HIGH": "warn", "MEDIUM": "accent"}
_MOST_CODE, _MOST_VALUES = 12, 5
"""Lines of an example, and values of a kind, that are shown."""


def where(row: Row) -> str:
    """Where a lesson applies: `everywhere`, or its project's folder with the part that it is for."""
    if row.scope == "global":
        return "everywhere"
    return "/".join(filter(None, (row.folder or row.project or "one project", row.path)))


def said(row: Row, lesson: Lesson, when: When) -> Iterator[Part]:
    """What the person said, where the statement does not say just that; when, and after what."""
    if not lesson.evidence:
        return
    seen = lesson.evidence[0 if row.needs_words else -1]  # a row without words shows the first ones
    if not is_same_words(seen.quote, row.statement):
        yield Words(f"❝ {seen.quote} ❞", "quote", limit=4)
    verb = {"user": "said", "agent": "noted", "external": "seen"}[lesson.trust]
    times = f" {lesson.seen_count} times, last" if lesson.seen_count > 1 else ""
    done = _done(seen, lesson.project)
    after = f", after the agent {done}" if done else ""
    yield Words(f"{verb}{times} {when(seen.ts)}{after}", "muted", limit=3)
    yield Words()


def _done(seen: Evidence, project: str) -> str:
    """What the agent had done, in a few words."""
    did = (("ran", seen.commands[-2:]), ("wrote", _in_project(seen, project)[-2:]))
    return " and ".join(f"{verb} {', '.join(what)}" for verb, what in did if what)


def _in_project(seen: Evidence, project: str) -> tuple[str, ...]:
    """The files that were written, those of the project by their path in it."""
    return tuple(file.removeprefix(f"{project}/") if project else file for file in seen.files)


def words(lesson: Lesson) -> Iterator[Part]:
    """The code that belongs to the lesson, the code that it speaks against, and the fields of its kind."""
    from learnloop.learn.lessons import content

    in_content = getattr(lesson.content, "example", "")
    for label, code in (("for example", lesson.example), ("not", lesson.counter_example)):
        if code and code != in_content:
            yield Words(label, "label")
            yield Words(code, indent=3, limit=_MOST_CODE)
            yield Words()
    shown = content.display_lines(lesson.as_json())
    if not shown:
        return
    yield Words(content.heading(lesson.kind, lesson.priority), _PRIORITY_LOOKS.get(lesson.priority, "muted"))
    if lesson.kind != "checklist" and is_same_words(lesson.title, lesson.statement):
        shown = shown[2:]  # without the title, which says the same
    yield from (Words(line, "text" if at else "strong") for at, line in enumerate(shown))
    yield Words()


def state(row: Row, lesson: Lesson, outcome: str) -> Iterator[Part]:
    """Its state with the reason, what telling it led to, and what its check saw."""
    from learnloop.service.lessons import outcome_words

    glyph, look = STATE_GLYPHS[row.state]
    why = {"archived": lesson.archived_reason, "rejected": lesson.rejection_reason}.get(row.status)
    yield Field("state", f"{glyph} {row.state}{f' ({why})' if why else ''}", look)
    yield Field("effect", outcome, "strong")
    yield Field("its check", outcome_words.moments(lesson.as_json()))


def record(row: Row, lesson: Lesson, strength: str) -> Iterator[Part]:
    """Where it comes from, what it is about, and how likely it is to be kept."""
    from learnloop.service.lessons import query
    from learnloop.wire import origin

    yield Field("lesson", f"{row.short} · {lesson.kind} · {lesson.priority}")
    if row.status == "draft":
        yield Field("chance", f"{row.chance}, {row.strength} of 100: {strength}")
    yield Field("title", "" if is_same_words(lesson.title, lesson.statement) else lesson.title)
    yield Field("from", _origin(lesson))
    yield Field("about", query.describe_subjects(lesson))
    yield Field("reason", lesson.context or "")
    quotes = {f"From: {seen.quote}" for seen in lesson.evidence}
    yield Field("more", "" if lesson.description in quotes else lesson.description)
    place = origin.key(lesson.project, lesson.repo)
    yield Field("holds in", f"every checkout of {place}" if place[:1] not in ("", "/") else "")
    yield Field("until", (lesson.expires_at or "")[:10])
    yield Field("again", f"said {lesson.held_back} times since you dropped it" if lesson.held_back else "")


def _origin(lesson: Lesson) -> str:
    from learnloop.learn.lessons import origins

    whose = {"user": "your words", "agent": "an agent's words", "external": "words from outside"}
    read = " · read from a transcript" if lesson.evidence and lesson.evidence[0].backfilled else ""
    source = origins.describe_source(lesson.source) or "–"
    return f"{source} · {whose[lesson.trust]}{read} · {lesson.created[:10]}"


def told(lesson: Lesson) -> Iterator[Part]:
    """The moments at which agents are told it, its check, and the words that they read."""
    yield Heading("Recalled when")
    triggers = lesson.triggers
    named = (
        ("tools", triggers.tool_names), ("files", triggers.file_patterns),
        ("commands", triggers.command_patterns), ("actions", triggers.action_keywords),
        ("words", triggers.context_keywords), ("agents", triggers.agent_names),
    )  # fmt: skip
    yield from (Field(label, ", ".join(values)) for label, values in named)
    yield from (Field("check", rule.words) for rule in lesson.check)
    yield Field("binds", binds(lesson) if lesson.check else "")
    yield Field("runs", lesson.run.words if lesson.run else "", limit=12)
    if lesson.content:
        from learnloop.learn.lessons import content

        yield Field("reads", f"{content.agent_text(lesson.as_json())} ({lesson.id[:4]})", limit=12)
    if lesson.priority == "LOW":
        yield Words("LOW: never recalled by itself", "warn")


def binds(lesson: Lesson) -> str:
    """What becomes of a breach, in words."""
    stops = (
        "stops a call that breaks it, once per session" if lesson.stops or lesson.gate else "stops no call"
    )
    return f"{stops}; an agent is {'' if lesson.reminds else 'not '}reminded at the end"


def evidence(lesson: Lesson, when: When) -> Iterator[Part]:
    """Every time that it was said, the last first, with what came before."""
    if lesson.evidence:
        yield Heading("Evidence")
    for at, seen in enumerate(reversed(lesson.evidence)):
        if at:
            yield Words()
        yield from _seen(seen, lesson.project, when)


def _seen(seen: Evidence, project: str, when: When) -> Iterator[Part]:
    yield Signed(" ❝ ", "accent", seen.quote, "quote", 12)
    agent = "" if seen.agent == "main" else f" · {seen.agent}"
    yield Words(f"{when(seen.ts)} · session {seen.session_id[:8]}{agent}", "muted", indent=3, limit=1)
    yield Field("asked", seen.task, limit=4)
    wrote = _in_project(seen, project)
    for label, values in (("ran", seen.commands), ("wrote", wrote), ("failed", seen.failures)):
        look = "bad" if label == "failed" else "text"
        for at, value in enumerate(values[:_MOST_VALUES]):
            yield Field("" if at else label, value, look, limit=3)
        if len(values) > _MOST_VALUES:
            yield Field("", f"and {len(values) - _MOST_VALUES} more", "muted")
    yield Field("in full", seen.whole)
    yield Field("refused", seen.refusal, "warn")


def use(lesson: Lesson, when: When) -> Iterator[Part]:
    """When it was told last, and whether what it forbids came back."""
    usage = lesson.usage
    if usage.recalled:
        yield Heading("Use")
        yield Field("last told", when(usage.last_recalled) if usage.last_recalled else "")
        back = "once" if usage.recurred == 1 else f"{usage.recurred} times"
        yield Field("came back", back if usage.recurred else "never")
        yield Field("silent", f"{usage.silent} times at a file of its own" if usage.silent else "", "warn")
