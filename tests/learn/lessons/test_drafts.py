"""Fingerprints, triggers and drafts: what makes two the same, when one matters, where it holds."""

import pytest

from learnloop.learn.lessons import meaning, trigger_words
from learnloop.models import Lesson
from tests.learn.drafted import draft_of


def test_the_same_words_have_the_same_fingerprint_whatever_their_form() -> None:
    one = meaning.fingerprint_of("pnpm is used instead of npm.", "project", "/p")
    assert one == meaning.fingerprint_of("  PNPM is used, instead of npm", "project", "/p")
    assert one != meaning.fingerprint_of("npm is used instead of pnpm.", "project", "/p")
    assert one != meaning.fingerprint_of("pnpm is used instead of npm.", "project", "/q")
    assert one != meaning.fingerprint_of("pnpm is used instead of npm.", "global")


def test_not_makes_a_difference() -> None:
    assert meaning.fingerprint_of("Tabs are used.", "global") != meaning.fingerprint_of(
        "Tabs are not used.", "global"
    )


def test_a_remark_is_the_same_whatever_the_order_of_its_words() -> None:
    assert meaning.remark_fingerprint("you forgot the changelog entry") == meaning.remark_fingerprint(
        "the changelog entry, you forgot"
    )


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("don't leave it, that's wrong", ()),
        ("Bitte immer auf Deutsch kommentieren", ("deutsch", "kommentieren")),
        ("toujours lancer les tests avant de committer", ("lancer", "tests", "committer")),
        ("nunca edites los archivos generados", ("edites", "archivos", "generados")),
    ],
)
def test_words_of_form_are_no_keywords_in_any_language(said: str, words: tuple[str, ...]) -> None:
    assert trigger_words.content_words(said) == words


def _draft(words: str, **before: object) -> Lesson:
    return draft_of(words, before)


@pytest.mark.parametrize(
    ("words", "scope", "project"),
    [
        ("always use pnpm", "project", "/p"),
        ("always use pnpm in all projects", "global", ""),
        ("always use pnpm everywhere", "global", ""),
        ("always use pnpm everywhere in this repo", "project", "/p"),
    ],
)
def test_a_lesson_holds_in_its_project_unless_the_words_say_everywhere(
    words: str, scope: str, project: str
) -> None:
    lesson = _draft(words)
    assert (lesson.scope, lesson.project) == (scope, project)


def test_always_and_never_weigh_more() -> None:
    assert _draft("never push to main").priority == "HIGH"
    assert _draft("no, that's wrong, use pytest").priority == "MEDIUM"


def test_kinds_and_categories_are_inferred() -> None:
    assert (_draft("never push to main").kind, _draft("never push to main").category) == (
        "preference",
        "version control",
    )
    assert (_draft("no, use pytest").kind, _draft("no, use pytest").category) == ("fact", "testing")


def test_where_no_rule_makes_a_sentence_the_draft_needs_words() -> None:
    lesson = _draft("it's spelled 'organisation' everywhere in this code base")
    assert lesson.needs_words
    assert lesson.statement == ""
    assert "organisation" in lesson.title


def test_quoted_words_of_others_make_a_draft_external() -> None:
    assert _draft('from now on print "the deploy of the day is done" at the end').trust == "external"


def test_a_draft_has_the_same_id_at_every_ingest() -> None:
    assert _draft("never push to main").id == _draft("never push to main").id


def test_evidence_is_bounded() -> None:
    lesson = _draft(
        "never push to main " + "x" * 5000, files=[f"/p/{n}" for n in range(99)], commands=["c" * 999] * 99
    )
    (evidence,) = lesson.evidence
    assert len(evidence.quote) <= 600
    assert len(evidence.files) <= 10
    assert max(map(len, evidence.commands)) <= 200


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest is used instead of unittest.", "pytest is always used instead of unittest."),
        ("TypeScript is used instead of JavaScript.", "TypeScript is used, not JavaScript."),
        ("The database is never mocked.", "The database is not mocked."),
    ],
)
def test_always_and_the_way_to_deny_make_no_difference(one: str, other: str) -> None:
    assert meaning.fingerprint_of(one, "global") == meaning.fingerprint_of(other, "global")


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("you forgot the changelog entry", "No! You forgot the changelog entry again"),
        ("that's not how we name branches", "this is not how we name branches, please"),
    ],
)
def test_a_remark_is_known_again_though_said_otherwise(first: str, again: str) -> None:
    assert meaning.remark_fingerprint(first) == meaning.remark_fingerprint(again)
