"""A store that goes away under the open console, and what takes its place."""

from __future__ import annotations

from learnloop_tui.app.live_view import LOOK_S, LiveView


class StoreWatch(LiveView):
    """Says that the store is gone instead of calling it empty, and follows the one that comes."""

    _is_told = False

    def start_looking(self) -> None:
        """Look for the folder too."""
        super().start_looking()
        self.set_interval(LOOK_S, self._look_for_store)

    async def _look_for_store(self) -> None:
        presence = await self.bridge.presence()
        if presence == "same":
            await self._look_for_news()
            return
        if not self._is_told:
            self.say(
                f"The store is gone: {self.bridge.root} was moved or removed. Put it back, or quit; "
                "what agents report from now on goes into a new one.",
                "error",
            )
        self._is_told = presence == "gone"
        if presence == "other":
            self._follow_anew()
        self.pump.want_load()

    async def _look_for_news(self) -> None:
        """What another console or a command wrote, where no notice of it came; costs little."""
        if await self.bridge.load() is not self.snapshot:
            self.pump.want_load()

    def _follow_anew(self) -> None:
        """The folders that were followed are not the ones that are there now."""
        self.workers.cancel_group(self, "live")
        self._follow()
        self.pump.want_ingest()
