"""What is believed, and verdicts on it: confirm, dismiss, resolve contradictions. `learn undo` undoes each.

A belief is a trait (by its name or id), a finding about a project, or a weak area of an agent.
"""

from collections.abc import Callable
from typing import NamedTuple

from learnloop.errors import Ambiguous, Refused
from learnloop.learn.profile import beliefs, traits
from learnloop.models import Decision
from learnloop.models.ids import SHORTEST
from learnloop.models.preferences import Belief, Finding, Preferences, ProjectPatterns, Trait, TraitName
from learnloop.service import id_prefix, workspace
from learnloop.service.lessons import documents
from learnloop.service.profile import agent_figures, preferences, project_findings
from learnloop.service.profile.project_findings import BeliefVerdicts
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace

LONGEST = 300
"""Characters of a statement, which agents get at every start."""


def confirm(
    ws: Workspace, belief_id: str, value: str | None = None, statement: str | None = None
) -> Decision:
    """Tell agents a belief from now on; `value` chooses another value of a trait, `statement` other words.

    Confirming again replaces what was confirmed. A recurring correction is confirmed by promoting its draft.
    Raises NotFound or Ambiguous for the id, and Refused where the belief has no statement or cannot have the
    value.
    """
    if (lesson_id := _of_recurring(ws, belief_id)) is not None:
        return verdicts.promote(ws, lesson_id, statement)
    belief = _find(ws, belief_id)
    if value is not None:
        belief = _with_value(belief, value)
    if statement is not None:
        belief = belief.with_(statement=_statement(ws, statement))
    if not belief.statement:
        raise Refused(
            f"nothing is believed of {belief.subject} yet", f"say which it is: {_choices(belief.subject)}"
        )
    return _decide(ws, "confirm", belief)


def dismiss(ws: Workspace, belief_id: str) -> Decision:
    """Drop a belief: agents do not get it, and it is not proposed again while its statement is the same.

    A recurring correction is dropped by rejecting its draft.

    Raises NotFound or Ambiguous for the id, and Refused where nothing is believed.
    """
    if (lesson_id := _of_recurring(ws, belief_id)) is not None:
        return verdicts.reject(ws, lesson_id)
    belief = _find(ws, belief_id)
    if not belief.statement:
        raise Refused(f"nothing is believed of {belief.subject}", "there is nothing to drop")
    return _decide(ws, "dismiss", belief)


def resolve(ws: Workspace, contradiction_id: str, keep: str) -> Decision:
    """Keep one rule of a contradiction (by its lesson id or a beginning) and retire the other.

    Raises NotFound or Ambiguous for the id, and Refused where `keep` is neither rule.
    """
    pair_by_id = {pair.id: pair for pair in preferences.open_contradictions(ws)}
    hint = "learn preferences lists them"
    pair = pair_by_id[id_prefix.resolve(contradiction_id, pair_by_id, "contradiction", hint)]
    other_by_id = {pair.one.lesson_id: pair.other, pair.other.lesson_id: pair.one}
    chosen = [key for key in other_by_id if len(keep) >= SHORTEST and key.startswith(keep)]
    if len(chosen) != 1:
        raise Refused(
            f"{keep!r} is neither of the two rules",
            " or ".join(documents.short(ws.root, rule.lesson_id) for rule in (pair.one, pair.other)),
        )
    loser = other_by_id[chosen[0]]
    if loser.status == "active":
        winner_status = pair.one.status if pair.one.lesson_id == chosen[0] else pair.other.status
        if winner_status == "draft":
            return verdicts.replace(ws, chosen[0], loser.lesson_id)
        return verdicts.archive(ws, loser.lesson_id, "superseded")
    return verdicts.reject(ws, loser.lesson_id, f"contradicts {documents.short(ws.root, chosen[0])}")


def _of_recurring(ws: Workspace, belief_id: str) -> str | None:
    """The id of the lesson that a recurring correction has become; None where the id is not of such a one."""
    if len(belief_id) < SHORTEST:
        return None
    groups = [group for group in project_findings.recurring(ws) if group.id.startswith(belief_id.lower())]
    return groups[0].lesson_id if len(groups) == 1 else None


def _find(ws: Workspace, belief_id: str) -> Belief:
    """The belief of an id, a unique beginning or a trait's name; raises NotFound or Ambiguous."""
    belief_by_id = {belief.id: belief for belief in _every(ws)}
    subject = belief_id.strip().lower()
    same = [belief for belief in belief_by_id.values() if belief.subject == subject]
    if len(same) > 1:
        raise Ambiguous(f"{len(same)} beliefs are about {belief_id!r}", "name one by its id")
    if same:
        return same[0]
    hint = "learn preferences lists what is believed"
    return belief_by_id[id_prefix.resolve(belief_id, belief_by_id, "belief", hint)]


def _every(ws: Workspace) -> list[Belief]:
    """All beliefs of today, after confirmed ones that are none of them any more."""
    today = [*of_person_and_projects(ws), *agent_figures.weak_area_beliefs(ws)]
    ids = {belief.id for belief in today}
    confirmed = beliefs.confirmed(documents.decisions(ws.root)).values()
    return [*(belief for belief in confirmed if belief.id not in ids), *today]


def of_person_and_projects(ws: Workspace, is_meant: Callable[[str], bool] = lambda _: True) -> list[Belief]:
    """The beliefs of today about the person and their projects, or those that are meant."""
    return [*map(_of_trait, preferences.all_traits(ws)), *project_findings.finding_beliefs(ws, is_meant)]


def _of_trait(trait: Trait) -> Belief:
    """A trait as a belief: the value that the remarks show, else the confirmed one."""
    value, statement = trait.value, trait.statement
    if value == "unknown" and trait.confirmed_value:
        value, statement = trait.confirmed_value, trait.confirmed_statement or ""
    return Belief(id=trait.id, kind="trait", subject=trait.name, value=value, statement=statement)


def _with_value(belief: Belief, value: str) -> Belief:
    """A trait with another value; raises Refused for another belief or value."""
    if belief.kind != "trait":
        raise Refused(f"{belief.subject} has no value to choose", "give other words instead")
    statements = traits.STATEMENTS[_trait_name(belief.subject)]
    if value not in statements:
        raise Refused(f"{value!r} is no value of {belief.subject}", f"take {_choices(belief.subject)}")
    return belief.with_(value=value, statement=statements[value])


def _trait_name(subject: str) -> TraitName:
    return next(name for name in traits.TRAITS if name == subject)


def _choices(subject: str) -> str:
    return ", ".join(traits.STATEMENTS[_trait_name(subject)])


def _statement(ws: Workspace, statement: str) -> str:
    """A statement on one line, without secrets; raises Refused where it is empty or too long."""
    line = workspace.one_line(ws, statement)
    if not line:
        raise Refused("the statement is empty", "write one sentence")
    if len(line) > LONGEST:
        raise Refused(f"the statement is {len(line)} characters long", f"say it in {LONGEST} or less")
    return line


def _decide(ws: Workspace, action: str, belief: Belief) -> Decision:
    return verdicts.decide(ws, action, [], {"belief": belief.as_json(), "project": belief.project})


class BeliefPage(NamedTuple):
    """The beliefs, with and without verdicts."""

    preferences: Preferences
    projects: tuple[ProjectPatterns, ...]
    """Projects with findings."""
    weak_areas: tuple[Finding, ...]
    """Of agents; `source` is the agent."""


def belief_page(ws: Workspace) -> BeliefPage:
    """Everything that is believed now."""
    return BeliefPage(
        preferences.preferences(ws),
        tuple(patterns for patterns in project_findings.all_patterns(ws) if patterns.findings),
        tuple(_weak_areas(ws)),
    )


def _weak_areas(ws: Workspace) -> list[Finding]:
    """The weak areas of agents: confirmed ones as they were then, and those of today."""
    verdicts = BeliefVerdicts(ws)
    belief_by_id = {key: belief for key, belief in verdicts.confirmed.items() if belief.kind == "weak_area"}
    for belief in agent_figures.weak_area_beliefs(ws):
        belief_by_id.setdefault(belief.id, belief)
    return [
        verdicts.finding(belief.id, belief.kind, belief.statement, belief.agent)
        for belief in belief_by_id.values()
    ]
