"""The documents: frozen pydantic models without I/O, each loaded when it is first asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from learnloop.models.agent import AgentPerformance
    from learnloop.models.decision import Decision
    from learnloop.models.lesson import Evidence, Lesson, Triggers, Usage
    from learnloop.models.memory import Memory
    from learnloop.models.patch import Patch
    from learnloop.models.task import TaskTrace
    from learnloop.models.turn import Feedback, Session, Turn

__all__ = [
    "AgentPerformance", "Decision", "Evidence", "Feedback", "Lesson", "Memory", "Patch", "Session",
    "TaskTrace", "Triggers", "Turn", "Usage",
]  # fmt: skip
_ELSEWHERE = {
    "AgentPerformance": "agent", "Evidence": "lesson", "Feedback": "turn", "Session": "turn",
    "TaskTrace": "task", "Triggers": "lesson", "Usage": "lesson",
}  # fmt: skip
"""The modules of models that have no module of their own name."""


def __getattr__(name: str) -> Any:
    """A model by name: lists are drawn from stored documents before pydantic is needed at all."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    model = getattr(import_module(f"{__name__}.{_ELSEWHERE.get(name, name.lower())}"), name)
    globals()[name] = model  # the next one to ask finds it without a call
    return model
