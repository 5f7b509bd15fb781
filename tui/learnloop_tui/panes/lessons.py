"""Lessons: everything that was ever promoted or turned down, in views."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from learnloop.keymap import commands
from learnloop_tui.bridge import lesson_queries
from learnloop_tui.panes.actions import Action
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.lesson_verdicts import LessonVerdictPane
from learnloop_tui.view import bulk, experiment_lines, lesson_lines, lesson_state, list_view, pages
from learnloop_tui.view.lesson_state import LessonsView

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop.service.transfer.share import SharedFile
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.lesson_lines import Columns
    from learnloop_tui.view.lesson_state import Item
    from learnloop_tui.view.state import Row, Snapshot
    from learnloop_tui.view.text import Line


_RETIRED = ("archived", "rejected")
_DECIDED = ("active", "paused", *_RETIRED)


def _worked(row: Row) -> bool | None:
    """Whether telling it worked at least every second time; None where that was not judged, or is over."""
    worked, _, judged = row.heeded.partition("/")
    return 2 * int(worked) >= int(judged) if judged and row.status == "active" else None


class LessonsPane(LessonVerdictPane):
    """All lessons, newest first, by project where there are several."""

    PLACE = "lessons"
    TITLE = "Lessons"
    BINDINGS = bindings("lessons", "list")

    shown_view = "all"
    _tally: tuple[object, dict[str, int]] = (None, {})
    _in_files: frozenset[str] = frozenset()
    """Ids of the lessons of which a block stands in a prompt file."""
    _is_testing = False

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        self._fits: dict[str, Callable[[Row], bool]] = {
            "all": lambda row: row.state in _DECIDED,
            "worked": lambda row: _worked(row) is True,
            "ignored": lambda row: _worked(row) is False,
            "in files": lambda row: row.id in self._in_files,
            "retired": lambda row: row.state in _RETIRED,
        }
        super().__init__(bridge, now_ms, LessonsView(states=_DECIDED))

    def handlers(self) -> dict[str, Action]:
        return {
            **super().handlers(),
            "restore": Action(
                self._restore,
                lambda: self._none_in("archived rejected", "Only archived and rejected lessons are restored"),
            ),
            "pause": Action(
                self._pause, lambda: self._none_in("active paused", "Only active lessons are paused")
            ),
            "hold_out": Action(self._hold_out, self._why_not_hold_out),
            "share": Action(self._share, self._why_not_share),
            "helpful": Action(lambda: self._rate("helpful"), self._why_not_rate),
            "harmful": Action(lambda: self._rate("harmful"), self._why_not_rate),
        }

    def show_snapshot(self, snapshot: Snapshot, rows: tuple[Row, ...]) -> None:
        del snapshot
        view = lesson_state.with_rows(self.view, sorted(rows, key=lambda row: row.state == "draft"))
        if not self.view.loaded and view.many_projects:
            view = list_view.moved(lesson_state.grouped(view, "project"), 1)
        self.set_view(view, changed=True)

    def reload(self) -> None:
        """The app reads the lessons; where they stand, and whether one is tested, is read besides."""

        async def read_places() -> None:
            in_files, self._is_testing = await self._bridge.long(lesson_queries.places)
            if in_files != self._in_files:
                self._in_files, self._tally = in_files, (None, {})
                self.show_view(self.shown_view)
            self._draw_list()

        self.run_worker(read_places(), group="places", exit_on_error=False)

    def heading(self) -> str:
        """The views with their counts, the shown one first, in brackets."""
        if not self.view.loaded:
            return self.TITLE
        names = [name for _, name in commands.views(self.PLACE) if self.has_view(name)]
        counted = [f"{name} {self._counts[name]:,}" if name in self._fits else name for name in names]
        at = names.index(self.shown_view)
        return "  ".join((f"[{counted[at]}]", *counted[at + 1 :], *counted[:at]))

    def has_view(self, name: str) -> bool:
        if name == "testing":
            return self._is_testing
        return name not in self._fits or bool(self._counts[name]) or name in ("all", self.shown_view)

    @property
    def _counts(self) -> dict[str, int]:
        """How many lessons are in each view; a key press must not count 10,000 rows."""
        rows = self.view.rows
        if rows is not self._tally[0]:
            states = Counter(row.state for row in rows)
            worked = Counter(_worked(row) for row in rows if row.heeded)
            in_files = sum(row.id in self._in_files for row in rows)
            every, retired = (sum(states[name] for name in names) for names in (_DECIDED, _RETIRED))
            counts = (every, worked[True], worked[False], in_files, retired)
            self._tally = rows, dict(zip(self._fits, counts, strict=True))
        return self._tally[1]

    def draw_row(
        self, item: Item, width: int, marked: bool, fresh: bool, columns: Columns, most: int
    ) -> list[Line]:
        return lesson_lines.lesson_row(item, width, marked, fresh, columns, most)

    def none_yet(self) -> list[Line]:
        return pages.no_lessons(self.shown_view)

    def show_view(self, name: str) -> None:
        self.shown_view = name
        self.set_view(lesson_state.in_states(self.view, _DECIDED, self._fits[name]))

    def reveal(self, item_id: str) -> bool:
        if not any(row.id == item_id for row in self.view.whole):
            self.show_view("all")
        return super().reveal(item_id)

    async def _restore(self) -> None:
        plan = self._plan(
            "Restore",
            "will be back: archived ones in use, rejected ones as drafts",
            ("stay as they are: neither archived nor rejected", bulk.state_is("archived", "rejected")),
        )
        await self._act(plan, "restore", {"status": "restored"}, "Brought back:")

    async def _pause(self) -> None:
        """Pause, or go on; several follow the first."""
        pausing = self._in("active", "paused")[0].state == "active"
        plan = self._plan(
            "Pause" if pausing else "Resume",
            "will not be recalled for now" if pausing else "will be recalled again",
            ("stay as they are: not in use", bulk.state_is("active", "paused")),
            ("are so already", lambda row: row.paused == pausing),
        )
        notice = "Paused" if pausing else "Recalled again:"
        await self._act(plan, "pause" if pausing else "resume", {"paused": pausing}, notice)

    def _why_not_hold_out(self) -> str:
        return self._why_not_single() or self._none_in("active", "Only active lessons are held out")

    def _why_not_share(self) -> str:
        return self._why_not_single() or self._none_in("active", "Only active lessons are shared")

    async def _share(self) -> None:
        """Show the file for the lesson's repository to the byte, and write it on a yes."""
        from learnloop.service.transfer import share
        from learnloop_tui.dialogs.page import AgreementPage

        shared = await self._bridge.read(share.shared_file, self.view.targets[0].id)
        keys = "y writes it: whoever has the repository reads it, for good · j k scroll · esc leaves it"
        lines = partial(lesson_lines.file_lines, str(shared.path), shared.text)

        def write(_: bool) -> None:
            self.run_worker(self._write_shared(shared), exit_on_error=False)

        await self.ask(AgreementPage("Share through the repository", lines, keys=keys), write)

    async def _write_shared(self, shared: SharedFile) -> None:
        from learnloop.service.transfer import share

        await self._bridge.long(share.write, shared)
        self.notify_person(f"Written to {shared.path}: commit it. Others get it as a draft.")

    async def _hold_out(self) -> None:
        """Say what it takes and costs, ask, and hold the lesson out of a fifth of the sessions."""
        from learnloop_tui.bridge import experiment_queries
        from learnloop_tui.dialogs.page import ConfirmScreen

        row = self.view.targets[0]
        words, is_vital = await self._bridge.read(experiment_queries.price, row.id)

        def hold_out(_: bool) -> None:
            self._decide("hold_out", [row], {}, "Held out of a fifth of the sessions:", {"sure": is_vital})

        async def ask_again(_: bool) -> None:
            await self.ask(ConfirmScreen("Hold it out all the same?", experiment_lines.VITAL), hold_out)

        def answered(sure: bool) -> None:
            self.run_worker(ask_again(sure)) if is_vital else hold_out(sure)

        await self.ask(ConfirmScreen("Hold it out?", words), answered)

    def _why_not_rate(self) -> str:
        wrong = self._none_in("active paused", "Only active lessons are rated")
        if wrong or any(row.recalled for row in self._in("active", "paused")):
            return wrong
        return "It was not recalled yet, so there is nothing to rate."

    async def _rate(self, verdict: str) -> None:
        plan = self._plan(
            "Rate",
            f"will be rated {verdict} when last recalled",
            ("stay as they are: not in use", bulk.state_is("active", "paused")),
            ("were not recalled yet", lambda row: not row.recalled),
        )
        await self._act(plan, "rate", {}, f"Rated {verdict}:", {"verdict": verdict})
