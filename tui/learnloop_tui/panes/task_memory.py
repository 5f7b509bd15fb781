"""Memory: tasks, what they taught, and the logs of days; which of it agents are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop.models.memory import Memory
from learnloop.models.task import Task
from learnloop_tui.bridge import memory_queries
from learnloop_tui.panes.actions import Action, needs
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.list_pane import ListPane
from learnloop_tui.panes.pane import LessonRequested
from learnloop_tui.view import list_view, memory_lines, memory_state, text
from learnloop_tui.view.memory_state import MemoryRows, MemoryView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.worker import WorkType

    from learnloop.service.tasks.task_list import PrimedSession
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.state import Row, Snapshot
    from learnloop_tui.view.text import Line

_FIRST, _MORE = 300, 4
"""So many rows are read at first, and so many times as many at the end of the list."""
_AGAIN_S = 0.5
"""After so long the next days are read for their memories."""


class MemoryPane(ListPane[MemoryView]):
    """One of three lists beside the page of the row under the cursor; reads the newest rows only."""

    PLACE = "memory"
    shown_view = "work"
    BINDINGS = bindings("memory", "list")

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        self._most = _FIRST
        self._priming: Mapping[str, bool] = {}
        self._behind = 0
        self._more: tuple[str, str, tuple[PrimedSession, ...]] = ("", "", ())
        """What was read last of one row: its id, of a log the text, of a task the sessions told of it."""
        self._lessons: tuple[Row, ...] = ()
        self._corrections: tuple[str, ...] = ()
        """The lessons that came of the corrections of the day that was read last."""
        super().__init__(bridge, now_ms, MemoryView(), self._draw_row)

    def handlers(self) -> dict[str, Action]:
        return {
            **super().handlers(),
            "group": Action(
                lambda: self.set_view(memory_state.regrouped(self.view)),
                needs(lambda: self.view.rows, "There is nothing to group."),
            ),
            "archive": Action(lambda: self._mark("hide", "Hidden"), self._why_not_mark_memory),
            "promote": Action(self._keep, self._why_not_keep),
            "pause": Action(self._switch_priming, self._why_no_project),
        }

    def to_copy(self, *, name: bool = False) -> str:
        current = self.view.current
        if current is None:
            return ""
        return str(current.id) if name else self.page_view.plain

    # What is read

    async def read(self) -> MemoryRows | None:
        view = self.view
        return await self._bridge.latest(memory_queries.rows, view.shown, view.query, self._most)

    def fill(self, data: MemoryRows | None) -> None:
        """Show what was read, unless another list is open by now."""
        if data is None or data.shown != self.view.shown:
            return
        self._priming, self._behind = data.priming, data.behind
        self.view = list_view.with_rows(self.view, data.rows, similar=data.similar, similar_to=data.query)
        self._draw()
        if self.view.shown == "tasks":
            self._more = ("", "", ())  # more sessions may have been told by now
        self._request_more()
        if self._behind and self.display:
            self.set_timer(_AGAIN_S, self.reload)

    def events_ingested(self) -> None:
        if self.display:
            self.reload()

    def show_snapshot(self, snapshot: Snapshot, rows: tuple[Row, ...]) -> None:
        del snapshot
        self._lessons = rows

    def filter_by(self, query: str) -> None:
        """Show the read rows that fit at once, and look for older ones that do."""
        super().filter_by(query)
        if self.view.shown != "days":
            self.reload()

    def go(self, index: int) -> None:
        """Move the cursor; at the end of the list older rows are read."""
        super().go(index)
        is_end = self.view.cursor == len(self.view.items) - 1
        if is_end and self.view.shown != "days" and len(self.view.rows) >= self._most:
            self._most *= _MORE
            self.reload()

    def row_changed(self, *, is_other: bool) -> None:
        super().row_changed(is_other=is_other)
        self._request_more()

    def _request_more(self) -> None:
        """Read the log under the cursor, or which sessions were told of the task, if it is another."""
        current = self.view.current
        if current is None or isinstance(current, Memory) or current.id == self._more[0]:
            return

        async def read_and_draw() -> None:
            from learnloop.service.tasks import task_list

            if isinstance(current, Task):
                self._more = current.id, "", await self._bridge.read(task_list.primed, current.id)
            else:
                words, self._corrections = await self._bridge.read(memory_queries.day, current)
                self._more = current.id, words, ()
            if any(self._more[1:]):
                self._draw_page(top=self.view.shown == "days")

        reading: WorkType[None] = read_and_draw  # no coroutine yet: another may come before it begins
        self.run_worker(reading, group="more", exclusive=True, exit_on_error=False)

    # What is shown

    def _draw_row(self, item: Any, width: int, _marked: bool, _fresh: bool) -> Line:
        return memory_lines.row(item, width, self._now_ms())

    def header(self, width: int) -> Line:
        return memory_lines.header(self.view.shown, width)

    def nothing(self) -> list[Line]:
        return memory_lines.nothing(self.view.shown, self.view.query)

    def title(self) -> tuple[str, str]:
        groups = f" by {self.view.grouped}" if self.view.grouped else ""
        reading = f"{self._behind:,} days are still being read" if self._behind else ""
        return f"Sessions · {self.shown_view}{groups}", self.filter_note() or reading

    def page_title(self) -> str:
        return {"tasks": "Task", "memories": "Memory", "days": "Daily log"}[self.view.shown]

    def page(self, width: int) -> list[Line]:
        current = self.view.current
        if current is None:
            return []
        _, day, primed = self._more if current.id == self._more[0] else ("", "", ())
        told = set(current.told) if isinstance(current, Task) else set()
        lessons = {row.id: row.statement for row in self._lessons if row.id in told} if told else {}
        is_primed = isinstance(current, Task | Memory) and self._is_primed(current.project)
        return memory_lines.page(
            current, width, self._now_ms(), is_primed=is_primed, lessons=lessons, day=day, primed=primed
        )

    def show_view(self, name: str) -> None:
        """Show that list, empty until it is read."""
        self.shown_view, self._most, self._behind = name, _FIRST, 0
        self.set_view(memory_state.turned(self.view, "tasks" if name == "work" else name), changed=True)
        self.take_focus()

    # Decisions

    def _is_primed(self, project: str) -> bool:
        return self._priming.get(project, self._priming.get("", False))

    def _why_not_mark_memory(self) -> str:
        if isinstance(self.view.current, Memory):
            return ""
        return "Only a memory can be hidden or pinned: f shows them."

    def _why_no_project(self) -> str:
        is_one = isinstance(self.view.current, Task | Memory)
        return "" if is_one else "Go to a task or a memory first: f shows them."

    def _drafts(self) -> list[str]:
        """What waits of the corrections of the day on the page."""
        return [row.id for row in self._lessons if row.status == "draft" and row.id in self._corrections]

    def _why_not_keep(self) -> str:
        if self.view.shown != "days":
            return self._why_not_mark_memory()
        return "" if self._drafts() else "No correction of this day waits as a draft."

    def _keep(self) -> None:
        """Pin a memory; of a day open the first draft of its corrections, where it is kept or dropped."""
        if self.view.shown == "days":
            self.post_message(LessonRequested(self._drafts()[0]))
        else:
            self._mark("pin", "Pinned")

    def _mark(self, mark: str, done: str) -> None:
        memory = self.view.current
        if isinstance(memory, Memory):
            is_so = memory.hidden if mark == "hide" else memory.pinned
            name, notice = (f"un{mark}", f"No more {done.lower()}") if is_so else (mark, done)
            words = f"{notice} “{text.cut(memory.text, 60)}”"
            self.decide("memory_mark", memory.id, words, {"mark": name, "memory": memory})

    def _switch_priming(self) -> None:
        if isinstance(self.view.current, Task | Memory):
            project = self.view.current.project
            on, where = not self._is_primed(project), memory_lines.project_name(project)
            words = f"Agents are told earlier tasks in {where}: your words, files, commands and how it went"
            notice = words if on else f"Agents are told no more earlier tasks in {where}"
            self.decide("priming", project, notice, {"on": on})
