"""Does a patch help: how the turns of its agents ended before it was applied and since.

The share of successes among judged turns with its 95 % Wilson interval; with fewer than
`learn.profile.agents.ENOUGH`
judged turns on a side nothing is said.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from learnloop.learn.profile import agents
from learnloop.models.agent import Change, Interval
from learnloop.models.base import Document
from learnloop.models.patch import Patch

if TYPE_CHECKING:
    from learnloop.models import Turn
    from learnloop.service.workspace import Workspace

_JUDGED = ("success", "revision", "cancellation")


class Judgements(Document):
    """The judged turns of one side."""

    judged: int = 0
    successes: int = 0
    rate: float | None = None
    interval: Interval | None = None


class PatchOutcome(Document):
    """Before and since the patch was applied; both may have other causes."""

    since: str = ""
    """When it was first applied; empty where it is in no file."""
    before: Judgements = Judgements()
    after: Judgements = Judgements()
    change: Change = "too few to say"


def outcome(ws: "Workspace", patch: Patch) -> PatchOutcome:
    """The figures of a patch that stands in at least one file."""
    since = min(
        (one.at for one in patch.targets if one.state in ("applied", "conflict") and one.at), default=""
    )
    if not since:
        return PatchOutcome()
    from learnloop.store.store import Store

    turns = [turn for turn in Store(ws.root).turns() if _concerns(patch, turn)]
    before = side(turn.outcome for turn in turns if turn.started < since)
    after = side(turn.outcome for turn in turns if turn.started >= since)
    return PatchOutcome(since=since, before=before, after=after, change=change(before, after))


def told(ws: "Workspace", patch: Patch) -> str:
    """The same in a line; empty for a patch that is in no file."""
    found = outcome(ws, patch)
    if not found.since:
        return ""
    if found.change == "too few to say":
        return f"too few to say ({found.before.judged} judged turns before, {found.after.judged} since)"
    return f"{found.change}: {_figures(found.before)} before, {_figures(found.after)} since"


def _figures(one: Judgements) -> str:
    if one.rate is None or one.interval is None:
        return "nothing judged"
    return f"{one.rate:.0%} of {one.judged} ({one.interval.low:.0%}–{one.interval.high:.0%})"


def side(outcomes: Iterable[str]) -> Judgements:
    """The figures of outcomes; those that nobody judged do not count."""
    judged = [one for one in outcomes if one in _JUDGED]
    successes, total = judged.count("success"), len(judged)
    rate = successes / total if total else None
    return Judgements(judged=total, successes=successes, rate=rate, interval=agents.wilson(successes, total))


def change(before: Judgements, after: Judgements) -> Change:
    """Only intervals that do not overlap tell a difference."""
    if before.interval is None or after.interval is None or min(before.judged, after.judged) < agents.ENOUGH:
        return "too few to say"
    if after.interval.low > before.interval.high:
        return "better"
    return "worse" if after.interval.high < before.interval.low else "no clear change"


def _concerns(patch: Patch, turn: "Turn") -> bool:
    """Whether the claim of a turn went to an agent that the patch is for."""
    if patch.project and turn.project != patch.project:
        return False
    if patch.audience == "agent":
        return turn.agent_used == patch.agent
    return patch.audience == "agents" or turn.agent_used == "main"
