"""What tests of the command line share."""

import pytest

from tests.cli.store import Learn


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    """The command line of a person with an empty store."""
    return Learn(capsys)
