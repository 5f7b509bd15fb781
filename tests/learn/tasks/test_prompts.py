"""What a prompt asks for, and whether it only goes on with the task before."""

import pytest

from learnloop.learn.tasks import continuations


@pytest.mark.parametrize("words", [
    "proceed", "address 2 and 10", "yup", "k", "6 and 12", "sounds good", "MIP 1 and 4", "please fix it",
    "yes, option A", "@agent try again", "[Image #5]", "[Image: source: /tmp/a.png]", "do all of them",
    "hi", "why is it slow?", "also add a dark variant", "great, commit it", "perfect, merge it",
    "谢谢", "好的，继续", "很好，现在可以了",
])  # fmt: skip
def test_a_prompt_without_a_matter_of_its_own_goes_on(words: str) -> None:
    assert continuations.goes_on(words)


@pytest.mark.parametrize("words", [
    "add a logout button", "fix the parser", "now write the docs for the parser", "修复解析器的错误",
    "use pnpm", "Looks good. Add a logout button to the header",
])  # fmt: skip
def test_a_prompt_with_a_matter_of_its_own_is_a_task(words: str) -> None:
    assert not continuations.goes_on(words)


def test_what_corrects_goes_on_and_what_has_the_words_of_the_task_does() -> None:
    assert continuations.goes_on("use uv to install packages", corrects=True)
    topic = continuations.telling("Write a parser for the markdown headings of the session files")
    assert continuations.goes_on("Headings of markdown session notes come out twice", topic=topic)
    assert not continuations.goes_on("Publish the package on the registry tonight", topic=topic)


def test_a_short_answer_to_a_question_goes_on() -> None:
    assert continuations.goes_on("the blue button in the footer", answers=True)
    assert not continuations.goes_on("word " * 40, answers=True)


@pytest.mark.parametrize("words", [
    "great, that works. commit it", "works now", "the bug is gone", "perfect, merge it", "👍", "lgtm",
    "It works as expected now.", "cool, the bug is gone", "Thanks, the error is gone.", "that did the trick",
    "The guest checkout works now, thanks a lot.", "Love it. Please commit this.", "all tests pass now",
    "looks good. now add the tests for it", "It is perfect, merge it please", "Great! Start on 3.4.1.",
    "很好，现在可以了", "ありがとう。次はテスト",
])  # fmt: skip
def test_approval_is_heard_also_where_the_next_order_follows(words: str) -> None:
    assert continuations.approves(words)


@pytest.mark.parametrize("words", [
    "does it work?", "is the bug gone?", "make it work", "it doesn't work", "good question",
    "great idea, do it", "not good", "It works, but slowly", "nice to have: a filter", "",
    "the working directory is wrong", "Looks better, but the inputs are white", "修复",
    "everything is gone after the update",
])  # fmt: skip
def test_what_only_looks_like_approval_is_none(words: str) -> None:
    assert not continuations.approves(words)


@pytest.mark.parametrize(("words", "is_taken_back"), [
    ("looks great, but the header is too big", True), ("great, now it's broken", True),
    ("Looks good! However, the header is too big", True), ("Nice. Unfortunately the test fails now", True),
    ("Nice! Everything works, except for one test", True), ("great, that works. commit it", False),
    ("yup, that's good, but let's address the version first", False),
    ("Looks good, nothing is broken", False),
    ("Great! It doesn't crash anymore.", False), ("works now, the build no longer breaks", False),
])  # fmt: skip
def test_approval_that_is_taken_back_is_none(words: str, is_taken_back: bool) -> None:
    assert continuations.takes_back(words) is is_taken_back


@pytest.mark.parametrize("words", ["no error handling", "no errors", "no problem", "no more error messages"])
def test_a_fault_that_is_named_is_no_approval(words: str) -> None:
    assert not continuations.approves(words)


def test_approval_alone_is_told_from_one_with_an_order() -> None:
    assert continuations.only_approves("cool, the bug is gone")
    assert continuations.orders_more("great, that works. commit it")
    assert not continuations.orders_more("add a logout button")


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
    assert continuations.request_of(prompt).title == title


@pytest.mark.parametrize(
    "prompt", ["x" * 16_000, "word " * 3_200, "字" * 16_000, "\n\n\n", "?!", "```\ncode\n```"]
)
def test_a_title_is_one_line_of_a_hundred_characters(prompt: str) -> None:
    title = continuations.request_of(prompt).title
    assert len(title) <= 100
    assert "\n" not in title


def test_what_has_to_hold_is_read_where_it_is_stated() -> None:
    request = continuations.request_of(
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
    assert bool(continuations.request_of(f"{words}. Then write the parser.").criteria) == is_stated
