"""The documents: frozen pydantic models without I/O."""

from learnloop.models.decision import Action, Decision
from learnloop.models.event import EVENT_KINDS, Event, EventKind
from learnloop.models.feedback import Feedback
from learnloop.models.lesson import Evidence, Lesson, Triggers, Usage
from learnloop.models.session import PendingCompletion, Session, TodoSnapshot
from learnloop.models.turn import Failure, Refusal, Turn

__all__ = [
    "EVENT_KINDS",
    "Action",
    "Decision",
    "Event",
    "EventKind",
    "Evidence",
    "Failure",
    "Feedback",
    "Lesson",
    "PendingCompletion",
    "Refusal",
    "Session",
    "TodoSnapshot",
    "Triggers",
    "Turn",
    "Usage",
]
