"""The detector: each prompt in its context, one outcome at most."""

import time

import pytest

from learnloop.learn.feedback.prompt_rules import Context, judge, judge_refusal

LATER = Context(position=3)

FEEDBACK = {
    "No, that's wrong, use pytest": "correction",
    "nope, that broke the login page": "correction",
    "that's not what I asked for": "correction",
    "I told you the port is 8081": "correction",
    "you forgot the migration": "correction",
    "Why did you rewrite the whole file?": "correction",
    "the button is on the left, not the right": "correction",
    "stop renaming things": "correction",
    "it still doesn't work": "correction",
    "this is way too complicated": "correction",
    "actually, it should be a list": "correction",
    "Need to run the generator first.": "correction",
    "Forgot to install the chart component.": "correction",
    "Missing type annotations in the new module.": "correction",
    "you missed the Italian strings": "correction",
    "don't forget to bump setup.cfg": "correction",
    "when you add a table you also need a seed file": "correction",
    "make sure you run the linter": "correction",
    "indentation is wrong, please use tabs": "correction",
    "that feels rather hacky": "correction",
    "no, I said poetry! why do you still use pip?": "correction",
    "do it yourself, you have a shell": "correction",
    "Avoid: using global state": "correction",
    "could you please not touch the lock file": "correction",
    "would you mind not renaming everything": "correction",
    "I've told you before that this repo has no tags": "correction",
    "why on earth would you log the token": "correction",
    "isn't that what the helper does already?": "correction",
    "the header doesn't stick": "correction",
    "hm. I thought we had dropped that table": "correction",
    "Thanks, merged. One thing for next time: titles start with the ticket number.": "explicit_preference",
    "Reminder: migrations are reviewed first": "explicit_preference",
    "I usually want to see a plan first": "explicit_preference",
    "squash before you merge": "explicit_preference",
    "feel free to run the linter without asking": "explicit_preference",
    "could you not open a new file for each helper?": "correction",
    "ok pushed. small thing: we name handlers on_x, not handle_x": "correction",
    "fine for now, but the retries belong into the client": "correction",
    "English comments only": "correction",
    "I can't merge this, it touches forty files": "correction",
    "you mustn't import from internal packages": "correction",
    "ask me instead of guessing": "correction",
    "keine Kommentare auf Deutsch": "correction",
    "one class per file": "explicit_preference",
    "reviews are not optional": "explicit_preference",
    "before you call it done, run the e2e suite": "explicit_preference",
    "when in doubt, ask": "explicit_preference",
    "if a test is flaky, quarantine it": "explicit_preference",
    "halt": "rejection",
    "forget about that": "rejection",
    "go back to the previous version of the form": "rejection",
    "what I want is one line per order": "clarification",
    "also add a dark mode": "enhancement",
    "thanks": "praise",
    "under no circumstances touch the live database": "explicit_preference",
    "never `git stash` my changes": "explicit_preference",
    "create a rule: a bug fix starts with a failing test": "explicit_preference",
    "update the rules so agents enable the venv": "explicit_preference",
    "ask me first before you install something": "explicit_preference",
    "If you add a route, add it to the docs": "explicit_preference",
    "revert it": "rejection",
    "undo that please": "rejection",
    "hold off": "rejection",
    "never mind": "rejection",
    "I don't want that test": "rejection",
    "I meant the worker config": "clarification",
    "sorry, what I meant was the other table": "clarification",
    "perfect, exactly what I was after": "praise",
    "great work on the retry logic": "praise",
    "always run the linter before you commit": "explicit_preference",
    "from now on put new components in src/ui": "explicit_preference",
    "we don't use default exports in this repo": "explicit_preference",
    "could you please always write the tests first?": "explicit_preference",
    "whenever you add a dependency, tell me": "explicit_preference",
}

NONE = [
    "write a test for the case where the token expires",
    "use the sqlite backend and not the memory one for this benchmark",
    "should I never use time.sleep in async code?",
    "how do I abort a rebase?",
    "add a stop button to the player",
    "no rush on this one, but please add pagination",
    "find all the places where we always retry and list them",
    "write a lint rule that says don't use var",
    'add a toast that says "That\'s wrong, try again"',
    "translate the string 'Never mind' to German",
    "I meant to ask: which node version is CI on?",
    "great, next: the dark theme",
    "looks good to me. now do the other page",
    "no, that's all",
    "nope, nothing else",
    "yes, but start with the tests",
    "I need a job that removes old rows. It must never remove the newest one.",
    "shouldn't be a problem, go on",
    "add a warning that is shown when the code is wrong",
    "don't change anything, just tell me what you see",
    "when you are done, write a summary",
    "no problem, go on",
    "any idea why this doesn't work?",
    "/compact keep the list of failing tests",
    "<system-reminder>Always keep the todo list current.</system-reminder>",
    "<local-command-stdout>Never mind the previous setting.</local-command-stdout>",
    "```python\n# never use eval here\n# no, really\n```\nexplain this function",
    "> no, that's wrong\n\nwho wrote this?",
    'Traceback (most recent call last):\n  File "a.py", line 9\nTypeError: no\nDon\'t skip\n\nwhat is it?',
    "",
]


@pytest.mark.parametrize("words", FEEDBACK)
def test_feedback_is_heard(words: str) -> None:
    verdict = judge(words, LATER)
    assert verdict is not None
    assert verdict.category == FEEDBACK[words], verdict


@pytest.mark.parametrize("words", NONE)
def test_tasks_questions_and_foreign_text_are_no_feedback(words: str) -> None:
    assert judge(words, LATER) is None


@pytest.mark.parametrize("words", FEEDBACK)
def test_a_machines_words_are_never_judged(words: str) -> None:
    assert judge(words, Context(position=3, machine=True)) is None


@pytest.mark.parametrize("words", FEEDBACK)
def test_before_anything_was_delivered_only_standing_words_count(words: str) -> None:
    verdict = judge(words, Context(position=0))
    assert (verdict.category if verdict else None) == (
        "explicit_preference" if FEEDBACK[words] == "explicit_preference" else None
    )


@pytest.mark.parametrize(
    ("words", "drafts"),
    [
        ("No, that's wrong, use pytest", True),
        ("always run the linter", True),
        ("it's spelled 'organisation' everywhere in this code base", True),
        ("how many times do I have to tell you to run the formatter", True),
        ("no, the linter issue is because you linted the file alone", False),
        ("that's wrong", False),
        ("you forgot the migration", False),
        ("still broken", False),
        ("revert it", False),
        ("perfect", False),
    ],
)
def test_one_sighting_is_enough_where_the_words_hold_for_good_or_name_what_to_do(
    words: str, drafts: bool
) -> None:
    verdict = judge(words, LATER)
    assert bool(verdict and verdict.drafts) is drafts


def test_a_correction_at_the_end_of_a_long_message_is_heard() -> None:
    output = "Here is the output:\n```\n12 passed\n```\n"
    words = output + "but you ran the whole suite; only run the tests of the package you touched"
    verdict = judge(words, LATER)
    assert verdict is not None
    assert verdict.sentence == "only run the tests of the package you touched"


def test_the_point_of_a_long_specification_is_not_a_remark() -> None:
    lines = [
        f"The {number}th field should be stored as text and it should not be empty when saved"
        for number in range(60)
    ]
    assert (
        judge("Build the form.\nUse these rules.\n" + "\n".join(lines) + "\nThanks\nStart\nNow", LATER)
        is None
    )


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("use pytest instead", "correction"),
        ("not now", "rejection"),
        ("", "rejection"),
        ("don't touch the lock file", "correction"),
    ],
)
def test_a_refusal_corrects_where_its_words_say_what_to_do(words: str, category: str) -> None:
    assert judge_refusal(words).category == category


@pytest.mark.parametrize(
    "filler", ["a " * 8000, "no, " * 4000, "`" * 16000, "'" * 9000, "always " * 2000, ("x" * 50 + "\n") * 300]
)
def test_hostile_prompts_cost_no_time(filler: str) -> None:
    started = time.process_time()
    judge(filler[:16_000], LATER)
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("no, only the two of us use it", None),
        ("nope, not yet", None),
        ("we deploy with helm, not with manifests", None),
        ("English only", None),
        ("no, use structlog instead of logging", "correction"),
        ("no, that's wrong, use pytest", "correction"),
    ],
)
def test_a_no_to_a_question_is_an_answer(words: str, category: str | None) -> None:
    verdict = judge(words, Context(position=2, asked=True))
    assert (verdict.category if verdict else None) == category
