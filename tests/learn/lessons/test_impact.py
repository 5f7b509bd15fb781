"""The process-knowledge specification's decision tables: what was left out, its weight, kind and places."""

import pytest

from learnloop.learn.hear import wording
from learnloop.learn.lessons import drafts, impact
from learnloop.models.lesson import Lesson
from tests.learn.drafted import draft_of

BEFORE = {
    "files": ("plugins/shop/plugin.json",),
    "commands": ("git commit -m bump",),
    "task": "bump the version",
}


def _draft(words: str) -> Lesson:
    return draft_of(words, BEFORE, "/code/shop")


@pytest.mark.parametrize(
    ("words", "level"),
    [
        ("the release went out without notes", "production"),
        ("that is a security problem", "production"),
        ("the migration means data loss", "production"),
        ("the tests were not run", "quality"),
        ("you left a bug in the parser", "quality"),
        ("the naming is off", "style"),
        ("look at the other file", "info"),
        ("the latest one", "info"),
        ("debugging is fine", "info"),
        ("you broke production again", "production"),
        ("the pool ran dry in production", "production"),
        ("you dropped the users table", "production"),
        ("the labels in deploy/charts/values.yaml are off", "info"),
        ("the chart version is wrong", "info"),
        ("look into the deploy folder", "info"),
        ("bump the chart version too", "info"),
    ],
)
def test_what_is_at_stake_is_read_from_the_words(words: str, level: str) -> None:
    assert impact.level(words) == level


@pytest.mark.parametrize(
    ("form", "words", "seen", "weight"),
    [
        ("correction", "you broke the deploy", 1, ("HIGH", "CRITICAL")),
        ("correction", "you broke the tests", 1, ("HIGH", None)),
        ("correction", "the naming is off", 1, ("MEDIUM", None)),
        ("correction", "the other button", 1, ("MEDIUM", None)),
        ("correction", "the other button", 2, ("HIGH", None)),
        ("correction", "the other button", 3, ("HIGH", "CRITICAL")),
        ("correction", "this is critical: the other button", 1, ("HIGH", "CRITICAL")),
        ("correction", "this is not critical, the other button", 1, ("MEDIUM", None)),
        ("explicit", "the release needs notes", 1, ("HIGH", None)),
        ("explicit", "the tests need a database", 1, ("MEDIUM", None)),
        ("suggestion", "the release could be smaller", 1, ("MEDIUM", None)),
        ("other", "a button", 1, ("LOW", None)),
    ],
)
def test_the_priority_follows_form_and_impact_and_critical_is_only_proposed(
    form: impact.Form, words: str, seen: int, weight: tuple[str, str | None]
) -> None:
    assert impact.weight(form, words, seen=seen) == weight


def test_an_agents_own_emphasis_proposes_nothing() -> None:

    assert impact.weight("explicit", "A crucial detail of the cache.", is_persons=False) == ("MEDIUM", None)


@pytest.mark.parametrize(
    ("words", "said", "kind"),
    [
        ("you forgot to update pyproject.toml and CHANGELOG.md", "Both are updated.", "checklist"),
        ("before you push:\n- run the linter\n- run the tests", "", "checklist"),
        ("When you change the schema, regenerate the client", "The client is regenerated.", "pattern"),
        ("careful, that can drop the table", "The table is kept.", "warning"),
        (
            "the port must be read from the environment",
            "The port is read from the environment.",
            "requirement",
        ),
        ("no, the other button", "The other button is used.", "fact"),
        ("running seed.sh could delete the local database", "Running seed.sh could delete it.", "warning"),
        ("When you change the schema, regenerate the client", "", "fact"),
    ],
)
def test_the_kind_is_what_the_words_can_fill(words: str, said: str, kind: str) -> None:
    shape = impact.classify(words, said)
    assert shape.kind == kind
    assert (shape.content is None) == (kind == "fact")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("You forgot to update marketplace.json in the version bump",
         "Update marketplace.json in the version bump."),
        ("You forgot to add tests for the parser.", "Add tests for the parser."),
        ("you didn't update the README", "Update the README."),
        ("You didn't run the tests before committing", "Run the tests before committing."),
        ("but you also need to bump the version in plugin.json", "Bump the version in plugin.json."),
        ("we also need to update the lock file", "Update the lock file."),
        ("don't forget to update the docs", "Update the docs."),
        ("remember to run the linter", "Run the linter."),
        ("make sure you run the migrations first", "Run the migrations first."),
        ("Make sure to add a test", "Add a test."),
        ("make sure you don't touch the config", "Don't touch the config."),
    ],
)  # fmt: skip
def test_what_was_left_out_is_worded_as_the_order_that_was_not_followed(words: str, said: str) -> None:
    assert wording.make(words) == said


@pytest.mark.parametrize(
    "words",
    [
        "you didn't answer my question", "you didn't understand",
        "you missed the point", "you forgot to do what I asked now",
    ],
)  # fmt: skip
def test_what_names_no_lasting_act_needs_words(words: str) -> None:
    assert wording.make(words) == ""


def test_the_specifications_version_bump() -> None:
    made = _draft("You forgot to update marketplace.json and CHANGELOG.md in the version bump")
    assert (made.kind, made.priority, made.proposed_priority) == ("checklist", "HIGH", "CRITICAL")
    assert made.content is not None
    assert made.content.as_json()["items"] == ["marketplace.json", "CHANGELOG.md"]
    assert "**/plugin.json" in made.triggers.file_patterns


def test_a_correction_about_production_is_high_and_proposes_critical() -> None:
    made = _draft("No, you deployed without a rollback plan")
    assert (made.status, made.priority, made.proposed_priority) == ("draft", "HIGH", "CRITICAL")


def test_a_standing_order_stays_a_rule() -> None:
    made = _draft("always update pyproject.toml and CHANGELOG.md")
    assert (made.kind, made.content, made.priority) == ("preference", None, "HIGH")


@pytest.mark.parametrize(
    ("statement", "situation", "action"),
    [
        ("When refactoring the parser, always run the golden tests.", "When refactoring the parser",
         "Always run the golden tests."),
        ("If you add a route, add it to openapi.yaml.", "If you add a route", "Add it to openapi.yaml."),
        ("Run the linter before you push.", "Before you push", "Run the linter."),
        ("Regenerate the client after changing the schema.", "After changing the schema",
         "Regenerate the client."),
    ],
)  # fmt: skip
def test_a_condition_becomes_the_situation_of_a_pattern(statement: str, situation: str, action: str) -> None:
    shape = impact.classify(statement, statement)
    assert shape.kind == "pattern"
    assert shape.content is not None
    shown = shape.content.as_json()
    assert (shown["situation"], shown["action"]) == (situation, action)


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("Every foreign key gets an index.", "general"),
        ("Foreign keys are declared in the schema.", "data"),
        ("API keys are read from the environment.", "security"),
        ("Never commit the .env file.", "version control"),
        ("Secrets are masked.", "security"),
    ],
)
def test_a_key_is_a_secret_only_where_it_opens_something(words: str, category: str) -> None:
    assert drafts.category_of(words) == category


@pytest.mark.parametrize("piece", ["a", "bump ", "a/", "if a", "could "])
def test_a_long_text_is_weighed_in_time(piece: str) -> None:
    words = piece * 300_000
    assert impact.level(words) in ("info", "production", "quality", "style")
    assert impact.classify(words, words[:500]).kind in ("fact", "warning", "pattern")
