"""Lesson ids: derived, stable, and short where people read them."""

from hypothesis import given
from hypothesis import strategies as st

from learnloop.models.ids import draft_id, short_ids


def test_a_draft_id_depends_on_event_and_rule_and_nothing_else() -> None:
    assert draft_id("e1", "never") == draft_id("e1", "never")
    assert len({draft_id("e1", "never"), draft_id("e1", "always"), draft_id("e2", "never")}) == 3


def test_a_draft_id_is_26_base32_characters() -> None:
    made = draft_id("0123", "correction")
    assert len(made) == 26
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz234567")


def test_a_short_id_grows_only_where_it_must() -> None:
    assert short_ids(["abcdefg", "abcdxyz", "zzzzzzz"]) == {
        "abcdefg": "abcde", "abcdxyz": "abcdx", "zzzzzzz": "zzzz",
    }  # fmt: skip


@given(st.sets(st.text("ab2", min_size=8, max_size=8), max_size=40))
def test_every_short_id_names_exactly_one_lesson(ids: set[str]) -> None:
    for lesson_id, short in short_ids(ids).items():
        assert len(short) >= 4
        assert [other for other in ids if other.startswith(short)] == [lesson_id]
