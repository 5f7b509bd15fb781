"""Lessons by category, context, score, keywords and agent, and figures over all of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from learnloop.learn.lessons import scorer
from learnloop.learn.profile import areas
from learnloop.models import Lesson
from learnloop.models.base import Document
from learnloop.service.lessons import documents, filters, rows, upkeep
from learnloop.service.lessons.queue import listing
from learnloop.service.lessons.row import Row
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, origin, relevance

_MANY = 0.3
"""The largest share of CRITICAL lessons that is still a warning to agents."""


class LessonStatistics(Document):
    """Figures over all lessons. `mean_score` is 0–1, None where there is no lesson."""

    total: int
    by_category: dict[str, int]
    by_status: dict[str, int]
    by_kind: dict[str, int]
    by_priority: dict[str, int]
    """Active lessons only: the weight of a priority depends on how many share it."""
    mean_score: float | None
    most_used: tuple[Lesson, ...]
    """The active lessons that were recalled most, at most 5."""


def promise(lesson: Lesson) -> float:
    """A lesson's score with its use, 0–1; its confidence where nothing was scored."""
    return scorer.promise_of(lesson) or lesson.confidence


def matching_rows(ws: Workspace, line: str, status: str | None = None) -> list[Row]:
    """The rows of a state, or of all, that match a line of the filter language, in the order of lists.

    Raises Refused with the first part that is not understood: a script must not go on with other lessons than
    it asked for.
    """
    query = filters.understood(filters.parse(line, clock.now_ms()))
    why = {proposal.lesson_id: proposal.words for proposal in upkeep.proposals(ws)}
    return list(query.select(row._replace(proposal=why.get(row.id, "")) for row in rows.rows(ws, status)))


def query(
    ws: Workspace, *, status: str | None = None, categories: Sequence[str] = (),
    context: Sequence[str] = (), min_score: float = 0.0, keywords: Sequence[str] = (), agent: str = "",
    project: str | None = None, limit: int | None = None, among: Collection[str] | None = None,
) -> list[Lesson]:  # fmt: skip
    """The lessons that match every condition, in the order of lists; best first where a condition is given.

    `categories`: one of them. `context`: each of the words is in what the lesson is about;
    `language=python`, `framework=…` and `technology=…` look in that part alone. `keywords`: all are among
    its own. `agent`: it is meant for that agent or for any. `project`: it holds there. `among`: it is one of
    those ids.
    """
    matches = [
        lesson
        for lesson in listing(ws, status)
        if (among is None or lesson.id in among)
        and (not categories or lesson.category.casefold() in map(str.casefold, categories))
        and promise(lesson) >= min_score
        and all(_is_keyword(lesson, word) for word in keywords)
        and (not agent or is_for(lesson, agent))
        and (
            project is None
            or lesson.scope == "global"
            or origin.is_same(lesson.project, project, lesson.repo)
        )
        and all(is_about(lesson, value) for value in context)
    ]
    if categories or context or min_score or keywords or agent or limit:
        matches.sort(
            key=lambda lesson: (-promise(lesson), -relevance.MULTIPLIERS[lesson.priority], lesson.id)
        )
    return matches[:limit]


def is_for(lesson: Lesson, agent: str) -> bool:
    """Whether a lesson is meant for an agent: for that one or for every one."""
    names = [name.casefold() for name in lesson.triggers.agent_names]
    return not names or agent.casefold() in names


def is_about(lesson: Lesson, value: str) -> bool:
    """Whether a lesson is about something: `language=python` of its languages, `python` of all it names."""
    field, _, word = value.rpartition("=")
    if field.casefold() in areas.FIELDS:
        return word.casefold() in map(str.casefold, areas.subjects_of(lesson.as_json())[field.casefold()])
    triggers = lesson.triggers
    about = [lesson.context, lesson.category, *lesson.keywords, *triggers.context_keywords]
    about += [*triggers.action_keywords, *areas.languages(triggers.file_patterns)]
    seen = relevance.Moment({"moment": "prompt", "words": "\n".join(about)})
    return bool(relevance.found([word], seen)) or word.casefold() in map(str.casefold, about)


def describe_subjects(lesson: Lesson) -> str:
    """The languages, frameworks and technologies of a lesson on one line; empty where none are known."""
    about = areas.subjects_of(lesson.as_json())
    return "; ".join(f"{name} {', '.join(values)}" for name, values in about.items() if values)


def _is_keyword(lesson: Lesson, word: str) -> bool:
    triggers = lesson.triggers
    own = (*lesson.keywords, *triggers.action_keywords, *triggers.context_keywords)
    return word.casefold() in map(str.casefold, own)


def statistics(ws: Workspace) -> LessonStatistics:
    """Figures over all lessons."""
    lessons = listing(ws)
    active = [lesson for lesson in lessons if lesson.status == "active"]
    used = [lesson for lesson in active if lesson.usage.recalled]
    used.sort(key=lambda lesson: (-lesson.usage.recalled, -lesson.usage.helpful, lesson.id))
    scores = [promise(lesson) for lesson in lessons]
    return LessonStatistics(
        total=len(lessons),
        by_category=_counted(lesson.category for lesson in lessons),
        by_status=_counted(lesson.status for lesson in lessons),
        by_kind=_counted(lesson.kind for lesson in lessons),
        by_priority=_counted(lesson.priority for lesson in active),
        mean_score=round(sum(scores) / len(scores), 3) if scores else None,
        most_used=tuple(used[:5]),
    )


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items(), key=lambda pair: (-pair[1], pair[0])))


def too_many_critical(lessons: Iterable[dict[str, Any]]) -> tuple[int, int] | None:
    """The CRITICAL and all active lessons, counted; None unless two or more and over 30 % are CRITICAL."""
    active = [lesson for lesson in lessons if lesson.get("status") == "active"]
    critical = sum(lesson.get("priority") == "CRITICAL" for lesson in active)
    return (critical, len(active)) if critical > 1 and critical > _MANY * len(active) else None


def critical_share(ws: Workspace) -> tuple[int, int] | None:
    """`too_many_critical` of all lessons."""
    return too_many_critical(documents.lessons(ws.root).values())
