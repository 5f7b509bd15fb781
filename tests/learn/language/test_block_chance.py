"""Text that no form names is weighed by what it is like; what was typed above it is still heard."""

import pytest

from learnloop.learn.language import authorship

FOREIGN = (
    "I was on the platform team back then and we'd just moved to event sourcing. Looking back, the one "
    "thing that I'd tell every team is to never replay events in production. It always ends in tears."
)


def test_prose_that_no_form_names() -> None:
    whose = authorship.read(FOREIGN, {})
    assert authorship.by_form(FOREIGN).reason == ""
    assert (whose.words, whose.judges) == (FOREIGN, False)
    assert whose.reason == "they read like a text of somebody else"


def test_what_stands_above_it_is_heard() -> None:
    request = "use spaces in this repo. can you do the rest too?"
    assert authorship.read(f"{request}\n\n{FOREIGN}", {}) == authorship.Authorship(request, "")


@pytest.mark.parametrize("prompt", [
    "never use tabs in this repo",
    "Always run the linter before you commit. And don't touch the lock file.",
    "the export is empty again, you forgot the header. always write it first",
    "ok looks good. I'd like the button on the left, can you move it?\n\nand never hide it on mobile please",
    "", "\n\n", "...",
])  # fmt: skip
def test_what_people_type(prompt: str) -> None:
    assert authorship.read(prompt, {}) == authorship.Authorship(prompt, "")


def test_blocks_beyond_the_first_ones_cost_nothing() -> None:
    prompt = "\n\n".join(["add a test for this"] * 20_000)
    assert authorship.read(prompt, {}).words == prompt


def test_a_brief_order_is_the_persons_however_it_reads() -> None:
    for words in (
        "Always use uv, never pip.",
        "Never use npm, use pnpm.",
        "Users must confirm their address.",
    ):
        assert authorship.likely_opening([words]) is None
