"""A pane with a list beside the page of the row under its cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.containers import Vertical

from learnloop_tui.panes.base import PaneChanged
from learnloop_tui.panes.cursor_pane import MovingPane
from learnloop_tui.view import pages
from learnloop_tui.view.list_view import moved
from learnloop_tui.widgets.line_widgets import Bar, Page, entitle
from learnloop_tui.widgets.rows import RowList

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.text import Line
    from learnloop_tui.widgets.rows import Draw


class PagedPane(MovingPane):
    """Draws list, column heads and page from one view; what they say is the pane's own."""

    shown: Any
    """The view: its rows, what the list shows of them, where the cursor stands."""

    def __init__(
        self,
        bridge: Bridge,
        now_ms: Callable[[], int],
        draw: Callable[..., Line],
        heads: Bar | None = None,
    ) -> None:
        super().__init__(bridge, now_ms)
        self._rows = RowList(cast("Draw", draw))
        self._heads = heads or Bar(classes="columns")
        self._empty = Page(classes="empty")
        self._page = Page()
        self._box = Vertical(self._heads, self._rows, self._empty, classes="list")
        self._frame = Vertical(self._page, classes="detail")

    def compose(self) -> ComposeResult:
        """The list and the page beside it."""
        yield self._box
        yield self._frame

    def on_mount(self) -> None:
        """Nothing is loaded yet."""
        self._empty.can_focus = False
        self._draw()

    def take_focus(self) -> None:
        """The list has the keys, the pane itself where it is empty; what it shows is read."""
        (self if self.shown.loaded and not self.shown.items else self._rows).focus()
        self.reload()

    def reload(self) -> None:
        """Read and show it; reads of one pane come back in order."""
        self.run_worker(self._reload(), group="reload", exit_on_error=False)

    async def _reload(self) -> None:
        self.fill(await self.read())

    async def read(self) -> Any:
        """What the pane shows."""
        raise NotImplementedError

    def fill(self, data: Any) -> None:
        """Show what was read."""
        raise NotImplementedError

    @property
    def plain(self) -> str:
        """What the page says."""
        return self._page.plain

    @property
    def asked(self) -> Any:
        """The view."""
        return self.shown

    def go(self, index: int) -> None:
        """The cursor on that row."""
        self._set(moved(self.shown, index))

    def _set(self, view: Any) -> None:
        """Show that view; the page begins at its top where the cursor is on another row."""
        before, self.shown = self.shown.current, view
        now = view.current
        is_other = (before and before.id) != (now and now.id)
        if is_other:
            self.pointed()
        self._draw(top=is_other)

    def pointed(self) -> None:
        """The cursor is on another row."""

    def _draw(self, *, top: bool = False) -> None:
        is_empty = not self.shown.items
        self._rows.display = self._heads.display = not is_empty
        self._empty.display = is_empty
        self.keep_keys(self._rows, self._page, is_empty=is_empty)
        self._rows.show(self.shown)
        self._heads.show(lambda width: (self.header(width - 1), {}))
        self._empty.show(self._empty_lines)
        entitle(self._box, *self.title())
        entitle(self._frame, self.page_title())
        self._page.show(self.page, keep_place=not top)
        self.post_message(PaneChanged())

    def _empty_lines(self, width: int) -> list[Line]:
        return pages.wrapped(self.nothing(), width) if self.shown.loaded else pages.loading()

    def header(self, width: int) -> Line:
        """The heads of the columns."""
        raise NotImplementedError

    def nothing(self) -> list[Line]:
        """What stands where the list is empty."""
        raise NotImplementedError

    def title(self) -> tuple[str, str]:
        """What the frame of the list says above and below."""
        raise NotImplementedError

    def page_title(self) -> str:
        """What the frame of the page says."""
        raise NotImplementedError

    def page(self, width: int) -> list[Line]:
        """All about the row under the cursor."""
        raise NotImplementedError
