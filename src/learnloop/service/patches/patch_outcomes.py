"""Whether a patch helps: how the turns of its agents ended before it was applied and since.

Each side is the share of successes among judged turns, with its 95 % Wilson interval. With fewer than
`learn.profile.agent_tallies.ENOUGH` judged turns on a side there is no conclusion.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from learnloop.learn.profile import agent_tallies
from learnloop.models.agent import Change, Interval
from learnloop.models.base import Document
from learnloop.models.patch import Patch
from learnloop.service.workspace import Workspace

if TYPE_CHECKING:
    from learnloop.models import Turn

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


def outcome(ws: Workspace, patch: Patch) -> PatchOutcome:
    """The figures of a patch; empty ones where no file contains it."""
    since = min(
        (target.at for target in patch.targets if target.state in ("applied", "conflict") and target.at),
        default="",
    )
    if not since:
        return PatchOutcome()
    from learnloop.store.store import Store

    turns = [turn for turn in Store(ws.root).turns() if _concerns(patch, turn)]
    before = judgements(turn.outcome for turn in turns if turn.started < since)
    after = judgements(turn.outcome for turn in turns if turn.started >= since)
    return PatchOutcome(since=since, before=before, after=after, change=change(before, after))


def summary(ws: Workspace, patch: Patch) -> str:
    """The outcome in a line; empty for a patch that is in no file."""
    figures = outcome(ws, patch)
    before, after = figures.before, figures.after
    if not figures.since:
        return ""
    if figures.change == "too few to say":
        return f"too few to say ({before.judged} judged turns before, {after.judged} since)"
    return f"{figures.change}: {_share(before)} before, {_share(after)} since"


def _share(side: Judgements) -> str:
    if side.rate is None or side.interval is None:
        return "nothing judged"
    return f"{side.rate:.0%} of {side.judged} ({side.interval.low:.0%}–{side.interval.high:.0%})"


def judgements(outcomes: Iterable[str]) -> Judgements:
    """The figures of the judged outcomes."""
    judged = [outcome for outcome in outcomes if outcome in _JUDGED]
    successes, total = judged.count("success"), len(judged)
    rate = successes / total if total else None
    return Judgements(
        judged=total, successes=successes, rate=rate, interval=agent_tallies.wilson(successes, total)
    )


def change(before: Judgements, after: Judgements) -> Change:
    """Compare two sides; only intervals that do not overlap are a difference."""
    if (
        before.interval is None
        or after.interval is None
        or min(before.judged, after.judged) < agent_tallies.ENOUGH
    ):
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
