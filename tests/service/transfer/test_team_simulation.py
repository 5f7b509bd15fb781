"""A short form of `make simulate-team`: through kills, clones and backups nothing is lost."""

import pytest

from tests import postgres

team = pytest.importorskip("scripts.simulate.team", reason="psycopg is not here", exc_type=ImportError)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(postgres.reason()), reason=postgres.reason() or "it runs"),
]


def test_nothing_is_missing_doubled_or_unequal() -> None:
    with team.world(1, next(iter(postgres.programs().values()))) as world:
        world.run(150)
        assert world.settle()
        assert {name: number for name, number in world.faults().items() if number} == {}, world.failures[:3]
