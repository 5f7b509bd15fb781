"""A lesson is told where the act happened that was corrected: the share over seventy stories, printed."""

from collections import Counter

from tests.ingest import caught_stories

ENOUGH = 0.8
ENOUGH_AMONG_OTHERS = 0.7
"""In turns where most acts were right, and nothing but words tells which was not."""


def test_most_lessons_would_have_caught_what_they_come_from(root: str) -> None:
    told = caught_stories.play(root, caught_stories.read())
    print(caught_stories.report(told))
    assert len(told) >= 60
    assert caught_stories.share(told) >= ENOUGH
    assert sum(one.beside for one in told) <= 3


def test_the_act_is_found_among_others(root: str) -> None:
    told = caught_stories.play(root, caught_stories.longer(caught_stories.read()))
    print(caught_stories.report(told))
    assert caught_stories.share(told) >= ENOUGH_AMONG_OTHERS
    counts = Counter(one.verdict for one in told)
    assert counts["silent"] <= 5
