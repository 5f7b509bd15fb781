"""From what a person says to drafts in the store, over sessions."""

import pytest

from learnloop.ingest.run import ingest
from learnloop.models import Lesson
from learnloop.store.store import Store
from tests.ingest.session_scene import START, Scene, decide, write


def heard(root: str, *said: str) -> list[Lesson]:
    """The lessons after each text was said in a session of its own, to work that was done."""
    for number, words in enumerate(said):
        write(root, Scene(f"s{number}", start=START + number * 100_000).corrected(words))
    ingest(root)
    return Store(root).lessons()


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("you forgot the release party", "you forgot the release party again"),
        ("that's not how we name branches", "That's not how we name branches!"),
    ],
)
def test_a_faint_correction_is_a_draft_in_the_second_session(root: str, first: str, again: str) -> None:
    assert heard(root, first) == []
    (lesson,) = heard(root, first, again)

    assert (lesson.status, lesson.seen_count) == ("draft", 2)
    assert {item.session_id for item in lesson.evidence} == {"s0", "s1"}


def test_the_same_correction_twice_in_one_session_is_feedback_only(root: str) -> None:
    scene = Scene().corrected("you forgot the release party").stop(prompt_id="p2")
    write(root, scene.prompt("you forgot the release party", "p3", after_s=60))
    ingest(root)

    assert Store(root).lessons() == []
    assert len(Store(root).feedback()) == 2


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("the date helper should return ISO strings", "the date helper should return ISO strings"),
        ("keep functions under 30 lines", "please keep functions under 30 lines"),
        ("don't add comments that repeat the code", "dont add comments that repeat the code"),
    ],
)
def test_a_stated_rule_is_a_draft_at_once_and_the_second_session_strengthens_it(
    root: str, first: str, again: str
) -> None:
    assert len(heard(root, first)) == 1
    (lesson,) = heard(root, first, again)

    assert (lesson.status, lesson.seen_count) == ("draft", 2)
    assert {item.session_id for item in lesson.evidence} == {"s0", "s1"}


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("No, use pytest instead of unittest", "always use pytest instead of unittest"),
        ("never commit generated files", "don't ever commit generated files"),
        ("use tabs, not spaces", "we use tabs here, never spaces"),
        ("never log access tokens in the client", "we never log access tokens in the client here"),
    ],
)
def test_what_was_rejected_stays_so_however_it_is_said(root: str, first: str, again: str) -> None:
    (lesson,) = heard(root, first)
    decide(root, "reject", [lesson.id])
    (after,) = heard(root, first, again)

    assert (after.status, after.id) == ("rejected", lesson.id)


def test_a_denial_is_not_the_same_as_what_it_denies(root: str) -> None:
    said = "in this repo we {}squash the commits of a feature branch before a merge"
    assert len(heard(root, said.format(""), said.format("don't "))) == 2


@pytest.mark.parametrize(
    "words",
    [
        "never use sqlite for the store, use postgres",
        "don't use any, use unknown",
    ],
)
def test_the_first_prompt_of_a_session_judges_nothing_but_may_teach(root: str, words: str) -> None:
    write(root, Scene().add("session_start", {"source": "startup"}).prompt(words, "p1").stop(prompt_id="p1"))
    ingest(root)

    (lesson,) = Store(root).lessons()
    assert lesson.statement.lower() == f"{words}."
    assert {item.event_type for item in Store(root).feedback()} <= {"explicit_preference"}


@pytest.mark.parametrize(
    "words",
    ["lgtm, ship it", "Danke, super gemacht", "perfect, thank you"],
)
def test_praise_is_a_success_and_no_draft(root: str, words: str) -> None:
    assert heard(root, words) == []
    assert [item.event_type for item in Store(root).feedback()] == ["success"]
    assert Store(root).turns()[-1].outcome == "success"


@pytest.mark.parametrize("words", ["thanks, great", "merci beaucoup"])
def test_thanks_that_may_be_mere_manners_are_heard_and_leave_the_outcome_open(root: str, words: str) -> None:
    assert heard(root, words) == []
    assert [item.feedback_category for item in Store(root).feedback()] == ["praise"]
    assert Store(root).turns()[-1].outcome == "unknown"


@pytest.mark.parametrize(
    ("words", "statement"),
    [
        ("Verwende keine var, sondern const", "Verwende keine var, sondern const."),
        ("schreibe Tests bitte immer mit vitest", "Schreibe Tests immer mit vitest."),
        ("non, utilise plutôt le client partagé", "Utilise plutôt le client partagé."),
        ("n'utilise jamais de variables globales", "N'utilise jamais de variables globales."),
    ],
)
def test_other_languages_make_drafts_in_their_own_words(root: str, words: str, statement: str) -> None:
    (lesson,) = heard(root, words)
    function_words = {"immer", "sondern", "keine", "de", "jamais", "plutôt", "le", "mit"}

    assert lesson.statement == statement
    assert function_words.isdisjoint((*lesson.triggers.action_keywords, *lesson.triggers.context_keywords))


@pytest.mark.parametrize("is_active", [False, True], ids=["draft", "active"])
def test_what_is_said_again_in_anger_strengthens_the_lesson(root: str, is_active: bool) -> None:
    (lesson,) = heard(root, "use pnpm, not npm")
    if is_active:
        decide(root, "promote", [lesson.id])
    said = ("use pnpm, not npm", "no, I said pnpm! why do you still use npm?")
    (after,) = heard(root, *said)

    assert (after.id, after.seen_count, after.statement) == (lesson.id, 2, "Use pnpm, not npm.")
