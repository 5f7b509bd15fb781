"""Explain recall: which lessons an agent would get at a moment, and why. Publish the hooks' index."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.service.workspace import Workspace

if TYPE_CHECKING:
    from learnloop.models import Lesson
    from learnloop.recall.explain import Explained as Explained


MAX_LESSONS, MAX_TOKENS, MIN_SCORE = 5, 1_000, 0.6


class ApplicableLessons(NamedTuple):
    """The lessons that apply to an agent's work, and their text as an agent gets it."""

    applied: "tuple[Lesson, ...]"
    total_tokens: int
    formatted: str


def explain(
    ws: Workspace, *, tool: str | None = None, file: str | None = None, command: str | None = None,
    prompt: str | None = None, agent: str | None = None, project: str | None = None, host: str = "claude",
    max_lessons: int | None = None, max_tokens: int | None = None, min_score: float | None = None,
    vital_only: bool = False,
) -> "list[Explained]":  # fmt: skip
    """Every active lesson with every part of its score at a moment, best first; `told` marks those recalled.

    With a tool (or a file or a command, which imply one) it is the moment before that call, and `prompt` is
    the person's last prompt; else it is the moment of the prompt. Decisions before ingest count. Limits that
    are not given are those of the settings; a `min_score` of 1 is a full match of a MEDIUM lesson. What the
    `host` reads in its own files is not told. With `vital_only` nothing counts but stops and CRITICAL
    lessons.
    """
    from learnloop.ingest import publish as index
    from learnloop.recall import explain as recall
    from learnloop.service.lessons import documents, overlaps
    from learnloop.wire import clock, relevance

    tool = tool or ("Write" if file else "Bash" if command else None)
    moment: dict[str, Any] = {
        "moment": "tool" if tool else "prompt", "tool": tool or "", "file": file or "",
        "command": command or "", "words": "\n".join(filter(None, (file, command, prompt))),
        "project": project or "", "cwd": project or "", "agent": agent or "main", "host": host,
    }  # fmt: skip
    budgets = {**ws.settings.budgets.model_dump(), "threshold": relevance.THRESHOLD}
    given = {
        "per_call": max_lessons,
        "call_tokens": max_tokens,
        "threshold": None if min_score is None else round(100 * min_score),
    }
    budgets |= {name: value for name, value in given.items() if value is not None}
    lessons = overlaps.with_places(ws, documents.lessons(ws.root).values())
    shares = index.word_shares(ws.root)
    return recall.explain(lessons, moment, budgets, clock.iso(clock.now_ms()), shares, vital_only=vital_only)


def applicable(
    ws: Workspace, *, agent: str = "main", context: Sequence[str] = (), project: str | None = None,
    max_lessons: int = MAX_LESSONS, max_tokens: int = MAX_TOKENS, min_score: float = MIN_SCORE,
    examples: bool = False,
) -> ApplicableLessons:  # fmt: skip
    """The active lessons for an agent's work, best first, as many as fit into `max_tokens`.

    Scores are those of `query.promise`, 0–1. Nothing is counted as recalled: only hooks know that an agent
    got a lesson.
    """
    from learnloop.recall import compile as index_records
    from learnloop.service.lessons import documents, query
    from learnloop.wire import clock, render

    now = clock.iso(clock.now_ms())
    stored = documents.lessons(ws.root).values()
    records = index_records.records(stored, now, render.most_characters(max_tokens))
    record_by_id = {record["id"]: record for record in records}
    lessons = query.query(
        ws, status="active", context=context, min_score=min_score, agent=agent, project=project
    )
    lessons.sort(key=lambda lesson: -query.promise(lesson))
    with_records = [(lesson, record_by_id[lesson.id]) for lesson in lessons if lesson.id in record_by_id]
    if examples:
        with_records = [(lesson, _with_examples(record, lesson)) for lesson, record in with_records]
    return _fit(with_records, max_lessons, max_tokens)


def _fit(
    ranked: "Sequence[tuple[Lesson, dict[str, Any]]]", max_lessons: int, max_tokens: int
) -> ApplicableLessons:
    """The first lessons whose lines fit into the budget; what is left of it goes to their details."""
    from learnloop.wire import render

    fitting: list[tuple[Lesson, dict[str, Any]]] = []
    left = max_tokens - _tokens(render.HEADING)
    for lesson, record in ranked:
        needed = _tokens(render.line(render.without_details(record)) + "\n")
        if needed <= left and len(fitting) < max_lessons:
            left -= needed
            fitting.append((lesson, record))
    records = render.with_details([record for _, record in fitting], left * render.CHARACTERS_A_TOKEN)
    formatted = render.text(records) if records else ""
    return ApplicableLessons(tuple(lesson for lesson, _ in fitting), _tokens(formatted), formatted)


def _tokens(text: str) -> int:
    from learnloop.wire import render

    return -(-len(text) // render.CHARACTERS_A_TOKEN)


def _with_examples(record: dict[str, Any], lesson: "Lesson") -> dict[str, Any]:
    from learnloop.learn.lessons import sanitize

    """A record whose facts are followed by the lesson's examples."""
    facts = record.get("facts") or f"{record['text'].rstrip('.')}."
    for label, example in (("Right", lesson.example), ("Wrong", lesson.counter_example)):
        if example:
            facts += f" {label}: {sanitize.sanitize_line(example, lambda _word: False)}"
    return {**record, "facts": facts}


def publish(ws: Workspace, force: bool = False) -> None:
    """Write the index of the hooks if it is old, or in any case with `force`."""
    from learnloop.ingest import publish as index

    index.publish(ws.root, force=force)
