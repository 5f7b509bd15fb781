"""One lesson in full, as `learn show` prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import lesson_table, output

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from learnloop.models.lesson import Evidence, Lesson
    from learnloop.models.preferences import Side
    from learnloop.service.workspace import Workspace


def show(
    ws: Workspace,
    lesson: Lesson,
    recalled: str = "",
    against: Side | None = None,
    figures: Mapping[str, str] | None = None,
) -> None:
    """Print a lesson in full: `recalled` is the text that an agent reads, `against` what contradicts it.

    `figures` are more fields: what telling it costs, and what it changed.
    """
    from learnloop.service.lessons import outcome_words

    short = lesson_table.short(ws, lesson.id)
    if quote := lesson_table.quoted(lesson):
        output.line(quote)
    output.line(output.safe(lesson_table.summary(lesson)))
    output.line()
    _code("For example", lesson.example)
    _code("Not", lesson.counter_example)
    _content(lesson)
    output.fields(
        [
            ("id", f"{short} ({lesson.id})"),
            ("status", _status(lesson)),
            ("chance" if lesson.status == "draft" else "strength", _strength(lesson)),
            *_against(ws, lesson, against),
            ("outcome", outcome_words.story(lesson.as_json())),
            *(figures or {}).items(),
            ("last recalled", _local(lesson.usage.last_recalled)),
            *_facts(ws, lesson),
            ("agents read", f"{recalled} ({short})" if recalled not in ("", lesson.statement) else ""),
        ]
    )
    triggers = {name: ", ".join(values) for name, values in lesson.triggers.model_dump().items() if values}
    if triggers:
        output.line("\nMatters at")
        output.fields(((name.replace("_", " "), text) for name, text in triggers.items()), indent="  ")
    _holds(lesson)
    for evidence in lesson.evidence:
        _evidence(evidence)


def _holds(lesson: Lesson) -> None:
    for rule in lesson.check:
        output.line(f"Checked: {output.safe(rule.words)}")
    if lesson.check:
        output.line(f"It {binds(lesson)}.")
    print_run(lesson)


def print_run(lesson: Lesson) -> None:
    """Print the command that has to pass, whole."""
    if lesson.run:
        output.line(f"Runs: {output.safe(lesson.run.words)}.")


def binds(lesson: Lesson) -> str:
    """What becomes of a breach, in words."""
    stops = (
        "stops a call that breaks it, once per session" if lesson.stops or lesson.gate else "stops no call"
    )
    return f"{stops}; an agent is {'' if lesson.reminds else 'not '}reminded at the end"


def _against(ws: Workspace, lesson: Lesson, other: Side | None) -> Iterator[tuple[str, object]]:
    """What a lesson contradicts, and how to settle it."""
    if other is None:
        return
    mine, its = (lesson_table.short(ws, key) for key in (lesson.id, other.lesson_id))
    yield "contradicts", f"{its} ({other.status}) {output.safe(other.statement)}"
    if other.status == "active":
        yield "", f"learn promote --replace {mine} {its} keeps this one instead"
    else:
        way = f"learn promote --replace {its} {mine}" if lesson.status == "active" else f"learn reject {its}"
        yield "", f"{way} {'keeps the other instead' if lesson.status == 'active' else 'drops the other'}"


def _strength(lesson: Lesson) -> str:
    from learnloop.service.lessons import queue

    word = f"{queue.chance(lesson)} " if lesson.status == "draft" else ""
    return f"{word}{queue.strength(lesson)}: {queue.explain_strength(lesson)}"


def _code(label: str, code: str | None) -> None:
    if code:
        output.line(f"{label}:")
        for text in output.safe_block(code).splitlines():
            output.line(f"    {text}")
        output.line()


def _content(lesson: Lesson) -> None:
    """The fields of the lesson's kind."""
    from learnloop.learn.lessons import content

    shown = content.display_lines(lesson.as_json())
    for text in (content.heading(lesson.kind, lesson.priority), *shown) if shown else ():
        output.line(f"  {output.safe(text)}".rstrip())
    if shown:
        output.line()


def _facts(ws: Workspace, lesson: Lesson) -> Iterator[tuple[str, object]]:
    from learnloop.learn.lessons import origins
    from learnloop.service.lessons import discoveries, query
    from learnloop.service.lessons.row import is_same_words
    from learnloop.wire import origin

    yield "priority", lesson.priority
    yield "kind", lesson.kind
    quotes = {f"From: {evidence.quote}" for evidence in lesson.evidence}
    yield "title", "" if is_same_words(lesson.title, lesson.statement) else lesson.title
    yield "description", "" if lesson.description in quotes else lesson.description
    folder = f"{lesson.project}/{lesson.path}" if lesson.scope == "module" else lesson.project
    yield "scope", "everywhere" if lesson.scope == "global" else folder
    place = origin.key(lesson.project, lesson.repo)
    yield "holds in", f"every checkout of {place}" if place[:1] not in ("", "/") else ""
    yield "trust", lesson.trust if lesson.trust != "user" else ""
    yield "about", query.describe_subjects(lesson)
    yield "came from", origins.describe_source(lesson.source)
    discovery = discoveries.ranked_discovery(lesson)
    yield "discovery", discoveries.explain(discovery) if discovery else ""
    yield "created", _local(lesson.created)
    yield "reviewed", _local(lesson.reviewed_at)
    yield "expires", _local(lesson.expires_at)
    yield "replaced by", lesson_table.short(ws, lesson.superseded_by) if lesson.superseded_by else ""
    yield "held back", f"{output.count(lesson.held_back, 'time')} since" if lesson.held_back else ""


def _status(lesson: Lesson) -> str:
    why = lesson.archived_reason or lesson.rejection_reason
    status = lesson_table.status(lesson)
    return f"{status} ({why})" if why else status


def _local(timestamp: str | None) -> str:
    return output.local(timestamp) if timestamp else ""


def _evidence(evidence: Evidence) -> None:
    output.line(f"\nEvidence of {_local(evidence.ts)} (session {output.short(evidence.session_id, 40)})")
    for part in output.safe_block(evidence.quote).splitlines():
        output.line(f"  > {part}")
    for part in output.safe_block(evidence.whole).splitlines():
        output.line(f"  | {part}")
    output.fields(
        [
            ("agent", evidence.agent), ("task", output.short(evidence.task, 300)),
            ("refused", evidence.refusal), ("files", ", ".join(evidence.files)),
            ("commands", "; ".join(evidence.commands)), ("failures", "; ".join(evidence.failures)),
        ],
        indent="  ",
    )  # fmt: skip
