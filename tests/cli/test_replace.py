"""learn promote --replace: a lesson takes the place of an active one that it contradicts."""

import pytest

from tests.cli.store import Learn, lesson, seed

NEW, OLD = ("newn" + "a" * 22, "oldo" + "a" * 22)


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    """Two lessons that contradict each other: a draft, and an active one."""
    old = lesson(OLD, status="active", statement="Answer in English.")
    seed(root, (lesson(NEW, statement="Answer in German."), old))
    return Learn(capsys)


def test_a_draft_is_promoted_and_the_old_lesson_archived_in_one_step(learn: Learn) -> None:
    assert learn("show", NEW) == 0
    assert f"{OLD[:4]} (active) Answer in English." in learn.out
    assert f"learn promote --replace {NEW[:4]} {OLD[:4]}" in learn.out
    assert learn("promote", "--replace", NEW[:4], OLD[:4]) == 0
    assert f"Archived {OLD[:4]}" in learn.out
    assert f"Active is {NEW[:4]}" in learn.out
    assert learn("undo", "--history") == 0
    assert "Replaced" in learn.out
    assert learn("undo") == 0
    assert learn("show", NEW) == 0
    assert "draft" in learn.out


def test_a_draft_is_not_replaced(learn: Learn) -> None:
    assert "a draft is rejected instead" in learn.refused("promote", "--replace", OLD, NEW)
