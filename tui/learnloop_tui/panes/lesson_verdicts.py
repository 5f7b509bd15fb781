"""A list on whose lessons verdicts are given: what Inbox and Lessons share."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from learnloop_tui.bridge import lesson_insights, lesson_queries
from learnloop_tui.panes.actions import Action, needs
from learnloop_tui.panes.lesson_list import LessonListPane
from learnloop_tui.panes.pane import PlaceRequested, TypedAheadDropped, VerdictGiven
from learnloop_tui.view import bulk, list_view, text
from learnloop_tui.view.state import Row, Section, Verdict

if TYPE_CHECKING:
    from learnloop.service.recall.backtest import Doubt

_SETTLES = ("promote", "reject", "archive", "restore", "keep")
"""Verdicts after which there is nothing more to say about a lesson: the cursor goes on."""


_CLAIMED: bulk.Test = (
    "stay as they are: an agent may have decided, settle each by itself",
    lambda row: bool(row.claimed),
)
_NOT_PROPOSED: bulk.Test = ("stay as they are: not proposed for archiving", lambda row: not row.proposal)


class LessonVerdictPane(LessonListPane):
    """Gives verdicts on the marked lessons, else on the one under the cursor."""

    def handlers(self) -> dict[str, Action]:
        return {
            **super().handlers(),
            "promote": Action(self._promote, self._why_not_promote),
            "archive": Action(
                self._archive, lambda: self._none_in("active paused", "Only active lessons are archived")
            ),
            "merge": Action(self._merge, self._why_not_merge),
            "compare": Action(self._compare, needs(self._contradicts, "Nothing contradicts this one.")),
            "gate": Action(self._bind, self._why_not_bind),
            "reject": Action(self._reject, self._why_not_reject),
            "edit": Action(self._edit, self._why_not_edit),
            "apply": Action(self._place),
            "scope": Action(
                self._scope,
                needs(lambda: self.view.targets, "There is nothing here whose scope could change."),
            ),
        }

    async def _promote(self) -> None:
        """Keep drafts, or what is proposed for archiving.

        A single draft is asked for the words it needs, and whether it stops calls.
        """
        targets = self.view.targets
        if len(targets) == 1 and targets[0].claimed:
            self._decide("promote", targets, {"claimed": ""}, "Accepted what an agent decided about")
            return
        if len(targets) == 1 and targets[0].status == "draft":
            await self._promote_one(targets[0])
            return
        if not self._in("draft"):
            plan = self._plan(
                "Keep", "will be kept, and not proposed again for a while", _CLAIMED, _NOT_PROPOSED
            )
            await self._act(plan, "keep", {"proposal": ""}, "Kept")
            return
        from learnloop.service.recall import backtest

        plan = self._plan(
            "Keep",
            "will be recalled",
            _CLAIMED,
            ("stay as they are: no drafts", bulk.state_is("draft")),
            ("stay drafts: they need words, p on each asks for them", lambda row: row.needs_words),
            (
                "stay drafts: these are not your words, read each by itself",
                lambda row: not row.is_persons and len(targets) > 1,
            ),
        )
        warnings = await self._bridge.long(backtest.warnings, [row.id for row in plan.rows[: bulk.MOST]])
        plan = plan._replace(warnings=warnings)
        await self._act(plan, "promote", {"status": "active"}, "Kept")

    def hides(self, command_id: str) -> bool:
        """What the message of a lesson that was kept names, the footer leaves out."""
        return command_id == "apply" or super().hides(command_id)

    def _place(self) -> None:
        """Show where the lesson may stand in files: of a draft, of the one that was kept before."""
        row = self.view.current
        self.post_message(PlaceRequested((row.id,) if row and row.status != "draft" else ()))

    async def _promote_one(self, row: Row) -> None:
        from learnloop_tui.dialogs.sentence_screen import StatementScreen

        if not row.needs_words:
            await self._promote_with(row, {})
            return
        [lesson] = await self._bridge.read(lesson_queries.lessons, [row.id])
        self.post_message(TypedAheadDropped())
        await self.ask(
            StatementScreen(lesson),
            lambda words: self.run_worker(self._promote_with(row, {"statement": words})),
        )

    async def _promote_with(self, row: Row, given: Mapping[str, str]) -> None:
        """Promote a draft, perhaps with words; where it has a check, ask how that binds."""
        from learnloop_tui.dialogs.choice import WayScreen

        def promote(args: Mapping[str, Any]) -> None:
            worded = {**given, "needs_words": False} if given else {}
            self._decide("promote", [row], {"status": "active", **worded}, "Kept", args)

        words = given.get("statement", "")
        choice = await self._bridge.long(lesson_insights.choice, row.id, words)
        if choice is not None:
            await self.ask(
                WayScreen(words or row.label, choice), lambda way: promote({**given, **choice.given(way)})
            )
        elif (doubt := self.insights(row.id).doubt) and not given:
            await self._ask_moment(row, doubt)
        else:
            promote(given)

    async def _ask_moment(self, row: Row, doubt: "Doubt") -> None:
        """Ask when to tell what would be told to nobody, or would not have caught its mistake; promote it."""
        from learnloop.service.recall.backtest import LEAVE
        from learnloop_tui.dialogs.choice import ChoiceScreen

        def promote(answer: str) -> None:
            if answer in doubt.ways:
                self._decide("edit", [row], {}, "Told at another moment:", {"triggers": doubt.ways[answer]})
            self._decide("promote", [row], {"status": "active"}, "Kept")

        ways = {way: way for way in (*doubt.ways, LEAVE)}
        await self.ask(ChoiceScreen(f"It {doubt.words}", ways), promote)

    async def _archive(self, *tests: bulk.Test) -> None:
        from learnloop_tui.dialogs.choice import ARCHIVING

        left = ("stay as they are: not in use", bulk.state_is("active", "paused"))
        plan = self._plan("Archive", "will be archived", *tests, left)

        def archive(reason: str) -> None:
            changes = {"status": "archived", "proposal": ""}
            self._decide("archive", plan.rows, changes, "Archived", {"reason": reason})

        await self._ask_why(plan, ARCHIVING, archive, free=False)

    def _why_not_merge(self) -> str:
        rows = self._in("draft", "active", "paused")
        if len(rows) > 1 or (rows and self.insights(rows[0].id).near):
            return ""
        return "Mark the lessons that say the same (space), then merge them."

    async def _merge(self) -> None:
        from learnloop_tui.dialogs.choose_lesson import MergeScreen

        rows = self._in("draft", "active", "paused")
        names = [row.id for row in rows]
        if len(names) == 1:
            names.append(self.insights(names[0]).near[0])

        def merge(kept_id: str) -> None:
            gone = [row for row in self.view.rows if row.id in names and row.id != kept_id]
            archived = {"status": "archived", "proposal": ""}
            self._decide("merge", gone, archived, "Merged", {"keep": kept_id}, also=(kept_id,))

        lessons = await self._bridge.read(lesson_queries.lessons, names)
        against = await self._bridge.read(lesson_queries.contradiction, names)
        await self.ask(MergeScreen(lessons, against), merge)

    def _contradicts(self) -> tuple[str, str] | None:
        return self.insights(self.view.current.id).contradicts if self.view.current else None

    async def _compare(self) -> None:
        from learnloop_tui.dialogs.choose_lesson import ContradictionScreen

        row, other = self.view.current, self._contradicts()
        if row is None or other is None:
            return
        lessons = await self._bridge.read(lesson_queries.lessons, [row.id, other[0]])
        ids = [lesson.id for lesson in lessons]

        def settle(kept_id: str) -> None:
            gone = [row for row in self.view.rows if row.id in ids and row.id != kept_id]
            if gone and gone[0].status == "draft":
                reason = {"reason": "contradicts another lesson"}
                self._decide("reject", gone, {"status": "rejected"}, "Dropped", reason)
            elif gone:
                verdict = Verdict("replace", (kept_id, gone[0].id), {})
                changes: dict[str, Mapping[str, Any]] = {
                    kept_id: {"status": "active"}, gone[0].id: {"status": "archived", "proposal": ""},
                }  # fmt: skip
                self.post_message(VerdictGiven(verdict, changes, f"Replaced {named(gone)}", kept_id))

        await self.ask(ContradictionScreen(lessons, other[1]), settle)

    async def _bind(self) -> None:
        """Ask how the check of a lesson binds; one without a check stops its first call, or no call more."""
        from learnloop_tui.dialogs.choice import WayScreen

        def bind(way: str) -> None:
            given = choice.given(way) if choice and way != "first" else {"way": way}
            self._decide("bind", [row], {}, "Changed", given)

        row = self.view.targets[0]
        choice = await self._bridge.long(lesson_insights.choice, row.id, "")
        if choice is not None:
            await self.ask(WayScreen(row.label, choice), bind)
            return
        [lesson] = await self._bridge.read(lesson_queries.lessons, [row.id])
        bind("tell" if lesson.gate else "first")

    def _why_not_bind(self) -> str:
        rule = "Only drafts and active lessons can stop a call"
        return self._why_not_single() or self._none_in("draft active paused", rule)

    def _why_not_single(self) -> str:
        return "One lesson at a time: esc takes the marks off." if len(self.view.targets) > 1 else ""

    def _why_not_promote(self) -> str:
        is_asked = any(row.proposal or row.claimed for row in self.view.targets)
        return "" if is_asked else self._none_in("draft", "Only drafts are kept")

    def _why_not_reject(self) -> str:
        if any(row.proposal or row.claimed for row in self.view.targets):
            return ""
        return self._none_in("draft", "Only drafts are dropped")

    async def _reject(self) -> None:
        """Ask for the reason, then drop; where only proposals are meant, archive them."""
        from learnloop_tui.dialogs.choice import REJECTING

        targets = self.view.targets
        if len(targets) == 1 and targets[0].claimed:
            self._decide("reject", targets, {"claimed": ""}, "Discarded what an agent decided about")
            return
        if not self._in("draft"):
            await self._archive(_CLAIMED, _NOT_PROPOSED)
            return
        plan = self._plan(
            "Drop", "will be dropped for good", _CLAIMED,
            ("stay as they are: no drafts", bulk.state_is("draft")),
        )  # fmt: skip

        def reject(reason: str) -> None:
            self._decide("reject", plan.rows, {"status": "rejected"}, "Dropped", {"reason": reason})

        await self._ask_why(plan, REJECTING, reject)

    def _why_not_edit(self) -> str:
        return self._why_not_single() or ("" if self.view.targets else "There is nothing to edit here.")

    async def _edit(self) -> None:
        from learnloop_tui.dialogs.edit import EditScreen

        row = self.view.targets[0]

        def edit(changes: dict[str, Any]) -> None:
            if changes:
                worded = "statement" in changes
                shown = {"statement": changes["statement"], "needs_words": False} if worded else {}
                self._decide("edit", [row], shown, "Changed", changes)

        [lesson] = await self._bridge.read(lesson_queries.lessons, [row.id])

        def try_out(changes: Mapping[str, Any]) -> Awaitable[Section | None]:
            return self._bridge.latest(lesson_insights.trial, row.id, changes)

        await self.ask(EditScreen(lesson, try_out), edit)

    async def _scope(self) -> None:
        """Switch between the whole project and everywhere; several follow the first."""
        targets = self.view.targets
        to = "global" if targets[0].scope == "project" else "project"
        projects = await self._bridge.read(lesson_queries.came_from, [row.id for row in targets])
        project = projects[targets[0].id]
        if to == "project" and not project:
            self.notify_person("It is not known which project it came from.", "warning")
            return
        folder = targets[0].folder or project.rstrip("/").rpartition("/")[2]
        where = "everywhere" if to == "global" else f"in {text.cut(folder, 40)} only"
        plan = self._plan(
            "Move",
            f"will hold {where}",
            ("apply there already", lambda row: row.scope == to),
            ("came from no project that is known", lambda row: to == "project" and not projects[row.id]),
            ("came from another project", lambda row: to == "project" and projects[row.id] != project),
        )
        notice = "Applies everywhere now:" if to == "global" else f"Holds in {folder} now:"
        shown = {"scope": to, "path": "", "project": project if to == "project" else ""}
        await self._act(plan, "scope", shown, notice, {"scope": to})

    def _in(self, *states: str) -> list[Row]:
        return [row for row in self.view.targets if row.state in states]

    def _none_in(self, states: str, rule: str) -> str:
        if not self.view.targets:
            return f"{rule}, and there is none here."
        if self._in(*states.split()):
            return ""
        if self.view.marks:
            return f"{rule}; none of the marked ones is."
        return f"{rule}; this one is {self.view.targets[0].state}."

    def _plan(self, verb: str, will: str, *tests: bulk.Test) -> bulk.Plan:
        return bulk.plan(verb, will, self.view.targets, *tests, shown=frozenset(self.view.positions))

    async def _act(
        self,
        plan: bulk.Plan,
        action: str,
        changes: Mapping[str, Any],
        notice: str,
        args: Mapping[str, Any] | None = None,
    ) -> None:
        """Act on the row under the cursor at once; on marks after showing what that will do."""
        from learnloop_tui.dialogs.page import BulkScreen

        if self.view.marks:
            await self.ask(BulkScreen(plan), lambda _: self._decide(action, plan.rows, changes, notice, args))
        elif plan.rows:
            self._decide(action, plan.rows, changes, notice, args)

    async def _ask_why(
        self, plan: bulk.Plan, reasons: Mapping[str, str], answer: Callable[[str], None], *, free: bool = True
    ) -> None:
        """Ask for the reason, with what will be done above it where marks are meant."""
        from learnloop_tui.dialogs.choice import ChoiceScreen
        from learnloop_tui.dialogs.page import PlanPage

        title = plan.title if self.view.marks else f"{plan.verb} {named(plan.rows)}"
        above = [PlanPage(plan)] if self.view.marks else []
        await self.ask(ChoiceScreen(title, reasons, free=free, above=above), answer)

    def _decide(
        self,
        action: str,
        rows: Sequence[Row],
        changes: Mapping[str, Any],
        notice: str,
        args: Mapping[str, Any] | None = None,
        *,
        also: Sequence[str] = (),
    ) -> None:
        ids = tuple(row.id for row in rows)
        goes_on = ids[0] if action in _SETTLES and not self.view.marks else ""
        if self.view.marks:
            self.set_view(list_view.unmarked(self.view))
        verdict = Verdict(action, (*also, *ids), args or {})
        changed = {row.id: _changed(row, changes) for row in rows}
        self.post_message(VerdictGiven(verdict, changed, f"{notice} {named(rows)}", goes_on))


def named(rows: Sequence[Row]) -> str:
    """Which lessons, for a message."""
    if len(rows) == 1:
        return f"“{text.cut(rows[0].statement.rstrip('.'), 60)}”"
    return f"{len(rows):,} lessons"


def _changed(row: Row, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """What changes on a row; what is restored goes back to where it came from."""
    if changes.get("status") == "restored":
        return {**changes, "status": "active" if row.status == "archived" else "draft"}
    return changes
