"""What the preferences' pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from learnloop_tui.view.list_view import ListView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnloop.models import Lesson
    from learnloop.models.preferences import Contradiction, RecurringCorrection, Trait
    from learnloop.models.project_patterns import Finding, ProjectPatterns
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
            (made for project in page.projects for made in _project(project)),
            key=lambda one: (one.where, one.state != "open"),
        ),
        *(_finding(one, "agent", one.source) for one in page.weak_areas),
        *map(_rule, page.preferences.rules),
        *map(_recurring, page.preferences.recurring_corrections),
    )


def _contradiction(found: Contradiction) -> Believed:
    words = f"{found.one.statement} / {found.other.statement}"
    return Believed(found.id, "contradiction", "open", words, found.kind, None, 2, found)


def _trait(found: Trait) -> Believed:
    count = sum(len(signals) for signals in found.evidence.values())
    name = found.name.replace("_", " ")
    words = (found.confirmed_statement if found.confirmed else found.statement) or f"{name}: not known yet"
    if found.conflict and not found.confirmed:
        words = f"{name}: both {' and '.join(side.replace('_', ' ') for side in found.sides)} were asked for"
    state: State = "told" if found.confirmed else "dropped" if found.dismissed else "open"
    if not found.confirmed and not found.statement and not found.conflict:
        state = "unknown"
    return Believed(found.id, "trait", state, words, name, round(found.strength * 100), count, found)


def _project(found: ProjectPatterns) -> Iterator[Believed]:
    for one in found.findings:
        yield _finding(one, "project", folder(found.project_path))


def _finding(found: Finding, group: Group, where: str) -> Believed:
    state: State = "told" if found.confirmed else "dropped" if found.dismissed else "open"
    return Believed(found.id, group, state, found.statement, where, None, found.count, found)


def _rule(found: Lesson) -> Believed:
    state: State = "told" if found.status == "active" else "draft"
    words = found.statement or found.title
    where = folder(found.project) if found.scope != "global" else "everywhere"
    return Believed(
        found.id, "rule", state, words, where, round(found.confidence * 100), found.seen_count, found
    )


def _recurring(found: RecurringCorrection) -> Believed:
    where = "everywhere" if found.scope == "global" else folder(found.projects[0] if found.projects else "")
    strength = round(found.confidence * 100)
    state: State = "draft" if found.lesson_id else "open"
    return Believed(found.id, "recurring", state, found.pattern, where, strength, found.count, found)


def folder(path: str) -> str:
    """A project's last folder."""
    return path.rstrip("/").rpartition("/")[2]


@dataclass(frozen=True, kw_only=True)
class BeliefsView(ListView[Believed]):
    """The list: its rows, the filter, and where the cursor stands."""

    PLACE: ClassVar[str] = "preferences"

    @staticmethod
    def haystack(row: Believed) -> str:
        """The statement, where it holds, what kind it is and its state."""
        return f"{row.statement} {row.where} {GROUPS[row.group]} {row.state}".lower()
