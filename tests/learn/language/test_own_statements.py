"""Own remarks in the shapes of real ones: statement, kind and priority, expected before they were tried."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.models.lesson import Lesson
from tests.learn.drafted import draft_of

TABLE: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "own_statements.json").read_text("utf-8")
)
"""`said`, the expected `statement` (empty: needs words), `kind` and `priority`; `missed` where it comes out
otherwise."""
MOST_MISSED = 0.25


def _draft(said: str) -> Lesson | None:
    return draft_of(said)


def _is_as_expected(one: dict[str, Any]) -> bool:
    draft = _draft(one["said"])
    if draft is None or not draft.statement:
        return not one["statement"]
    return [draft.statement, draft.kind, draft.priority] == [
        one["statement"], one.get("kind"), one.get("priority")
    ]  # fmt: skip


@pytest.mark.parametrize("one", TABLE, ids=lambda one: one["said"][:40])
def test_the_draft_is_the_expected_one_or_listed_as_missed(one: dict[str, Any]) -> None:
    """A miss that is mended must lose its mark as well, so that the table stays true."""
    assert _is_as_expected(one) != one.get("missed", False)


def test_what_is_missed_is_bounded_and_never_a_statement_of_what_needs_words() -> None:
    assert len(TABLE) >= 60
    missed = [one for one in TABLE if one.get("missed")]
    assert len(missed) <= MOST_MISSED * len(TABLE)
    assert all(one["statement"] for one in missed)
