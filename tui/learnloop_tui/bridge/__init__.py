"""The only way from the console to the service: everything slow happens in worker threads.

The service, its models and the file watcher are imported in those threads, after the first frame. What the
console asks is `Bridge`; `ServiceBridge` answers from the real store, put together from a module an area.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.bridge.insights import Learning
from learnloop_tui.bridge.lists import Lists
from learnloop_tui.bridge.live_events import Following
from learnloop_tui.bridge.maintenance import Keeping
from learnloop_tui.bridge.protocol import Bridge
from learnloop_tui.bridge.verdicts import Verdicts

if TYPE_CHECKING:
    from learnloop_tui.bridge.protocol import Progress as Progress

__all__ = ["Bridge", "ServiceBridge"]


class ServiceBridge(Lists, Verdicts, Learning, Keeping, Following):
    """The bridge to the real service."""
