"""Headings, list items and paragraphs: every byte stays, and what says nothing is hidden."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.learn.language import bullets
from tests.examples import examples

SIGNS = st.sampled_from(
    ["# A\n", "## Coding\r\n", "- Use uv.\n", "  wrapped on\n", "* One\r\n", "1. First\n", "\n", "\r",
     "Plain words.", "```\n", "~~~ py\n", "<!-- ", "-->\n", "---\n", "~~gone~~", "### Old, obsolete\n",
     "@LEARNED.md\n", "\ufeff", "\u2028", "é"]
)  # fmt: skip


@given(parts=st.lists(SIGNS | st.text(max_size=8), max_size=30))
@settings(max_examples=examples(400), deadline=None)
def test_lines_put_together_are_the_text_to_the_byte(parts: list[str]) -> None:
    text = "".join(parts)
    assert "".join(line.text for line in bullets.read(text)) == text
    assert all(item.words.strip() for item in bullets.items(text))


def test_items_have_their_heading_their_line_and_their_wrapped_words() -> None:
    text = (
        "# Notes\r\nWe use uv.\r\n\r\n## Coding ##\r\n"
        "- Prefers functions\r\n  over classes\r\n- [x] No *type* hints\r\n"
    )
    assert list(bullets.items(text)) == [
        bullets.TextItem("Notes", "We use uv.", 2, False),
        bullets.TextItem("Coding", "Prefers functions over classes", 5, True),
        bullets.TextItem("Coding", "No *type* hints", 7, True),
    ]


def test_odd_lines_cost_no_more_than_others() -> None:
    blanks = " " * 100_000
    for line in (
        f"- a{blanks}b",
        f"# a{blanks}b",
        "# a" + " #" * 50_000 + "b",
        f"1. {blanks}",
        "[" * 100_000,
    ):
        assert "".join(piece.text for piece in bullets.read(line)) == line
        assert len(bullets.plain(line)) <= len(line)


@pytest.mark.parametrize(
    ("line", "words"), [("## C# ##", "C#"), ("# C#", "C#"), ("# #", ""), ("### a # b", "a # b")]
)
def test_a_heading_is_without_the_signs_that_close_it(line: str, words: str) -> None:
    (heading,) = bullets.read(line)
    assert (heading.kind, heading.words) == ("heading", words)


@pytest.mark.parametrize(
    "text",
    ["```\n- code\n```\n", "<!-- - a comment -->\n", "---\n- front\n---\n", "## Old, obsolete\n- gone\n",
     "- ~~struck~~\n", "<!-- learnloop:begin append 1 -->\n- ours\n<!-- learnloop:end append 1 -->\n"],
)  # fmt: skip
def test_what_a_file_does_not_say_is_no_item(text: str) -> None:
    assert not [item for item in bullets.items(text) if item.is_bullet and item.words != "-"]
