"""Preferences in export and import: the remarks behind traits, and what the person has confirmed."""

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from learnloop.errors import Unreadable
from learnloop.ingest import preferences as kept
from learnloop.learn.profile import beliefs, traits
from learnloop.models.preferences import Belief, Signal
from learnloop.service import redaction
from learnloop.service.lessons import documents
from learnloop.service.profile import preferences
from learnloop.service.review import verdicts
from learnloop.store.store import Store

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

Doc = dict[str, Any]


def exported(ws: "Workspace") -> Doc:
    """The preferences as they are listed, and the confirmed beliefs besides; rules are among the lessons."""
    found = preferences.preferences(ws).as_json()
    del found["rules"]
    told = beliefs.confirmed(documents.decisions(ws.root)).values()
    return {**found, "confirmed": [belief.as_json() for belief in told]}


def checked(part: Doc) -> tuple[dict[str, list[Signal]], list[Belief]]:
    """The remarks by trait and the beliefs of such a part; raises Unreadable where they are none."""
    try:
        signals: dict[str, list[Signal]] = {
            name: [
                Signal.model_validate(one)
                for side in (part.get(name) or {}).get("evidence", {}).values()
                for one in side
            ]
            for name in traits.TRAITS
        }
        return signals, [Belief.model_validate(one) for one in part.get("confirmed", ())]
    except (ValidationError, AttributeError, TypeError) as error:
        told = error.errors(include_url=False)[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise Unreadable(f"preferences: {told}", "nothing was imported; mend or remove it") from None


def enter(ws: "Workspace", signals: dict[str, list[Signal]], told: list[Belief]) -> int:
    """Keep remarks that came from elsewhere beside the own ones, and confirm; how many were new.

    `told` holds only what this store itself has exported: anything else a person has to confirm here.
    """
    new = _enter_signals(ws, signals)
    known = beliefs.confirmed(documents.decisions(ws.root))
    for belief in told:
        if belief.id not in known:
            args = {"belief": belief.as_json(), "project": belief.project}
            verdicts.decide(ws, "confirm", [], args)
            new += 1
    return new


def _enter_signals(ws: "Workspace", signals: dict[str, list[Signal]]) -> int:
    stored = Store(ws.root).documents(kept.TABLE)
    with Store(ws.root).transaction() as changes:
        table, new = changes.table(preferences.IMPORTED), 0
        for trait, every in signals.items():
            own = stored.get(f"trait:{trait}", {}).get("signals", ())
            before = (table.get(f"trait:{trait}") or {"signals": []})["signals"]
            seen = {(one["event_id"], one["side"]) for one in (*own, *before)}
            sides = traits.TRAITS[_named(trait)][:2]
            fresh = [
                redaction.redacted(one.as_json())
                for one in every
                if one.side in sides and (one.event_id, one.side) not in seen
            ]
            if fresh:
                kept.enter(table, trait, fresh)
                new += len(fresh)
    return new


def _named(trait: str) -> Any:
    return next(name for name in traits.TRAITS if name == trait)
