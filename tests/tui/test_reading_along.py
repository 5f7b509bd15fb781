"""An open console lets a model read along after it ingested, and waits for nothing of it."""

import pytest

from learnloop.ingest import start_reading
from learnloop_tui.bridge.service_bridge import ServiceBridge


async def test_the_console_starts_a_reading_after_it_ingested(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    monkeypatch.setattr(start_reading, "start", started.append)
    bridge = ServiceBridge(root)
    await bridge.ingest()
    assert started == [root]
    bridge.close()
