"""The specification's cases of lessons (its ADR-004), from what the client reports to the draft."""

import pytest

from learnloop.ingest.run import ingest
from learnloop.models import Lesson
from learnloop.service.lessons import queue
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests.recorded_events import fire

BLOCK = """One file was missing. For the next time:

[PROCESS_KNOWLEDGE]
type: checklist
priority: CRITICAL
label: Files of a version bump
trigger_conditions:
  tool_names: [Write, Edit]
  file_patterns: ["**/plugin.json", "**/*version*"]
checklist:
  title: Every file that carries the version
  items:
    - pyproject.toml (its version)
    - plugin.json (its version)
    - registry.json (what is current)
    - CHANGELOG.md (a new section)
[/PROCESS_KNOWLEDGE]
"""
FORGOT = "You forgot to update registry.json when you bumped the version in plugin.json"


def _bumped(root: str, session: str, *said: str, last: str = "Bumped.") -> None:
    """A session in which the agent bumped a version, and what the person said to it."""
    fire(root, "UserPromptSubmit", session, prompt="bump the plugin to 1.2.0")
    call = {
        "tool_name": "Edit",
        "tool_use_id": f"t-{session}",
        "tool_input": {"file_path": "/code/shop/plugins/cart/plugin.json", "new_string": '"1.2.0"'},
        "tool_response": "ok",
    }
    fire(root, "PostToolBatch", session, tool_calls=[call])
    fire(root, "Stop", session, last_assistant_message=last)
    for words in said:
        fire(root, "UserPromptSubmit", session, prompt=words)
        fire(root, "Stop", session, last_assistant_message="You're right, I add it now.")
    ingest(root)


def _drafts(root: str) -> list[Lesson]:
    return queue.listing(Workspace(root), "draft")


def test_case_1_a_block_is_taken_as_it_is_but_for_its_priority(root: str) -> None:
    _bumped(root, "s1", last=BLOCK)
    (draft,) = _drafts(root)
    assert (draft.kind, draft.status, draft.trust) == ("checklist", "draft", "agent")
    assert (draft.priority, draft.proposed_priority) == ("HIGH", "CRITICAL")
    assert draft.triggers.file_patterns == ("**/plugin.json", "**/*version*")
    assert draft.triggers.tool_names == ("Write", "Edit")
    assert draft.content is not None
    assert len(draft.content.as_json()["items"]) == 4


def test_case_2_a_correction_names_situation_action_places_and_what_is_at_stake(root: str) -> None:
    _bumped(root, "s1", FORGOT)
    (draft,) = _drafts(root)
    assert draft.statement == "Update registry.json when you bumped the version in plugin.json."
    assert (draft.kind, draft.status, draft.trust) == ("pattern", "draft", "user")
    assert (draft.priority, draft.proposed_priority) == ("HIGH", "CRITICAL")
    assert draft.content is not None
    shown = draft.content.as_json()
    assert shown["situation"] == "When you bumped the version in plugin.json"
    assert shown["action"] == "Update registry.json."
    assert draft.triggers.file_patterns == ("**/plugin.json",)
    assert draft.triggers.tool_names == ("Write", "Edit")
    assert (draft.evidence[0].quote, draft.evidence[0].session_id) == (FORGOT, "s1")
    assert draft.evidence[0].files == ("/code/shop/plugins/cart/plugin.json",)


@pytest.mark.parametrize(
    ("words", "statement"),
    [
        ("You forgot to update registry.json in the version bump",
         "Update registry.json in the version bump."),
        ("You didn't update registry.json", "Update registry.json."),
        ("but you also need to update registry.json", "Update registry.json."),
        ("don't forget to update registry.json", "Update registry.json."),
        ("remember to update registry.json", "Update registry.json."),
        ("make sure you update registry.json when bumping", "Update registry.json when bumping."),
    ],
)  # fmt: skip
def test_pattern_1_each_of_its_forms_makes_a_draft_at_once(root: str, words: str, statement: str) -> None:
    _bumped(root, "s1", words)
    (draft,) = _drafts(root)
    assert (draft.statement, draft.trust) == (statement, "user")
    assert draft.triggers.file_patterns == ("**/plugin.json",)
    assert draft.priority in ("HIGH", "MEDIUM")


@pytest.mark.parametrize(
    "words",
    ["you didn't do it yet", "you forgot it", "make sure it works", "don't forget the meeting"],
)
def test_pattern_1_what_names_nothing_that_lasts_makes_no_draft_at_once(root: str, words: str) -> None:
    _bumped(root, "s1", words)
    assert _drafts(root) == []


def test_pattern_2_what_an_agent_calls_a_lesson_is_high_and_its_own(root: str) -> None:
    _bumped(root, "s1", last="Lesson learned: Always update registry.json when bumping plugin version")
    (draft,) = _drafts(root)
    assert draft.statement == "Always update registry.json when bumping plugin version."
    assert (draft.trust, draft.priority, draft.proposed_priority) == ("agent", "HIGH", None)
    assert draft.evidence[0].quote == "Always update registry.json when bumping plugin version"


@pytest.mark.parametrize(
    "lead", ["Lesson learned:", "Note for future:", "From now on", "Going forward,", "Remember that"]
)
def test_pattern_2_a_person_who_says_so_is_heard(root: str, lead: str) -> None:
    _bumped(root, "s1", f"{lead} the staging cluster needs the tunnel")
    (draft,) = _drafts(root)
    assert (draft.statement, draft.trust) == ("The staging cluster needs the tunnel.", "user")


def test_pattern_4_a_mistake_that_comes_again_is_high_and_the_third_time_proposed_as_critical(
    root: str,
) -> None:
    words = "You didn't update registry.json"
    found = []
    for session in ("s1", "s2", "s2", "s3"):
        _bumped(root, session, words)
        (draft,) = _drafts(root)
        found.append((draft.priority, draft.proposed_priority))
    assert [found[0], found[1], found[3]] == [("MEDIUM", None), ("HIGH", None), ("HIGH", "CRITICAL")]
    assert {evidence.session_id for evidence in draft.evidence} == {"s1", "s2", "s3"}


def test_pattern_4_a_priority_that_a_person_set_stays(root: str) -> None:
    _bumped(root, "s1", "You didn't update registry.json")
    (draft,) = _drafts(root)
    verdicts.edit(Workspace(root), draft.id, {"priority": "LOW"})
    _bumped(root, "s2", "You didn't update registry.json")
    assert [(one.priority, one.seen_count) for one in _drafts(root)] == [("LOW", 2)]
