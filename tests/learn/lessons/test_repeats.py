"""Remarks that say a lesson again."""

import time

import pytest

from learnloop.learn.lessons.repeats import may_be_about, reminds, repeats

PNPM = "Use pnpm, never npm."


@pytest.mark.parametrize(
    ("remark", "statement"),
    [
        ("no, I said pnpm! why do you still use npm?", PNPM),
        ("I told you to use pnpm", PNPM),
        ("how many times... pnpm, please", PNPM),
        ("you used npm again", PNPM),
        ("you forgot the changelog again", "Update CHANGELOG.md when you bump the version."),
        ("this is the third time you forgot the changelog entry", "Add a changelog entry for every fix."),
        ("as I said, ids are integers", "Ids are integers, not strings."),
        ("you keep mocking the clock", "Don't mock the clock in tests, pass a fake one."),
        ("we already agreed on structlog", "Use structlog for logging."),
        ("again: ask before you commit", "Ask before you commit."),
        ("ich habe doch gesagt, nimm pnpm", PNPM),
        ("are you still using moment? I said date-fns", "Use date-fns instead of moment."),
        ("I said never use npm", PNPM),
    ],
)
def test_a_remark_that_says_it_again_repeats_the_lesson(remark: str, statement: str) -> None:
    assert repeats(remark, statement)


@pytest.mark.parametrize(
    ("remark", "statement"),
    [
        ("run pnpm install", PNPM),
        ("the login is still broken", "Use the login helper in tests."),
        ("run the tests again", "Run the tests before committing."),
        ("I told you the port is 8081", PNPM),
        ("I said npm, not pnpm", PNPM),
        ("you did it again", PNPM),
        ("I said it already", "Ask before you commit."),
        ("", PNPM),
    ],
)
def test_other_remarks_do_not(remark: str, statement: str) -> None:
    assert not repeats(remark, statement)


@pytest.mark.parametrize("filler", ["you still " * 2000, "i said " * 3000, "x" * 100_000, "a.b" * 30_000])
def test_long_remarks_cost_no_time(filler: str) -> None:
    started = time.process_time()
    repeats(filler, PNPM)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("remark", "is_about"),
    [
        ("No! Stop that.", True),
        ("not npm!", True),
        ("no don't do that", True),
        ("wrong package manager", True),
        ("You didn't follow my rules.", True),
        ("still broken", False),
        ("The tests don't pass", False),
        ("wrong file", False),
        ("I said no new dependencies", False),
        ("I ran `npm test` and the logs of the worker are a little concerning", False),
    ],
)
def test_a_complaint_about_a_turn_that_broke_a_lesson_may_be_about_it(remark: str, is_about: bool) -> None:
    assert may_be_about(remark, "Use pnpm, not npm.") is is_about


@pytest.mark.parametrize(
    ("remark", "is_reminder"),
    [
        ("why not pnpm?", True),
        ("pnpm please", True),
        ("ugh, npm again", True),
        ("Seriously? npm?", True),
        ("now run npm test", False),
        ("thanks, commit it", False),
        ("great, next add zod", False),
    ],
)
def test_a_brief_remark_after_such_a_turn_may_remind_of_the_lesson(remark: str, is_reminder: bool) -> None:
    assert reminds(remark, "Use pnpm, not npm.") is is_reminder
