"""The fixed lines and the heads of lists at any width: whole words first, then fewer of them."""

import pytest

from learnloop.models.memory import Memory
from learnloop_tui.view import bars, lesson_lines, memory_lines
from tests.tui.fake_rows import row
from tests.tui.fakes import lesson

COUNTS = {"triage": "1,045", "lessons": "17", "health": "!"}


def _panes(width: int, *, demo: bool = False, current: str = "agents") -> str:
    line, links = bars.panes(current, COUNTS, demo, width)
    assert set(links.values()) == set(bars.PANES), "every pane can be clicked at every width"
    return "".join(part for part, _ in line)


@pytest.mark.parametrize("width", [60, 70, 80, 90, 100, 120, 160, 240])
@pytest.mark.parametrize("demo", [False, True])
def test_every_pane_has_its_number_at_every_width(width: int, demo: bool) -> None:
    for current in (*bars.PANES, "welcome"):
        told = _panes(width, demo=demo, current=current)
        assert len(told.rstrip()) <= width
        assert all(f" {number}" in told for number in range(1, 7))


def test_counts_go_first_then_the_name_then_the_titles() -> None:
    assert "1 Inbox 1,045   2 Lessons 17" in _panes(100)
    assert "Learnloop   1 Inbox 1,045   2 Lessons   3 Sessions" in _panes(90)
    assert _panes(84).startswith(" ◉   1 Inbox 1,045   2 Lessons")
    assert _panes(76).rstrip() == " ◉   1 Inbox 1,045 2 Lessons 3 Sessions 4 Agents 5 Files 6 Health!"
    narrow = _panes(60)
    assert "4 Agents" in narrow
    assert "Inbox" not in narrow
    assert "6!" in narrow, "what needs a look is told at every width"


@pytest.mark.parametrize("pane", ["triage", "lessons"])
@pytest.mark.parametrize("width", [40, 56, 60, 84, 110])
def test_heads_of_a_list_are_over_their_columns(width: int, pane: str) -> None:
    columns = lesson_lines.columns_for(pane, width, many_projects=True)
    told = "".join(part for part, _ in lesson_lines.header(width, columns, "seen"))
    assert len(told) <= width
    for name in ("lesson", *(name for name, _ in columns.placed)):
        assert lesson_lines.column_at(told.index(name), width, columns) == name
        assert lesson_lines.column_at(told.index(name) - 1, width, columns) != name


def test_a_status_that_does_not_fit_ends_in_an_ellipsis() -> None:
    (piece,), _ = bars.status("Last capture 4 min ago, one hook error", well=False, width=20)
    assert piece[0] == " Last capture 4 mi… "


CURSOR = 1
"""Cells before a row that a heading has no share in."""


def _plain(line: object) -> str:
    assert isinstance(line, tuple)
    return "".join(part for part, _ in line)


def test_a_head_begins_where_its_column_does() -> None:
    columns = lesson_lines.columns_for("triage", 80, many_projects=True)
    (first, *_) = lesson_lines.triage_row(row(lesson(1)), 79, False, False, columns, 1)
    heads = _plain(lesson_lines.header(80, columns))
    assert heads.index("lesson") == _plain(first).index(lesson(1).statement) + CURSOR


def test_heads_of_memories_are_over_their_columns() -> None:
    memory = Memory.model_validate(
        {"id": "episodic-1", "type": "episodic", "text": "Words", "task": "t", "tasks": ["t"],
         "session_id": "s", "agent": "main", "ts": "2026-01-01T00:00:00.000Z", "project": "/code/shop",
         "confidence": 0.9}
    )  # fmt: skip
    drawn, heads = _plain(memory_lines.row(memory, 77, 0)), _plain(memory_lines.header("memories", 78))
    assert heads.index("type") == drawn.index("episodic") + CURSOR
    assert heads.index("memory") == drawn.index("Words") + CURSOR
    assert heads.index("project") == drawn.index("shop") + CURSOR
    assert len(heads) == len(drawn) + CURSOR
