"""Lessons that are called lessons: where they stand, where they do not count, what becomes of them."""

import random

import pytest

from learnloop.ingest.run import ingest
from learnloop.learn.offers import extract
from learnloop.models import Lesson
from learnloop.service.lessons import queue
from learnloop.service.workspace import Workspace
from tests.recorded_events import fire

REPORT = """The build is green again.

## Key Takeaways
- The cache key has to include the **locale**
- Always run the migrations before the release
1. Short

## Next
- Nothing that is a lesson
"""


def _words(text: str) -> list[str]:
    return [said.words for said in extract.find_explicit(text)]


def test_the_items_of_a_section_are_lessons_up_to_the_next_heading() -> None:
    assert _words(REPORT) == [
        "The cache key has to include the locale", "Always run the migrations before the release"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "heading",
    [
        "## Lessons Learned",
        "### Lesson learned",
        "**Key Insights**",
        "## 💡 Insights",
        "## Takeaways:",
        "**Insights:**",
    ],
)
def test_headings_are_known_in_their_forms(heading: str) -> None:
    assert _words(f"{heading}\n\n- The staging cluster needs the tunnel\n") == [
        "The staging cluster needs the tunnel"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Lesson learned: the staging cluster needs the tunnel",
        "- **Lesson learned:** the staging cluster needs the tunnel",
        "Lessons learned: the staging cluster needs the tunnel",
        "Note for future: the staging cluster needs the tunnel",
        "Note for the future: the staging cluster needs the tunnel",
        "note for future sessions: the staging cluster needs the tunnel",
        "Note to future self: the staging cluster needs the tunnel",
        "The deploy is done. Lesson learned: the staging cluster needs the tunnel",
        "It works now! **Note for future:** the staging cluster needs the tunnel",
    ],
)
def test_a_line_that_says_so_is_a_lesson(line: str) -> None:
    assert _words(f"Done.\r\n{line}\r\nBye.") == ["the staging cluster needs the tunnel"]


@pytest.mark.parametrize(
    "line",
    [
        "Important: the tunnel must be open before staging is reached",
        "All green. **Important:** the tunnel must be open before staging is reached",
        "- important: the tunnel must be open before staging is reached",
    ],
)
def test_what_is_called_important_is_a_lesson_where_it_lasts(line: str) -> None:
    assert _words(line) == ["the tunnel must be open before staging is reached"]


@pytest.mark.parametrize(
    "text",
    [
        "Important: the tests are still red, I look into it now",
        "This is important: the tunnel must be open",
        "```\nLesson learned: the staging cluster needs the tunnel\n```",
        "> Lesson learned: the staging cluster needs the tunnel",
        "    Lesson learned: the staging cluster needs the tunnel",
        "She asked which lesson learned: none of them so far",
        "## Lessons\n\nNo items here, only a paragraph that goes on.",
        "Lesson learned: yes",
        "## Insights into the parser\n- It reads line by line, always",
        f"Lesson learned: {'x' * 400}",
    ],
)
def test_code_quotes_and_passing_mentions_are_not_taken(text: str) -> None:
    assert _words(text) == []


def test_a_message_gives_a_few_at_most() -> None:
    text = "## Insights\n" + "\n".join(f"- Insight of the number {n} that is long enough" for n in range(50))
    assert len(extract.find_explicit(text)) == extract.MOST


def test_no_text_is_too_odd() -> None:
    rng = random.Random(7)
    pieces = [
        "## Insights\n",
        "- ",
        "Lesson learned:",
        "**",
        "```\n",
        ">",
        "\r\n",
        "note for future: ",
        "x" * 300,
        "\x00",
        "é",
    ]
    for _ in range(20_000):
        for said in extract.find_explicit("".join(rng.choices(pieces, k=rng.randint(0, 12)))):
            assert 10 < len(said.words) <= 300
    assert extract.find_explicit("- lesson learned " * 100_000) == []


def _drafts(root: str) -> dict[str, Lesson]:
    return {draft.statement: draft for draft in queue.listing(Workspace(root), "draft")}


def test_what_an_agent_calls_a_lesson_at_the_end_is_its_draft(root: str) -> None:
    fire(root, "UserPromptSubmit", prompt="fix the build")
    fire(root, "Stop", last_assistant_message="I looked at each file.\n" * 500 + REPORT)
    ingest(root)
    found = _drafts(root)
    release = found["Always run the migrations before the release."]
    assert (release.trust, release.source, release.priority) == ("agent", "draft:message", "HIGH")
    assert release.proposed_priority is None
    assert len(found) == 2


def test_a_section_in_a_prompt_may_be_pasted_and_the_rest_is_heard(root: str) -> None:
    fire(root, "UserPromptSubmit", prompt=f"{REPORT}\nFrom now on, use pnpm instead of npm.")
    ingest(root)
    found = {draft.statement: draft.trust for draft in queue.listing(Workspace(root), "draft")}
    assert found["Use pnpm instead of npm."] == "user"
    assert found["Always run the migrations before the release."] == "external"


def test_a_person_who_says_lesson_learned_is_heard_as_a_person(root: str) -> None:
    fire(root, "UserPromptSubmit", prompt="fix it")
    fire(root, "Stop", last_assistant_message="Done.")
    fire(root, "UserPromptSubmit", prompt="Lesson learned: the staging cluster needs the tunnel.")
    ingest(root)
    (draft,) = queue.listing(Workspace(root), "draft")
    assert (draft.trust, draft.kind) == ("user", "fact")
    assert draft.statement == "The staging cluster needs the tunnel."
