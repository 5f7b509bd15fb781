"""The documents: frozen pydantic models without I/O, each loaded when it is first asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from learnloop.models.agent import AgentPerformance
    from learnloop.models.decision import Action, Decision
    from learnloop.models.event import EVENT_KINDS, Event, EventKind
    from learnloop.models.feedback import Feedback
    from learnloop.models.lesson import Evidence, Lesson, Triggers, Usage
    from learnloop.models.patch import Patch, PatchTarget
    from learnloop.models.session import PendingCompletion, Session, TodoSnapshot
    from learnloop.models.turn import Failure, Refusal, Turn

__all__ = [
    "EVENT_KINDS",
    "Action",
    "AgentPerformance",
    "Decision",
    "Event",
    "EventKind",
    "Evidence",
    "Failure",
    "Feedback",
    "Lesson",
    "Patch",
    "PatchTarget",
    "PendingCompletion",
    "Refusal",
    "Session",
    "TodoSnapshot",
    "Triggers",
    "Turn",
    "Usage",
]

_HOMES = {
    "Action": "decision",
    "AgentPerformance": "agent",
    "Decision": "decision",
    "EVENT_KINDS": "event",
    "Event": "event",
    "EventKind": "event",
    "Evidence": "lesson",
    "Failure": "turn",
    "Feedback": "feedback",
    "Lesson": "lesson",
    "Patch": "patch",
    "PatchTarget": "patch",
    "PendingCompletion": "session",
    "Refusal": "turn",
    "Session": "session",
    "TodoSnapshot": "session",
    "Triggers": "lesson",
    "Turn": "turn",
    "Usage": "lesson",
}


def __getattr__(name: str) -> Any:
    """A model by name: lists are drawn from stored documents before pydantic is needed at all."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
