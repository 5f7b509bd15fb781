"""List items and import lines without marks: what goes in comes out again, and nothing else moves."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.errors import Refused
from learnloop.learn.language import bullets
from learnloop.patch import plain_bullets
from tests.examples import examples

TITLE = "# Learned Preferences"
ITEMS = (
    "- Prefers functions over classes", "- Wants tests written after code", "- Never commits to main",
    "- Answers without a summary", "- The module talks over the event bus", "@LEARNED.md",
    "@AGENTS.md\n@LEARNED.md",
)  # fmt: skip
PARTS = st.sampled_from(
    ["# T\n", "## Coding\n", "## Testing\r\n", "### Commits\n", "- a thing\n", "  wrapped\n", "\n", "\r\n",
     "words\n", "```\ncode\n```\n", "<!-- c -->\n", "\ufeff", "end", "\r", "---\nname: x\n---\n",
     "@other.md\n", "## Coding"]
)  # fmt: skip


def test_a_new_file_reads_as_the_seed_wants_it() -> None:
    text = ""
    for item in (ITEMS[0], "- Avoids type annotations", ITEMS[3], ITEMS[1]):
        text = plain_bullets.insert(text, item, TITLE).text
    assert text == (
        "# Learned Preferences\n\n## Coding\n- Prefers functions over classes\n- Avoids type annotations\n\n"
        "## Communication\n- Answers without a summary\n\n## Testing\n- Wants tests written after code\n"
    )


def test_an_item_goes_under_the_nearest_heading_and_never_under_the_title() -> None:
    text = (
        "# Testing\n\nWords.\n\n## Commits\n- Small ones\n  only\n\n## How we test\n\n## Old, obsolete\n- x\n"
    )
    inserted = plain_bullets.insert(text, "- Never commits to main", TITLE)
    assert (inserted.heading, inserted.frame) == ("Commits", ())
    assert "- Small ones\n  only\n- Never commits to main\n\n## How" in inserted.text
    assert (
        "## How we test\n- Wants tests first\n"
        in plain_bullets.insert(text, "- Wants tests first", TITLE).text
    )


@given(
    parts=st.lists(PARTS | st.text(max_size=6), max_size=10),
    items=st.lists(st.sampled_from(ITEMS), max_size=4, unique=True),
)
@settings(max_examples=examples(600), deadline=None)
def test_every_byte_outside_stays_in_whichever_order_items_go(parts: list[str], items: list[str]) -> None:
    text, before = "".join(parts), "".join(parts)
    heading_of, frame = dict[str, str](), set[str]()
    try:
        for item in items:
            if plain_bullets.edited(text, item) == item or plain_bullets.holds(text, item, ""):
                continue
            inserted = plain_bullets.insert(text, item, TITLE)
            added = [line.text.strip() for line in bullets.read(inserted.text)]
            assert all(line in added for line in item.split("\n"))
            assert plain_bullets.holds(inserted.text, item, inserted.heading)
            text, heading_of[item] = inserted.text, inserted.heading
            frame |= set(inserted.frame)
    except Refused:
        pass
    for order in itertools.islice(itertools.permutations(heading_of), 6):
        remaining = text
        for item in order:
            remaining = plain_bullets.remove(remaining, item, heading_of[item], frame)
        assert remaining == before


@pytest.mark.parametrize("text", ["---\nname: x\n", "abc\n<!-- open\n", "```\ncode\n", "- a\n~~~\ncode"])
@pytest.mark.parametrize("item", ["- Words.", "@LEARNED.md"])
def test_a_text_that_would_swallow_it_is_refused(text: str, item: str) -> None:
    with pytest.raises(Refused):
        plain_bullets.insert(text, item, TITLE)


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("## Coding\n- Prefers pure functions over classes\n", "- Prefers pure functions over classes"),
        ("## Mine\n- Prefers functions over classes\n", "- Prefers functions over classes"),
        ("## Coding\n- Something else\n", ""), ("", ""),
    ],
)  # fmt: skip
def test_what_a_person_moved_or_reworded_is_no_longer_ours(text: str, now: str) -> None:
    assert not plain_bullets.holds(text, ITEMS[0], "Coding")
    assert plain_bullets.edited(text, ITEMS[0]) == now
    assert plain_bullets.remove(text, ITEMS[0], "Coding", ()) == text


def test_a_heading_that_came_with_an_item_stays_while_anything_is_below_it() -> None:
    inserted = plain_bullets.insert("# T\n", ITEMS[0], TITLE)
    own = inserted.text + "- mine\n"
    assert plain_bullets.remove(own, ITEMS[0], "Coding", inserted.frame) == "# T\n\n## Coding\n- mine\n"
    assert plain_bullets.remove(inserted.text, ITEMS[0], "Coding", ()) == "# T\n\n## Coding\n"
