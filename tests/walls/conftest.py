"""The agent of the hook tests, for what comes in through hooks."""

from tests.hooks.conftest import agent, deployed

__all__ = ["agent", "deployed"]
