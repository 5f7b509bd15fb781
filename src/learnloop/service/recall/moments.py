"""When a lesson is recalled, in words, as its triggers and its priority have it."""

from collections.abc import Sequence

from learnloop.models import Lesson
from learnloop.wire import relevance

_SHOWN = 4
"""The triggers of a kind that are named; the rest is counted."""


def describe_moments(lesson: Lesson) -> str:
    """The moments of an active lesson in one sentence, which begins with "recalled" or "never recalled"."""
    is_held = lesson.check and (lesson.stops or lesson.reminds or lesson.gate)
    rules = "; ".join(rule.words for rule in lesson.check)
    return _recalled(lesson) + (f", and agents are held to it: {rules}" if is_held else "")


def told_when(lesson: Lesson) -> str:
    """The moments in a few words: `before *.py is written`, `a session starts`."""
    return describe_moments(lesson).removeprefix("recalled ").removeprefix("when ").replace("`", "")


def _recalled(lesson: Lesson) -> str:
    if lesson.priority == "LOW":
        return "never recalled by itself, because its priority is LOW"
    triggers = lesson.triggers
    tools = set(triggers.tool_names)
    moments = []
    if triggers.file_patterns and (not tools or tools & set(relevance.FILE_TOOLS)):
        moments.append(f"before {_listed(triggers.file_patterns)} is written")
    if triggers.command_patterns and (not tools or "Bash" in tools):
        moments.append(f"before `{_listed(triggers.command_patterns, '`, `', '` or `')}` is run")
    if triggers.action_keywords:
        moments.append(f"at prompts about {_listed(triggers.action_keywords)}")
    is_due = any(rule.form == "due" for rule in lesson.check)
    has_none = not (triggers.file_patterns or triggers.command_patterns or triggers.action_keywords or is_due)
    if lesson.priority == "CRITICAL" or has_none:
        moments.insert(0, f"when a session starts{_inside(lesson)}")
    who = f", for {_listed(triggers.agent_names, last=' and ')} alone" if triggers.agent_names else ""
    return (
        f"recalled {_joined(moments)}{who}" if moments else "never recalled: its tools have no trigger here"
    )


def _inside(lesson: Lesson) -> str:
    """The folder in which it has to start; sessions hardly ever start below the project's own."""
    return f" in {lesson.path}/ itself, and in no other" if lesson.scope == "module" else ""


def _listed(values: Sequence[str], between: str = ", ", last: str = " or ") -> str:
    shown = list(values[:_SHOWN])
    if len(values) > _SHOWN:
        shown.append(f"{len(values) - _SHOWN} more")
    return last.join([between.join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def _joined(moments: Sequence[str]) -> str:
    return " and ".join([", ".join(moments[:-1]), moments[-1]]) if len(moments) > 1 else moments[0]
