"""Verdicts on their way to the service, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.bridge.threads import Threads
from learnloop_tui.state import Step

if TYPE_CHECKING:
    from learnloop_tui.state import Verdict


class Verdicts(Threads):
    """Writes what a person decides."""

    async def act(self, verdict: Verdict) -> None:
        """Write a verdict down."""
        await self._run(self._order, lambda: self._act(verdict))

    def _act(self, verdict: Verdict) -> None:
        from learnloop.service import lessons, rules

        ws, ids, args = self._workspace(), list(verdict.ids), verdict.args
        match verdict.action:
            case "promote":
                lessons.promote(ws, ids, args.get("statement"))
            case "reject":
                lessons.reject(ws, ids, args.get("reason", ""))
            case "archive":
                lessons.archive(ws, ids, args.get("reason", "unused"))
            case "restore":
                lessons.restore(ws, ids)
            case "edit":
                lessons.edit(ws, ids[0], dict(args))
            case "scope":
                lessons.set_scope(ws, ids, args["scope"], project=args.get("project"))
            case "pause" | "resume":
                lessons.pause(ws, ids, verdict.action == "pause")
            case "gate":
                lessons.gate(ws, ids, on=bool(args["on"]))
            case "rate":
                lessons.rate(ws, ids, args["verdict"])
            case "keep":
                lessons.keep(ws, ids)
            case "merge":
                lessons.merge(ws, args["keep"], [name for name in ids if name != args["keep"]])
            case "mute":
                rules.mute(ws, args["rule"])
            case "confirm" | "dismiss" | "resolve":
                self._believe(verdict)
            case _:
                raise ValueError(verdict.action)

    def _believe(self, verdict: Verdict) -> None:
        from learnloop.service import preferences

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
        from learnloop.service import lessons, sessions

        ws = self._workspace()
        decision = lessons.undo(ws) if name == "undo" else lessons.redo(ws)
        if decision is None:
            return None
        return Step(sessions.told(ws, decision) or "the last verdict", decision.lesson_ids)
