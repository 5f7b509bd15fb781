"""Priorities by the specification's tables: which base score is recalled at which priority."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnloop.service.lessons.query import too_many_critical
from learnloop.wire import relevance
from tests.learn.moments import lesson, write

TABLE = {
    30: "----",
    40: "C---",
    50: "CH--",
    60: "CH--",
    70: "CHM-",
    80: "CHM-",
    90: "CHM-",
    100: "CHM-",
}
"""Base score in hundredths → the priorities at which it reaches the threshold of 0.7."""
FINALS = [
    (80, "CRITICAL", 160), (50, "CRITICAL", 100), (40, "CRITICAL", 80), (30, "CRITICAL", 60),
    (90, "HIGH", 135), (50, "HIGH", 75), (40, "HIGH", 60), (80, "MEDIUM", 80), (60, "MEDIUM", 60),
    (100, "LOW", 50), (45, "LOW", 22),
]  # fmt: skip
VERSIONS: dict[str, Any] = {
    "priority": "CRITICAL",
    "tools": ["Write", "Edit"],
    "files": ["**/plugin.json"],
    "action": ["version bump", "release"],
}


@pytest.mark.parametrize(("base", "priority", "final"), FINALS)
def test_a_final_score_is_the_base_times_the_priority(base: int, priority: str, final: int) -> None:
    assert relevance.finish(_parts(base), False, relevance.MULTIPLIERS[priority], 70) == final


@pytest.mark.parametrize("base", sorted(TABLE))
@pytest.mark.parametrize("priority", ["CRITICAL", "HIGH", "MEDIUM", "LOW"])
def test_what_reaches_the_threshold(base: int, priority: str) -> None:
    final = relevance.finish(_parts(base), False, relevance.MULTIPLIERS[priority], relevance.THRESHOLD)
    assert (final >= relevance.THRESHOLD) == (priority[0] in TABLE[base])


def _parts(base: int) -> tuple[int, int, int, int]:
    tool = min(base, 40)
    target = min(base - tool, 40)
    action = min(base - tool - target, 10)
    return tool, target, action, base - tool - target - action


def test_file_tool_and_every_keyword_match() -> None:
    moment = write(file="/path/to/plugin.json", project="/path/to", words="the version bump, then release it")
    score = relevance.score(lesson(**VERSIONS), moment)
    assert (score["base"], score["final"], score["fires"]) == (95, 190, True)


def test_a_file_that_misses_without_a_keyword_is_not_recalled_however_high_the_score() -> None:
    """The specification's second case scores 0.9 by the tool alone; the rule for precision decides."""
    moment = write(file="/path/to/README.md", project="/path/to", words="Update the documentation")
    score = relevance.score(lesson(**VERSIONS), moment)
    assert (score["base"], score["final"], score["fires"]) == (45, 90, False)
    assert score["why"] == "no pattern matches and no action keyword is there"
    assert not relevance.score(lesson(**VERSIONS | {"priority": "LOW"}), moment)["fires"]


def test_reading_is_never_asked() -> None:
    moment = write(tool="Read", file="/path/to/plugin.json", project="/path/to", words="release")
    assert relevance.score(lesson(**VERSIONS), moment)["why"] == "this tool is never asked"


def test_a_critical_lesson_with_a_file_alone_is_recalled_without_any_keyword() -> None:
    bare = lesson(priority="CRITICAL", files=["**/plugin.json"])
    score = relevance.score(bare, write(file="/path/to/plugin.json", project="/path/to", words=""))
    assert (score["final"], score["fires"]) == (140, True)


def test_low_is_not_recalled_by_a_file_and_a_keyword() -> None:
    note = lesson(priority="LOW", files=["**/config.json"], action=["configure", "setup"])
    score = relevance.score(note, write(file="/code/alpha/config.json", words="configure the settings"))
    assert not score["fires"]


_WORDS = st.lists(st.sampled_from(("deploy", "queue", "release", "mail")), max_size=4)


@given(
    st.sampled_from(("Write", "Edit", "NotebookEdit", "Bash")),
    st.booleans(),
    _WORDS,
    _WORDS,
    _WORDS,
    st.text(max_size=40),
)
def test_no_critical_lesson_is_missed_where_tool_and_target_match(
    tool: str, names_tool: bool, action: list[str], context: list[str], keywords: list[str], said: str
) -> None:
    made = lesson(
        priority="CRITICAL", tools=[tool] if names_tool else [], files=["src/**/*.py"],
        commands=["git push"], action=action, context=context, keywords=keywords,
    )  # fmt: skip
    target = {"file": "", "command": "git push origin main"} if tool == "Bash" else {}
    assert relevance.score(made, write(tool=tool, words=said, **target))["fires"]


@pytest.mark.parametrize(
    ("critical", "others", "told"),
    [
        (0, 5, None),
        (1, 0, None),
        (3, 7, None),
        (4, 6, (4, 10)),
        (2, 1, (2, 3)),
        (30, 70, None),
        (31, 69, (31, 100)),
    ],
)
def test_more_than_three_in_ten_critical_are_too_many(
    critical: int, others: int, told: tuple[int, int] | None
) -> None:
    lessons = [{"status": "active", "priority": "CRITICAL"}] * critical
    lessons += [{"status": "active", "priority": "HIGH"}] * others
    lessons += [{"status": "draft", "priority": "CRITICAL"}] * 20
    assert too_many_critical(lessons) == told
