"""What the console asks of the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Concatenate, Literal, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from learnloop.service.workspace import Workspace
    from learnloop_tui.bridge.live_events import LiveEvents
    from learnloop_tui.view.state import Snapshot

    Stopped = Callable[[], bool]
    """Whether nobody waits for the answer any more."""
    Query = Callable[Concatenate[Workspace, P], T]
    Stoppable = Callable[Concatenate[Workspace, Stopped, P], T]
    LiveQuery = Callable[Concatenate[LiveEvents, P], T]

Presence = Literal["same", "gone", "other"]
"""Of the store's folder: the one that was opened, none at all, another one in its place."""


class Bridge(Protocol):
    """Runs queries in four threads, each in the order in which it was asked."""

    demo: bool
    """A throw-away store: nothing outside it may be touched."""
    root: str

    async def work(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query in order with loading, ingest and verdicts."""

    async def read(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a quick query that does not wait for verdicts and ingest."""

    async def long(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query that takes longer, beside the others."""

    async def latest(self, query: Stoppable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query and tell the one before of its module, through its `Stopped`, that nobody waits."""

    async def live(self, query: LiveQuery[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query on the journal that is followed, in the thread of `read`."""

    async def start(self) -> None:
        """Seed a demo, take the console lock."""

    async def presence(self) -> Presence:
        """Whether the folder is still the one that was opened; "other" is returned once."""

    async def load(self) -> Snapshot:
        """Everything the lists show; the same object where nothing changed."""

    async def ingest(self) -> bool:
        """Turn new events into documents; whether there were any."""

    def changes(self) -> AsyncIterator[bool]:
        """Whenever files of the store change: whether documents are among them."""

    def file_changes(self, folders: Sequence[str]) -> AsyncIterator[None]:
        """Whenever a file of those folders changes; raises OSError where they cannot be watched."""

    async def glimpse(self) -> Snapshot | None:
        """What the lists showed last time, where that is there sooner than what they show now."""

    async def keep_glimpse(self) -> None:
        """Keep what the lists show for next time."""

    def close(self) -> None:
        """Let go of threads and locks."""
