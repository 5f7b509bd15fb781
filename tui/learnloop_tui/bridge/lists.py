"""What the lists and the details show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.bridge import lesson_insights
from learnloop_tui.bridge import row_cache as glimpse
from learnloop_tui.bridge.threads import Threads
from learnloop_tui.view.state import Detail, Past, Snapshot

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from learnloop.models import Lesson


class Lists(Threads):
    """Reads lessons."""

    def __init__(self, root: str, *, demo: bool = False) -> None:
        super().__init__(root, demo=demo)
        self._docs: object = None
        self._silent: frozenset[str] = frozenset()
        self._snapshot = Snapshot()
        self._is_kept = False

    async def glimpse(self) -> Snapshot | None:
        """The rows as the last console left them; None where there are none, or a demo is made first."""
        if self.demo:
            return None
        found = await self._run(self._tail_thread, lambda: glimpse.read(self.root))
        self._is_kept = found is not None
        return found

    async def keep_glimpse(self) -> None:
        """Keep the rows for the next console, if this one found none; the end keeps them as they are then."""
        if not (self._is_kept or self.demo):
            self._is_kept = True
            await self._run(self._long, lambda: glimpse.write(self.root, self._snapshot))

    def close(self) -> None:
        """Keep the rows as they stand at the end."""
        if self._docs is not None and not self.demo:
            glimpse.write(self.root, self._snapshot)
        super().close()

    async def load(self) -> Snapshot:
        """Everything the lists show."""
        return await self._run(self._order, self._load)

    def _load(self) -> Snapshot:
        from learnloop.service.lessons import documents, rows
        from learnloop.service.review import rule_muting

        ws, docs = self._workspace(), documents.lessons(self.root)
        silent = rule_muting.muted(self.root)
        if docs is not self._docs or silent != self._silent:
            self._silent = silent
            drafts = rows.rows(ws, "draft")
            others = [row for row in rows.rows(ws, None) if row.status != "draft"]
            strongest = min(rows.look(ws).queue_size, sum(not row.held for row in drafts))
            look, shown = rows.look(ws), lesson_insights.proposed(ws, (*drafts, *others))
            self._docs, self._snapshot = docs, Snapshot(shown, strongest, look.theme, *_keymap(look.keys))
        return self._snapshot

    async def ingest(self) -> bool:
        """Turn new events into documents."""
        return await self._run(self._order, self._ingest)

    def _ingest(self) -> bool:
        from learnloop.service import workspace

        report = workspace.ingest(self._workspace())
        return bool(report.events or report.changed)

    async def detail(self, row_id: str) -> Detail:
        """One lesson, whole."""
        return await self._run(self._tail_thread, lambda: self._detail(row_id))

    def _detail(self, row_id: str) -> Detail:
        from learnloop.service.lessons import queue
        from learnloop.service.sessions import sessions

        ws = self._workspace()
        lesson = queue.find(ws, row_id)
        is_judged = lesson.status != "draft" or bool(lesson.reviewed_at)
        past = sessions.history(ws, None, lambda one: row_id in one.lesson_ids) if is_judged else ()
        return Detail(
            lesson,
            queue.explain_strength(lesson),
            queue.explain_usefulness(lesson),
            tuple(Past(one["ts"], one["sentence"], one["undone"]) for one in past),
            queue.explain_promise(lesson),
        )

    async def whole(self, ids: Sequence[str]) -> tuple[Lesson, ...]:
        """Several lessons."""
        return await self._run(self._tail_thread, lambda: self._whole(ids))

    def _whole(self, ids: Sequence[str]) -> tuple[Lesson, ...]:
        from learnloop.service.lessons import queue

        return tuple(queue.find(self._workspace(), name) for name in ids)


def _keymap(wished: Mapping[str, Sequence[str]]) -> tuple[Mapping[str, tuple[str, ...]], tuple[str, ...]]:
    """The keys in force that are not the table's, and what of the wishes cannot be."""
    if not wished:
        return {}, ()
    from learnloop.keymap import keymap

    return keymap.resolved(wished)
