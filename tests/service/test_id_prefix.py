"""Ids that are typed whole or by their first characters."""

import pytest

from learnloop.errors import Ambiguous, NotFound
from learnloop.service import id_prefix

IDS = ("abcd", "abcdef", "abcxyz", "Upper-1")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("abcx", "abcxyz"),
        (" ABCX ", "abcxyz"),
        ("abcd", "abcd"),
        ("ABCD", "abcd"),
        ("abcde", "abcdef"),
        ("Upper-1", "Upper-1"),
        ("uppe", "Upper-1"),
    ],
)
def test_whole_id_or_unique_beginning(typed: str, expected: str) -> None:
    assert id_prefix.resolve(typed, IDS, "patch", "hint") == expected


@pytest.mark.parametrize(
    ("typed", "message", "hint"),
    [
        ("abc", "'abc' is too short for an id", "give its first 4 characters or more"),
        ("", "'' is too short for an id", "give its first 4 characters or more"),
        ("zzzz", "no patch 'zzzz'", "they are listed there"),
    ],
)
def test_what_nothing_begins_with(typed: str, message: str, hint: str) -> None:
    with pytest.raises(NotFound) as caught:
        id_prefix.resolve(typed, IDS, "patch", "they are listed there")
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_what_several_begin_with_is_listed() -> None:
    with pytest.raises(Ambiguous) as caught:
        id_prefix.resolve("abc", IDS, "patch", "hint", shortest=3)
    assert caught.value.message == "3 patches begin with 'abc'"
    assert caught.value.hint == "say more of it: abcd, abcde, abcxy"


def test_what_is_listed_tells_the_ids_apart() -> None:
    with pytest.raises(Ambiguous) as caught:
        id_prefix.resolve("0000", ["0000aaaa11", "0000aaaa22", "0000bbbb33"], "memory", "hint")
    assert caught.value.message == "3 memories begin with '0000'"
    assert caught.value.hint == "say more of it: 0000aaaa1, 0000aaaa2, 0000bbbb3"
