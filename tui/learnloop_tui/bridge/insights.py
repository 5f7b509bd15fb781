"""What is learned of agents and of the person, and what a lesson would have done."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

from learnloop_tui.bridge import lesson_insights as beside
from learnloop_tui.bridge.threads import Threads

if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnloop.models.agent import AgentPerformance
    from learnloop.service.profile.agents import Figure, Judged
    from learnloop.service.profile.beliefs import Page
    from learnloop_tui.view.state import Beside, Section


class Learning(Threads):
    """Reads what takes longer."""

    async def agents(self, *, split: bool) -> tuple[AgentPerformance, ...]:
        """Every agent's figures."""
        return await self._run(self._long, lambda: self._agents(split))

    def _agents(self, split: bool) -> tuple[AgentPerformance, ...]:
        from learnloop.service.profile import agents

        return tuple(agents.performance(self._workspace(), split=split))

    async def behind(self, agent: str, figure: str, project: str, host: str) -> tuple[Judged, ...]:
        """The turns behind an agent's figure."""
        return await self._run(self._long, lambda: self._behind(agent, figure, project, host))

    def _behind(self, agent: str, figure: str, project: str, host: str) -> tuple[Judged, ...]:
        from learnloop.service.profile import agents

        ws, chosen = self._workspace(), cast("Figure", figure)
        return tuple(agents.behind(ws, agent, chosen, project=project or None, host=host or None))

    async def believed(self) -> Page:
        """What is believed."""
        return await self._run(self._long, self._believed)

    def _believed(self) -> Page:
        from learnloop.service.profile import beliefs as believed

        return believed.page(self._workspace())

    async def beside(self, row_id: str) -> Beside | None:
        """What takes longer about a lesson."""
        stop = self._stop_trial()
        return await self._run(self._trials, lambda: beside.beside(self._workspace(), row_id, stop.is_set))

    async def trial(self, row_id: str, changes: Mapping[str, Any]) -> Section | None:
        """What a lesson with these changes would have done."""
        stop = self._stop_trial()
        return await self._run(
            self._trials, lambda: beside.trial(self._workspace(), row_id, changes, stop.is_set)
        )

    def _stop_trial(self) -> threading.Event:
        """End the trial that runs: only the last question is answered."""
        self._stopping.set()
        self._stopping = threading.Event()
        return self._stopping
