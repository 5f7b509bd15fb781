"""The turns behind a figure of an agent, with the feedback that judged them."""

from typing import Literal, NamedTuple

from learnloop.learn.profile import agent_tallies
from learnloop.models import Feedback, Turn
from learnloop.service.profile.agent_figures import Doc, places, stored_figures, turns_of_day
from learnloop.service.workspace import Workspace
from learnloop.store.document_table import Span
from learnloop.store.store import Store
from learnloop.store.tinydb_file import public_fields

Figure = Literal["invocations", "success", "revision", "cancellation", "unknown"]
_MOST_TURNS = 200


class JudgedTurn(NamedTuple):
    """A turn behind a figure, with the feedback that judged it."""

    turn: Turn
    feedback: Feedback | None


def turns_behind(
    ws: Workspace, agent: str, figure: Figure, *, project: str | None = None, host: str | None = None,
    limit: int = _MOST_TURNS,
) -> list[JudgedTurn]:  # fmt: skip
    """The turns behind a figure, newest first, each with the feedback that judged it.

    `invocations`: the turns that started the agent. `unknown`: turns that nobody said anything of.
    The others: turns whose spoken verdict went to it. Only days with a count are read.
    """
    tallies = [tally for tally in stored_figures(ws.root, project, host)[0] if tally["agent_name"] == agent]
    at = None if figure == "unknown" else agent_tallies.COUNTS.index(figure)
    days = {day for tally in tallies for day, counts in tally["_days"].items() if at is None or counts[at]}
    where = places(tallies)
    turns: list[Doc] = []
    store = Store(ws.root)
    for day in sorted(days, reverse=True):
        if len(turns) >= limit:
            break
        there = (turn for turn in turns_of_day(store, day) if (turn["project"], turn["host"]) in where)
        turns += [turn for turn in there if _is_counted(turn, agent, figure)]
    turns.sort(key=lambda turn: (turn["started"], turn["id"]), reverse=True)
    return _with_feedback(store, turns[:limit])


def _is_counted(turn: Doc, agent: str, figure: Figure) -> bool:
    share = next((share for share in agent_tallies.contributions(turn) if share.agent == agent), None)
    if share is None:
        return False
    if figure == "unknown":
        return share.silent or not any(share.counts[2:])
    return bool(share.counts[agent_tallies.COUNTS.index(figure)]) and not share.silent


def _with_feedback(store: Store, turns: list[Doc]) -> list[JudgedTurn]:
    """Turns as models with their feedback, which was given on the same day or later."""
    ids = {str(turn["feedback_id"]) for turn in turns if turn.get("feedback_id")}
    since = min((str(turn["started"])[:10] for turn in turns), default="")
    docs = (doc for doc in store.all_documents("feedback", Span(since)) if doc["id"] in ids)
    feedback_by_id = {doc["id"]: Feedback.model_validate(public_fields(doc)) for doc in docs}
    return [
        JudgedTurn(Turn.model_validate(public_fields(turn)), feedback_by_id.get(str(turn.get("feedback_id"))))
        for turn in turns
    ]
