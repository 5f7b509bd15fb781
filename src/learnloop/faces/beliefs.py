"""Beliefs: the rows of what is thought of a person, their projects and their agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from learnloop.service.project_names import names

if TYPE_CHECKING:
    from learnloop.models.preferences import Contradiction, Finding, RecurringCorrection, Trait
    from learnloop.service.profile.belief_verdicts import BeliefPage

Group = Literal["contradiction", "trait", "project", "agent", "recurring"]
State = Literal["open", "told", "dropped", "unknown"]
GROUPS: dict[Group, str] = {
    "contradiction": "Rules that say the opposite", "trait": "Your ways", "project": "Your projects",
    "agent": "Your agents", "recurring": "Said again and again",
}  # fmt: skip
_STATES: dict[State, str] = {
    "open": "not confirmed: never recalled",
    "told": "confirmed: recalled when agents start",
    "dropped": "dropped: never recalled",
    "unknown": "too little was said yet",
}


class Believed(NamedTuple):
    """One of them."""

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

    @property
    def standing(self) -> str:
        """Whether it was confirmed, and when agents are told it."""
        return "two rules that say the opposite" if self.group == "contradiction" else _STATES[self.state]


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
