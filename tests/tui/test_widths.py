"""The fixed lines and the heads of lists at any width: whole words first, then fewer of them."""

import pytest

from learnloop_tui.view import bars, lesson_lines

COUNTS = {"triage": "1,045", "lessons": "17", "health": "!"}


def _panes(width: int, *, demo: bool = False, current: str = "agents") -> str:
    line, links = bars.panes(current, COUNTS, demo, width)
    assert set(links.values()) == set(bars.PANES), "every pane can be clicked at every width"
    return "".join(part for part, _ in line)


@pytest.mark.parametrize("width", [60, 80, 100, 240])
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
@pytest.mark.parametrize("width", [40, 60, 110])
def test_heads_of_a_list_are_over_their_columns(width: int, pane: str) -> None:
    columns = lesson_lines.columns_for(pane, width, many_projects=True)
    told = "".join(part for part, _ in lesson_lines.header(width, columns, "seen"))
    assert len(told) <= width
    for name in ("lesson", *(name for name, _ in columns.placed)):
        assert lesson_lines.column_at(told.index(name), width, columns) == name
        assert lesson_lines.column_at(told.index(name) - 1, width, columns) != name
