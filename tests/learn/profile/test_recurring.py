"""Recurring corrections: which remarks are alike, and that groups do not depend on their order."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.learn.profile import remark_groups
from tests.examples import examples

TYPES = (
    "No, that's wrong. Use TypeScript types.",
    "Add TypeScript types to this function.",
    "Missing TypeScript type annotations here.",
)


def remarks(*messages: str) -> list[remark_groups.Remark]:
    return [
        remark_groups.Remark(f"e{n}", remark_groups.normal(message)) for n, message in enumerate(messages)
    ]


def groups(*messages: str) -> list[tuple[int, ...]]:
    """The groups by the numbers of their messages, the largest first."""
    found = remark_groups.cluster(remarks(*messages))
    return [
        tuple(int(lesson_id[1:]) for lesson_id in sorted(cluster.ids, key=lambda e: int(e[1:])))
        for cluster in found
    ]


def test_what_says_nearly_the_same_is_one_group() -> None:
    assert groups(*TYPES, "Deploys go to staging first, please") == [(0, 1, 2), (3,)]


def test_a_description_is_a_sentence_of_what_was_said() -> None:
    said = remark_groups.description(TYPES)
    assert said == "Use TypeScript types."
    assert "[" not in said


def test_where_no_rule_makes_a_statement_the_words_themselves_describe_it() -> None:
    said = remark_groups.description(["nope, the cache is never invalidated"])
    assert said == "Said again and again: “nope, the cache is never invalidated”"


def test_the_words_of_a_lesson_describe_it_best() -> None:
    assert remark_groups.description(TYPES, ["Write TypeScript types."]) == "Write TypeScript types."


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("run the tests before you commit", "please run the tests before you commit it", True),
        ("you forgot to run the tests", "run the tests", True),
        ("run the tests", "never run the tests", False),
        ("use pnpm instead of npm in this repo", "deploys go to staging first", False),
        ("", "", False),
        ("```\nuse tabs everywhere here\n```", "use tabs everywhere here", False),
    ],
)
def test_what_is_alike(one: str, other: str, alike: bool) -> None:
    assert (groups(one, other) == [(0, 1)]) is alike


def test_chains_of_half_alike_remarks_do_not_grow_together() -> None:
    chain = [" ".join(f"{letter * 4}" for letter in "bcdfghjklmnp"[at : at + 6]) for at in range(7)]
    assert all(groups(a, b) == [(0, 1)] for a, b in itertools.pairwise(chain))
    for cluster in remark_groups.cluster(remarks(*chain)):
        for member in cluster.ids:
            text = chain[int(member[1:])]
            assert remark_groups.normal(text) == cluster.centre or groups(text, cluster.centre) == [(0, 1)]


_WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"])
_MESSAGES = st.lists(st.lists(_WORDS, min_size=2, max_size=7).map(" ".join), max_size=40)


@settings(max_examples=examples(60), deadline=None)
@given(_MESSAGES, st.randoms(use_true_random=False))
def test_the_order_makes_no_difference(messages: list[str], chance: random.Random) -> None:
    every = remarks(*messages)
    shuffled = chance.sample(every, len(every))
    assert remark_groups.cluster(every) == remark_groups.cluster(shuffled)


def test_a_crowd_that_says_the_same_is_one_group_whatever_the_order() -> None:
    added = ("carefully", "locally", "thoroughly", "", "twice", "quietly", "alone", "offline")
    said = [
        f"always run the formatter and linter over imports before each commit {added[n % len(added)]}"
        for n in range(200)
    ]
    every = remarks(*said)
    found = remark_groups.cluster(every)
    assert found[0].count == 200
    random.Random(3).shuffle(every)
    assert remark_groups.cluster(every) == found


def test_the_same_event_is_counted_once() -> None:
    one = remark_groups.Remark("e1", remark_groups.normal(TYPES[0]))
    assert [cluster.count for cluster in remark_groups.cluster([one, one, one])] == [1]


@pytest.mark.parametrize(
    ("message", "category"),
    [
        ("use camelCase names", "style"),
        ("run the tests with make", "tooling"),
        ("your summary is too verbose", "communication"),
        ("do not touch the legacy folder", "behavior"),
    ],
)
def test_categories(message: str, category: str) -> None:
    assert remark_groups.category_of([message] * 3) == category


def test_confidence_grows_with_size_and_likeness() -> None:
    texts = [remark_groups.normal(one) for one in TYPES]
    few = remark_groups.confidence(texts[:2], texts[1], [0.9, 0.9])
    more = remark_groups.confidence([texts[1]] * 5, texts[1], [0.9] * 5)
    assert 0 < few < more <= 1
    assert more == pytest.approx(0.9 * (1 - 1 / 6) * 1.0, abs=1e-3)
    assert remark_groups.confidence([], "", []) == 0.0


@pytest.mark.parametrize(
    "message", ["\x00" * 50, "🙂" * 500, "x" * 1_000_000, "\u202eabc def ghi", "a\r\nb\rc"]
)
def test_bad_input_does_no_harm(message: str) -> None:
    assert len(groups(message, message)) <= 1
