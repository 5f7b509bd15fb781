"""The drafts of a prompt, as ingest makes them."""

from collections.abc import Mapping
from typing import Any

from learnloop.learn.feedback import detector
from learnloop.learn.feedback.prompt_rules import Context
from learnloop.learn.language import words
from learnloop.learn.lessons import candidates, drafts, keep_chance
from learnloop.models import Lesson


def draft_of(prompt: str, before: Mapping[str, Any] | None = None, project: str = "/p") -> Lesson:
    """The draft of a prompt's likeliest sentence, whether it is above the floor or not."""
    detection = detector.detect_feedback(prompt, Context(position=3))
    own = words.own_words(prompt)
    likeliest = candidates.ranked(own, keep_chance.place(own, detection, 4))[0]
    return drafts.draft_from_candidate(
        own, likeliest, event_id="e" * 32, ts="2026-01-01T00:00:00.000Z", session_id="s", project=project,
        before=before or {},
    )  # fmt: skip
