"""Preferences: what is believed of the person, their projects and agents; confirmed before it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.containers import Vertical

from learnloop_tui import commands, pages, preference_lines, preference_state, text
from learnloop_tui.pointing import moved
from learnloop_tui.preference_state import BeliefsView, Believed
from learnloop_tui.state import Verdict
from learnloop_tui.widgets.drawn import Bar, Page, entitle
from learnloop_tui.widgets.moving import MovingPane
from learnloop_tui.widgets.panes import Changed, Decided, Refill
from learnloop_tui.widgets.rows import RowList

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.state import View
    from learnloop_tui.text import Line
    from learnloop_tui.widgets.rows import Draw

_TOLD_ELSEWHERE = {
    "rule": "A rule is a lesson: promote, edit or archive it on panes 1 and 2.",
    "recurring": "A recurring correction becomes a draft: see pane 1.",
}


class PreferencesPane(MovingPane):
    """A list of beliefs beside the evidence of the one under the cursor."""

    PLACE = "preferences"
    BINDINGS = [*commands.bindings("preferences"), *commands.bindings("list")]  # noqa: RUF012  # as Textual declares it

    def __init__(self, now_ms: Callable[[], int]) -> None:
        super().__init__(id=self.PLACE)
        self.shown = BeliefsView()
        self._now_ms = now_ms
        self._rows = RowList(cast("Draw", preference_lines.row))
        self._columns = Bar(classes="columns")
        self._empty = Page(classes="empty")
        self._page = Page()
        self._box = Vertical(self._columns, self._rows, self._empty, classes="list")
        self._frame = Vertical(self._page, classes="detail")

    def compose(self) -> ComposeResult:
        """The list and the page beside it."""
        yield self._box
        yield self._frame

    def on_mount(self) -> None:
        """Nothing is loaded yet."""
        self._empty.can_focus = False
        self._frame.border_title = text.content("Evidence")
        self._draw()

    def take_focus(self) -> None:
        """The list has the keys; what is believed is read."""
        (self if self.shown.loaded and not self.shown.items else self._rows).focus()
        self.post_message(Refill(self))

    def to_copy(self, *, name: bool = False) -> str:
        """What is believed, or its id."""
        current = self.shown.current
        if current is None:
            return ""
        return current.id if name else current.statement

    async def read(self, bridge: Bridge) -> tuple[Believed, ...]:
        """Everything that is believed."""
        return preference_state.items(await bridge.believed())

    def fill(self, found: tuple[Believed, ...]) -> None:
        """Show what was read."""
        self.shown = preference_state.with_rows(self.shown, found)
        self._draw()

    # What is shown

    def _set(self, view: BeliefsView) -> None:
        before, self.shown = self.shown.current, view
        self._draw(top=(before and before.id) != (view.current and view.current.id))

    def _draw(self, *, top: bool = False) -> None:
        view = self.shown
        is_empty = not view.items
        self._rows.display = self._columns.display = not is_empty
        self._empty.display = is_empty
        self.keep_keys(self._rows, self._page, is_empty=is_empty)
        self._rows.show(cast("View", view))
        self._columns.show(lambda width: (preference_lines.header(width - 1), {}))
        self._empty.show(self._empty_lines)
        waiting = sum(row.state == "open" for row in view.rows)
        count = f" · {waiting:,} to confirm" if waiting else ""
        entitle(self._box, f"Preferences{count}", self.said_of_query())
        self._page.show(self._page_lines, keep_place=not top)
        self.post_message(Changed())

    def _empty_lines(self, width: int) -> list[Line]:
        if not self.shown.loaded:
            return pages.loading()
        return pages.wrapped(preference_lines.nothing(self.shown.query), width)

    def _page_lines(self, width: int) -> list[Line]:
        current = self.shown.current
        return preference_lines.page(current, width, self._now_ms()) if current else []

    @property
    def plain(self) -> str:
        """What the page says."""
        return self._page.plain

    # Verdicts

    def why_not_confirm(self) -> str:
        """Only what is believed can be confirmed."""
        return self._not_here(("unknown", "nobody has said enough of it yet: e says it for them"))

    async def do_confirm(self) -> None:
        """Confirm; where two sides stand against each other, ask which holds."""
        one = self.shown.current
        if one is None:
            return
        if one.group == "contradiction":
            await self._choose(one, "Which of the two rules holds?", _rules(one), self._keep)
        elif one.group == "trait" and one.found.conflict:
            await self._choose(one, f"Which holds: {one.where}?", one.found.choices, self._take)
        else:
            self._decide("confirm", one, "Confirmed")

    async def _choose(
        self, one: Believed, title: str, choices: dict[str, str], chosen: Callable[[Believed, str], None]
    ) -> None:
        from learnloop_tui.screens.reason import ReasonScreen

        def answer(choice: str | None) -> None:
            if choice:
                chosen(one, choice)

        await self.app.push_screen(ReasonScreen(title, choices, free=False), answer)

    def _keep(self, one: Believed, lesson_id: str) -> None:
        self._decide("resolve", one, "Decided", keep=lesson_id)

    def _take(self, one: Believed, value: str) -> None:
        self._decide("confirm", one, "Confirmed", value=value)

    def why_not_drop(self) -> str:
        """Only what is believed can be dropped."""
        one = self.shown.current
        if one is not None and one.group == "contradiction":
            return "Choose one of the two rules: p."
        return self._not_here(("unknown", "nothing is believed of it"), ("dropped", "it is dropped already"))

    def do_drop(self) -> None:
        """Believe it no more."""
        if self.shown.current is not None:
            self._decide("dismiss", self.shown.current, "Dropped")

    def why_not_reword(self) -> str:
        """Only what agents are told at their start has words of its own."""
        one = self.shown.current
        if one is not None and one.group == "contradiction":
            return "Choose one of the two rules: p."
        return self._not_here()

    async def do_reword(self) -> None:
        """Confirm with other words; of a trait that nobody spoke of, choose a value first."""
        from learnloop_tui.screens.belief import BeliefScreen

        one = self.shown.current
        if one is None:
            return
        if one.group == "trait" and one.state == "unknown":
            await self._choose(one, f"What holds: {one.where}?", one.found.choices, self._take)
            return

        def reword(words: str | None) -> None:
            if words:
                self._decide("confirm", one, "Confirmed", statement=words)

        await self.app.push_screen(BeliefScreen(one.statement), reword)

    def _not_here(self, *states: tuple[str, str]) -> str:
        one = self.shown.current
        if one is None:
            return "There is nothing here."
        if one.group in _TOLD_ELSEWHERE:
            return _TOLD_ELSEWHERE[one.group]
        return next((f"{one.where}: {why}." for state, why in states if one.state == state), "")

    def _decide(self, action: str, one: Believed, said: str, **args: Any) -> None:
        verdict = Verdict(action, (one.id,), args)
        self.post_message(
            Decided(verdict, {}, f"{said} “{text.cut(args.get('statement', one.statement), 60)}”")
        )

    # Filter

    @property
    def asked(self) -> BeliefsView:
        """The list."""
        return self.shown

    def filter_by(self, query: str) -> None:
        """Show only beliefs that fit the query."""
        self._set(preference_state.filtered(self.shown, query))

    # Moving

    def do_read(self) -> None:
        """Read on in the evidence."""
        self._page.focus()

    def do_escape(self) -> None:
        """Leave the evidence, then the filter."""
        if self._page.has_focus:
            self._rows.focus()
        else:
            self.close_filter(keep=False)

    def go(self, index: int) -> None:
        """The cursor on that row."""
        self._set(moved(self.shown, index))


def _rules(one: Believed) -> dict[str, str]:
    return {side.lesson_id: side.statement for side in (one.found.one, one.found.other)}
