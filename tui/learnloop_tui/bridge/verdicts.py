"""Verdicts on their way to the service, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.bridge.threads import Threads
from learnloop_tui.view.state import Step

if TYPE_CHECKING:
    from learnloop_tui.view.state import Verdict


class Verdicts(Threads):
    """Writes what a person decides."""

    async def act(self, verdict: Verdict) -> None:
        """Write a verdict down."""
        await self._run(self._order, lambda: self._act(verdict))

    def _act(self, verdict: Verdict) -> None:
        from learnloop.service.lessons import queue
        from learnloop.service.review import rule_muting

        ws, ids, args = self._workspace(), list(verdict.ids), verdict.args
        match verdict.action:
            case "promote":
                queue.promote(ws, ids, args.get("statement"))
            case "reject":
                queue.reject(ws, ids, args.get("reason", ""))
            case "archive":
                queue.archive(ws, ids, args.get("reason", "unused"))
            case "restore":
                queue.restore(ws, ids)
            case "edit":
                queue.edit(ws, ids[0], dict(args))
            case "scope":
                queue.set_scope(ws, ids, args["scope"], project=args.get("project"))
            case "pause" | "resume":
                queue.pause(ws, ids, verdict.action == "pause")
            case "gate":
                queue.gate(ws, ids, on=bool(args["on"]))
            case "rate":
                queue.rate(ws, ids, args["verdict"])
            case "keep":
                queue.keep(ws, ids)
            case "merge":
                queue.merge(ws, args["keep"], [name for name in ids if name != args["keep"]])
            case "mute":
                rule_muting.mute(ws, args["rule"])
            case "confirm" | "dismiss" | "resolve":
                self._believe(verdict)
            case _:
                raise ValueError(verdict.action)

    def _believe(self, verdict: Verdict) -> None:
        from learnloop.service.profile import preferences

        ws, belief, args = self._workspace(), verdict.ids[0], verdict.args
        if verdict.action == "resolve":
            preferences.resolve(ws, belief, args["keep"])
        elif verdict.action == "dismiss":
            preferences.dismiss(ws, belief)
        else:
            preferences.confirm(ws, belief, args.get("value"), args.get("statement"))

    async def undo(self) -> Step | None:
        """Take the last verdict back."""
        return await self._run(self._order, lambda: self._step("undo"))

    async def redo(self) -> Step | None:
        """Bring back the verdict undone last."""
        return await self._run(self._order, lambda: self._step("redo"))

    def _step(self, name: str) -> Step | None:
        from learnloop.service.lessons import queue
        from learnloop.service.sessions import sessions

        ws = self._workspace()
        decision = queue.undo(ws) if name == "undo" else queue.redo(ws)
        if decision is None:
            return None
        return Step(sessions.told(ws, decision) or "the last verdict", decision.lesson_ids)
