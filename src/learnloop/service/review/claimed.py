"""Claimed verdicts: what an agent may have decided, accepted or discarded by the person."""

from collections.abc import Sequence

from learnloop.errors import Refused
from learnloop.learn.lessons import claims
from learnloop.models import Decision, Lesson
from learnloop.service import event_log, place
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace


def settle(ws: Workspace, lessons: Sequence[Lesson], *, accept: bool) -> Decision:
    """Accept or discard every claimed verdict on one lesson.

    A document that was edited by hand cannot be put back, so discarding the edit archives its lesson. Raises
    Refused for several lessons, because each has to be read, and where no person sits.
    """
    action = "accept" if accept else "discard"
    if len(lessons) != 1:
        raise Refused(
            "an agent may have decided about one of these, so they are not settled together",
            "read each, then promote it to accept the verdict or reject it to discard the verdict",
        )
    agent_guard.check(ws, action, [lessons[0].id])
    if not place.here().attended:
        raise Refused("a claimed verdict is settled at a terminal", "press p or r in learn-tui")
    names = [claim.decision for claim in lessons[0].claims]
    is_edited = any(claim.reason == claims.BY_HAND for claim in lessons[0].claims)
    args = {"archive": True} if is_edited and not accept else {}
    return event_log.decide(ws, action, [lessons[0].id], {"decisions": names, **args})
