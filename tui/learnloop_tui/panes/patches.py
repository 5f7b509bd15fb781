"""Patches: what may be written into agents' prompt files, what stands there, and what became of it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from learnloop.errors import LearnloopError
from learnloop.keymap import commands
from learnloop_tui.bridge import patch_queries
from learnloop_tui.panes.base import HoldKeys
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.paged import PagedPane
from learnloop_tui.view import bulk, patch_lines, patch_state, text
from learnloop_tui.view.patch_state import TAB_NAMES, Card, Desk, PatchesView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from learnloop.service.patches.patches import Report
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.dialogs.patch_words import Words
    from learnloop_tui.view.patch_state import PatchItem
    from learnloop_tui.view.text import Line

_WATCH_MS = 100


class PatchesPane(PagedPane):
    """Proposals, applied patches and history beside the page of the one under the cursor."""

    shown: PatchesView
    PLACE = "patches"
    BINDINGS = [*bindings("patches"), *bindings("list")]  # noqa: RUF012  # as Textual declares it

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        self.shown = PatchesView()
        self.card: Card | None = None
        self._cards: dict[str, Card] = {}
        self._ticks: dict[str, tuple[str, ...]] = {}
        self._wide = False
        self._folders: tuple[str, ...] = ()
        self._watching: object = None
        super().__init__(bridge, now_ms, self._draw_row)

    async def read(self) -> Desk:
        """All patches, the history, and all about the one under the cursor."""
        current = self.shown.current
        return await self._bridge.work(partial(patch_queries.desk, current=current.id if current else ""))

    def fill(self, found: Desk) -> None:
        """Show what was read; follow the folders it came from."""
        self.shown = patch_state.with_desk(self.shown, found.items, found.history)
        if found.card is not None:
            self.card = self._cards[found.card.id] = found.card
        self._draw()
        current = self.shown.current
        if (
            current is not None
            and current.patch is not None
            and (not self.card or self.card.id != current.id)
        ):
            self.reload()
        self._follow(found.folders)

    # The files, as they change

    def _follow(self, folders: tuple[str, ...]) -> None:
        if folders != self._folders:
            self._folders = folders
            self.run_worker(self._watch(folders), group="patch-files", exclusive=True, exit_on_error=False)

    async def _watch(self, folders: Sequence[str]) -> None:
        """Read anew whenever a file of those folders changes, whoever changed it."""
        if not folders:
            return
        from watchfiles import awatch

        stop = asyncio.Event()
        try:
            async for _ in awatch(
                *folders, recursive=False, debounce=_WATCH_MS, step=20, stop_event=stop, rust_timeout=1000
            ):
                self._cards.clear()
                self.reload()
        except OSError:
            self.say(
                "The files cannot be watched: what changes shows when the pane is opened again.", "warning"
            )
        finally:
            stop.set()

    # What is shown

    def _draw_row(self, item: Any, width: int, _marked: bool, _fresh: bool) -> Line:
        row = cast("PatchItem", item)
        return patch_lines.row(row, width, marked=row.id in self.shown.marks, now_ms=self._now_ms())

    def pointed(self) -> None:
        """Another patch: what is known of it, until it is read."""
        now = self.shown.current
        if now is not None and now.patch is not None:
            self.card = self._cards.get(now.id)
            self.reload()

    def _draw(self, *, top: bool = False) -> None:
        self._box.display = not self._wide
        super()._draw(top=top)

    def to_copy(self, *, name: bool = False) -> str:
        """The blocks, or the paths of their files."""
        chosen = [row.patch for row in self.shown.targets if row.patch is not None]
        if name:
            paths = [target.path for patch in chosen for target in patch.targets]
            return "\n".join(dict.fromkeys(paths or [patch.id for patch in chosen]))
        return "\n".join(patch.block for patch in chosen)

    def title(self) -> tuple[str, str]:
        """The lists with their counts, the shown one in brackets; what is asked and marked."""
        names = (
            f"[{name} {self.shown.count(tab):,}]"
            if tab == self.shown.tab
            else f"{name} {self.shown.count(tab):,}"
            for tab, name in TAB_NAMES.items()
        )
        parts = [f"/{text.cut(self.shown.query, 24)}"] if self.shown.query else []
        if self.shown.marks:
            parts.append(f"◆ {len(self.shown.marks):,} marked")
        return " · ".join(names) if self.shown.loaded else "Patches", " · ".join(parts)

    def header(self, width: int) -> Line:
        """The heads of the columns."""
        return patch_lines.header(self.shown, width)

    def nothing(self) -> list[Line]:
        """No patch in this list, or none fits."""
        return patch_lines.nothing(self.shown.tab, self.shown.query)

    def page_title(self) -> str:
        """What stands on the page."""
        return "Preview" if self._wide else "Patch"

    def page(self, width: int) -> list[Line]:
        """The patch, its files, and what applying it would do."""
        current = self.shown.current
        return patch_lines.page(current, self.card, width, self._now_ms()) if current is not None else []

    # Doing

    def _in(self, *states: str) -> list[PatchItem]:
        return [row for row in self.shown.targets if row.patch is not None and row.patch.state in states]

    def _none_in(self, rule: str, *states: str) -> str:
        return "" if self._in(*states) else rule

    def why_not_apply(self) -> str:
        """Only what is proposed, or has files left, can be applied."""
        return self._none_in("Only proposals and applied patches can be applied.", "proposed", "active")

    async def do_apply(self) -> None:
        """Put the blocks into their files."""
        plan = self._plan("Apply", "will be put into their files", "proposed", "active")
        await self._confirm(plan, self._apply)

    def _apply(self) -> None:
        chosen = self._in("proposed", "active")
        ids = [row.id for row in chosen]
        extra = [path for row in chosen for path in self._ticks.get(row.id, ())]
        paths = None
        if extra:
            planned = [one.path for row in chosen if row.patch for one in row.patch.targets]
            paths = list(dict.fromkeys([*planned, *extra]))
        expected = {one.path: one.sha256 for row in chosen for one in self._previews(row.id) if one.sha256}
        work = partial(patch_queries.apply, ids=ids, paths=paths, expected=expected)
        self._start(self._report("Applied", work))

    def _previews(self, patch_id: str) -> Sequence[Any]:
        card = self._cards.get(patch_id)
        return card.previews if card is not None and not card.reverting else ()

    def why_not_revert(self) -> str:
        """Only what stands in a file can be taken out."""
        return self._none_in("Only applied patches can be reverted.", "active")

    async def do_revert(self) -> None:
        """Take the blocks out of their files."""
        ids = [row.id for row in self._in("active")]
        plan = self._plan("Revert", "will be taken out of their files", "active")
        await self._confirm(plan, lambda: self._start_revert(ids, None, ""))

    def _start_revert(self, ids: list[str], paths: list[str] | None, resolution: str) -> None:
        """Hold keys back meanwhile: they may answer the question about a conflict."""
        finished = asyncio.Event()
        self.post_message(HoldKeys(finished))

        async def revert() -> None:
            try:
                await self._revert(ids, paths, resolution)
            finally:
                finished.set()

        self._start(revert())

    async def _revert(self, ids: list[str], paths: list[str] | None, resolution: str) -> None:
        work = partial(patch_queries.revert, ids=ids, paths=paths, resolution=cast("Any", resolution))
        report = await self._report("Reverted", work)
        for one in report.results if report is not None else ():
            if one.did in ("conflict", "missing"):
                await self._decide(one)
                return

    async def _decide(self, result: Any) -> None:
        """Ask what becomes of a block that was edited by hand, or of a file that is gone."""
        from learnloop_tui.dialogs.patch_conflict import ConflictScreen

        def decide(chosen: str | None) -> None:
            if chosen:
                self._start_revert([result.patch], [result.path], chosen)

        await self.app.push_screen(ConflictScreen(result), decide)

    def why_not_dismiss(self) -> str:
        """Only proposals can be dismissed."""
        return self._none_in("Only proposals are dismissed; revert what is applied.", "proposed")

    async def do_dismiss(self) -> None:
        """Turn proposals down, with a reason."""
        from learnloop_tui.dialogs.bulk import PlanPage
        from learnloop_tui.dialogs.reason import ReasonScreen

        ids = [row.id for row in self._in("proposed")]
        reasons = {
            "the agent does that anyway": "the agent does that anyway",
            "not for a prompt file": "not for a prompt file: recall is enough",
            "wrong or too vague": "wrong or too vague",
        }
        title = "Dismiss this proposal" if len(ids) == 1 else f"Dismiss {len(ids)} proposals"
        plan = self._plan("Dismiss", "will be dismissed", "proposed")

        def dismiss(reason: str | None) -> None:
            if reason is not None:
                work = partial(patch_queries.dismiss, ids=ids, reason=reason)
                self._start(self._done("Dismissed", work, len(ids)))

        above = PlanPage(plan) if self.shown.marks else None
        await self.app.push_screen(ReasonScreen(title, reasons, above=above), dismiss)

    def why_not_bring_back(self) -> str:
        """Only dismissed proposals come back."""
        return self._none_in("Only dismissed proposals can be brought back.", "dismissed")

    async def do_bring_back(self) -> None:
        """Bring dismissed proposals back."""
        ids = [row.id for row in self._in("dismissed")]
        work = partial(patch_queries.restore, ids=ids)
        plan = self._plan("Bring back", "will be proposed again", "dismissed")
        await self._confirm(plan, lambda: self._start(self._done("Brought back", work, len(ids))))

    def _plan(self, verb: str, will: str, *states: str) -> bulk.Plan:
        """What a verdict on the marked patches will do."""
        chosen = self._in(*states)
        blocks = tuple(row.patch.block for row in chosen if row.patch is not None)
        others = [row.patch.block for row in self.shown.targets if row.patch and row not in chosen]
        left = (bulk.Part("stay as they are: in another state", tuple(others)),) if others else ()
        shown = {row.id for row in self.shown.items}
        hidden = sum(row.id not in shown for row in chosen)
        return bulk.Plan(verb, (), bulk.Part(will, blocks), left, hidden, ("patch", "patches"))

    async def _confirm(self, plan: bulk.Plan, act: Callable[[], None]) -> None:
        """Act on the patch under the cursor at once; on marks after showing what that will do."""
        from learnloop_tui.dialogs.bulk import BulkScreen

        def answer(confirmed: bool | None) -> None:
            if confirmed:
                act()

        if self.shown.marks:
            await self.app.push_screen(BulkScreen(plan), answer)
        else:
            act()

    def why_not_edit_block(self) -> str:
        """One patch has words."""
        current = self.shown.current
        return "" if current is not None and current.patch is not None else "There are no words to edit here."

    async def do_edit_block(self) -> None:
        """Change the wording before it is applied."""
        from learnloop_tui.dialogs.patch_words import WordsScreen

        current = self.shown.current
        if current is None or current.patch is None:
            return

        def reword(made: Words | None) -> None:
            if made is not None:
                words, placement = made
                work = partial(patch_queries.edit, patch_id=current.id, words=words, placement=placement)
                self._start(self._done("Reworded", work, 1))

        await self.app.push_screen(WordsScreen(current.patch), reword)

    def why_not_tick(self) -> str:
        """There has to be another file."""
        card = self.card
        if card is not None and any(not one.refusal for one in card.candidates):
            return ""
        return "There is no other file for this patch."

    async def do_tick(self) -> None:
        """Choose more files, a repository's agents among them."""
        from learnloop_tui.dialogs.patch_files import FilesScreen

        card = self.card
        if card is None:
            return

        def tick(chosen: tuple[str, ...] | None) -> None:
            if chosen is not None:
                self._ticks[card.id] = chosen
                many = f"{len(chosen)} more files ticked: {commands.get('apply').key} applies."
                self.say(many if chosen else "No more files are ticked.")

        await self.app.push_screen(FilesScreen(card.candidates, self._ticks.get(card.id, ())), tick)

    def do_diff(self) -> None:
        """The preview over the whole width, or beside the list again."""
        self._wide = not self._wide
        self._draw()
        (self._page if self._wide else self._rows).focus()

    def why_not_diff(self) -> str:
        """Without a patch there is no preview."""
        return "" if self.shown.current is not None else "There is nothing to preview here."

    def _start(self, work: Any) -> None:
        self.run_worker(work, group="patch", exit_on_error=False)

    async def _report(self, did: str, work: Callable[[Any], Report]) -> Report | None:
        found: list[Report] = []
        if not await self._work(lambda ws: found.append(work(ws))):
            return None
        report = found[0]
        done = [one for one in report.results if one.ok and one.did != "unchanged"]
        places = len({one.path for one in done})
        if done:
            self.say(f"{did} in {places} {'file' if places == 1 else 'files'}. z takes it back.")
        for one in [one for one in report.failed if one.did not in ("conflict", "missing")][:3]:
            self.say(f"{one.error}. {one.hint}" if one.hint else one.error, "error")
        if not report.results:
            self.say("No file was found for it: t chooses one.", "warning")
        return report

    async def _done(self, did: str, work: Callable[[Any], None], count: int) -> None:
        if await self._work(work):
            self.say(f"{did}: {count} {'patch' if count == 1 else 'patches'}. z takes it back.")

    async def _work(self, work: Callable[[Any], None]) -> bool:
        """Run it in a thread and read anew; what went wrong is said."""
        try:
            await self._bridge.work(work)
        except (LearnloopError, OSError) as error:
            hint, said = getattr(error, "hint", ""), getattr(error, "message", str(error))
            self.say(f"{said}. {hint}" if hint else said, "error")
            return False
        finally:
            self.shown = patch_state.unmarked(self.shown)
            self._cards.clear()
            self.reload()
        return True

    # Lists

    def do_status(self) -> None:
        """The next list."""
        self._set(patch_state.on_tab(self.shown, 1))

    def do_status_back(self) -> None:
        """The list before."""
        self._set(patch_state.on_tab(self.shown, -1))

    def why_not_mark(self) -> str:
        """The history has nothing to mark."""
        current = self.shown.current
        return "" if current is not None and current.patch is not None else "There is nothing to mark here."

    def do_mark(self) -> None:
        """Mark, and go on to the next."""
        self._set(patch_state.marked(self.shown))

    why_not_mark_all = why_not_mark

    def do_mark_all(self) -> None:
        """Mark all that is shown, or none."""
        self._set(patch_state.all_marked(self.shown))

    def why_not_filter(self) -> str:
        """An empty list has nothing to filter."""
        return "" if self.shown.count(self.shown.tab) else "There is nothing to filter."

    def filter_by(self, query: str) -> None:
        """Show only patches that fit the query."""
        self._set(patch_state.filtered(self.shown, query))

    # Moving

    def why_not_read(self) -> str:
        """An empty list has nothing to read."""
        return self.why_not_diff()

    def do_read(self) -> None:
        """Read on in the page."""
        self._page.focus()

    def do_escape(self) -> None:
        """Leave the preview, then the page, then the marks, then the filter."""
        if self._wide:
            self.do_diff()
        elif self._page.has_focus:
            self._rows.focus()
        elif self.shown.marks:
            self._set(patch_state.unmarked(self.shown))
        else:
            self.close_filter(keep=False)
