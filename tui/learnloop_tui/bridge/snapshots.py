"""The rows of the lists, read anew only where lessons or muted rules changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.bridge import lesson_queries, row_cache
from learnloop_tui.view.state import Snapshot

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from learnloop.service.workspace import Workspace


class Snapshots:
    """Reads snapshots and remembers the latest; used by one thread."""

    def __init__(self) -> None:
        self.latest = Snapshot()
        self.read_from = (0, 0)
        """The file of lessons that `latest` was read from."""
        self._documents: object = None
        self._muted: frozenset[str] = frozenset()

    @property
    def is_read(self) -> bool:
        """Whether `latest` was read from the store."""
        return self._documents is not None

    def load(self, ws: Workspace) -> Snapshot:
        """Everything the lists show; the same object where nothing changed."""
        from learnloop.service.lessons import documents, rows, rule_drafts

        stamp = row_cache.stamp(ws.root)
        lessons, muted = documents.lessons(ws.root), rule_drafts.muted_rules(ws.root)
        if lessons is not self._documents or muted != self._muted:
            self._muted = muted
            drafts = rows.rows(ws, "draft")
            others = [row for row in rows.rows(ws, None) if row.status != "draft"]
            strongest = rows.unfolded_count(ws, drafts)
            look, shown = rows.list_settings(ws), lesson_queries.with_proposals(ws, (*drafts, *others))
            self._documents = lessons
            self.read_from = stamp
            self.latest = Snapshot(shown, strongest, look.theme, *_keymap(look.keys))
        return self.latest


def _keymap(wishes: Mapping[str, Sequence[str]]) -> tuple[Mapping[str, tuple[str, ...]], tuple[str, ...]]:
    if not wishes:
        return {}, ()
    from learnloop.keymap import keymap

    return keymap.resolved(wishes)
