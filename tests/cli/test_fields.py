"""The editable fields: text out, text in, only what changed."""

import pytest

from learnloop.cli import fields
from learnloop.errors import Refused
from learnloop.models import Lesson, Triggers

NOW = "2026-01-02T03:04:05.000Z"
LESSON = Lesson(
    id="k3fqabcdefghijklmnopqrstuv",
    statement="Use uv, not pip.",
    title="uv",
    description="First line\nsecond line",
    triggers=Triggers(command_patterns=("pip *",), action_keywords=("install", "add")),
    project="/w/app",
    created=NOW,
    updated=NOW,
)


def test_a_scope_that_lacks_something_is_refused() -> None:
    with pytest.raises(Refused, match="--path"):
        fields.as_scope(LESSON, {"scope": "module"})
    with pytest.raises(Refused, match="--project"):
        fields.as_scope(LESSON.with_(project="", scope="global"), {"scope": "project"})


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("nonsense\n", "line 1"),
        ("# a remark\n\ncolour: red\n", "line 3"),
        ("  dangling\n", "line 1"),
        ("title: one\ntitle: two\n", "a second time"),
    ],
)
def test_a_line_that_makes_no_sense_is_named(text: str, what: str) -> None:
    with pytest.raises(Refused, match=what):
        fields.parse(text)


def test_a_value_outside_the_choices_is_refused_with_the_choices() -> None:
    with pytest.raises(Refused, match="CRITICAL, HIGH, MEDIUM, LOW"):
        fields.changed(LESSON, {"priority": "URGENT"})


def test_a_list_can_be_emptied_and_a_long_text_goes_on_indented() -> None:
    parsed = fields.parse(fields.render(LESSON).replace("  pip *\n", ""))
    assert parsed["command_pattern"] == []
    assert parsed["description"] == "First line\nsecond line"
