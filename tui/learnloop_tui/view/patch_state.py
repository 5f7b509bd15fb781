"""What the patches' pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop_tui.view.list_view import Pointing, followed, moved

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from learnloop.models.patch import Patch
    from learnloop.service.lessons.filters import Query
    from learnloop.service.patches.patches import FilePreview, TargetStatus

TABS = ("proposed", "active", "dismissed", "history")
TAB_NAMES = {
    "proposed": "Proposals",
    "active": "Applied",
    "dismissed": "Dismissed",
    "history": "History",
}


class Candidate(NamedTuple):
    """A file that a patch may go into."""

    path: str
    host: str
    scope: str
    kind: str
    name: str
    refusal: str


class PatchItem(NamedTuple):
    """One patch, or one line of the history."""

    id: str
    patch: Patch | None
    standing: str = ""
    """The worst of its files."""
    entry: Mapping[str, Any] | None = None


class Card(NamedTuple):
    """All about the patch under the cursor."""

    id: str
    statuses: tuple[TargetStatus, ...] = ()
    previews: tuple[FilePreview, ...] = ()
    reverting: bool = False
    """The previews are of reverting: everything it would add stands there."""
    outcome: str = ""
    candidates: tuple[Candidate, ...] = ()


class Desk(NamedTuple):
    """What was read in one go."""

    items: tuple[PatchItem, ...]
    history: tuple[PatchItem, ...]
    folders: tuple[str, ...]
    """Whose changes matter."""
    card: Card | None = None


@dataclass(frozen=True)
class PatchesView(Pointing[PatchItem]):
    """The list: which tab, what is in it, what is marked, where the cursor stands."""

    rows: tuple[PatchItem, ...] = ()
    entries: tuple[PatchItem, ...] = ()
    tab: str = "proposed"
    query: str = ""
    loaded: bool = False

    @cached_property
    def parsed(self) -> Query:
        """What the query asks, and what of it was not understood."""
        from learnloop.service.lessons import filters
        from learnloop_tui.view import filter_fields

        return filters.parse(self.query, 0, filter_fields.PATCHES, _haystack)

    @cached_property
    def items(self) -> tuple[PatchItem, ...]:
        """What the tab shows."""
        shown = self.entries if self.tab == "history" else self.rows
        return tuple(row for row in shown if _is_in(row, self.tab) and self.parsed.matches(row))

    @property
    def targets(self) -> tuple[PatchItem, ...]:
        """The marked rows, or the one under the cursor."""
        marked = tuple(row for row in self.items if row.id in self.marks)
        if marked:
            return marked
        return (self.current,) if self.current is not None else ()

    def count(self, tab: str) -> int:
        """How many rows a tab has."""
        return len(self.entries) if tab == "history" else sum(_is_in(row, tab) for row in self.rows)


def _is_in(row: PatchItem, tab: str) -> bool:
    return tab == "history" if row.patch is None else row.patch.state == tab


def _haystack(row: PatchItem) -> str:
    if row.patch is None:
        return str((row.entry or {}).get("sentence", "")).lower()
    one = row.patch
    paths = (target.path for target in one.targets)
    return " ".join((one.id, one.block, one.agent, one.project, one.reason, *paths)).lower()


def with_desk(view: PatchesView, rows: Iterable[PatchItem], entries: Iterable[PatchItem]) -> PatchesView:
    """New rows; cursor and marks stay on what they were on."""
    made = replace(view, rows=tuple(rows), entries=tuple(entries), loaded=True)
    return followed(view, replace(made, marks=view.marks & {row.id for row in made.rows}))


def on_tab(view: PatchesView, step: int) -> PatchesView:
    """The next tab, or the one before."""
    tab = TABS[(TABS.index(view.tab) + step) % len(TABS)]
    return moved(replace(view, tab=tab, marks=frozenset(), cursor=0), 0)


def filtered(view: PatchesView, query: str) -> PatchesView:
    """Only rows that fit the query."""
    return followed(view, replace(view, query=query))


def marked(view: PatchesView) -> PatchesView:
    """The row under the cursor marked or not any more, the cursor on the next one."""
    if view.current is None:
        return view
    return moved(replace(view, marks=view.marks ^ {view.current.id}), view.cursor + 1)


def all_marked(view: PatchesView) -> PatchesView:
    """All shown rows marked, or none where all are."""
    shown = frozenset(row.id for row in view.items)
    return replace(view, marks=frozenset() if shown <= view.marks else shown)


def unmarked(view: PatchesView) -> PatchesView:
    """No marks."""
    return replace(view, marks=frozenset())
