"""The outcome of a turn: which feedback decides it, and what can be inferred without feedback.

Pure. Thresholds are the specification's: success by praise above 0.7, or by a change of topic (Jaccard index
of the words over 3 letters below 0.2, within 5 minutes of the claim; confidence 0.6); cancellation where work
was left undone (0.7).
"""

import re
from typing import Literal, NamedTuple

from learnloop.learn.language import words as own_words
from learnloop.models.turn import EventType, FeedbackCategory

Outcome = Literal["success", "revision", "cancellation", "unknown"]

PRAISE_ABOVE = 0.7
TOPIC_BELOW = 0.2
TOPIC_CONFIDENCE = 0.6
TOPIC_WITHIN_MS = 5 * 60 * 1000
UNDONE_CONFIDENCE = 0.7
_LONGER_THAN = 3
_FEWEST_WORDS = 2

_ORDER = (
    "refusal", "explicit_preference", "rejection", "correction", "clarification", "praise", "enhancement",
    "inferred",
)  # fmt: skip
"""Of several remarks about one turn the first in this order decides."""

_WORD = re.compile(r"[^\W_]+(?:'\w+)?")
_GOES_ON = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|yep|yeah|sure|please|now|and|alright|right|cool|good|great)\W+)*"
    r"(?:continue|go\s+(?:on|ahead|for\s+it)|proceed|carry\s+on|keep\s+going|resume|try\s+again|retry|again"
    r"|do\s+(?:it|that|so)|next|yes|yep|yeah|ok(?:ay)?|sure|weiter|mach\s+weiter|contin[uú]a)\b",
    re.IGNORECASE,
)
_GOES_ON_WORDS = 4
"""Words that may follow, as in `continue with step 2`; more of them are a task of their own."""
_RELATIVE = re.compile(r"\b(?:an?|the|any|some|all|every)\s+(?:\w+\s+){1,2}that\b", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|that|this|those|them|these|you|your|same|again|instead)\b", re.IGNORECASE
)
_HEAD_WORDS = 5
DOUBT_FROM = 0.3
"""A prompt that is feedback with this probability or more may be a correction."""


class InferredOutcome(NamedTuple):
    """An outcome concluded from what came after the turn."""

    event_type: EventType
    category: FeedbackCategory
    confidence: float
    rule: str
    reason: str
    message: str = ""
    """A text in place of the person's words where there are none."""


class TurnEnd(NamedTuple):
    """How a turn ended: the facts that outcomes are concluded from."""

    end: str
    """done, failed, interrupted or unfinished."""
    task: str
    open_tasks: int = 0
    """Open entries of the agent's own task list."""
    asked: bool = False
    """The agent's last words were a question, so that the next prompt is an answer."""
    waits: bool = False
    """Background work was still running, so that there is no claim to judge yet."""
    reports_ends: bool = True
    """The client reports the ends of turns, as each does that gives prompts an id. Only then a missing end
    means something."""


def precedence(rule: str, category: str) -> int:
    """The precedence of a remark about a turn, 0 the strongest."""
    return _ORDER.index("refusal" if rule == "refusal" else category)


INFERRED_PRECEDENCE = len(_ORDER) - 1
"""The precedence of an outcome that is inferred without a remark."""


def outcome_of_remark(event_type: str, category: str, confidence: float) -> Outcome:
    """The outcome that a remark gives a turn; `unknown` for a preference and for unsure praise."""
    if event_type == "explicit_preference" or (category == "praise" and confidence <= PRAISE_ABOVE):
        return "unknown"
    return event_type  # type: ignore[return-value]  # the three that are left


def infer_from_prompt(words: str, turn: TurnEnd, since_ms: int, doubt: float = 0.0) -> InferredOutcome | None:
    """The outcome of a turn that was followed by a prompt about something else; None for other prompts.

    `since_ms`: milliseconds from the turn's end to the prompt; `doubt`: the probability that the prompt is
    feedback after all. A prompt that may be a correction is no sign of success.
    """
    if not is_topic_change(words, turn.task):
        return None
    undone = infer_from_session_end(turn)
    if undone is not None:
        return undone._replace(message="")
    is_judged = turn.end == "done" and not (turn.asked or turn.waits)
    if not is_judged or abs(since_ms) > TOPIC_WITHIN_MS or doubt >= DOUBT_FROM:
        return None
    reason = "went on to something else within 5 minutes"
    return InferredOutcome("success", "enhancement", TOPIC_CONFIDENCE, "topic-change", reason)


def infer_from_session_end(turn: TurnEnd) -> InferredOutcome | None:
    """The outcome of a turn whose session ended without another prompt: it may be left undone."""
    if turn.end == "interrupted" or (turn.end == "unfinished" and turn.reports_ends):
        what, message = "interrupted and not taken up again", "[Stopped before it was done]"
        rule = "interrupted"
    elif turn.open_tasks and turn.end == "done" and not turn.waits:
        tasks = f"{turn.open_tasks} incomplete task{'' if turn.open_tasks == 1 else 's'}"
        rule, what, message = "left-undone", f"left with {tasks}", f"[Stopped with {tasks}]"
    else:
        return None
    return InferredOutcome("cancellation", "rejection", UNDONE_CONFIDENCE, rule, what, message)


def is_go_ahead(words: str) -> bool:
    """Whether a prompt only asks the agent to continue."""
    match = _GOES_ON.match(words)
    return match is not None and len(words[match.end() :].split()) <= _GOES_ON_WORDS


def is_topic_change(words: str, task: str) -> bool:
    """Whether a prompt is about something else than a task and its result."""
    # The first words may refer to what came before: `does it …`, `write tests for that`.
    head = _RELATIVE.sub("", " ".join(words[:1000].split()[:_HEAD_WORDS]))
    if is_go_ahead(words) or words.lstrip()[:1] in ("/", "!", "#") or _POINTS_BACK.search(head):
        return False
    new, old = _keywords(words), _keywords(task)
    return len(new) >= _FEWEST_WORDS and bool(old) and own_words.jaccard(new, old) < TOPIC_BELOW


def _keywords(text: str) -> set[str]:
    return {word for word in _WORD.findall(text[:4000].lower()) if len(word) > _LONGER_THAN}
