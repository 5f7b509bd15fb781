"""A bridge whose rows come when a test lets them."""

import asyncio

from learnloop.models import Lesson
from learnloop_tui.view.state import Snapshot
from tests.tui.fakes import FakeBridge


class SlowBridge(FakeBridge):
    """Its rows wait for `ready`."""

    def __init__(self, *lessons: Lesson) -> None:
        super().__init__(*lessons)
        self.ready = asyncio.Event()

    async def load(self) -> Snapshot:
        """Wait, then load."""
        await self.ready.wait()
        return await super().load()
