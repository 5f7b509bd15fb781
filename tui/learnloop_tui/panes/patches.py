"""Patches: what may be written into agents' prompt files, what is in them, and what became of it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from learnloop.errors import LearnloopError
from learnloop.keymap import commands
from learnloop_tui.bridge import patch_queries
from learnloop_tui.dialogs.page import ConfirmScreen
from learnloop_tui.panes.actions import Action, needs
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.list_pane import ListPane
from learnloop_tui.panes.pane import HoldKeys
from learnloop_tui.view import list_view, patch_lines, patch_reports, patch_state, text
from learnloop_tui.view.patch_state import TAB_NAMES, PatchDetail, PatchesSnapshot, PatchesView
from learnloop_tui.widgets.row_list import Tall

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from learnloop.patch.steps import Resolution
    from learnloop.service.patches.commit import Report
    from learnloop.service.patches.fact_imports import ImportChoice
    from learnloop.service.patches.file_jobs import PatchResult
    from learnloop.service.patches.preview import FilePreview
    from learnloop.service.workspace import Workspace
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view import bulk
    from learnloop_tui.view.patch_state import PatchItem
    from learnloop_tui.view.text import Line

    Work = Callable[[Workspace], object]
    ImportChoices = Sequence[tuple[ImportChoice, Sequence[FilePreview]]]

_DISMISSALS = {
    "the agent does that anyway": "the agent does that anyway",
    "not for a prompt file": "not for a prompt file: recall is enough",
    "wrong or too vague": "wrong or too vague",
}


class PatchesPane(ListPane[PatchesView]):
    """Proposals, applied patches and history beside the page of the one under the cursor."""

    PLACE = "patches"
    BINDINGS = bindings("patches", "list")

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        self.detail: PatchDetail | None = None
        self._details: dict[str, PatchDetail] = {}
        self._ticks: dict[str, tuple[str, ...]] = {}
        """By patch: the files that were ticked besides its own."""
        self._wide = False
        self._folders: tuple[str, ...] = ()
        self._why_nothing = ""
        self._sought = ""
        """A proposal to point at that is not read yet."""
        super().__init__(bridge, now_ms, PatchesView(), Tall(patch_lines.height, self._draw_row))

    def handlers(self) -> dict[str, Action]:
        appliable = partial(self._in, "proposed", "active")
        return {
            **super().handlers(),
            **self.mark_handlers(),
            "apply": Action(
                self._apply, needs(appliable, "Only proposals and applied patches can be applied.")
            ),
            "archive": Action(
                self._revert, needs(lambda: self._in("active"), "Only applied patches can be reverted.")
            ),
            "reject": Action(
                self._dismiss,
                needs(lambda: self._in("proposed"), "Only proposals are dismissed; revert what is applied."),
            ),
            "restore": Action(
                self._bring_back,
                needs(lambda: self._in("dismissed"), "Only dismissed proposals can be brought back."),
            ),
            "edit": Action(
                self._edit_block,
                needs(lambda: self._current_patch, "There are no words to edit here."),
            ),
            "scope": Action(self._tick, self._why_not_tick),
            "new": Action(
                self._create,
                needs(lambda: self.detail and self.detail.lacks, "Its project lacks no instruction file."),
            ),
            "details": Action(
                self._toggle_diff, needs(lambda: self.view.current, "There is nothing to preview here.")
            ),
        }

    def turn(self, step: int) -> None:
        self.set_view(patch_state.on_tab(self.view, step))

    def reveal(self, item_id: str) -> bool:
        """Point at a proposal, also one that is not read yet."""
        self._sought = item_id
        self.view = patch_state.on_tab(self.view, -patch_state.TABS.index(self.view.tab))
        self.reload()
        return True

    async def read(self) -> PatchesSnapshot:
        current = self.view.current
        return await self._bridge.work(patch_queries.snapshot, current=current.id if current else "")

    def fill(self, data: PatchesSnapshot) -> None:
        """Show what was read; follow the folders it came from."""
        self._why_nothing = data.why_nothing
        self.view = list_view.with_rows(self.view, data.items, entries=data.history)
        if self._sought in self.view.positions:
            self.view, self._sought = list_view.pointed(self.view, self._sought), ""
        if data.detail is not None:
            self.detail = self._details[data.detail.id] = data.detail
        self._draw()
        patch = self._current_patch
        if patch is not None and (not self.detail or self.detail.id != patch.id):
            self.reload()
        if data.folders != self._folders:
            self._folders = data.folders
            watching = self._follow(data.folders)
            self.run_worker(watching, group="patch-files", exclusive=True, exit_on_error=False)

    async def _follow(self, folders: Sequence[str]) -> None:
        """Read anew whenever a file of those folders changes, whoever changed it."""
        try:
            async for _ in self._bridge.file_changes(folders):
                self._details.clear()
                self.reload()
        except OSError:
            self.notify_person(
                "The files cannot be watched: what changes shows when the pane is opened again.", "warning"
            )

    # What is shown

    def _draw_row(self, item: PatchItem, width: int, marked: bool, _fresh: bool, most: int) -> list[Line]:
        return patch_lines.row(item, width, marked=marked, now_ms=self._now_ms(), most=most)

    @property
    def _current_patch(self) -> PatchItem | None:
        """The row under the cursor, unless it is a line of the history."""
        current = self.view.current
        return current if current is not None and current.patch is not None else None

    def row_changed(self, *, is_other: bool) -> None:
        patch = self._current_patch
        if is_other and patch is not None:
            self.detail = self._details.get(patch.id)
            self.reload()
        super().row_changed(is_other=is_other)

    def _draw(self, *, top: bool = False) -> None:
        self.list_frame.display = not self._wide
        super()._draw(top=top)

    def to_copy(self, *, name: bool = False) -> str:
        patches = [row.patch for row in self.view.targets if row.patch is not None]
        if name:
            paths = [target.path for patch in patches for target in patch.targets]
            return "\n".join(dict.fromkeys(paths or [patch.id for patch in patches]))
        return "\n".join(patch.block for patch in patches)

    def title(self) -> tuple[str, str]:
        counts = {tab: f"{name} {self.view.count(tab):,}" for tab, name in TAB_NAMES.items()}
        names = (f"[{name}]" if tab == self.view.tab else name for tab, name in counts.items())
        parts = [f"/{text.cut(self.view.query, 24)}"] if self.view.query else []
        if self.view.marks:
            parts.append(f"◆ {len(self.view.marks):,} marked")
        return " · ".join(names) if self.view.loaded else "Patches", " · ".join(parts)

    def header(self, width: int) -> Line:
        return patch_lines.header(self.view, width)

    def nothing(self) -> list[Line]:
        return patch_lines.nothing(self.view.tab, self.view.query, self._why_nothing)

    def page_title(self) -> str:
        return "Preview" if self._wide else "Patch"

    def page(self, width: int) -> list[Line]:
        current = self.view.current
        return patch_lines.page(current, self.detail, width, self._now_ms()) if current is not None else []

    def _toggle_diff(self) -> None:
        self._wide = not self._wide
        self._draw()
        (self.page_view if self._wide else self.row_list).focus()

    def leave_page(self) -> bool:
        if self._wide:
            self._toggle_diff()
            return True
        return super().leave_page()

    def _why_not_mark(self) -> str:
        return "" if self._current_patch else "There is nothing to mark here."

    _why_not_mark_all = _why_not_mark

    # Applying and reverting

    def _in(self, *states: str) -> list[PatchItem]:
        return [row for row in self.view.targets if row.patch is not None and row.patch.state in states]

    async def _apply(self) -> None:
        plan = patch_reports.plan(self.view, "Apply", "will be put into their files", "proposed", "active")
        outside = patch_reports.outside(self._in("proposed", "active"), self._ticks)
        if outside and not self.view.marks:
            await self.ask(ConfirmScreen("Apply?", outside), lambda _: self._start_apply())
        else:
            await self._confirm(plan, self._start_apply)

    async def _create(self) -> None:
        """Ask, and create the instruction file that the project lacks."""
        from learnloop.service.patches import file_jobs

        detail = self.detail or PatchDetail("")
        create = partial(file_jobs.create, patch_id=detail.id)
        work = partial(self._finish, f"Created {detail.lacks} for", create, 1, "")
        await self.ask(ConfirmScreen("Create?", detail.lacks), lambda _: self._start(work()))

    def _start_apply(self) -> None:
        from learnloop.service.patches import patches

        rows = self._in("proposed", "active")
        fitting = patch_reports.appliable([row.patch for row in rows if row.patch])
        rows = [row for row in rows if row.patch in fitting]
        extra = [path for row in rows for path in self._ticks.get(row.id, ())]
        paths = None
        if extra:
            planned = [target.path for row in rows if row.patch for target in row.patch.targets]
            paths = list(dict.fromkeys([*planned, *extra]))
        previews = [preview for row in rows for preview in self._previews(row.id)]
        expected = {preview.path: preview.expected for preview in previews}
        ids = [row.id for row in rows]

        def apply(imports: Sequence[str] = (), choices: ImportChoices = ()) -> None:
            chosen = {p.path: p.expected for _, options in choices for p in options if p.path in imports}
            work = partial(
                patches.apply, ids=ids, paths=paths, projects=patch_queries.here(),
                expected=expected | chosen, imports=imports,
            )  # fmt: skip
            self._start(self._report("Applied", work))

        if any(row.patch and row.patch.is_item for row in rows):
            self._start(self._with_imports(ids, apply))
        else:
            apply()

    async def _with_imports(
        self, ids: list[str], apply: Callable[[Sequence[str], ImportChoices], None]
    ) -> None:
        """Ask where the lines go that make agents read files of facts, if any is needed, then apply.

        Keys typed meanwhile wait: they may answer the question.
        """
        from learnloop.service.patches import patches

        ready = asyncio.Event()
        self.post_message(HoldKeys(ready))
        try:
            choices = await self._bridge.work(patches.import_choices, ids, patch_queries.here())
            await self._ask_import(choices, [], lambda imports: apply(imports, choices))
        except LearnloopError as error:
            self.notify_person(patch_reports.with_hint(error.message, error.hint), "error")
        finally:
            ready.set()

    async def _ask_import(
        self, choices: ImportChoices, chosen: list[str], apply: Callable[[list[str]], None]
    ) -> None:
        from learnloop_tui.dialogs.choice import ImportScreen

        if not choices:
            apply(chosen)
            return
        (choice, previews), *others = choices

        def answered(path: str) -> None:
            self._start(self._ask_import(others, [*chosen, path], apply))

        await self.ask(ImportScreen(choice.path, previews), answered)

    def _previews(self, patch_id: str) -> Sequence[FilePreview]:
        detail = self._details.get(patch_id)
        return detail.previews if detail is not None and not detail.reverting else ()

    async def _revert(self) -> None:
        ids = [row.id for row in self._in("active")]
        plan = patch_reports.plan(self.view, "Revert", "will be taken out of their files", "active")
        await self._confirm(plan, lambda: self._start_revert(ids, None, ""))

    def _start_revert(self, ids: list[str], paths: list[str] | None, resolution: Resolution) -> None:
        """Keys typed meanwhile wait: they may answer the question about a conflict."""
        from learnloop.service.patches import patches

        finished = asyncio.Event()
        self.post_message(HoldKeys(finished))
        here = patch_queries.here()
        work = partial(patches.revert, ids=ids, paths=paths, projects=here, resolution=resolution)

        async def revert() -> None:
            try:
                report = await self._report("Reverted", work)
                results = report.results if report is not None else ()
                undecided = (result for result in results if result.did in patch_reports.UNDECIDED)
                if (first := next(undecided, None)) is not None:
                    await self._ask_about(first)
            finally:
                finished.set()

        self._start(revert())

    async def _ask_about(self, result: PatchResult) -> None:
        """Ask what becomes of a block that was edited by hand, or of a file that is gone."""
        from learnloop_tui.dialogs.choice import ConflictScreen

        await self.ask(ConflictScreen(result), partial(self._start_revert, [result.patch], [result.path]))

    # Other verdicts

    async def _dismiss(self) -> None:
        from learnloop.service.patches import proposals
        from learnloop_tui.dialogs.choice import ChoiceScreen
        from learnloop_tui.dialogs.page import PlanPage

        ids = [row.id for row in self._in("proposed")]
        title = "Dismiss this proposal" if len(ids) == 1 else f"Dismiss {len(ids)} proposals"
        plan = patch_reports.plan(self.view, "Dismiss", "will be dismissed", "proposed")

        def dismiss(reason: str) -> None:
            work = partial(proposals.dismiss, ids=ids, reason=reason)
            self._start(self._finish("Dismissed", work, len(ids)))

        above = [PlanPage(plan)] if self.view.marks else []
        await self.ask(ChoiceScreen(title, _DISMISSALS, free=True, above=above), dismiss)

    async def _bring_back(self) -> None:
        from learnloop.service.patches import proposals

        ids = [row.id for row in self._in("dismissed")]
        work = partial(proposals.restore, ids=ids)
        plan = patch_reports.plan(self.view, "Bring back", "will be proposed again", "dismissed")
        await self._confirm(plan, lambda: self._start(self._finish("Brought back", work, len(ids))))

    async def _confirm(self, plan: bulk.Plan, act: Callable[[], None]) -> None:
        """Act on the patch under the cursor at once; on marks after showing what that will do."""
        from learnloop_tui.dialogs.page import BulkScreen

        if self.view.marks:
            await self.ask(BulkScreen(plan), lambda _: act())
        else:
            act()

    async def _edit_block(self) -> None:
        from learnloop.service.patches import proposals
        from learnloop_tui.dialogs.sentence_screen import BlockScreen

        row = self._current_patch
        if row is None or row.patch is None:
            return

        def reword(words: str) -> None:
            work = partial(proposals.edit, patch_id=row.id, words=words)
            self._start(self._finish("Reworded", work, 1))

        await self.ask(BlockScreen(row.patch), reword)

    def _why_not_tick(self) -> str:
        is_possible = self.detail and any(not candidate.refusal for candidate in self.detail.candidates)
        return "" if is_possible else "There is no other file for this patch."

    async def _tick(self) -> None:
        from learnloop_tui.dialogs.choice import TickScreen

        detail = self.detail
        if detail is None:
            return

        ticked = self._ticks.get(detail.id, ())
        lines = (
            (f" {file.name} · {file.readers} · {file.scope} · {file.path}", file.path, file.path in ticked)
            for file in detail.candidates
            if not file.refusal
        )

        def tick(paths: tuple[str, ...]) -> None:
            self._ticks[detail.id] = paths
            count = f"{len(paths)} more files ticked: {commands.BY_ID['apply'].key} applies."
            self.notify_person(count if paths else "No more files are ticked.")

        await self.ask(TickScreen("More files for this patch", lines), tick)

    # Doing it

    def _start(self, work: Coroutine[Any, Any, Any]) -> None:
        self.run_worker(work, group="patch", exit_on_error=False)

    async def _report(self, done: str, work: Callable[[Workspace], Report]) -> Report | None:
        """Change files and report each; None where nothing could be tried."""
        reports: list[Report] = []
        if not await self._work(lambda ws: reports.append(work(ws))):
            return None
        for words, severity in patch_reports.notices(done, reports[0]):
            self.notify_person(words, severity)
        return reports[0]

    async def _finish(self, done: str, work: Work, count: int, more: str = " z takes it back.") -> None:
        if await self._work(work):
            self.notify_person(f"{done}: {count} {'patch' if count == 1 else 'patches'}.{more}")

    async def _work(self, work: Work) -> bool:
        """Run it in a thread and read anew; a failure is reported, and False returned."""
        try:
            await self._bridge.work(work)
        except LearnloopError as error:
            self.notify_person(patch_reports.with_hint(error.message, error.hint), "error")
            return False
        except OSError as error:
            self.notify_person(str(error), "error")
            return False
        finally:
            self.view = list_view.unmarked(self.view)
            self._details.clear()
            self.reload()
        return True
