"""What developers say, all the way from the words to the statement of a draft, or to none."""

import pytest

from learnloop.learn.feedback.prompt_rules import Context, judge
from learnloop.learn.language import statement

DRAFTS = {
    # standing
    "never force-push to main": "The agent never force-pushes to main.",
    "never swallow exceptions": "The agent never swallows exceptions.",
    "always lowercase table names": "Table names are always lowercased.",
    "I want you to always explain the plan before you edit": (
        "The plan is always explained before the agent edits."
    ),
    "make a habit of running the linter before you finish": "The linter is run before the agent finishes.",
    "we use tabs here, never spaces": "Tabs are used instead of spaces here.",
    "in this repo we write commit messages in the imperative mood": (
        "Commit messages are written in the imperative mood."
    ),
    "in this project, dates are always ISO 8601": "Dates are always ISO 8601.",
    "looks good, but we usually write the test first": "The test is usually written first.",
    "as a general rule, no function should have more than four parameters": (
        "No function has more than four parameters."
    ),
    "I'm not a fan of nested ternaries": "Nested ternaries are avoided.",
    "generally I like small functions better than long ones": (
        "Small functions are preferred over long ones."
    ),
    # this instead of that
    "use date-fns, not moment": "date-fns is used instead of moment.",
    "instead of moment use date-fns": "date-fns is used instead of moment.",
    "actually, let's use postgres instead of sqlite": "postgres is used instead of sqlite.",
    "no, run make y instead of make x": "make y is run instead of make x.",
    "No, run the migrations through alembic, not by hand.": (
        "The migrations are run through alembic, not by hand."
    ),
    "I said TypeScript, not JavaScript!": "TypeScript is used instead of JavaScript.",
    "I asked for tabs, you gave me spaces": "Tabs are used, not spaces.",
    "it is called workspace, not project": "The name is workspace, not project.",
    "almost, but errors should be returned, not raised": "Errors are returned, not raised.",
    "nein, benutze pytest statt unittest": "pytest is used instead of unittest.",
    # said again
    "for the third time, use the staging database": "The staging database is used.",
    "I keep telling you to leave the snapshots alone": "The snapshots are left alone.",
    "again, do not edit the vendored code": "The vendored code is not edited.",
    "You always do this, please stop rewriting the whole file": "The whole file is not rewritten.",
    "could you please not touch the generated files next time": "The generated files are not touched.",
}

WORDLESS = [
    "non, utilise plutôt le client existant",
    "ab jetzt bitte alle Tests mit vitest schreiben",
    "por favor responde siempre en español",
    "I'd prefer if you kept the function signatures as they were",
]

NO_DRAFTS = [
    "thanks, great",
    "lgtm, ship it",
    "merci beaucoup",
    "never again lol",
    "always happy to help, now fix the build",
    "can you check whether we always close the connection",
    "the tests always pass locally but fail in CI",
    "the cache is never invalidated when a user logs out",
    "npm ERR! Always check that npm is up to date",
    "deploy to staging, not production",
    "show me the diff, not the whole file",
    "run the tests again, not the build",
    "use option 2",
    "make the banner never overlap the header",
    "document that the client always retries",
    "no, thanks",
]


@pytest.mark.parametrize("said", DRAFTS)
def test_one_sighting_makes_a_draft_in_plain_words(said: str) -> None:
    verdict = judge(said, Context(position=1))
    assert verdict is not None
    assert verdict.drafts, verdict
    assert (statement.make(verdict.sentence) or statement.make(said)) == DRAFTS[said]


@pytest.mark.parametrize("said", WORDLESS)
def test_a_draft_that_needs_words_says_nothing_wrong(said: str) -> None:
    verdict = judge(said, Context(position=1))
    assert verdict is not None
    assert verdict.drafts, verdict
    assert (statement.make(verdict.sentence) or statement.make(said)) is None


@pytest.mark.parametrize("said", NO_DRAFTS)
def test_everything_else_makes_none(said: str) -> None:
    verdict = judge(said, Context(position=1))
    assert verdict is None or not verdict.drafts
