"""The draw of an experiment: balanced, sticky, and independent of every other."""

import math
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnloop.wire import session_recalls

SESSIONS = [str(uuid.UUID(int=n * 0x9E3779B97F4A7C15 % (1 << 128))) for n in range(10_000)]


def trial(salt: int, *weights: int) -> dict[str, object]:
    ends = [sum(weights[: n + 1]) for n in range(len(weights))]
    return {"salt": salt, "arms": [[end, str(n), True, ""] for n, end in enumerate(ends)]}


@pytest.mark.parametrize("weights", [(80, 20), (50, 50), (95, 5)])
@pytest.mark.parametrize("salt", [0, 1, 0xFFFF_FFFF_FFFF_FFFF])
@pytest.mark.parametrize("names", [SESSIONS, [f"s{n}" for n in range(10_000)]], ids=["uuids", "counted"])
def test_ten_thousand_sessions_are_balanced(weights: tuple[int, ...], salt: int, names: list[str]) -> None:
    drawn = [session_recalls.arm(trial(salt, *weights), name)[1] for name in names]
    for number, weight in enumerate(weights):
        assert abs(drawn.count(str(number)) / 100 - weight) < 1


def test_two_experiments_draw_independently() -> None:
    one, other = ([session_recalls.drawn(salt, name) < 500_000 for name in SESSIONS] for salt in (7, 8))
    both = sum(a and b for a, b in zip(one, other, strict=True))
    assert abs(both - 2_500) < 4 * math.sqrt(10_000 * 3 / 16)


@given(st.text(), st.integers(0, (1 << 64) - 1))
def test_any_session_gets_the_same_variant_each_time(session: str, salt: int) -> None:
    chosen = session_recalls.arm(trial(salt, 1, 98, 1), session)
    assert chosen == session_recalls.arm(trial(salt, 1, 98, 1), session)
