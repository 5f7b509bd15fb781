"""What a prompt asks for, and whether it only goes on with the task before."""

import pytest

from learnloop.learn.tasks import continuations, task_requests


@pytest.mark.parametrize(
    "words",
    [
        "proceed", "address 2 and 10", "yup", "k", "6 and 12", "sounds good", "MIP 1 and 4", "please fix it",
        "yes, option A", "@agent try again", "[Image #5]", "[Image: source: /tmp/a.png]", "do all of them",
    ],
)  # fmt: skip
def test_a_prompt_without_a_matter_of_its_own_goes_on(words: str) -> None:
    assert continuations.goes_on(words, answers=False, praises=False)


@pytest.mark.parametrize(
    "words",
    [
        "add a logout button", "fix the parser", "why is it slow?", "now write the docs for the parser",
        "no, use uv instead of pip", "修复解析器的错误", "use pnpm", "hello",
    ],
)  # fmt: skip
def test_a_prompt_with_a_matter_of_its_own_is_a_task(words: str) -> None:
    assert not continuations.goes_on(words, answers=False, praises=False)


def test_a_short_answer_to_a_question_goes_on() -> None:
    assert continuations.goes_on("the blue button in the footer", answers=True, praises=False)
    assert not continuations.goes_on("why the blue one?", answers=True, praises=False)
    assert not continuations.goes_on("word " * 40, answers=True, praises=False)


def test_brief_praise_goes_on() -> None:
    assert continuations.goes_on("that works very well", answers=False, praises=True)
    assert not continuations.goes_on(
        "well done; now the same for the orders page", answers=False, praises=True
    )


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("Hi there! Add a logout button. It belongs in the header.", "Add a logout button"),
        ("[Image #1] Why is the page blank?", "Why is the page blank?"),
        ("And this one?\n\n> it drops the last line", "And this one? > it drops the last line"),
        ("fix", "fix"),
        ("修复解析器的错误。然后写测试。", "修复解析器的错误"),
        ("<command-message>init</command-message>\n<command-name>/init</command-name>", "/init"),
        ("<command-name>/review</command-name><command-args>12</command-args>", "/review 12"),
    ],
)  # fmt: skip
def test_a_title_is_the_first_sentence_that_says_something(prompt: str, title: str) -> None:
    assert task_requests.read(prompt).title == title


@pytest.mark.parametrize(
    "prompt", ["x" * 16_000, "word " * 3_200, "字" * 16_000, "\n\n\n", "?!", "```\ncode\n```"]
)
def test_a_title_is_one_line_of_a_hundred_characters(prompt: str) -> None:
    title = task_requests.read(prompt).title
    assert len(title) <= 100
    assert "\n" not in title


def test_what_has_to_hold_is_read_where_it_is_stated() -> None:
    request = task_requests.read(
        "Assuming that the database runs, add a cart. Make sure the tests pass. Should all tests pass?"
    )
    assert request.prerequisites == ("Assuming that the database runs, add a cart",)
    assert request.criteria == ("Make sure the tests pass",)


@pytest.mark.parametrize(("words", "is_stated"), [
    ("You implement features by reading the acceptance criteria from Testmo", False),
    ("You are helping to configure acceptance criteria for a coding run", False),
    ("📋 Make sure the dev server is running on port 2024", False),
    ("You must meet the acceptance criteria of the ticket", True),
    ("The success criteria are that all messages are logged", True), ("- [ ] Make sure that it builds", True),
])  # fmt: skip
def test_roles_and_what_programs_print_state_no_criteria(words: str, is_stated: bool) -> None:
    assert bool(task_requests.read(f"{words}. Then write the parser.").criteria) == is_stated
