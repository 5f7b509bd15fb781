"""Asks which of a few: one key answers, perhaps with own words; or several are ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events, on
from textual.binding import Binding
from textual.widgets import Input, OptionList, SelectionList, Static
from textual.widgets.option_list import Option
from textual.widgets.selection_list import Selection

from learnloop.learn.lessons.reasons import LETTERS as REJECTING_LETTERS
from learnloop.learn.lessons.reasons import OTHER, REJECTING
from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view import patch_lines, text
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from textual.app import ComposeResult
    from textual.content import Content
    from textual.widget import Widget

    from learnloop.service.patches.file_jobs import PatchResult
    from learnloop.service.patches.preview import FilePreview
    from learnloop.service.review.check_trial import Choice

ARCHIVING = {
    "unused": "it never matters",
    "superseded": "something else says it better",
    "expired": "it was true once",
    "harmful": "it made things worse",
}
LETTERS = REJECTING_LETTERS | {"unused": "u", "superseded": "s", "expired": "x", "harmful": "h"}
"""The key of each reason that has one; every choice has its digit besides, `other` the 0."""
_KEY, _NAME = 4, 15
_MOST_HITS = 3

__all__ = ["ARCHIVING", "LETTERS", "OTHER", "REJECTING", "ChoiceScreen", "TickScreen", "WayScreen"]


class ChoiceScreen(Dialog[str]):
    """Gives the name of what was chosen: `other` where own words were asked for and none typed."""

    def __init__(
        self, title: str, choices: Mapping[str, str], *, free: bool = False, above: Sequence[Widget] = (),
        keys: str = "one key, or enter · esc cancels",
    ) -> None:  # fmt: skip
        """`choices`: what each name means. With `free` own words are one more."""
        super().__init__()
        self._title, self._above, self._keys = title, above, keys
        self._choices = {name: words for name, words in choices.items() if name != OTHER}
        if free:
            self._choices[OTHER] = choices.get(OTHER, "in your words")

    def compose(self) -> ComposeResult:
        options = [
            Option(self._option(at, name, words), id=name)
            for at, (name, words) in enumerate(self._choices.items(), 1)
        ]
        other = Input(placeholder="the reason in your words, or nothing", compact=True)
        other.display = False
        title = text.cut(self._title, 60)
        yield box(*self._above, OptionList(*options, compact=True), other, title=title, keys=self._keys)

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
        if chosen := self._meant(event.character or ""):
            event.stop()
            self._choose(chosen)
        elif event.key in ("j", "k"):
            listing.action_cursor_down() if event.key == "j" else listing.action_cursor_up()

    def _meant(self, character: str) -> str:
        """The choice of a letter or a digit; empty where it has none."""
        names = list(self._choices)
        if character.isdecimal():
            at = int(character)
            return OTHER if not at and OTHER in names else names[at - 1] if 0 < at <= len(names) else ""
        return next((name for name in names if character and LETTERS.get(name) == character), "")

    @on(OptionList.OptionSelected)
    def _picked(self, event: OptionList.OptionSelected) -> None:
        self._choose(event.option.id or "")

    def _choose(self, chosen: str) -> None:
        if chosen != OTHER:
            self.dismiss(chosen)
            return
        other = self.query_one(Input)
        other.display = True
        other.focus()

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        self.dismiss(text.line(event.value) or OTHER)


class WayScreen(ChoiceScreen):
    """Gives how a check binds, with what it would have done above; p or enter takes what is recommended."""

    def __init__(self, title: str, choice: Choice) -> None:
        self._at = choice.ways.index(choice.recommended)
        trial = choice.trial
        facts = (
            *(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in trial.check), f"It {trial.words}.",
            *(f"  {hit.ts[:10]}  {hit.what}" for hit in (*trial.stopped, *trial.sent_back)[-_MOST_HITS:]), "",
        )  # fmt: skip
        above = Static(text.content("\n".join(map(text.line, facts))), classes="hint")
        super().__init__(title, {way: choice.shown(way) for way in choice.ways}, above=[above])

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(OptionList).highlighted = self._at

    def _meant(self, character: str) -> str:
        return super()._meant(str(self._at + 1) if character == "p" else character)


class FileChoiceScreen(ChoiceScreen):
    """A choice about a file, which is shown above; leaving it decides nothing."""

    DEFAULT_CSS = """
    FileChoiceScreen > .box { width: 110; }
    FileChoiceScreen Page { height: 12; }
    """

    def __init__(self, title: str, why: str, choices: Mapping[str, str], leaves: str) -> None:
        self.shown = Page()
        self.shown.can_focus = False
        above = [Static(text.content(why), classes="hint"), self.shown]
        keys = f"a digit or enter · esc leaves {leaves} as it is"
        super().__init__(title, choices, above=above, keys=keys)


NOWHERE = {"none": "none: no file is changed; you see to it yourself"}


class ImportScreen(FileChoiceScreen):
    """Gives which file gets the line that makes agents read a file of facts, or `none`.

    The diff of the one under the cursor is shown.
    """

    def __init__(self, path: str, previews: Sequence[FilePreview]) -> None:
        self._preview_by_path = {preview.path: preview for preview in previews}
        why = f"No agent reads {path} yet. One line makes them read it; it may go into:"
        choices = {path: path for path in self._preview_by_path} | NOWHERE
        super().__init__("Who reads it", why, choices, "everything")

    @on(OptionList.OptionHighlighted)
    def _show(self, event: OptionList.OptionHighlighted) -> None:
        preview = self._preview_by_path.get(event.option.id or "")
        self.shown.show(lambda width: list(patch_lines.diff(preview, width)) if preview else [])


EDITED = {
    "keep": "keep: the words stay as they are and are yours from now on",
    "remove": "remove: the block goes, with what was edited in it",
    "restore": "restore: the whole file from before comes back from the backup",
}
GONE = {
    "restore": "restore: the file comes back from the backup",
    "remove": "forget: the block counts as reverted",
}


class ConflictScreen(FileChoiceScreen):
    """Gives what becomes of a block that was edited by hand, or of a file that is gone.

    Files without a conflict are changed already.
    """

    def __init__(self, result: PatchResult) -> None:
        super().__init__("You decide", result.error, EDITED if result.sides else GONE, "this file")
        self.shown.display = bool(result.sides)
        self.shown.show(lambda width: list(patch_lines.three_sides(result.sides or {}, width)))


class TickScreen(Dialog[tuple[str, ...]]):
    """Gives the names of what is ticked."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter,ctrl+s", "save", "done", priority=True),
        Binding("a", "all", "all", show=False),
        Binding("j", "down", "down", show=False),
        Binding("k", "up", "up", show=False),
    ]

    def __init__(self, title: str, lines: Iterable[tuple[str, str, bool]], why: str = "") -> None:
        """`lines`: of each its words, its name, and whether it is ticked; `why` stands above them."""
        super().__init__()
        self._why = why
        selections = (Selection(text.content(words), name, ticked) for words, name, ticked in lines)
        self._title, self._list = title, SelectionList[str](*selections, compact=True)

    def compose(self) -> ComposeResult:
        why = [Static(text.content(self._why), classes="hint")] if self._why else []
        yield box(
            *why, self._list, title=self._title, keys="space ticks · a all · enter is done · esc cancels"
        )

    def on_mount(self) -> None:
        self._list.focus()

    def action_all(self) -> None:
        every = len(self._list.selected) == self._list.option_count
        self._list.deselect_all() if every else self._list.select_all()

    def action_down(self) -> None:
        self._list.action_cursor_down()

    def action_up(self) -> None:
        self._list.action_cursor_up()

    def action_save(self) -> None:
        self.dismiss(tuple(self._list.selected))
