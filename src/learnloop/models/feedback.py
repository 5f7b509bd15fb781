"""Feedback: what one prompt or refusal says about the turn before it."""

from typing import Literal

from pydantic import Field

from learnloop.models.base import Document

EventType = Literal["revision", "cancellation", "success", "explicit_preference"]
FeedbackCategory = Literal[
    "correction", "rejection", "clarification", "enhancement", "praise", "explicit_preference"
]


class Feedback(Document):
    """One prompt's one outcome."""

    id: str
    timestamp: str
    session_id: str
    turn_id: str
    """The turn that is judged; empty for a preference said before any turn."""
    project_path: str
    event_type: EventType
    feedback_category: FeedbackCategory
    confidence: float = Field(ge=0, le=1)
    probability: float = Field(default=1.0, ge=0, le=1)
    """How likely it was feedback of any kind."""
    reason: str
    """The rule or cues that decided, in words."""
    rule: str = ""
    inferred: bool = False
    """Concluded, not said: `user_message` is what was said next, or stands in [brackets]."""
    user_message: str
    original_task: str | None = None
    agent_used: str | None = None
    completion_claim: str | None = None
    extracted_lesson: str | None = None
    """Id of the draft that came of it."""
    event_id: str = ""
