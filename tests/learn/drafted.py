"""The drafts of a prompt, as ingest makes them."""

from collections.abc import Mapping
from typing import Any

from learnloop.learn.hear import candidates
from learnloop.learn.language import words
from learnloop.learn.lessons import drafts
from learnloop.models import Lesson


def draft_of(prompt: str, before: Mapping[str, Any] | None = None, project: str = "/p") -> Lesson:
    """The draft of a prompt's likeliest sentence, whether it is above the floor or not."""
    own = words.own_words(prompt)
    likeliest = candidates.ranked(own, 4)[0]
    return drafts.draft_from_candidate(
        own, likeliest, event_id="e" * 32, ts="2026-01-01T00:00:00.000Z", session_id="s", project=project,
        before=before or {},
    )  # fmt: skip
