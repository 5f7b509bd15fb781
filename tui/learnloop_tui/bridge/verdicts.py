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
        from learnloop.service.review import rule_muting, verdicts

        ws, ids, args = self._workspace(), list(verdict.ids), verdict.args
        match verdict.action:
            case "promote":
                verdicts.promote(ws, ids, args.get("statement"))
            case "reject":
                verdicts.reject(ws, ids, args.get("reason", ""))
            case "archive":
                verdicts.archive(ws, ids, args.get("reason", "unused"))
            case "restore":
                verdicts.restore(ws, ids)
            case "edit":
                verdicts.edit(ws, ids[0], dict(args))
            case "scope":
                verdicts.set_scope(ws, ids, args["scope"], project=args.get("project"))
            case "pause" | "resume":
                verdicts.pause(ws, ids, verdict.action == "pause")
            case "gate":
                verdicts.gate(ws, ids, on=bool(args["on"]))
            case "rate":
                verdicts.rate(ws, ids, args["verdict"])
            case "keep":
                verdicts.keep(ws, ids)
            case "merge":
                verdicts.merge(ws, args["keep"], [name for name in ids if name != args["keep"]])
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
        from learnloop.service.history import sentences, undo

        ws = self._workspace()
        decision = undo.undo(ws) if name == "undo" else undo.redo(ws)
        if decision is None:
            return None
        return Step(sentences.step_sentence(ws, decision) or "the last verdict", decision.lesson_ids)
