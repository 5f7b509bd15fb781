"""The merge of a team's records is a function of their set, and the database computes it from any order."""

import json
import random
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learnloop.service.transfer import team
from tests import postgres
from tests.service.transfer.merge import Merged, Verdict, merged

psycopg = pytest.importorskip("psycopg")
pytestmark = pytest.mark.skipif(bool(postgres.reason()), reason=postgres.reason() or "it runs")

MEMBERS, LEADS = ("ada", "bob", "cyd"), ("ada", "bob")
LESSONS, BODIES = ("abcd", "efgh"), ("one", "two", "three")
WORDINGS = {tid: tuple(team.version_of(tid + body) for body in BODIES) for tid in LESSONS}
IDS = tuple(f"{number:032x}" for number in range(8))


@st.composite
def verdicts(draw: st.DrawFn) -> list[Verdict]:
    """Stances of three members on two lessons; each may name any others, there or not, its own or not."""
    names = draw(st.lists(st.sampled_from(IDS), unique=True))
    return [_verdict(draw, name) for name in names]


def _verdict(draw: st.DrawFn, name: str) -> Verdict:
    tid, says = (
        draw(st.sampled_from(LESSONS)),
        draw(st.sampled_from(("reject", "archive", "none", "approve"))),
    )
    v = draw(st.sampled_from(WORDINGS[tid])) if says == "approve" else ""
    replaced = draw(st.lists(st.sampled_from([each for each in IDS if each != name]), max_size=3))
    return Verdict(name, tid, draw(st.sampled_from(MEMBERS)), v, says, tuple(replaced))


@pytest.fixture(scope="module")
def db() -> Iterator[Any]:
    """A space with three members and all wordings, for its owner; nothing is committed."""
    programs = next(iter(postgres.programs().values()))
    with (
        tempfile.TemporaryDirectory(prefix="pg-") as folder,
        postgres.running(programs, Path(folder)) as owner,
        psycopg.connect(**owner) as there,
    ):
        there.execute(resources.files(team.__package__).joinpath("schema.sql").read_bytes())
        there.execute("insert into space (id, name) values ('s', 'acme')")
        for name in MEMBERS:
            role = "maintainer" if name in LEADS else "member"
            there.execute("insert into member values ('s', %s, %s, %s, false, 1)", (name, name, role))
        for tid in LESSONS:
            for body in BODIES:
                row = ("s", tid, team.version_of(tid + body), tid + body, "ada")
                there.execute("insert into version values (%s, %s, %s, %s, %s, 1)", row)
        yield there
        there.rollback()


def _by_the_database(db: Any, said: list[Verdict]) -> dict[str, Merged]:
    with db.transaction(force_rollback=True):
        for number, each in enumerate(said):
            record = {
                "kind": "stance",
                "tid": each.tid,
                "says": each.says,
                "v": each.v,
                "prev": list(each.prev),
            }
            call = "select say('s', %s, %s, %s, %s)"
            db.execute(call, (each.member, each.id, number + 2, json.dumps(record)))
        query = "select tid, v, approvals, rejections, archived from lesson"
        return {tid: Merged(*row) for tid, *row in db.execute(query).fetchall()}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=verdicts(), seed=st.integers(0, 1_000))
def test_any_order_of_any_records_comes_to_the_same_as_their_set(
    db: Any, said: list[Verdict], seed: int
) -> None:
    shuffled = random.Random(seed).sample(said, len(said))
    expected = {tid: row for tid, row in merged(LEADS, WORDINGS, said).items() if _is_named(tid, said)}
    assert _by_the_database(db, said) == expected
    assert _by_the_database(db, shuffled) == expected
    assert merged(LEADS, WORDINGS, shuffled) == merged(LEADS, WORDINGS, said)


def _is_named(tid: str, said: list[Verdict]) -> bool:
    return any(each.tid == tid for each in said)
