"""Of the known lessons those are given that share words with what is asked about."""

import time

from learnloop.learn.facts.support import MOST, are_near, nearest


def test_of_ten_thousand_lessons_the_nearest_are_given_at_once() -> None:
    known = {f"k{n}": f"In part {n} of the shop keep invoices of kind {n % 97} apart" for n in range(10_000)}
    known["mine"] = "Run golden tests before a release"
    began = time.process_time()
    given = nearest(known, "please run the golden tests, and keep the invoices")
    assert time.process_time() - began < 5
    assert len(given) == MOST
    assert next(iter(given)) == "mine"


def test_what_shares_no_word_is_not_given() -> None:
    assert nearest({"a": "Use uv", "b": "Run golden tests"}, "golden testing") == {"b": "Run golden tests"}


def test_two_facts_are_near_by_half_of_their_words() -> None:
    assert are_near("Handlers log with structlog", "In handlers use structlog for logs")
    assert not are_near("Handlers log with structlog", "Ask me before you deploy")
    assert not are_near("…", "…")
