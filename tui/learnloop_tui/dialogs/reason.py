"""Asks why a lesson is rejected or archived: one key answers."""

from collections.abc import Mapping

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from learnloop.learn.lessons.reasons import LETTERS as REJECTING_LETTERS
from learnloop.learn.lessons.reasons import OTHER, REJECTING
from learnloop.service.review.check_trial import Choice
from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view import text

ARCHIVING = {
    "unused": "it never matters",
    "superseded": "something else says it better",
    "expired": "it was true once",
    "harmful": "it made things worse",
}
LETTERS = REJECTING_LETTERS | {"unused": "u", "superseded": "s", "expired": "x", "harmful": "h"}
"""The key of each reason that has one; every reason has its digit besides, `other` the 0."""
_KEY, _NAME = 4, 15

_MOST_HITS = 3

__all__ = ["ARCHIVING", "LETTERS", "OTHER", "REJECTING", "ReasonScreen", "WayScreen"]


class ReasonScreen(Dialog[str]):
    """Gives the reason, which is `other` where own words were asked for and none typed."""

    def __init__(
        self, title: str, reasons: Mapping[str, str], *, free: bool = True, above: Widget | None = None
    ) -> None:
        super().__init__()
        self._title = title
        self._reasons = {name: words for name, words in reasons.items() if name != OTHER}
        if free:
            self._reasons[OTHER] = reasons.get(OTHER, "in your words")
        self._above = above

    def compose(self) -> ComposeResult:
        options = [
            Option(self._option(at, name, words), id=name)
            for at, (name, words) in enumerate(self._reasons.items(), 1)
        ]
        other = Input(placeholder="the reason in your words, or nothing", compact=True)
        other.display = False
        above = [self._above] if self._above is not None else []
        title, keys = text.cut(self._title, 60), "one key, or enter · esc cancels"
        yield box(*above, OptionList(*options, compact=True), other, title=title, keys=keys)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    def _option(self, at: int, name: str, words: str) -> Content:
        letter = LETTERS.get(name, "")
        digit = "0" if name == OTHER else str(at)
        key = text.content(f" {text.fit(letter or digit, _KEY - 2)} ", "bold $primary")
        if not letter:
            return text.join(key, text.content(words))
        return text.join(key, text.content(text.fit(name, _NAME)), text.content(words, "$foreground 60%"))

    def on_key(self, event: events.Key) -> None:
        listing = self.query_one(OptionList)
        if not listing.has_focus:
            return
        reason = self._meant(event.character or "")
        if reason:
            event.stop()
            self._choose(reason)
        elif event.key in ("j", "k"):
            listing.action_cursor_down() if event.key == "j" else listing.action_cursor_up()

    def _meant(self, character: str) -> str:
        """The reason of a letter or a digit; empty where it has none."""
        names = list(self._reasons)
        if character.isdecimal():
            at = int(character)
            return OTHER if not at and OTHER in names else names[at - 1] if 0 < at <= len(names) else ""
        return next((name for name in names if character and LETTERS.get(name) == character), "")

    @on(OptionList.OptionSelected)
    def _picked(self, event: OptionList.OptionSelected) -> None:
        self._choose(event.option.id or "")

    def _choose(self, reason: str) -> None:
        if reason != OTHER:
            self.dismiss(reason)
            return
        other = self.query_one(Input)
        other.display = True
        other.focus()

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        self.dismiss(text.line(event.value) or OTHER)


class WayScreen(ReasonScreen):
    """Gives how a check binds, with what it would have done above; p or enter takes what is recommended."""

    def __init__(self, title: str, choice: Choice) -> None:
        self._at = choice.ways.index(choice.recommended)
        trial = choice.trial
        facts = (
            *(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in trial.check), f"It {trial.words}.",
            *(f"  {hit.ts[:10]}  {hit.what}" for hit in (*trial.stopped, *trial.sent_back)[-_MOST_HITS:]), "",
        )  # fmt: skip
        above = Static(text.content("\n".join(map(text.line, facts))), classes="hint")
        super().__init__(title, {way: choice.shown(way) for way in choice.ways}, free=False, above=above)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(OptionList).highlighted = self._at

    def _meant(self, character: str) -> str:
        return super()._meant(str(self._at + 1) if character == "p" else character)
