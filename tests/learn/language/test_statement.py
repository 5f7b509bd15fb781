"""Statements: what a person said, as one present-tense sentence that holds from now on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.learn.language import statement
from tests.examples import examples

GOLDEN = {
    # what to use
    "No, that's wrong, use pytest": "pytest is used.",
    "Use the logger.": "The logger is used.",
    "you used requests, use httpx instead": "httpx is used instead of requests.",
    # this instead of that
    "no, the lockfile here is pnpm's. use pnpm, never npm": "pnpm is used instead of npm.",
    "don't use npm, use pnpm": "pnpm is used instead of npm.",
    "Don't use npm. Use pnpm instead.": "pnpm is used instead of npm.",
    "use `uv` not `pip`": "`uv` is used instead of `pip`.",
    "please use snake_case instead of camelCase in the API": (
        "snake_case is used instead of camelCase in the API."
    ),
    "instead of a new helper, reuse the one in utils/time.py": (
        "The one in utils/time.py is reused instead of a new helper."
    ),
    "instead of print, use the logger": "The logger is used instead of print.",
    "use `make test` rather than calling pytest directly": (
        "`make test` is used instead of calling pytest directly."
    ),
    "don't write `print` in library code, use `logging`": (
        "`logging` is used instead of `print` in library code."
    ),
    "always use f-strings instead of .format": "f-strings are always used instead of .format.",
    "I said two spaces, you used four": "Two spaces are used, not four.",
    # always, never, only
    "Always run the formatter before committing.": "The formatter is always run before committing.",
    "always run ruff before you say you are done": "ruff is always run before the agent says it is done.",
    "always run the formatter and commit the result": (
        "The agent always runs the formatter and commits the result."
    ),
    "never remove comments you did not write": "Comments the agent did not write are never removed.",
    "why did you delete my comments? never remove comments you did not write": (
        "Comments the agent did not write are never removed."
    ),
    "Never push to main": "The agent never pushes to main.",
    "You must never log access tokens": "Access tokens are never logged.",
    "always ask me before deleting files": "The agent always asks the user before deleting files.",
    "please always answer in English even when I write in German": (
        "The agent always answers in English even when the user writes in German."
    ),
    "We always squash before merging": "The agent always squashes before merging.",
    "only edit the files I name": "Only the files the user names are edited.",
    "make sure you always run the migrations first": "The migrations are always run first.",
    # what is not done
    "stop rewriting files I did not ask you to touch": (
        "Files the user did not ask the agent to touch are not rewritten."
    ),
    "Hmm, I'd rather you didn't mock the database in the integration tests": (
        "The database is not mocked in the integration tests."
    ),
    "don't ever rewrite the lock file by hand": "The lock file is not rewritten by hand.",
    "avoid inline styles": "Inline styles are avoided.",
    "avoid using inline styles": "Inline styles are not used.",
    # how we do it
    "Nope. We keep the tests next to the source, not in a tests folder.": (
        "The tests are kept next to the source, not in a tests folder."
    ),
    "thanks, but we don't use default exports in this repo": "Default exports are not used in this repo.",
    "we never mock the database": "The database is never mocked.",
    # from now on
    "from now on, write commit messages in English": "Commit messages are written in English.",
    "for future sessions: the e2e tests need docker running first": (
        "The e2e tests need docker running first."
    ),
    "how many times do I have to tell you to run the formatter before committing": (
        "The formatter is run before committing."
    ),
    # whenever
    "whenever you add a dependency, tell me its licence": (
        "Whenever the agent adds a dependency, it tells the user its licence."
    ),
    "every time you change the schema, update docs/schema.md": (
        "Every time the agent changes the schema, it updates docs/schema.md."
    ),
    "Before you commit, always run make lint": "Before the agent commits, it always runs make lint.",
    # what is liked and allowed
    "I prefer explicit loops over nested comprehensions": (
        "Explicit loops are preferred over nested comprehensions."
    ),
    "I like it when the summary lists which files changed": "The summary lists which files changed.",
    "you can skip asking me for permission to run the unit tests, just run them": (
        "The agent can skip asking the user for permission to run the unit tests."
    ),
    "I like it when buttons say what happens, not just OK": "Buttons say what happens, not just OK.",
    # what is said of an object, and asides
    "next time keep the tone informal in German, we say du": "The tone is kept informal in German.",
    "next time ask before you touch the schema": "The agent asks before it touches the schema.",
    "never run terraform apply": "terraform apply is never run.",
    # how things are
    "the port is 8081, not 8080": "The port is 8081, not 8080.",
    "close, though the retry has to be in the client and not in every caller": (
        "The retry is in the client and not in every caller."
    ),
    "I think you misread the ticket; the cap applies per tenant, not per user": (
        "The cap applies per tenant, not per user."
    ),
    "timestamps should be stored in UTC": "Timestamps are stored in UTC.",
    "Dates must be in UTC": "Dates must be in UTC.",
    "remember: the staging cluster is read only on fridays": "The staging cluster is read only on fridays.",
    "As a rule of thumb anything over 400 lines gets split in this repo": (
        "Anything over 400 lines gets split in this repo."
    ),
    "API keys go in .env, never in code": "API keys go in .env, never in code.",
    "das ist falsch, der Port ist 8081": "Der Port ist 8081.",
}

WORDLESS = [
    "please don't",
    "use that one",
    "it should be red",
    "always be careful",
    "why did you use axios?",
    "this is the third time you forgot the changelog entry",
    "the tests are failing now",
    "that doesn't work",
    "I said no new dependencies",
    "continue",
    "",
    "   ",
    "```\nalways use tabs\n```",
]


@pytest.mark.parametrize("said", GOLDEN)
def test_what_was_said_becomes_one_sentence(said: str) -> None:
    assert statement.make(said) == GOLDEN[said]


@pytest.mark.parametrize("said", WORDLESS)
def test_where_no_rule_is_sure_a_person_finds_the_words(said: str) -> None:
    assert statement.make(said) is None


def test_identifiers_keep_their_case() -> None:
    assert (
        statement.make("use getUserById instead of FetchUser") == "getUserById is used instead of FetchUser."
    )


@pytest.mark.parametrize("said", GOLDEN.values())
def test_a_statement_makes_itself_or_nothing_worse(said: str) -> None:
    again = statement.make(said)
    assert again is None or again.endswith(".")


@settings(max_examples=examples(300), deadline=None)
@given(st.text(max_size=300))
def test_any_text_makes_one_sentence_or_none(said: str) -> None:
    made = statement.make(said)
    assert made is None or (made.endswith(".") and "\n" not in made and len(made) <= statement.LONGEST)


_PARTS = st.sampled_from(
    ["always", "never", "use", "pnpm", "not", "npm", "don't", ",", ".", "you", "I", "the", "tests",
     "before", "it", "is", "`x`",
     '"a b c d"', "instead of", "we", "here", "and", "run", "whenever", "should be", "\n", "no",
     "prefer", "to"]
)  # fmt: skip


@settings(max_examples=examples(500), deadline=None)
@given(st.lists(_PARTS, max_size=14).map(" ".join))
def test_any_mix_of_such_words_makes_one_sentence_or_none(said: str) -> None:
    made = statement.make(said)
    assert made is None or (made.endswith(".") and not made.startswith((" ", ",")) and "\ue000" not in made)
