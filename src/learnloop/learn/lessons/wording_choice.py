"""Chooses the words of a lesson that several drafts have become. Pure."""

from collections.abc import Mapping
from typing import Any

from learnloop.learn.lessons.decisions import BASE
from learnloop.learn.lessons.origins import SYNTHESIS, is_less_trusted
from learnloop.models.lesson_check import OLDER

_WORDS = ("statement", "title", "triggers", "check", "keywords", "kind", "content",
          "category", "fingerprint", "scope", "project", "path")  # fmt: skip
"""What follows from the words of a draft."""


def better_words(stored: Mapping[str, Any], draft: Mapping[str, Any]) -> dict[str, Any]:
    """What a stored lesson takes over from a draft that says the same; nothing where its words stay.

    Words that a person has edited or approved stay. Else a draft with words is better than one without, and
    of two with words the one that a model wrote last, or that a reviewer keeps more surely. Words that are
    trusted less are taken only where there are none; then the lesson is trusted as little as they are, and
    says why.
    """
    edited = stored.get(BASE, {})
    is_settled = stored.get("status") != "draft" or "statement" in edited
    if is_settled or not draft.get("statement"):
        return {}
    is_lower = is_less_trusted(draft, stored)
    is_read = draft.get("source") == SYNTHESIS
    is_surer = float(draft.get("confidence", 0.0)) > float(stored.get("confidence", 0.0))
    if stored.get("statement") and (is_lower or not (is_read or is_surer)):
        return {}
    taken = {name: draft[name] for name in _WORDS if name in draft and name not in edited}
    taken |= dict.fromkeys(name for name in OLDER if name in stored and "check" in taken)
    doubt = {name: draft[name] for name in ("trust", "context") if draft.get(name)} if is_lower else {}
    return {**taken, **doubt, "needs_words": False}
