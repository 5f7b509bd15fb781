"""Preferences in export and import: the remarks behind traits, and the beliefs that the person confirmed."""

from typing import Any

from pydantic import ValidationError

from learnloop.errors import Unreadable
from learnloop.ingest import preferences as stored_preferences
from learnloop.learn.profile import beliefs, traits
from learnloop.models.preferences import Belief, Signal, TraitName
from learnloop.service import redaction
from learnloop.service.lessons import documents
from learnloop.service.profile import preferences
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store

Doc = dict[str, Any]
Signals = dict[TraitName, list[Signal]]


def exported(ws: Workspace) -> Doc:
    """The preferences as they are listed, with the confirmed beliefs; rules are among the lessons."""
    document = preferences.preferences(ws).as_json()
    del document["rules"]
    confirmed = beliefs.confirmed(documents.decisions(ws.root)).values()
    return {**document, "confirmed": [belief.as_json() for belief in confirmed]}


def checked(part: Doc) -> tuple[Signals, list[Belief]]:
    """The remarks by trait and the beliefs of an exported part; raises Unreadable where they are none."""
    try:
        signals: Signals = {
            name: [
                Signal.model_validate(signal)
                for side in (part.get(name) or {}).get("evidence", {}).values()
                for signal in side
            ]
            for name in traits.TRAITS
        }
        return signals, [Belief.model_validate(belief) for belief in part.get("confirmed", ())]
    except (ValidationError, AttributeError, TypeError) as error:
        reason = (
            error.errors(include_url=False)[0]["msg"] if isinstance(error, ValidationError) else str(error)
        )
        raise Unreadable(f"preferences: {reason}", "nothing was imported; mend or remove it") from None


def enter(ws: Workspace, signals: Signals, trusted: list[Belief]) -> int:
    """Store remarks beside the person's own ones, and confirm beliefs; returns how many were new.

    `trusted` beliefs were exported by this store: a person has to confirm all others here.
    """
    new = _enter_signals(ws, signals)
    confirmed = beliefs.confirmed(documents.decisions(ws.root))
    for belief in trusted:
        if belief.id not in confirmed:
            verdicts.decide(ws, "confirm", [], {"belief": belief.as_json(), "project": belief.project})
            new += 1
    return new


def _enter_signals(ws: Workspace, signals: Signals) -> int:
    stored = Store(ws.root).documents(stored_preferences.TABLE)
    with Store(ws.root).transaction() as changes:
        table, count = changes.table(preferences.IMPORTED), 0
        for trait, given in signals.items():
            own = stored.get(f"trait:{trait}", {}).get("signals", ())
            imported = (table.get(f"trait:{trait}") or {"signals": []})["signals"]
            seen = {(signal["event_id"], signal["side"]) for signal in (*own, *imported)}
            sides = traits.TRAITS[trait][:2]
            new = [
                redaction.redacted(ws, signal.as_json())
                for signal in given
                if signal.side in sides and (signal.event_id, signal.side) not in seen
            ]
            if new:
                stored_preferences.enter(table, trait, new)
                count += len(new)
    return count
