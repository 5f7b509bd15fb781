"""The only way from the console to the service: all that is slow happens in worker threads.

A query is a plain function of the workspace. It imports the service inside its body, so that the first frame
does not wait for it, and returns a frozen value. `Bridge` runs queries; a module here holds those of an area.
"""

from learnloop_tui.bridge.protocol import Bridge
from learnloop_tui.bridge.service_bridge import ServiceBridge

__all__ = ["Bridge", "ServiceBridge"]
