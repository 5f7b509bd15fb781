"""What becomes of a turn: precedence, change of topic, work left undone."""

import pytest

from learnloop.ingest.effects import FeedbackWithdrawn
from learnloop.learn.hear import outcomes, prompts
from learnloop.learn.hear.outcomes import TurnEnd
from learnloop.learn.language.words import jaccard
from tests.ingest.session_scene import Outcome, Scene, reduced

DONE = TurnEnd(end="done", task="Write a parser for the settings file")
NEW = "Configure nightly backups for postgres"
MINUTE = 60_000


def asked(task: str = "write tests for the parser") -> Scene:
    """A task that is done."""
    return Scene().prompt(task, "p1").call("Write", "/code/shop/a.py", prompt_id="p1").stop(prompt_id="p1")


def first(outcome: Outcome) -> tuple[str, list[tuple[str, float]]]:
    """The outcome of the first turn, and what was heard of it."""
    turn = outcome.turns[0]
    heard = [
        (feedback["rule"], feedback["confidence"])
        for feedback in outcome.feedback
        if feedback["turn_id"] == turn["id"]
    ]
    return turn["outcome"], heard


@pytest.mark.parametrize(
    ("words", "is_new"),
    [
        (NEW, True),
        ("Write a script that renames pictures", True),
        ("Write the parser for the settings file anew", False),
        ("continue", False),
        ("ok, go on", False),
        ("yes please", False),
        ("proceed with step two", False),
        ("does it work on windows", False),
        ("why is that so slow", False),
        ("write documentation for this module", False),
        ("/commit everything now", False),
        ("ok", False),
        ("👍🏽", False),
        ("", False),
        ("now upgrade the postgres driver everywhere", True),
    ],
)
def test_a_change_of_topic_shares_few_words_and_points_at_nothing_before(words: str, is_new: bool) -> None:
    assert outcomes.is_topic_change(words, DONE.task) == is_new


def test_the_index_is_of_words_over_three_letters() -> None:
    assert jaccard({"a", "b"}, {"b", "c"}) == pytest.approx(1 / 3)
    assert jaccard(set(), set()) == 0
    assert not outcomes.is_topic_change("fix the red big box", DONE.task)


@pytest.mark.parametrize(
    ("since", "rule"),
    [(0, "topic-change"), (5 * MINUTE, "topic-change"), (5 * MINUTE + 1, None), (-MINUTE, "topic-change")],
)
def test_it_is_success_within_five_minutes_of_the_claim(since: int, rule: str | None) -> None:
    inferred = outcomes.infer_from_prompt(NEW, DONE, since)
    assert (inferred and inferred.rule) == rule
    if inferred:
        assert (inferred.event_type, inferred.confidence) == ("success", 0.6)


MAY_CORRECT = [
    "indentation is off everywhere, please use spaces in the templates",
    "Under no circumstances touch the billing database",
    "please keep commit messages shorter than this",
    "every handler must validate its arguments",
    "Forgot to install the charting component",
    "no more comments in generated clients",
    "translations are missing for the French locale",
    "the sidebar is still broken on small screens",
    "when adding a queue you also need a dead letter queue",
    "Need to run codegen first",
    "bitte keine englischen Texte in der Oberfläche",
    "wait, production credentials are hardcoded in two places",
]


@pytest.mark.parametrize("words", MAY_CORRECT)
def test_what_may_be_a_correction_is_no_success(words: str) -> None:
    doubt = prompts.detect_feedback(words, prompts.Context(position=1, previous=DONE.task)).feedback
    assert outcomes.infer_from_prompt(words, DONE, 0, doubt) is None
    left = DONE._replace(open_tasks=2)
    assert (outcomes.infer_from_prompt(words, left, 0, doubt) is None) is not outcomes.is_topic_change(
        words, DONE.task
    )


def test_a_prompt_that_is_likely_feedback_is_no_success() -> None:
    assert outcomes.infer_from_prompt(NEW, DONE, 0, doubt=0.29) is not None
    assert outcomes.infer_from_prompt(NEW, DONE, 0, doubt=0.3) is None


@pytest.mark.parametrize(
    "words",
    [
        "Under no circumstances touch the billing database",
        "indentation is wrong, please use 2 spaces instead of tabs",
        "please don't be so verbose",
        "don't forget to update the OpenAPI spec",
    ],
)
def test_a_correction_is_never_booked_as_success(words: str) -> None:
    assert reduced(asked().prompt(words, "p2")).turns[0]["outcome"] != "success"


@pytest.mark.parametrize(
    "left",
    [
        DONE._replace(asked=True), DONE._replace(waits=True), DONE._replace(end="failed"),
        DONE._replace(end="unfinished", reports_ends=False), DONE._replace(task=""),
    ],
)  # fmt: skip
def test_what_claims_nothing_is_no_success(left: TurnEnd) -> None:
    assert outcomes.infer_from_prompt(NEW, left, 0) is None


@pytest.mark.parametrize(
    ("left", "rule"),
    [
        (DONE._replace(open_tasks=2), "left-undone"),
        (DONE._replace(end="interrupted"), "interrupted"),
        (DONE._replace(end="unfinished"), "interrupted"),
        (DONE, None),
        (DONE._replace(open_tasks=2, waits=True), None),
    ],
)
def test_work_left_undone_is_a_cancellation(left: TurnEnd, rule: str | None) -> None:
    inferred = outcomes.infer_from_session_end(left)
    assert (inferred and inferred.rule) == rule
    if inferred:
        assert (inferred.event_type, inferred.category, inferred.confidence) == (
            "cancellation",
            "rejection",
            0.7,
        )


@pytest.mark.parametrize(
    ("category", "confidence", "outcome"),
    [("praise", 0.7, "unknown"), ("praise", 0.71, "success"), ("praise", 0.65, "unknown")],
)
def test_praise_counts_above_seven_tenths(category: str, confidence: float, outcome: str) -> None:
    assert outcomes.outcome_of_remark("success", category, confidence) == outcome


def test_an_explicit_preference_leaves_the_outcome_open_and_needs_no_claim() -> None:
    before = reduced(Scene().prompt("always run the linter before you commit", "p1"))
    after = reduced(asked().prompt("from now on use tabs", "p2"))

    assert [(feedback["event_type"], feedback["turn_id"]) for feedback in before.feedback] == [
        ("explicit_preference", "")
    ]
    assert after.turns[0]["outcome"] == "unknown"
    assert after.turns[0]["feedback_id"] == after.feedback[0]["id"]


@pytest.mark.parametrize(
    ("words", "after_s", "outcome"),
    [
        (NEW, 10, "success"),
        (NEW, 301, "unknown"),
        ("No, that's wrong, use pytest", 7200, "revision"),
        ("perfect", 86_400, "success"),
        ("continue", 10, "unknown"),
    ],
)
def test_time_ends_the_change_of_topic_and_nothing_else(words: str, after_s: float, outcome: str) -> None:
    assert reduced(asked().prompt(words, "p2", after_s=after_s)).turns[0]["outcome"] == outcome


def test_what_is_said_wins_over_what_is_concluded() -> None:
    scene = Scene().prompt("write tests for the parser", "p1").add("session_end", {"reason": "other"})
    left = reduced(scene)
    assert first(left) == ("cancellation", [("interrupted", 0.7)])
    scene.add("session_start", {"source": "resume"}).prompt("No, that's wrong, use pytest", "p2")
    outcome = reduced(scene)

    assert outcome.turns[0]["outcome"] == "revision"
    assert outcome.turns[0]["feedback_id"] == scene.events[-1]["id"]
    assert [effect.id for effect in outcome.effects if isinstance(effect, FeedbackWithdrawn)] == [
        scene.events[1]["id"]
    ]


def test_a_turn_that_is_taken_up_again_was_not_cancelled() -> None:
    scene = Scene().prompt("write tests for the parser", "p1").add("session_end", {"reason": "other"})
    scene.add("session_start", {"source": "resume"}).prompt("continue", "p2")

    assert reduced(scene).turns[0]["outcome"] == "unknown"


def test_the_strongest_of_several_remarks_decides() -> None:
    scene = Scene().prompt("write tests", "p1").prompt("No, that's wrong, use pytest", "p1")
    outcome = reduced(scene.stop(prompt_id="p1").prompt("perfect", "p2"))

    assert [feedback["event_type"] for feedback in outcome.feedback] == ["revision", "success"]
    assert outcome.turns[0]["outcome"] == "revision"


def test_a_refusal_without_words_is_as_sure_as_work_left_undone() -> None:
    (feedback,) = reduced(
        Scene().prompt("go").call("Bash", "rm x", "refusal", payload={"words": ""})
    ).feedback
    assert (feedback["event_type"], feedback["confidence"]) == ("cancellation", 0.7)


def test_praise_is_no_task_whose_end_could_be_a_success() -> None:
    scene = asked().prompt("perfect, awesome work", "p2").stop(prompt_id="p2").prompt(NEW, "p3")
    assert [turn["outcome"] for turn in reduced(scene).turns] == ["success", "unknown", "unknown"]


def test_recent_prompts_are_ten_and_end_with_a_gap_of_half_an_hour() -> None:
    scene = Scene()
    for number in range(12):
        scene.prompt(f"do thing {number}", f"p{number}").stop(prompt_id=f"p{number}")
    (session,) = reduced(scene).sessions
    assert (len(session["recent_prompts"]), session["recent_prompts"][-1]) == (10, "do thing 11")
    (session,) = reduced(scene.prompt("the next day", "q", after_s=1801)).sessions
    assert session["recent_prompts"] == ["the next day"]
