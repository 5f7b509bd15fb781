"""The scorer's table, and what a draft becomes of an explicit lesson."""

import pytest

from learnloop.learn.lessons import scorer
from learnloop.learn.offers import explicit
from learnloop.learn.offers.knowledge import Origin
from learnloop.models import Lesson

ORIGIN = Origin("e1", "2026-01-02T03:04:05.000Z", "draft:x", project="/code/shop")


def _drafts(*words: str) -> list[Lesson]:
    return explicit.drafts([explicit.ExplicitLesson(each, True, 1) for each in words], ORIGIN)


@pytest.mark.parametrize(
    ("words", "category", "statement"),
    [
        ("Avoid: using any in shared types", "anti_pattern", "Avoid: using any in shared types."),
        ("Never store a password in plain text", "anti_pattern", "Never store a password in plain text."),
        ("Bugs hide in the retry", "error_fix", ""),
        ("Bind every value of a query", "best_practice", "Bind every value of a query."),
    ],
)
def test_an_agents_words_are_never_turned_round(words: str, category: str, statement: str) -> None:
    (lesson,) = _drafts(words)
    assert (lesson.category, lesson.statement, lesson.trust) == (category, statement, "agent")


def test_what_is_said_twice_is_one_draft_and_a_title_keeps_its_denial() -> None:
    said = "Never join on orders.customer_id. It has no index."
    assert [lesson.title for lesson in _drafts(said, said)] == ["Never join on orders.customer_id"]


def test_titles_and_keywords_follow_their_rules() -> None:
    assert explicit.title_of("First. Second.") == "First"
    assert explicit.title_of("x" * 120) == "x" * 97 + "..."
    assert explicit.keywords_of("cache cache query would should rows rows rows") == ("rows", "cache", "query")


def _scored(**fields: object) -> Lesson:
    doc = {"id": "aaaa", "created": "t", "updated": "t", "trust": "agent", **fields}
    return scorer.with_score(Lesson.model_validate(doc))


def test_the_score_is_the_specified_sum() -> None:
    bare = _scored(category="security")
    assert bare.score.as_json() == {"relevance": 0.5, "quality": 0.5, "applicability": 0.5, "overall": 0.5}

    full = _scored(
        category="security", title="Ten letters", description="Values must be bound, " + "x" * 90,
        keywords=("a", "b", "c", "d", "e"), example="yes", counter_example="no", project="/code/shop",
        triggers={"file_patterns": ["*.sql"], "agent_names": ["one", "two", "three"]},
    )  # fmt: skip
    assert full.score.as_json() == {"relevance": 0.95, "quality": 1.0, "applicability": 1.0, "overall": 0.99}


@pytest.mark.parametrize(
    ("usage", "used"),
    [
        ({"recalled": 0}, 1.0),
        ({"recalled": 4}, 1.0),
        ({"recalled": 3, "heeded": 3}, 1.0),
        ({"recalled": 4, "ignored": 3, "corrected": 1}, 0.5),
        ({"recalled": 4, "helpful": 1, "heeded": 1, "ignored": 2}, 0.75),
        ({"recalled": 1, "harmful": 1}, 0.5),
    ],
)
def test_use_halves_what_never_helped_and_leaves_alone_what_nobody_judged(
    usage: dict[str, int], used: float
) -> None:
    scored = _scored(category="security", usage=usage)
    assert scorer.promise_of(scored) == pytest.approx(0.5 * used)


def test_a_category_weighs() -> None:
    assert _scored(category="tooling").score.overall == 0.25
    scored = _scored(category="testing", keywords=("a", "b", "c"))
    assert (scored.score.relevance, scored.score.overall) == (0.6, 0.37)


def test_an_agents_own_confidence_counts_half_at_most() -> None:
    assert scorer.strength(1.0, 1, "agent") == scorer.strength(0.5, 1, "agent")
    assert scorer.strength(1.0, 1, "agent") < scorer.strength(0.7, 1, "user")
