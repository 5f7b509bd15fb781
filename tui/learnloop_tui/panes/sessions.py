"""Sessions: every one of them as it is now, and beside it the story of the one under the cursor."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from textual import work

from learnloop.service.id_prefix import shown
from learnloop_tui.bridge import live_events
from learnloop_tui.bridge.live_events import LiveEvents
from learnloop_tui.panes.actions import Action, needs
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.list_pane import ListPane
from learnloop_tui.panes.pane import PaneChanged, ReloadRequested, TranscriptRequested, VerdictGiven
from learnloop_tui.view import list_view, session_lines, session_state, text
from learnloop_tui.view.session_state import SessionsView, StoryView
from learnloop_tui.view.state import Verdict
from learnloop_tui.widgets.line_widgets import entitle
from learnloop_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.timer import Timer

    from learnloop.service.sessions.live_sessions import TimelineEntry
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.session_state import SessionRow, SessionsSnapshot
    from learnloop_tui.view.text import Line

REST_S, _BURST = 0.15, 4
"""Events are gathered so long before the pane is drawn anew: a store under load costs six looks a second."""
HURRY_S = 0.12
"""A cursor that moves on within this time is only passing: the story is read once it rests."""
_HEAD_MOST, _STORY_LEAST = 14, 6
"""Lines of what is shown above a story at most, and of the story at least."""


class SessionsPane(ListPane[SessionsView]):
    """A list of sessions beside the story of one."""

    PLACE = "sessions"
    shown_view = "live"
    BINDINGS = bindings("sessions", "list")

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        self.story = StoryView()
        self.entry_list = RowList(self._draw_entry)
        self._reloaded_at, self._in_a_row = 0.0, 0
        self._reload_is_due = False
        self._head_room = ("", 0)
        self._sought = ""
        """The session that the cursor goes to once it is listed."""
        self._resting: Timer | None = None
        self._awaited = ""
        """The session whose story is being read."""
        super().__init__(bridge, now_ms, SessionsView(), self._draw_row, entries=self.entry_list)

    def handlers(self) -> dict[str, Action]:
        return {
            **super().handlers(),
            "open": Action(self._enter_story, needs(lambda: self.view.current, "There is no session here.")),
            "new": Action(self._pick, self._why_not_pick),
            "helpful": Action(
                lambda: self._judge("rate", "Rated helpful:", verdict="helpful"), self._why_not_judge
            ),
            "harmful": Action(
                lambda: self._judge("rate", "Rated harmful:", verdict="harmful"), self._why_not_judge
            ),
            "pause": Action(lambda: self._judge("pause", "Paused"), self._why_not_judge),
            "transcript": Action(
                self._open_transcript, needs(lambda: self.story.current, "There is no entry here.")
            ),
        }

    def on_mount(self) -> None:
        self.page_view.can_focus = False
        super().on_mount()
        self.set_interval(1.0, self._pass_time)

    def to_copy(self, *, name: bool = False) -> str:
        row, entry = self.view.current, self._current_entry
        if row is None:
            return ""
        if name:
            return row.id
        return session_lines.words_of(entry) if entry is not None else row.session.task

    # What is read

    async def read(self) -> SessionsSnapshot:
        return await self._bridge.live(LiveEvents.sessions)

    def fill(self, data: SessionsSnapshot) -> None:
        """Show what was read; the first session's story opens by itself."""
        before = self.view.current
        self.view = session_state.with_sessions(self.view, data)
        self.story = session_state.with_news(self.story, data.news)
        self._draw()
        if self._sought in self.view.positions:
            session_id, self._sought = self._sought, ""
            self.set_view(list_view.pointed(self.view, session_id))
        elif self._sought and before is None:
            self.reveal(self._sought)
        current = self.view.current
        if current is not None and (before is None or current.id != self.story.session_id):
            self._request_story()

    def events_arrived(self) -> None:
        """Read them soon, and not too often."""
        if not self._reload_is_due:
            self._reload_is_due = True
            self.set_timer(0.001 if self._in_a_row <= _BURST else REST_S, self._reload_now)

    def _reload_now(self) -> None:
        now = time.monotonic()
        self._in_a_row = self._in_a_row + 1 if now - self._reloaded_at < 2 * REST_S else 0
        self._reload_is_due, self._reloaded_at = False, now
        if self.display:
            self.reload()

    def events_ingested(self) -> None:
        """Read the story again if feedback in its newest prompts may be known by now."""
        current = self.view.current
        is_open = self._is_story_open and session_state.is_unheard(self.story, self._now_ms())
        if self.display and is_open and current is not None:
            self._read_story(current)

    def _pass_time(self) -> None:
        """Ages grow, who is silent for too long has vanished; a reload that is due does not wait for this."""
        if self.display and self.view.loaded and not self._reload_is_due:
            self.reload()

    def reveal(self, item_id: str) -> bool:
        """Move the cursor to a session, also one that is not read yet, or older than the listed ones."""
        if self.view.loaded and item_id not in self.view.positions:
            self.filter_by("")
        is_listed = item_id in self.view.positions
        self._sought = "" if is_listed else item_id
        self.set_view(list_view.pointed(self.view, item_id))
        if self.view.loaded and not is_listed:
            self._find(item_id)
        return True

    @work(group="find", exclusive=True, exit_on_error=False)
    async def _find(self, session_id: str) -> None:
        if await self._bridge.live(LiveEvents.find_session, session_id):
            self.reload()
        else:
            self._sought = ""
            self.notify_person("Nothing is kept of that session any more.", "warning")

    # What is shown

    def _draw_row(self, item: SessionRow, width: int, marked: bool, fresh: bool) -> Line:
        return session_lines.row(item, width, marked, fresh, self._now_ms())

    def _draw_entry(self, item: TimelineEntry, width: int, _marked: bool, fresh: bool) -> Line:
        current = self.view.current
        return session_lines.entry(item, width, fresh, current.session.project if current else "")

    def header(self, width: int) -> Line:
        return session_lines.header(width)

    def nothing(self) -> list[Line]:
        return session_lines.nothing(self.view.query)

    def title(self) -> tuple[str, str]:
        running = session_state.running(self.view.rows)
        count = f" · {running:,} at work" if running else ""
        title = f"Sessions {len(self.view.rows):,}{count}" if self.view.loaded else "Sessions"
        return title, self.filter_note()

    def page_title(self) -> str:
        return session_lines.title(self.story, self.view.current)

    @property
    def _is_story_open(self) -> bool:
        return self.view.current is not None and self.view.current.id == self.story.session_id

    def _draw_page(self, *, top: bool) -> None:
        del top  # the story keeps its place by itself
        current = self.view.current
        story = self.story if self._is_story_open else StoryView()
        self.entry_list.show(story)
        self.page_view.show(self.page)
        self.page_view.styles.height = self._head_height(current.id if current is not None else "")
        entitle(self.page_frame, self.page_title(), session_lines.foot(story) if self._is_story_open else "")

    def _head_height(self, session_id: str) -> int:
        """As many lines as the head of that session had at most: what comes and goes moves no story."""
        before = self._head_room[1] if self._head_room[0] == session_id else 0
        self._head_room = (session_id, max(before, self.page_view.count))
        return max(2, min(_HEAD_MOST, self._head_room[1], self.page_frame.size.height - _STORY_LEAST))

    def page(self, width: int) -> list[Line]:
        from learnloop.service.sessions import live_sessions

        current = self.view.current
        if current is None:
            return []
        story = self.story.story if self._is_story_open else None
        times = live_sessions.latency(current.session)
        return list(session_lines.head(current, story, times, width, self._now_ms()))

    @property
    def plain(self) -> str:
        return "\n".join([self.page_view.plain, *self.entry_list.plain])

    # The story

    def row_changed(self, *, is_other: bool) -> None:
        super().row_changed(is_other=is_other)
        if is_other and self.view.current is not None:
            if self._resting is not None:
                self._resting.stop()
            self._resting = self.set_timer(HURRY_S, self._request_story)

    def _request_story(self) -> None:
        """Read the story of the row under the cursor; one that is being read is not begun anew."""
        current = self.view.current
        if current is not None and not self._is_story_open and self._awaited != current.id:
            self._read_story(current)

    @work(group="story", exclusive=True, exit_on_error=False)
    async def _read_story(self, row: SessionRow) -> None:
        self._awaited = row.id
        try:
            story = await self._bridge.long(live_events.read_story, row.session)
            if story.whole is not None:  # all of its events were read: the list learns from them too
                await self._bridge.live(LiveEvents.learn, story.whole)
        finally:
            self._awaited = "" if self._awaited == row.id else self._awaited
        if self.view.current is not None and self.view.current.id == row.id:
            self.story = session_state.opened(row.id, story, self.story)
            self._draw()
            self.events_arrived()

    def _show_story(self, story: StoryView) -> None:
        self.story = story
        self._draw_page(top=False)
        self.post_message(PaneChanged())

    def turn(self, step: int) -> None:
        """In the story other kinds of entries, in the list another view."""
        if self.entry_list.has_focus:
            self._show_story(session_state.narrowed(self.story, step))
        else:
            super().turn(step)

    def _enter_story(self) -> None:
        """Into the story; there, the whole entry."""
        if not self.entry_list.has_focus:
            self.entry_list.focus()
            self._draw_page(top=False)
        elif (entry := self.story.current) is not None:
            from learnloop_tui.dialogs.page import PageDialog

            statements, kind = self.story.statements, entry.kind.capitalize()
            whole = PageDialog[None](kind, lambda width: session_lines.whole(entry, statements, width))
            self.app.push_screen(whole)

    # From an entry

    @property
    def _current_entry(self) -> TimelineEntry | None:
        """The entry under the cursor, while the story has the keys."""
        return self.story.current if self.entry_list.has_focus else None

    def _why_not_pick(self) -> str:
        entry = self._current_entry
        if entry is None or entry.kind != "prompt":
            return "Go to a prompt in the story first: enter, then j and k."
        return "Nobody typed this: it came from the client." if entry.machine else ""

    async def _pick(self) -> None:
        from learnloop.service.intake import draft_from_prompt

        row, entry = self.view.current, self._current_entry
        if row is None or entry is None:
            return
        lesson = await self._bridge.work(lambda ws: draft_from_prompt.draft(ws, row.session, entry))
        self.notify_person(f"Draft {shown(lesson.id)} waits in the Inbox for your verdict. z takes it back.")
        self.post_message(ReloadRequested())

    def _why_not_judge(self) -> str:
        entry = self._current_entry
        if entry is None or entry.kind != "told" or not entry.lessons:
            return "Go to a recall (◂) in the story first: enter, then f shows only those."
        return ""

    def _judge(self, action: str, done: str, **args: Any) -> None:
        entry = self._current_entry
        if entry is None:
            return
        ids = tuple(lesson.id for lesson in entry.lessons)
        first = f"“{text.cut(self.story.statements.get(ids[0], shown(ids[0])), 60)}”"
        more = f" and {len(ids) - 1} more" if len(ids) > 1 else ""
        self.post_message(VerdictGiven(Verdict(action, ids, args), {}, f"{done} {first}{more}"))

    async def _open_transcript(self) -> None:
        from learnloop.service.intake import draft_from_prompt

        row, entry = self.view.current, self.story.current
        if row is None or entry is None:
            return
        path, line = await self._bridge.work(lambda _: draft_from_prompt.line_of(row.session, entry))
        self.post_message(TranscriptRequested(path, line))

    # Moving in the list, or in the story that has the keys

    @property
    def stride(self) -> int:
        return (self.entry_list if self.entry_list.has_focus else self.row_list).stride

    @property
    def length(self) -> int:
        return max(len(self.view.items), len(self.story.items))

    def move_by(self, rows: int) -> None:
        self.go((self.story if self.entry_list.has_focus else self.view).cursor + rows)

    def read_by(self, lines: int) -> None:
        self._show_story(session_state.gone(self.story, self.story.cursor + lines))

    def go(self, index: int) -> None:
        if self.entry_list.has_focus:
            self._show_story(session_state.gone(self.story, index))
        else:
            super().go(index)
