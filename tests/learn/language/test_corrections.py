"""Corrections after work that was done: which name what to do instead, and in what words."""

import pytest

from learnloop.learn.feedback.prompt_rules import Context, PromptVerdict, judge
from learnloop.learn.language import statement

DONE = Context(position=1)

NAMED = {
    # one thing instead of another
    "use zod, not joi": "zod is used instead of joi.",
    "use async/await instead of callbacks": "async/await is used instead of callbacks.",
    "use `uv pip install` rather than `pip install`": "`uv pip install` is used instead of `pip install`.",
    "please use single quotes, not double quotes": "Single quotes are used instead of double quotes.",
    "use pnpm please, not npm": "pnpm is used instead of npm.",
    "dont use any, use unknown": "unknown is used instead of any.",
    "don't use var. Use const instead.": "const is used instead of var.",
    "snake_case, not camelCase": "snake_case is used instead of camelCase.",
    "tabs, not spaces": "Tabs are used instead of spaces.",
    "you used npm again, use pnpm": "pnpm is used instead of npm.",
    "no print statements, use the logger": "The logger is used instead of print statements.",
    "write the tests in pytest, not unittest": "The tests are written in pytest, not unittest.",
    "use axios instead of fetch in the client": "axios is used instead of fetch in the client.",
    "No, use date-fns": "date-fns is used.",
    "no - use postgres": "postgres is used.",
    "no no, use the existing logger": "The existing logger is used.",
    "Why are you using npm? use pnpm": "pnpm is used.",
    "could you use pnpm instead of npm?": "pnpm is used instead of npm.",
    "that's great, but use pnpm instead of npm": "pnpm is used instead of npm.",
    "actually use yarn": "yarn is used.",
    "errors are returned, not thrown": "Errors are returned, not thrown.",
    "you should not have changed the API": "The API is not changed.",
    "stop using any": "any is not used.",
    # both halves
    "don't rewrite the whole file, edit only the lines that change": (
        "The whole file is not rewritten; only the lines that change are edited."
    ),
    "don't mock the clock, pass a fake one": "The clock is not mocked; a fake one is passed instead.",
    "please don't commit directly to master, always open a PR": (
        "The agent does not commit directly to master; a PR is always opened."
    ),
    "don't push to main, open a PR": "The agent does not push to main; a PR is opened instead.",
    "No need to run the whole suite, just run the affected tests": (
        "The whole suite does not need to be run; only the affected tests are run."
    ),
    "no, only rename the function, don't move it": "Only the function is renamed; it is not moved.",
    "don't edit the generated files. Change the template instead.": (
        "The generated files are not edited; the template is changed instead."
    ),
    # what should have been done, and what was said before
    "You should have used the existing helper in utils/date.ts": (
        "The existing helper in utils/date.ts is used."
    ),
    "you should've run the linter first": "The linter is run first.",
    "I said TypeScript, not JavaScript!": "TypeScript is used instead of JavaScript.",
    "No! I told you to leave the config alone": "The config is left alone.",
    "I told you not to touch the lockfile": "The lockfile is not touched.",
    "hmm, I don't like the naming. Use snake_case for Python functions": (
        "snake_case is used for Python functions."
    ),
    "don't run npm install without asking me first": (
        "npm install is not run without asking the user first."
    ),
    "that's wrong, the port is 8080 not 3000": "The port is 8080, not 3000.",
}

STANDING = {
    "in this repo, tests live next to the code": "Tests live next to the code.",
    "in this repo we don't use semicolons": "Semicolons are not used.",
    "never edit files under vendor/": "Files under vendor/ are never edited.",
    "prefer composition over inheritance": "Composition is preferred over inheritance.",
    "never reformat files you don't touch": "Files the agent does not touch are never reformatted.",
    "never force push": "The agent never force-pushes.",
    "never, ever commit directly to main": "The agent never commits directly to main.",
    "remember that dates are stored in UTC": "Dates are stored in UTC.",
    "remember to run the linter before committing": "The linter is run before committing.",
    "in this repo we squash feature branches": "Feature branches are squashed.",
    "In our project we name branches feature/<ticket>": "Branches are named feature/<ticket>.",
    "do not use emojis in commit messages, ever": "Emojis are not used in commit messages.",
    "Our linter runs in CI, so never disable its rules": (
        "Our linter runs in CI, so its rules are never disabled."
    ),
}

NEEDS_WORDS = [
    "do not create a new file; add it to the existing one",
    "never do that again",
    "don't commit, just stage",
    "call it user_id, not userId",
    "this should be a function, not a class",
    "bitte benutze immer pytest",
    "nein, nicht npm, sondern pnpm",
    "on utilise pnpm ici",
    "Be more careful next time",
    "no, do it with a list comprehension instead",
    "instead of adding a flag, make it the default",
    "nope, name it parse_date, not parseDate",
    "don't guess, read the docs",
]

FEEDBACK_ONLY = {
    "please be more concise in your answers": "explicit_preference",
    "keep functions under 30 lines": "explicit_preference",
    "Our CI runs on Python 3.11, so don't use 3.12 syntax": "correction",
    "the date helper should return ISO strings": "correction",
    "ne mets pas de commentaires dans le code": "correction",
    "thats not what I asked for": "correction",
    "you hardcoded the path": "correction",
    "good, but the margin is gone on mobile": "correction",
    "wait, that changes the public API": "correction",
    "I thought we were using redis for this": "correction",
    "no emojis please": "correction",
    "tests must not hit the network": "correction",
    "you must run the tests before committing": "explicit_preference",
    "please don't do that again": "correction",
    "put it back the way it was": "rejection",
    "stop, don't run that": "rejection",
}

NOTHING = [
    "use option 2",
    "use early returns",
    "make the tests faster",
    "why not use pnpm instead?",
    "let's use the first option",
    "use the memory store instead of redis for this test",
    "keep going",
    "remember the bug from yesterday? it is back",
    "what is the difference between tabs and spaces?",
    "do we use tabs here?",
    "no thanks",
    "wait for the build and then merge",
    "error: never use an uninitialised variable\n\nwhat does this mean?",
]


def verdict(words: str) -> PromptVerdict:
    found = judge(words, DONE)
    assert found is not None
    return found


def made(words: str) -> str | None:
    return statement.make(verdict(words).sentence)


@pytest.mark.parametrize("words", NAMED)
def test_what_names_what_to_do_instead_is_a_draft(words: str) -> None:
    found = verdict(words)
    assert found.drafts, found
    assert made(words) == NAMED[words]


@pytest.mark.parametrize("words", STANDING)
def test_what_holds_for_good_is_a_draft_from_the_first_prompt_on(words: str) -> None:
    assert judge(words, Context(position=0)) is not None
    assert (verdict(words).category, made(words)) == ("explicit_preference", STANDING[words])


@pytest.mark.parametrize(
    "words", sorted(NAMED.keys() - {"please don't commit directly to master, always open a PR"})
)
def test_the_first_prompt_corrects_nothing(words: str) -> None:
    assert judge(words, Context(position=0)) is None


@pytest.mark.parametrize("words", NEEDS_WORDS)
def test_where_half_would_be_lost_a_person_finds_the_words(words: str) -> None:
    assert verdict(words).drafts
    assert made(words) is None


@pytest.mark.parametrize("words", FEEDBACK_ONLY)
def test_what_only_complains_or_wishes_is_feedback(words: str) -> None:
    found = verdict(words)
    assert (found.category, found.drafts) == (FEEDBACK_ONLY[words], False), found


@pytest.mark.parametrize("words", NOTHING)
def test_tasks_thanks_and_logs_say_nothing_of_the_work(words: str) -> None:
    assert judge(words, DONE) is None


def test_a_choice_is_an_answer_where_the_agent_asked() -> None:
    assert judge("tabs, not spaces", Context(position=1, asked=True)) is None


def test_an_agents_habit_is_no_rule() -> None:
    assert made("You always forget the tests") is None
    assert made("you never read the docs, please stop guessing names") != "The docs are never read."
