"""A lesson's details as lines."""

from typing import Any

import pytest

from learnloop.models import Triggers
from learnloop_tui.view import detail
from learnloop_tui.view.state import Detail
from tests.tui.fake_rows import row
from tests.tui.fakes import lesson

START = "a session starts"


def _shown(**fields: Any) -> str:
    """The text of the details."""
    one = lesson(1, **fields)
    lines = detail.layout(row(one), Detail(one, ""), 90, 0, explained=True)
    return "\n".join("".join(words for words, _ in line) for line in lines)


@pytest.mark.parametrize(
    ("priority", "triggers", "is_at_start"),
    [
        ("CRITICAL", Triggers(file_patterns=("*.py",)), True),
        ("MEDIUM", Triggers(), True),
        ("HIGH", Triggers(context_keywords=("release",)), True),
        ("MEDIUM", Triggers(file_patterns=("*.py",)), False),
        ("MEDIUM", Triggers(action_keywords=("deploy",)), False),
        ("LOW", Triggers(), False),
    ],
)
def test_the_details_say_whether_a_session_starts_with_it(
    priority: str, triggers: Triggers, is_at_start: bool
) -> None:
    assert (START in _shown(priority=priority, triggers=triggers)) == is_at_start
