"""Preferences: what is believed of the person, their projects and agents; confirmed before it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop_tui.bridge import profile_queries
from learnloop_tui.panes.base import VerdictGiven
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.paged import PagedPane
from learnloop_tui.view import preference_lines, preference_state, text
from learnloop_tui.view.preference_state import BeliefsView, Believed
from learnloop_tui.view.state import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.text import Line

_TOLD_ELSEWHERE = {
    "rule": "A rule is a lesson: promote, edit or archive it on panes 1 and 2.",
    "recurring": "A recurring correction becomes a draft: see pane 1.",
}


class PreferencesPane(PagedPane):
    """A list of beliefs beside the evidence of the one under the cursor."""

    shown: BeliefsView
    PLACE = "preferences"
    BINDINGS = [*bindings("preferences"), *bindings("list")]  # noqa: RUF012  # as Textual declares it

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        self.shown = BeliefsView()
        super().__init__(bridge, now_ms, preference_lines.row)

    def to_copy(self, *, name: bool = False) -> str:
        """What is believed, or its id."""
        current = self.shown.current
        if current is None:
            return ""
        return current.id if name else current.statement

    async def read(self) -> tuple[Believed, ...]:
        """Everything that is believed."""
        return preference_state.items(await self._bridge.long(profile_queries.beliefs))

    def fill(self, found: tuple[Believed, ...]) -> None:
        """Show what was read."""
        self.shown = preference_state.with_rows(self.shown, found)
        self._draw()

    # What is shown

    def header(self, width: int) -> Line:
        """The heads of the columns."""
        return preference_lines.header(width)

    def nothing(self) -> list[Line]:
        """Nothing is believed yet, or nothing fits."""
        return preference_lines.nothing(self.shown.query)

    def title(self) -> tuple[str, str]:
        """How much waits for the person."""
        waiting = sum(row.state == "open" for row in self.shown.rows)
        return f"Preferences{f' · {waiting:,} to confirm' if waiting else ''}", self.said_of_query()

    def page_title(self) -> str:
        """What stands on the page."""
        return "Evidence"

    def page(self, width: int) -> list[Line]:
        """What is believed, and from what."""
        current = self.shown.current
        return preference_lines.page(current, width, self._now_ms()) if current else []

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
        from learnloop_tui.dialogs.reason import ReasonScreen

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
        from learnloop_tui.dialogs.belief import BeliefScreen

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
            VerdictGiven(verdict, {}, f"{said} “{text.cut(args.get('statement', one.statement), 60)}”")
        )

    # Filter

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


def _rules(one: Believed) -> dict[str, str]:
    return {side.lesson_id: side.statement for side in (one.found.one, one.found.other)}
