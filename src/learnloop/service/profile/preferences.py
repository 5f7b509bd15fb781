"""Preferences: what is believed of a person's ways, and the verdicts over it.

    preferences(ws)                                  everything that pane and command line show
    confirm(ws, belief_id, value=…, statement=…)     tell agents; also edits what they are told
    dismiss(ws, belief_id)                           do not believe it, and tell it no more
    resolve(ws, contradiction_id, keep)              keep one of two rules, retire the other

A belief is a trait (by name or id) or a finding about a project (`service.profile.projects`); `learn undo`
takes
every one of these back, like any verdict.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from learnloop.errors import Ambiguous, Refused
from learnloop.learn.lessons import contradictions
from learnloop.learn.profile import beliefs
from learnloop.learn.profile import trait_values as learned
from learnloop.learn.profile import traits as forms
from learnloop.models import Decision, Lesson
from learnloop.models.ids import SHORTEST
from learnloop.models.preferences import (
    Belief,
    Contradiction,
    Preferences,
    Trait,
    TraitName,
)
from learnloop.service import id_prefix, redaction
from learnloop.service.lessons import documents, rows
from learnloop.service.lessons.lookup import as_lesson
from learnloop.service.profile import projects
from learnloop.service.review import verdicts
from learnloop.store.store import Store
from learnloop.wire import clock

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

TABLE = "preferences"
IMPORTED = "imported_preferences"
"""The table of remarks that came from elsewhere: no event tells them."""
LONGEST = 300
"""Characters of a statement that is told at every start."""


def preferences(ws: "Workspace", now_ms: int | None = None) -> Preferences:
    """Everything that is believed, as of now, verdicts that are not ingested yet among it."""
    stored = Store(ws.root).documents(TABLE)
    rules = _rules(ws)
    found = traits(ws, stored, now_ms)
    recurring = tuple(projects.recurring(ws))
    newest = [one.last_seen for one in recurring] + [rule.updated for rule in rules]
    newest += [signals[0].ts for one in found for signals in one.evidence.values() if signals]
    by_name = {one.name: one for one in found}
    return Preferences(
        verbosity=by_name["verbosity"],
        autonomy=by_name["autonomy"],
        explanation_depth=by_name["explanation_depth"],
        recurring_corrections=recurring,
        rules=rules,
        contradictions=tuple(contradictions.find_contradictions(rules)),
        last_updated=max(newest, default=""),
    )


def traits(
    ws: "Workspace", stored: Mapping[str, documents.Document] | None = None, now_ms: int | None = None
) -> tuple[Trait, ...]:
    """The three traits."""
    stored = Store(ws.root).documents(TABLE) if stored is None else stored
    decisions = documents.decisions(ws.root)
    told, dropped = beliefs.confirmed(decisions), beliefs.dismissed(decisions)
    imported = Store(ws.root).documents(IMPORTED)
    at = clock.now_ms() if now_ms is None else now_ms
    return tuple(
        learned.trait(
            name,
            [
                signal
                for table in (stored, imported)
                for signal in table.get(f"trait:{name}", {}).get("signals", ())
            ],
            now_ms=at,
            half_life_days=ws.settings.preference_decay_days,
            confirmed=told.get(learned.trait_id(name)),
            dismissed=dropped.get(learned.trait_id(name)),
        )
        for name in forms.TRAITS
    )


def confirm(
    ws: "Workspace", belief_id: str, value: str | None = None, statement: str | None = None
) -> Decision:
    """Tell agents a belief from now on; `value` chooses another one for a trait, `statement` other words.

    Confirming again replaces what was confirmed. Raises Refused where there is nothing to be told.
    """
    belief = _believed(ws, belief_id)
    if value is not None:
        belief = _with_value(belief, value)
    if statement is not None:
        belief = belief.with_(statement=_sentence(ws, statement))
    if not belief.statement:
        raise Refused(
            f"nothing is believed of {belief.subject} yet", f"say what holds: {_choices(belief.subject)}"
        )
    return _decide(ws, "confirm", belief)


def dismiss(ws: "Workspace", belief_id: str) -> Decision:
    """Drop a belief: it is told no more, and not proposed again while it says the same."""
    belief = _believed(ws, belief_id)
    if not belief.statement:
        raise Refused(f"nothing is believed of {belief.subject}", "there is nothing to drop")
    return _decide(ws, "dismiss", belief)


def resolve(ws: "Workspace", contradiction_id: str, keep: str) -> Decision:
    """Keep one rule of a contradiction (its lesson id or a prefix) and retire the other."""
    found = _contradiction(ws, contradiction_id)
    sides = {found.one.lesson_id: found.other, found.other.lesson_id: found.one}
    chosen = [key for key in sides if len(keep) >= SHORTEST and key.startswith(keep)]
    if len(chosen) != 1:
        raise Refused(
            f"{keep!r} is neither of the two rules",
            f"keep {found.one.lesson_id[:6]} or {found.other.lesson_id[:6]}",
        )
    loser = sides[chosen[0]]
    if loser.status == "active":
        return verdicts.archive(ws, loser.lesson_id, "superseded")
    return verdicts.reject(ws, loser.lesson_id, f"contradicts {chosen[0][:6]}")


def _rules(ws: "Workspace") -> tuple[Lesson, ...]:
    docs = rows.documents_of(ws, lambda row: row.kind == "preference" and row.status in ("draft", "active"))
    found = list(map(as_lesson, docs))
    return tuple(sorted(found, key=lambda one: (one.status != "active", one.statement.lower(), one.id)))


def _believed(ws: "Workspace", belief_id: str) -> Belief:
    """The belief of an id, a unique prefix, or a trait's name, as it would be told now."""
    belief_by_id = {belief.id: belief for belief in _every(ws)}
    subject = belief_id.strip().lower()
    named = [key for key, belief in belief_by_id.items() if belief.subject == subject]
    if len(named) > 1:
        raise Ambiguous(f"{len(named)} beliefs are about {belief_id!r}", "name one by its id")
    if named:
        return belief_by_id[named[0]]
    return belief_by_id[
        id_prefix.resolve(belief_id, belief_by_id, "belief", "learn preferences lists what is believed")
    ]


def _every(ws: "Workspace") -> list[Belief]:
    """Everything that can be confirmed; what was confirmed before, as it was then."""
    told = beliefs.confirmed(documents.decisions(ws.root))
    found = [_of_trait(one) for one in traits(ws)] + projects.believed(ws) + weak_areas(ws)
    return [*(belief for belief in told.values() if belief.id not in {one.id for one in found}), *found]


def weak_areas(ws: "Workspace") -> list[Belief]:
    """What could be told to agents of where their work was often corrected, one belief an agent and area."""
    from learnloop.service.profile import agent_figures

    return [
        Belief(
            id=beliefs.belief_id("weak_area", f"{one.agent_name}\0{area}"),
            kind="weak_area",
            subject=area,
            statement=f"Earlier work of {one.agent_name} on {area} was often corrected.",
            agent=one.agent_name,
        )
        for one in agent_figures.performance(ws)
        if one.enough
        for area in one.weak_areas
    ]


def _of_trait(trait: Trait) -> Belief:
    """A trait as it would be told: what the remarks say; else what is confirmed."""
    value, said = trait.value, trait.statement
    if value == "unknown" and trait.confirmed_value:
        value, said = trait.confirmed_value, trait.confirmed_statement or ""
    return Belief(id=trait.id, kind="trait", subject=trait.name, value=value, statement=said)


def _with_value(belief: Belief, value: str) -> Belief:
    if belief.kind != "trait":
        raise Refused(f"{belief.subject} has no value to choose", "give other words instead")
    statements = forms.STATEMENTS[_trait_name(belief.subject)]
    if value not in statements:
        raise Refused(f"{value!r} is no value of {belief.subject}", f"take {_choices(belief.subject)}")
    return belief.with_(value=value, statement=statements[value])


def _trait_name(subject: str) -> TraitName:
    return next(name for name in forms.TRAITS if name == subject)


def _choices(subject: str) -> str:
    return ", ".join(forms.STATEMENTS[_trait_name(subject)])


def _sentence(ws: "Workspace", statement: str) -> str:
    line = " ".join(redaction.redacted(statement, ws.settings.redaction.extras).split())
    if not line:
        raise Refused("the statement is empty", "write one sentence in the present tense")
    if len(line) > LONGEST:
        raise Refused(f"the statement is {len(line)} characters long", f"say it in {LONGEST} or less")
    return line


def _decide(ws: "Workspace", action: str, belief: Belief) -> Decision:
    args: dict[str, Any] = {"belief": belief.as_json(), "project": belief.project}
    return verdicts.decide(ws, action, [], args)


def _contradiction(ws: "Workspace", contradiction_id: str) -> Contradiction:
    rules = _rules(ws)
    by_id = {contradiction.id: contradiction for contradiction in contradictions.find_contradictions(rules)}
    return by_id[id_prefix.resolve(contradiction_id, by_id, "contradiction", "learn preferences lists them")]
