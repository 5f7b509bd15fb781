"""How much recall tells, under test: what the variants tell at a moment, and what this session is told."""

from learnloop.wire import render
from learnloop.wire.session_recalls import arm

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from learnloop.wire.relevance import Record
    from learnloop.wire.trials import Recalled


def fit(
    trial: "dict[str, Any]", session: str, records: "Iterable[Record]", budget: str
) -> "tuple[list[Record], list[Record] | None]":
    """The lessons that any variant of an experiment on budgets tells, and those of the session's variant.

    None for these where all variants tell the same. What any variant tells is claimed in every session, so
    that all of them have the same moments.
    """
    arms = trial["arms"]
    if budget == "call_tokens":
        looked_at = list(records)
        fitting = [render.fit_budget(looked_at[: each[2]["per_call"]], each[2][budget]) for each in arms]
    else:
        seen: dict[str, Record] = {}
        looking = (seen.setdefault(record["id"], record) for record in records)
        most = max([each[2][budget] for each in arms])
        widest = render.fit_budget(looking, most)  # looks no further than it needs to
        fitting = [
            widest if each[2][budget] == most else render.fit_budget(seen.values(), each[2][budget])
            for each in arms
        ]
    if fitting.count(fitting[0]) == len(fitting):
        return fitting[0], None
    every = {record["id"]: record for told in fitting for record in told}
    return list(every.values()), fitting[arms.index(arm(trial, session))]


def cut(mine: "list[Record]", claimed: "Recalled") -> "tuple[Recalled, Recalled]":
    """What a session is told of the claimed lessons, and what its variant leaves out.

    A lesson that is left out is no moment of an experiment on the lesson itself.
    """
    scores = {record["id"]: score for record, score in claimed}
    told = [(record, scores.pop(record["id"])) for record in mine if record["id"] in scores]
    return told, [({"id": name}, score) for name, score in scores.items()]
