"""What the preferences' pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from learnloop.service.project_names import names
from learnloop_tui.view.list_view import ListView

if TYPE_CHECKING:
    from learnloop.models.preferences import Contradiction, Finding, RecurringCorrection, Trait
    from learnloop.service.profile.belief_verdicts import BeliefPage

Group = Literal["contradiction", "trait", "project", "agent", "recurring"]
State = Literal["open", "told", "dropped", "unknown"]
GROUPS: dict[Group, str] = {
    "contradiction": "Rules that say the opposite", "trait": "Your ways", "project": "Your projects",
    "agent": "Your agents", "recurring": "Said again and again",
}  # fmt: skip


class BeliefHead(NamedTuple):
    """The heading over beliefs of one kind."""

    group: Group
    held: int

    @property
    def id(self) -> str:
        """An id that no belief has."""
        return f"\0part {self.group}"


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
    """Everything that is believed, what waits for the person first within each group.

    Lessons are not among it: they have panes of their own.
    """
    folders = names({project.project_path for project in page.projects})
    recurring = page.preferences.recurring_corrections
    return (
        *map(_contradiction, page.preferences.contradictions),
        *sorted(map(_trait, page.preferences.traits), key=lambda row: row.state == "unknown"),
        *sorted(
            (
                _finding(row, "project", folders.get(project.project_path, ""))
                for project in page.projects
                for row in project.findings
            ),
            key=lambda row: (row.where, row.state != "open"),
        ),
        *(_finding(row, "agent", row.source) for row in page.weak_areas),
        *(_recurring(correction) for correction in recurring if not correction.lesson_id),
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


def _recurring(correction: RecurringCorrection) -> Believed:
    where = (
        "everywhere"
        if correction.scope == "global"
        else folder(correction.projects[0] if correction.projects else "")
    )
    strength = round(correction.confidence * 100)
    return Believed(
        correction.id, "recurring", "open", correction.pattern, where, strength, correction.count, correction
    )


def folder(path: str) -> str:
    """A project's last folder."""
    return path.rstrip("/").rpartition("/")[2]


@dataclass(frozen=True, kw_only=True)
class BeliefsView(ListView[Believed | BeliefHead]):
    """The list of beliefs, by what they are."""

    PLACE: ClassVar[str] = "preferences"

    rows: tuple[Believed, ...] = ()

    @cached_property
    def items(self) -> tuple[Believed | BeliefHead, ...]:
        shown = self.fitting(self.rows)
        if self.query.strip():
            return shown
        items: list[Believed | BeliefHead] = []
        for group in GROUPS:
            rows = [row for row in shown if row.group == group]
            items += [BeliefHead(group, len(rows)), *rows] if rows else []
        return tuple(items)

    @property
    def shown_count(self) -> int:
        return sum(map(self.is_row, self.items))

    @staticmethod
    def is_row(item: Believed | BeliefHead) -> bool:
        return isinstance(item, Believed)

    @property
    def current(self) -> Believed | None:
        return self.item if isinstance(self.item, Believed) else None

    @staticmethod
    def haystack(row: Believed) -> str:
        return f"{row.statement} {row.where} {GROUPS[row.group]} {row.state}".lower()
