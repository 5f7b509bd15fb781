"""What the patches' pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from learnloop_tui.view.list_view import ListView, moved

if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnloop.models.patch import Patch
    from learnloop.service.patches.preview import FilePreview, TargetStatus

TABS = ("proposed", "active", "dismissed", "history")
TAB_NAMES = {"proposed": "Proposals", "active": "Applied", "dismissed": "Dismissed", "history": "History"}


class Candidate(NamedTuple):
    """A file that a patch may go into."""

    path: str
    readers: str
    """The hosts that read it, in words."""
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
    audience: str = ""
    """Whom the patch is for, in few words."""
    entry: Mapping[str, Any] | None = None


class PatchDetail(NamedTuple):
    """All about the patch under the cursor."""

    id: str
    statuses: tuple[TargetStatus, ...] = ()
    previews: tuple[FilePreview, ...] = ()
    reverting: bool = False
    """The previews are of reverting: the files contain everything that applying would add."""
    outcome: str = ""
    candidates: tuple[Candidate, ...] = ()
    lacks: str = ""
    """The path of the instruction file that its project does not have yet."""


class PatchesSnapshot(NamedTuple):
    """What was read in one go."""

    items: tuple[PatchItem, ...]
    history: tuple[PatchItem, ...]
    folders: tuple[str, ...]
    """Whose changes matter."""
    detail: PatchDetail | None = None
    why_nothing: str = ""
    """Why nothing is proposed."""


@dataclass(frozen=True, kw_only=True)
class PatchesView(ListView[PatchItem]):
    """The list: which tab, what is in it, what is marked, and the cursor."""

    PLACE: ClassVar[str] = "patches"

    entries: tuple[PatchItem, ...] = ()
    tab: str = "proposed"

    @staticmethod
    def haystack(row: PatchItem) -> str:
        patch = row.patch
        if patch is None:
            return str((row.entry or {}).get("sentence", "")).lower()
        paths = (target.path for target in patch.targets)
        return " ".join((patch.id, patch.block, row.audience, patch.project, patch.reason, *paths)).lower()

    @cached_property
    def items(self) -> tuple[PatchItem, ...]:
        shown = self.entries if self.tab == "history" else self.rows
        return self.fitting(tuple(row for row in shown if _is_in(row, self.tab)))

    @property
    def total(self) -> int:
        return self.count(self.tab)

    def count(self, tab: str) -> int:
        return len(self.entries) if tab == "history" else sum(_is_in(row, tab) for row in self.rows)


def _is_in(row: PatchItem, tab: str) -> bool:
    return tab == "history" if row.patch is None else row.patch.state == tab


def on_tab(view: PatchesView, step: int) -> PatchesView:
    """The next tab, or the one before."""
    tab = TABS[(TABS.index(view.tab) + step) % len(TABS)]
    return moved(replace(view, tab=tab, marks=frozenset(), cursor=0), 0)
