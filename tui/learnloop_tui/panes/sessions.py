"""Sessions: every one of them as it is now, and beside it the story of the one under the cursor."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

from textual import work
from textual.containers import Vertical

from learnloop_tui.bridge import session_queries
from learnloop_tui.bridge.live_events import LiveEvents
from learnloop_tui.panes.base import PaneChanged, ReloadRequested, TranscriptRequested, VerdictGiven
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.cursor_pane import MovingPane
from learnloop_tui.view import pages, session_lines, session_state, text
from learnloop_tui.view.list_view import moved
from learnloop_tui.view.session_state import SessionsView, StoryView
from learnloop_tui.view.state import Verdict
from learnloop_tui.widgets.line_widgets import Bar, Page, entitle
from learnloop_tui.widgets.rows import RowList

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.timer import Timer

    from learnloop.service.sessions.live_sessions import Story, TimelineEntry
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.session_state import Seen, SessionRow
    from learnloop_tui.view.state import View
    from learnloop_tui.view.text import Line
    from learnloop_tui.widgets.rows import Draw

REST_S, _BURST = 0.15, 4
"""News is gathered so long before the pane is drawn anew: a store under load costs six looks a second."""
HURRY_S = 0.12
"""A cursor that moves on within this time is only passing: the story is read once it rests."""
_HEAD_MOST, _STORY_LEAST = 14, 6


class SessionsPane(MovingPane, can_focus=True):
    """A list of sessions beside the story of one."""

    PLACE = "sessions"
    OPENS = "enter_story"
    BINDINGS = [*bindings("sessions"), *bindings("list")]  # noqa: RUF012  # as Textual declares it

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        super().__init__(bridge, now_ms)
        self.shown = SessionsView()
        self.story = StoryView()
        self._rows = RowList(cast("Draw", self._draw_row))
        self._columns = Bar(classes="columns")
        self._empty = Page(classes="empty")
        self._head = Page(classes="head")
        self._entries = RowList(cast("Draw", self._draw_entry))
        self._box = Vertical(self._columns, self._rows, self._empty, classes="list")
        self._frame = Vertical(self._head, self._entries, classes="detail")
        self._looked_at, self._in_a_row = 0.0, 0
        self._looks = False
        self._head_room = ("", 0)
        self._wanted = ""
        self._resting: Timer | None = None

    def compose(self) -> ComposeResult:
        """The list and the story beside it."""
        yield self._box
        yield self._frame

    def on_mount(self) -> None:
        """Nothing is loaded yet."""
        self._empty.can_focus = self._head.can_focus = False
        self._columns.show(lambda width: (session_lines.header(width - 1), {}))
        self.set_interval(1.0, self._pass_time)
        self._draw()

    def take_focus(self) -> None:
        """The list has the keys; what is going on is read."""
        (self._rows if self.shown.items else self).focus()
        self.reload()

    def to_copy(self, *, name: bool = False) -> str:
        """What the entry of the story that has the keys says, else what the session is about; or its id."""
        row, one = self.shown.current, self.story.current
        if row is None:
            return ""
        if name:
            return row.id
        return session_lines.words_of(one) if self._entries.has_focus and one is not None else row.one.task

    def reload(self) -> None:
        """Read and show it; reads of one pane come back in order."""
        self.run_worker(self._reload(), group="reload", exit_on_error=False)

    async def _reload(self) -> None:
        self.fill(await self.read())

    async def read(self) -> Seen:
        """Every session, and what happened since the last look."""
        return await self._bridge.live(LiveEvents.sessions)

    def fill(self, found: Seen) -> None:
        """Show what was read; the first session's story opens by itself."""
        before = self.shown.current
        self.shown = session_state.with_sessions(self.shown, found)
        self.story = session_state.told(self.story, found.news)
        self._draw()
        if self._wanted in self.shown.positions:
            self._wanted, wanted = "", self._wanted
            self._set(session_state.pointed(self.shown, wanted))
        elif self._wanted and before is None:
            self.point_at(self._wanted)
        current = self.shown.current
        if current is not None and (before is None or current.id != self.story.session_id):
            self._want_story()

    def events_arrived(self) -> None:
        """Something happened: look at it soon, and not too often."""
        if not self._looks:
            self._looks = True
            self.set_timer(0.001 if self._in_a_row <= _BURST else REST_S, self._look_now)

    def _look_now(self) -> None:
        now = time.monotonic()
        self._in_a_row = self._in_a_row + 1 if now - self._looked_at < 2 * REST_S else 0
        self._looks, self._looked_at = False, now
        if self.display:
            self.reload()

    def point_at(self, session_id: str) -> None:
        """The cursor on a session, also one that is not read yet, or older than those that are listed."""
        if self.shown.loaded and session_id not in self.shown.positions:
            self._set(session_state.filtered(self.shown, "", self._now_ms()))
        is_there = session_id in self.shown.positions
        self._wanted = "" if is_there else session_id
        self._set(session_state.pointed(self.shown, session_id))
        if self.shown.loaded and not is_there:
            self._find(session_id)

    @work(group="find", exclusive=True, exit_on_error=False)
    async def _find(self, session_id: str) -> None:
        if await self._bridge.live(LiveEvents.find_session, session_id):
            self.reload()
        else:
            self._wanted = ""
            self.say("Nothing is kept of that session any more.", "warning")

    # What is shown

    def _draw_row(self, item: SessionRow, width: int, marked: bool, fresh: bool) -> Line:
        return session_lines.row(item, width, marked, fresh, self._now_ms())

    def _draw_entry(self, item: TimelineEntry, width: int, _marked: bool, _fresh: bool) -> Line:
        current = self.shown.current
        is_new = item.id in self.story.fresh
        return session_lines.entry(item, width, is_new, current.one.project if current else "")

    def _pass_time(self) -> None:
        """Ages grow, who is silent for too long has vanished; a look at news does not wait for this."""
        if self.display and self.shown.loaded and not self._looks:
            self.reload()

    def _set(self, view: SessionsView) -> None:
        before, self.shown = self.shown.current, view
        self._draw()
        if view.current is not None and (before is None or before.id != view.current.id):
            if self._resting is not None:
                self._resting.stop()
            self._resting = self.set_timer(HURRY_S, self._want_story)

    def _draw(self) -> None:
        view, is_empty = self.shown, not self.shown.items
        had_focus = self.screen.focused in (self._rows, self._entries) if self.is_attached else False
        self._rows.display = self._columns.display = not is_empty
        self._empty.display = is_empty
        self._rows.show(cast("View", view))
        if is_empty:
            self._empty.show(self._empty_lines)
        at_work = session_state.running(view.rows)
        count = f" · {at_work:,} at work" if at_work else ""
        title = f"Sessions {len(view.rows):,}{count}" if view.loaded else "Sessions"
        entitle(self._box, title, self.said_of_query())
        self._draw_story()
        if had_focus and is_empty:
            self.focus()
        self.keep_keys(self._rows, self._empty, is_empty=is_empty)
        self.post_message(PaneChanged())

    def _draw_story(self) -> None:
        current = self.shown.current
        is_read = current is not None and current.id == self.story.session_id
        story = self.story if is_read else StoryView()
        self._entries.show(cast("View", story))
        self._head.show(self._head_lines)
        self._head.styles.height = self._head_height(current.id if current is not None else "")
        foot = session_lines.foot(story) if is_read else ""
        entitle(self._frame, session_lines.title(self.story), foot)

    def _head_height(self, session_id: str) -> int:
        """As many lines as the head of that session had at most: what comes and goes moves no story."""
        before = self._head_room[1] if self._head_room[0] == session_id else 0
        self._head_room = (session_id, max(before, self._head.count))
        return max(2, min(_HEAD_MOST, self._head_room[1], self._frame.size.height - _STORY_LEAST))

    def _head_lines(self, width: int) -> list[Line]:
        from learnloop.service.sessions import live_sessions

        current = self.shown.current
        if current is None:
            return []
        story = self.story.story if self.story.session_id == current.id else None
        return session_lines.head(current, story, live_sessions.latency(current.one), width, self._now_ms())

    def _empty_lines(self, _width: int) -> list[Line]:
        return session_lines.nothing(self.shown.query) if self.shown.loaded else pages.loading()

    @property
    def plain(self) -> str:
        """What stands over the story, and the story's lines in sight."""
        return "\n".join([self._head.plain, *self._entries.plain])

    # The story

    def _want_story(self) -> None:
        current = self.shown.current
        if current is not None and current.id != self.story.session_id:
            self._read_story(current)

    @work(group="story", exclusive=True, exit_on_error=False)
    async def _read_story(self, row: SessionRow) -> None:
        found: Story = await session_queries.story(self._bridge, row.one)
        if self.shown.current is not None and self.shown.current.id == row.id:
            self.story = session_state.opened(row.id, found, self.story)
            self._draw()
            self.events_arrived()

    def events_ingested(self) -> None:
        """What was heard in the newest prompts may be known by now."""
        current = self.shown.current
        is_read = current is not None and current.id == self.story.session_id
        if self.display and is_read and session_state.is_unheard(self.story, self._now_ms()):
            self._read_story(cast("SessionRow", current))

    def _tell(self, view: StoryView) -> None:
        self.story = view
        self._draw_story()
        self.post_message(PaneChanged())

    def why_not_narrow(self) -> str:
        """There has to be a story."""
        return "" if self.shown.current else "There is no story to narrow here."

    why_not_narrow_back = why_not_narrow

    def do_narrow(self) -> None:
        """The next kind of entries."""
        self._tell(session_state.narrowed(self.story, 1))

    def do_narrow_back(self) -> None:
        """The kind of entries before."""
        self._tell(session_state.narrowed(self.story, -1))

    def why_not_enter_story(self) -> str:
        """There has to be a session."""
        return "" if self.shown.current else "There is no session here."

    async def do_enter_story(self) -> None:
        """Into the story; there, the whole entry."""
        if not self._entries.has_focus:
            self._entries.focus()
            self._draw_story()
        elif self.story.current is not None:
            from learnloop_tui.dialogs.entry import EntryScreen

            told = self.story.story.recalled if self.story.story else ()
            self.app.push_screen(EntryScreen(self.story.current, {one.id: one.statement for one in told}))

    # From an entry

    def _entry(self, kind: str) -> TimelineEntry | None:
        one = self.story.current if self._entries.has_focus else None
        return one if one is not None and one.kind == kind else None

    def why_not_pick(self) -> str:
        """Only what a person typed can be a lesson of theirs."""
        one = self._entry("prompt")
        if one is None:
            return "Go to a prompt in the story first: enter, then j and k."
        return "Nobody typed this: it came from the client." if one.machine else ""

    async def do_pick(self) -> None:
        """A draft of the prompt, with the turn before it as evidence."""
        from learnloop.service.intake import draft_from_prompt

        row, one = self.shown.current, self._entry("prompt")
        if row is None or one is None:
            return
        made = await self._bridge.work(lambda ws: draft_from_prompt.draft(ws, row.one, one))
        self.say(f"Draft {made.id[:6]} waits in pane 1 for your verdict. z takes it back.")
        self.post_message(ReloadRequested())

    def why_not_helpful(self) -> str:
        """Only what was told is rated."""
        return self._not_told()

    def do_helpful(self) -> None:
        """What was told was helpful."""
        self._about_told("rate", "Rated helpful:", verdict="helpful")

    def why_not_harmful(self) -> str:
        """Only what was told is rated."""
        return self._not_told()

    def do_harmful(self) -> None:
        """What was told did harm."""
        self._about_told("rate", "Rated harmful:", verdict="harmful")

    def why_not_pause(self) -> str:
        """Only what was told is paused here."""
        return self._not_told()

    def do_pause(self) -> None:
        """Tell it no more for now."""
        self._about_told("pause", "Paused")

    def _not_told(self) -> str:
        one = self._entry("told")
        if one is None or not one.lessons:
            return "Go to a recall (◂) in the story first: enter, then f shows only those."
        return ""

    def _about_told(self, action: str, said: str, **args: Any) -> None:
        one = self._entry("told")
        if one is None:
            return
        ids = tuple(lesson.id for lesson in one.lessons)
        told = {
            lesson.id: lesson.statement for lesson in (self.story.story.recalled if self.story.story else ())
        }
        first = f"“{text.cut(told.get(ids[0], ids[0][:6]), 60)}”"
        more = f" and {len(ids) - 1} more" if len(ids) > 1 else ""
        self.post_message(VerdictGiven(Verdict(action, ids, args), {}, f"{said} {first}{more}"))

    def why_not_transcript(self) -> str:
        """There has to be an entry."""
        return "" if self.story.current else "There is no entry here."

    async def do_transcript(self) -> None:
        """Open the transcript where the entry stands."""
        from learnloop.service.intake import draft_from_prompt

        row, one = self.shown.current, self.story.current
        if row is None or one is None:
            return
        path, line = await self._bridge.work(lambda _: draft_from_prompt.line_of(row.one, one))
        self.post_message(TranscriptRequested(path, line))

    # Filter

    @property
    def asked(self) -> SessionsView:
        """The list."""
        return self.shown

    def filter_by(self, query: str) -> None:
        """Show only sessions that fit the query."""
        self._set(session_state.filtered(self.shown, query, self._now_ms()))

    def do_escape(self) -> None:
        """Leave the story, then the filter."""
        if self._entries.has_focus:
            self._rows.focus()
        else:
            self.close_filter(keep=False)

    # Moving

    @property
    def stride(self) -> int:
        """A page of the list, or of the story that has the keys."""
        return (self._entries if self._entries.has_focus else self._rows).page - 1

    @property
    def length(self) -> int:
        """So many rows lead from anywhere to the end of list and story."""
        return max(len(self.shown.items), len(self.story.items))

    def move_by(self, rows: int) -> None:
        """Move in the list, or in the story that has the keys."""
        self.go((self.story if self._entries.has_focus else self.shown).cursor + rows)

    def read_by(self, lines: int) -> None:
        """Go on in the story."""
        self._tell(session_state.gone(self.story, self.story.cursor + lines))

    def go(self, index: int) -> None:
        """The cursor on that entry of the story that has the keys, else on that session."""
        if self._entries.has_focus:
            self._tell(session_state.gone(self.story, index))
        else:
            self._set(moved(self.shown, index))
