"""What the preferences' pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from learnloop_tui.view.list_view import ListView

if TYPE_CHECKING:
    from learnloop.models import Lesson
    from learnloop.models.preferences import Contradiction, RecurringCorrection, Trait
    from learnloop.models.project_patterns import Finding
    from learnloop.service.profile.belief_page import BeliefPage

Group = Literal["contradiction", "trait", "project", "agent", "rule", "recurring"]
State = Literal["open", "told", "dropped", "unknown", "draft"]
GROUPS: dict[Group, str] = {
    "contradiction": "two rules",
    "trait": "your ways",
    "project": "project",
    "agent": "agent",
    "rule": "rule",
    "recurring": "again and again",
}


class Believed(NamedTuple):
    """One line of the pane."""

    id: str
    group: Group
    state: State
    statement: str
    where: str
    """A project's folder, an agent, a trait's name."""
    strength: int | None
    """0–100; None where there is no such figure."""
    seen: int
    """From how many remarks, or seen how often."""
    belief: Any
    """The document behind it."""


def items(page: BeliefPage) -> tuple[Believed, ...]:
    """Everything that is believed, what waits for the person first within each group."""
    return (
        *map(_contradiction, page.preferences.contradictions),
        *map(_trait, page.preferences.traits),
        *sorted(
            (
                _finding(row, "project", folder(project.project_path))
                for project in page.projects
                for row in project.findings
            ),
            key=lambda row: (row.where, row.state != "open"),
        ),
        *(_finding(row, "agent", row.source) for row in page.weak_areas),
        *map(_rule, page.preferences.rules),
        *map(_recurring, page.preferences.recurring_corrections),
    )


def _contradiction(contradiction: Contradiction) -> Believed:
    words = f"{contradiction.one.statement} / {contradiction.other.statement}"
    return Believed(
        contradiction.id, "contradiction", "open", words, contradiction.kind, None, 2, contradiction
    )


def _trait(trait: Trait) -> Believed:
    count = sum(len(signals) for signals in trait.evidence.values())
    name = trait.name.replace("_", " ")
    words = (trait.confirmed_statement if trait.confirmed else trait.statement) or f"{name}: not known yet"
    if trait.conflict and not trait.confirmed:
        words = f"{name}: both {' and '.join(side.replace('_', ' ') for side in trait.sides)} were asked for"
    state: State = "told" if trait.confirmed else "dropped" if trait.dismissed else "open"
    if not trait.confirmed and not trait.statement and not trait.conflict:
        state = "unknown"
    return Believed(trait.id, "trait", state, words, name, round(trait.strength * 100), count, trait)


def _finding(finding: Finding, group: Group, where: str) -> Believed:
    state: State = "told" if finding.confirmed else "dropped" if finding.dismissed else "open"
    return Believed(finding.id, group, state, finding.statement, where, None, finding.count, finding)


def _rule(lesson: Lesson) -> Believed:
    state: State = "told" if lesson.status == "active" else "draft"
    words = lesson.statement or lesson.title
    where = folder(lesson.project) if lesson.scope != "global" else "everywhere"
    return Believed(
        lesson.id, "rule", state, words, where, round(lesson.confidence * 100), lesson.seen_count, lesson
    )


def _recurring(correction: RecurringCorrection) -> Believed:
    where = (
        "everywhere"
        if correction.scope == "global"
        else folder(correction.projects[0] if correction.projects else "")
    )
    strength = round(correction.confidence * 100)
    state: State = "draft" if correction.lesson_id else "open"
    return Believed(
        correction.id, "recurring", state, correction.pattern, where, strength, correction.count, correction
    )


def folder(path: str) -> str:
    """A project's last folder."""
    return path.rstrip("/").rpartition("/")[2]


@dataclass(frozen=True, kw_only=True)
class BeliefsView(ListView[Believed]):
    """The list of beliefs."""

    PLACE: ClassVar[str] = "preferences"

    @staticmethod
    def haystack(row: Believed) -> str:
        return f"{row.statement} {row.where} {GROUPS[row.group]} {row.state}".lower()
