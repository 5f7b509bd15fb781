"""Extractors and scorer: the specification's scenarios, its tables, and what a draft becomes of them."""

import io
import sys

import pytest

from learnloop.cli.main import main
from learnloop.learn.lessons import scorer
from learnloop.learn.offers import extract
from learnloop.learn.offers.knowledge import Origin
from learnloop.models import Lesson
from learnloop.service.lessons import queue
from learnloop.service.workspace import Workspace

ORIGIN = Origin("e1", "2026-01-02T03:04:05.000Z", "draft:x", project="/code/shop")


def test_best_practices_are_found_in_an_agents_output() -> None:
    found = extract.from_output(
        "  Best practice: bind every value of a query instead of joining strings.\n"
        "  Recommended: switch strict mode on in every package.\n",
        ORIGIN,
        "backend",
    )

    assert [lesson.category for lesson in found.lessons] == ["best_practice", "best_practice"]
    assert all(lesson.triggers.agent_names == ("backend",) for lesson in found.lessons)
    assert 0 < found.confidence <= 1


def test_anti_patterns_are_found_with_their_denial() -> None:
    found = extract.from_output("Never store a password in plain text.\nAvoid: any in TypeScript.", ORIGIN)
    said = {lesson.category: lesson.statement for lesson in found.lessons}

    assert set(said) == {"anti_pattern"}
    assert "password" in found.lessons[0].description


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        ("Avoid: using any in shared types", "Avoid: using any in shared types."),
        ("Never store a password in plain text", "Never store a password in plain text."),
        ("## Lessons Learned\n- Avoid: using sleep in tests", "Avoid: using sleep in tests."),
        ("Best practice: bind every value of a query", "Bind every value of a query."),
        ("The problem was that the cache kept old rows", ""),
        ("Anti-pattern: bare exceptions are swallowed", ""),
    ],
)
def test_an_agents_words_are_never_turned_round(line: str, statement: str) -> None:
    (lesson,) = extract.from_output(line, ORIGIN).lessons
    assert (lesson.statement, lesson.needs_words) == (statement, not statement)


def test_a_title_keeps_its_denial_and_the_names_with_a_dot() -> None:
    found = extract.from_output("Never join on orders.customer_id. It has no index.", ORIGIN)
    assert [lesson.title for lesson in found.lessons] == ["Never join on orders.customer_id"]


def test_what_was_disapproved_is_no_order() -> None:
    (lesson,) = extract.from_feedback("Use mocks everywhere", 1, ORIGIN).lessons
    assert (lesson.statement, lesson.needs_words) == ("", True)


def test_praise_is_no_rule_and_a_nitpick_is_a_suggestion() -> None:
    found = extract.from_review(
        [extract.Comment("praise", "Always a pleasure: nice use of locks"),
         extract.Comment("issue", "Use of any in the parser"),
         extract.Comment("suggestion", "nitpick: name the constant MAX_ROWS")],
        ORIGIN,
    )  # fmt: skip
    assert [lesson.statement for lesson in found.lessons] == ["", "", "Name the constant MAX_ROWS."]


@pytest.mark.parametrize(
    ("line", "category"),
    [
        ("The problem was that the cache kept old rows", "error_fix"),
        ("Solution: close the pool before the fork", "error_fix"),
        ("Performance: read the rows in one query", "performance"),
        ("Security: rotate the key every month", "security"),
        ("Lesson learned: raise both version files together", "process"),
        ("Note for future: the fixture needs a clock", "process"),
    ],
)
def test_each_form_has_its_category(line: str, category: str) -> None:
    assert category in {lesson.category for lesson in extract.from_output(line, ORIGIN).lessons}


@pytest.mark.parametrize("heading", ["Lessons Learned", "Lesson Learned", "Key Takeaways", "Insights"])
def test_items_under_the_headings_are_lessons(heading: str) -> None:
    items = "- Tests that sleep are slow to run\n* Bugs hide in the retry\n- ok\n"
    text = f"## {heading}\n{items}\n## Next\n- Not this one here\n"
    found = extract.from_output(text, ORIGIN).lessons

    assert [(one.title, one.category) for one in found] == [
        ("Tests that sleep are slow to run", "performance"),
        ("Bugs hide in the retry", "error_fix"),
    ]


def test_code_is_not_advice_and_short_matches_are_none() -> None:
    assert (
        extract.from_output("```\nnever store a password in plain text\n```\nnever mind", ORIGIN).lessons
        == ()
    )


@pytest.mark.parametrize(
    ("rating", "category"), [(5, "best_practice"), (4, "best_practice"), (2, "anti_pattern")]
)
def test_a_rating_approves_or_disapproves(rating: int, category: str) -> None:
    found = extract.from_feedback("this way works well for us", rating, ORIGIN)

    assert ([lesson.category for lesson in found.lessons], found.confidence) == ([category], 0.8)
    assert found.lessons[0].description.startswith("Avoid: ") == (rating == 2)


def test_three_says_nothing_and_six_is_no_rating() -> None:
    assert extract.from_feedback("so so", 3, ORIGIN) == extract.Extraction((), 0.5)
    with pytest.raises(ValueError, match="1 to 5"):
        extract.from_feedback("wow", 6, ORIGIN)


def test_a_failed_test_with_its_fix_is_a_lesson() -> None:
    found = extract.from_test(
        "test_login", passed=False, error="TypeError: user is None", fix="Check for a user before reading it",
        origin=ORIGIN,
    )  # fmt: skip
    (lesson,) = found.lessons

    assert (lesson.category, lesson.title, found.confidence) == ("error_fix", "Fix for: test_login", 0.9)
    assert (lesson.example, lesson.counter_example) == (
        "Check for a user before reading it",
        "TypeError: user is None",
    )
    assert not extract.from_test("t", passed=True, error="x", fix="y", origin=ORIGIN).lessons


def test_comments_of_a_review_by_their_type() -> None:
    found = extract.from_review(
        [extract.Comment("issue", "This swallows the error"), extract.Comment("praise", "Clear names"),
         extract.Comment("suggestion", "Name the constant"),
         extract.Comment("issue", "this swallows the error")],
        ORIGIN,
    )  # fmt: skip

    assert [lesson.category for lesson in found.lessons] == ["anti_pattern", "best_practice", "code_quality"]
    assert found.confidence == 0.85


def test_titles_and_keywords_follow_their_rules() -> None:
    assert extract.title_of("First. Second.") == "First"
    assert extract.title_of("x" * 120) == "x" * 97 + "..."
    assert extract.keywords_of("cache cache query would should rows rows rows", ("fix",)) == (
        "fix", "rows", "cache", "query",
    )  # fmt: skip


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


def test_draft_on_the_command_line(
    root: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(text: str, *args: str) -> int:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return main(["discover", "--draft", *args])

    assert run("issue: This swallows the error\nName the constant", "--from", "review") == 0
    assert run("never store a password in plain text", "--from", "output", "--agent", "backend") == 0
    assert run("user is None", "--from", "test", "--name", "test_login", "--fix", "check it first") == 0
    assert run("it goes too far", "--from", "feedback", "--rating", "1") == 0
    drafts = queue.listing(Workspace(root))
    assert len(drafts) == 5
    assert {one.status for one in drafts} == {"draft"}
    assert run("it goes too far", "--from", "feedback", "--rating", "1") == 0
    assert len(queue.listing(Workspace(root))) == 5
    capsys.readouterr()
    assert run("hm", "--from", "feedback") == 1
    assert "needs a rating" in capsys.readouterr().err
    assert run("[3]", "--from", "review") == 1


def test_a_review_names_its_comments_in_other_words_too(
    root: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    comments = (
        "nitpick: name the retry limit\n**bug**: the lock is held for too long\nnit(naming): avoid one letter"
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(comments.encode())))
    assert main(["discover", "--draft", "--from", "review"]) == 0
    drafts = {draft.evidence[0].quote: draft.category for draft in queue.listing(Workspace(root))}
    assert drafts == {
        "name the retry limit": "code_quality", "the lock is held for too long": "anti_pattern",
        "avoid one letter": "code_quality",
    }  # fmt: skip
