"""The form in which a lesson is changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from textual import on, work
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Input, Select, Static, TextArea

from learnloop.models.kinds import CONTENT_FIELDS
from learnloop.service.id_prefix import shown
from learnloop.service.lessons.row import asked_words
from learnloop_tui.dialogs.dialog import box
from learnloop_tui.dialogs.outside import Outside
from learnloop_tui.view import form, text
from learnloop_tui.view.state import Section
from learnloop_tui.widgets.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.app import ComposeResult
    from textual.widget import Widget

    from learnloop.models import Lesson
    from learnloop.models.kinds import ContentField


Try = Callable[[Mapping[str, Any]], Awaitable[Section | None]]
"""The backtest of a lesson with these changes; None where a later question came."""


PAUSE_S = 0.15
"""So long nothing may be typed before triggers are tried."""


class Trial(Static):
    """Shows the backtest of the triggers in a form; only the last question is answered."""

    DEFAULT_CSS = """
    Trial { height: auto; min-height: 2; color: $foreground 70%; margin-top: 1; }
    """

    def __init__(self, try_: Try) -> None:
        super().__init__(text.content(""), id="trial")
        self._try = try_

    @work(group="trial", exclusive=True, exit_on_error=False)
    async def ask(self, changes: Mapping[str, Any]) -> None:
        """Try a lesson with these changes, once nothing more is typed."""
        await asyncio.sleep(PAUSE_S)
        self.show_section(await self._try(changes))

    def show_section(self, section: Section | None) -> None:
        """Show the first facts of a backtest."""
        if section is not None:
            facts = (f"{fact.label:<13}{text.cut(fact.value, 60)}" for fact in section.facts[:4])
            self.update(text.content("\n".join(facts)))


class EditScreen(Outside[dict[str, Any]]):
    """Gives what changed."""

    DEFAULT_CSS = """
    EditScreen .row { height: auto; }
    EditScreen .row.-wide, EditScreen .row.-last { margin-bottom: 1; }
    EditScreen .row .label { width: 13; }
    EditScreen .row Input, EditScreen .row Sentence { width: 1fr; }
    EditScreen .form { height: auto; max-height: 28; scrollbar-size-vertical: 1; }
    EditScreen .row .items { width: 1fr; height: auto; min-height: 3; max-height: 8; }
    EditScreen .kind { height: auto; margin-bottom: 1; }
    EditScreen Select { width: 24; }
    EditScreen Select > SelectCurrent { border: none; padding: 0 1; height: 1; background: $background; }
    EditScreen Select:focus > SelectCurrent { background: $panel; }
    EditScreen Select > SelectOverlay { border: round $border; max-height: 10; }
    """
    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("ctrl+s", "save", "save", priority=True),
        Binding("escape", "leave", "cancel", priority=True),
    ]

    def __init__(self, lesson: Lesson, try_: Try | None = None) -> None:
        super().__init__()
        self._lesson = lesson
        self._trial = Trial(try_) if try_ else None
        self._kind: str = lesson.kind

    def compose(self) -> ComposeResult:
        filled = form.fields(self._lesson)
        asked = asked_words(self._lesson.title)
        rows = [
            self._row("statement", Sentence(filled["statement"], id="statement", asked=asked), "-wide"),
            self._row("title", self._input("title", filled["title"], "a few words for lists")),
            self._row("more", self._input("description", filled["description"], "why, or how")),
            self._row("kind", self._select("kind", form.KINDS, filled["kind"])),
            self._row("priority", self._select("priority", form.PRIORITIES, filled["priority"]), "-last"),
            *self._content(self._kind, filled),
            Static(
                text.content("Recalled when, with commas between", "bold"), classes="label", id="triggers"
            ),
            *(
                self._row(label, self._input(name, filled[name], f"for example {example}"))
                for name, (label, example) in form.TRIGGERS.items()
            ),
            self._row("has to pass", self._input("run", filled["run"], "a command: ruff check")),
        ]
        yield box(
            VerticalScroll(*rows, classes="form", can_focus=False),
            *([self._trial] if self._trial is not None else []),
            Static(text.content(""), classes="problem"),
            title=f"Edit {shown(self._lesson.id)}",
            keys="enter or ctrl+s saves · tab goes on · f4 in your editor · esc cancels",
        )

    def on_mount(self) -> None:
        self.query_one(Sentence).focus()
        if self._trial is not None:
            self._trial.ask({})

    def _content(self, kind: str, filled: form.Fields) -> Iterator[Vertical]:
        """What a kind holds, in a block; only a chosen kind has one, as each costs time to lay out."""
        if fields := CONTENT_FIELDS[kind]:
            rows = [self._row(field.label, self._field(kind, field, filled)) for field in fields]
            yield Vertical(*rows, classes="kind", id=f"kind-{kind}")

    def _field(self, kind: str, field: ContentField, filled: form.Fields) -> Widget:
        name = f"{kind}-{field.name}"
        if field.is_list:
            area = TextArea(filled[name], id=name, compact=True, soft_wrap=True, tab_behavior="focus")
            area.placeholder = f"{field.help}, one on a line"
            area.add_class("items")
            return area
        if field.choices:
            shown = [(choice or "–", choice) for choice in field.choices]
            value = filled[name] if filled[name] in field.choices else field.choices[0]
            return Select(shown, value=value, allow_blank=False, id=name, compact=True)
        needed = " (needed)" if field.is_required else ""
        return Input(
            filled[name], placeholder=field.help + needed, id=name, compact=True, select_on_focus=False
        )

    @on(Select.Changed, "#kind")
    async def _follow_kind(self, event: Select.Changed) -> None:
        """Show what the kind holds, with what carries over."""
        kind, old = str(event.value), self._kind
        if kind == old:
            return
        self._kind = kind
        if not self.query(f"#kind-{kind}"):
            await self.query_one(".form").mount(*self._content(kind, self.typed()), before="#triggers")
        for name, value in form.carried(self._lesson, old, kind, self.typed()).items():
            field = self.query_one(f"#{name}")
            if isinstance(field, TextArea):
                field.load_text(value)
            elif isinstance(field, Input | Select):
                field.value = value
        for block in self.query(".kind"):
            block.display = block.id == f"kind-{kind}"

    def _row(self, label: str, field: Widget, classes: str = "") -> Horizontal:
        return Horizontal(Static(text.content(label), classes="label"), field, classes=f"row {classes}")

    def _input(self, name: str, value: str, example: str) -> Input:
        return Input(value, placeholder=example, id=name, compact=True, select_on_focus=False)

    def _select(self, name: str, options: tuple[str, ...], value: str) -> Select[str]:
        return Select(
            [(option, option) for option in options], value=value, allow_blank=False, id=name, compact=True
        )

    def typed(self) -> form.Fields:
        inputs = {str(field.id): field.value for field in self.query(Input) if field.id}
        selects = {str(field.id): str(field.value) for field in self.query(Select)}
        areas = {str(field.id): field.text for field in self.query(TextArea) if field.id}
        return {**form.fields(self._lesson), **areas, **inputs, **selects}

    @on(Input.Changed)
    @on(Select.Changed)
    def _follow(self) -> None:
        if self._trial is not None and self._trial.is_attached:
            self._trial.ask(form.changes(self._lesson, self.typed()))

    @on(Sentence.Submitted)
    @on(Input.Submitted)
    def action_save(self) -> None:
        typed = self.typed()
        wrong = form.problem(typed, needs_words=self._lesson.needs_words)
        if wrong:
            self._tell(wrong[1])
            self.query_one(f"#{wrong[0]}").focus()
            return
        self.dismiss(form.changes(self._lesson, typed))

    def action_leave(self) -> None:
        """Escape closes an open choice first."""
        select = next((field for field in self.query(Select) if field.expanded), None)
        if select is not None:
            select.expanded = False
        else:
            super().action_leave()

    def is_changed(self) -> bool:
        return self.typed() != form.fields(self._lesson)
