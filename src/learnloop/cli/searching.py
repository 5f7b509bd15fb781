"""What searches that find things by what they mean have to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import output

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


def note_obstacle(ws: Workspace) -> None:
    """Print why words alone were searched, where the person asked for more."""
    if ws.settings.vectors.model:
        from learnloop.service.tasks import by_meaning

        message, hint = by_meaning.obstacle(ws)
        if message:
            output.note(f"learn: {message} – {hint}")
