"""What is derived from feedback besides turns and lessons: one line for each view that keeps something of it.

`learn analyze --all` reads all segments anew into an empty store, through the same calls, so a view is made
anew by it without doing anything. What a view keeps that no event tells belongs into `KEPT`.
"""

from collections.abc import Callable
from typing import Any

Doc = dict[str, Any]
View = Callable[[Any, str, Doc], None]
"""Called with transaction, segment, feedback; leaves a table alone whose cursor has reached the segment."""

HEARD: tuple[View, ...] = ()
"""Called in this order for each feedback as it is stored (`extracted_lesson` set where there is one)."""

KEPT: tuple[str, ...] = ("decisions", "patches", "imported_preferences", "imported_agents")
"""Tables that a new reading of history takes over as they are."""


def heard(tx: Any, segment: str, feedback: Doc) -> None:
    """Tell all views of a feedback."""
    for view in HEARD:
        view(tx, segment, feedback)
