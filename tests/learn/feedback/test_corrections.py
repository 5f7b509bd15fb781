"""Corrections after work that was done: which name what to do instead, and which only complain."""

import pytest

from learnloop.learn.feedback.prompt_rules import Context, PromptVerdict, judge

DONE = Context(position=1)

NAMED = [
    "use zod, not joi",
    "use async/await instead of callbacks",
    "use `uv pip install` rather than `pip install`",
    "please use single quotes, not double quotes",
    "use pnpm please, not npm",
    "dont use any, use unknown",
    "don't use var. Use const instead.",
    "snake_case, not camelCase",
    "tabs, not spaces",
    "you used npm again, use pnpm",
    "no print statements, use the logger",
    "write the tests in pytest, not unittest",
    "use axios instead of fetch in the client",
    "No, use date-fns",
    "no - use postgres",
    "no no, use the existing logger",
    "Why are you using npm? use pnpm",
    "could you use pnpm instead of npm?",
    "that's great, but use pnpm instead of npm",
    "actually use yarn",
    "errors are returned, not thrown",
    "you should not have changed the API",
    "stop using any",
    "don't rewrite the whole file, edit only the lines that change",
    "don't mock the clock, pass a fake one",
    "please don't commit directly to master, always open a PR",
    "don't push to main, open a PR",
    "No need to run the whole suite, just run the affected tests",
    "no, only rename the function, don't move it",
    "don't edit the generated files. Change the template instead.",
    "You should have used the existing helper in utils/date.ts",
    "you should've run the linter first",
    "I said TypeScript, not JavaScript!",
    "No! I told you to leave the config alone",
    "I told you not to touch the lockfile",
    "hmm, I don't like the naming. Use snake_case for Python functions",
    "don't run npm install without asking me first",
    "that's wrong, the port is 8080 not 3000",
]

STANDING = [
    "in this repo, tests live next to the code",
    "in this repo we don't use semicolons",
    "never edit files under vendor/",
    "prefer composition over inheritance",
    "never reformat files you don't touch",
    "never force push",
    "never, ever commit directly to main",
    "remember that dates are stored in UTC",
    "remember to run the linter before committing",
    "in this repo we squash feature branches",
    "In our project we name branches feature/<ticket>",
    "do not use emojis in commit messages, ever",
    "Our linter runs in CI, so never disable its rules",
]

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
    judged = judge(words, DONE)
    assert judged is not None
    return judged


@pytest.mark.parametrize("words", NAMED)
def test_what_names_what_to_do_instead_is_a_draft(words: str) -> None:
    judged = verdict(words)
    assert judged.drafts, judged


@pytest.mark.parametrize("words", STANDING)
def test_what_holds_for_good_is_a_draft_from_the_first_prompt_on(words: str) -> None:
    assert judge(words, Context(position=0)) is not None
    assert verdict(words).category == "explicit_preference"


@pytest.mark.parametrize(
    "words", sorted(set(NAMED) - {"please don't commit directly to master, always open a PR"})
)
def test_the_first_prompt_corrects_nothing(words: str) -> None:
    assert judge(words, Context(position=0)) is None


@pytest.mark.parametrize("words", NEEDS_WORDS)
def test_where_half_would_be_lost_a_person_finds_the_words(words: str) -> None:
    assert verdict(words).drafts


@pytest.mark.parametrize("words", FEEDBACK_ONLY)
def test_what_only_complains_or_wishes_is_feedback(words: str) -> None:
    judged = verdict(words)
    assert (judged.category, judged.drafts) == (FEEDBACK_ONLY[words], False), judged


@pytest.mark.parametrize("words", NOTHING)
def test_tasks_thanks_and_logs_say_nothing_of_the_work(words: str) -> None:
    assert judge(words, DONE) is None


def test_a_choice_is_an_answer_where_the_agent_asked() -> None:
    assert judge("tabs, not spaces", Context(position=1, asked=True)) is None
