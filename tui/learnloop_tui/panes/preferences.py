"""Preferences: what is believed of the person, their projects and agents; confirmed before agents read it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from learnloop.faces import beliefs
from learnloop_tui.panes.actions import Action
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.list_pane import ListPane
from learnloop_tui.view import list_view, preference_lines, text
from learnloop_tui.view.preference_state import BeliefsView
from learnloop_tui.widgets.row_list import Tall

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop.faces.beliefs import Believed
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.text import Line


class PreferencesPane(ListPane[BeliefsView]):
    """A list of beliefs beside the evidence of the one under the cursor."""

    PLACE = "preferences"
    shown_view = "yours"
    PAGE = "Evidence"
    BINDINGS = bindings("preferences", "list")

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        super().__init__(bridge, now_ms, BeliefsView(), Tall(preference_lines.height, preference_lines.row))

    def handlers(self) -> dict[str, Action]:
        return {
            **super().handlers(),
            "promote": Action(
                self._confirm,
                lambda: self._why_not(("unknown", "nobody has said enough of it yet: e says it for them")),
            ),
            "reject": Action(self._drop, self._why_not_drop),
            "edit": Action(self._reword, lambda: self._why_not_side() or self._why_not()),
        }

    def to_copy(self, *, name: bool = False) -> str:
        current = self.view.current
        if current is None:
            return ""
        return current.id if name else current.statement

    async def read(self) -> tuple[Believed, ...]:
        from learnloop.service.profile import belief_verdicts

        return beliefs.items(await self._bridge.long(belief_verdicts.belief_page))

    def fill(self, data: tuple[Believed, ...]) -> None:
        is_first = not self.view.loaded
        self.view = list_view.with_rows(self.view, data)
        if is_first:
            self.view = list_view.moved(self.view, 1)  # below the first heading
        self._draw()

    # What is shown

    def header(self, width: int) -> Line:
        return preference_lines.header(width)

    def nothing(self) -> list[Line]:
        return preference_lines.nothing(self.view.query)

    def title(self) -> tuple[str, str]:
        waiting = sum(row.state == "open" for row in self.view.rows)
        return f"Lessons · yours{f' · {waiting:,} to confirm' if waiting else ''}", self.filter_note()

    def page(self, width: int) -> list[Line]:
        current = self.view.current
        return preference_lines.page(current, width, self._now_ms()) if current else []

    # Verdicts

    async def _confirm(self) -> None:
        """Confirm; where two sides contradict each other, ask which holds."""
        row = self.view.current
        if row is None:
            return
        if row.group == "contradiction":
            rules = {side.lesson_id: side.statement for side in (row.belief.one, row.belief.other)}
            resolve = partial(self._decide, "resolve", row, "Decided")
            await self._choose(
                "Which of the two rules is right?", rules, lambda lesson_id: resolve(keep=lesson_id)
            )
        elif row.group == "trait" and row.belief.conflict:
            await self._choose_value(row, f"Which do you want: {row.where}?")
        else:
            self._decide("confirm", row, "Confirmed")

    async def _choose_value(self, row: Believed, title: str) -> None:
        confirm = partial(self._decide, "confirm", row, "Confirmed")
        await self._choose(title, row.belief.choices, lambda value: confirm(value=value))

    async def _choose(self, title: str, choices: dict[str, str], chosen: Callable[[str], None]) -> None:
        from learnloop_tui.dialogs.choice import ChoiceScreen

        await self.ask(ChoiceScreen(title, choices), chosen)

    def _why_not_drop(self) -> str:
        return self._why_not_side() or self._why_not(
            ("unknown", "there is no belief yet"), ("dropped", "it is dropped already")
        )

    def _drop(self) -> None:
        if self.view.current is not None:
            self._decide("dismiss", self.view.current, "Dropped")

    async def _reword(self) -> None:
        """Confirm with other words; of a trait that nobody spoke of, choose a value first."""
        from learnloop_tui.dialogs.sentence_screen import BeliefScreen

        row = self.view.current
        if row is None:
            return
        if row.group == "trait" and row.state == "unknown":
            await self._choose_value(row, f"What do you want: {row.where}?")
            return

        confirm = partial(self._decide, "confirm", row, "Confirmed")
        await self.ask(BeliefScreen(row.statement), lambda words: confirm(statement=words))

    def _why_not_side(self) -> str:
        row = self.view.current
        is_choice = row is not None and row.group == "contradiction"
        return "Choose one of the two rules: p." if is_choice else ""

    def _why_not(self, *states: tuple[str, str]) -> str:
        """Why the row cannot be decided on, with a reason for each of those states."""
        row = self.view.current
        if row is None:
            return "There is nothing here."
        if row.group == "recurring":
            return "A recurring correction becomes a draft: see 1 Inbox."
        return next((f"{row.where}: {why}." for state, why in states if row.state == state), "")

    def _decide(self, action: str, row: Believed, done: str, **args: Any) -> None:
        words = text.cut(args.get("statement", row.statement), 60)
        self.decide(action, row.id, f"{done} “{words}”", args)
