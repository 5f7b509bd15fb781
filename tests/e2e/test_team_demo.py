"""What `make team-demo` shows holds: a lesson goes from a correction to a call of others that is stopped."""

from pathlib import Path

import pytest
from scripts import team_demo

from tests import postgres

pytestmark = pytest.mark.e2e


@pytest.fixture
def homes(client: Path, tmp_path: Path) -> team_demo.Homes:
    """A maker of people, where the real client can be had."""
    return team_demo.Homes(tmp_path)


@pytest.mark.skipif(bool(postgres.reason()), reason=postgres.reason() or "it runs")
def test_a_lesson_goes_through_a_database(homes: team_demo.Homes) -> None:
    team_demo.through_postgres(homes)


def test_a_lesson_goes_through_the_repository(homes: team_demo.Homes) -> None:
    team_demo.through_the_repository(homes)
