"""The pure steps of a list."""

from learnloop_tui.view import lesson_state, list_view, state
from learnloop_tui.view.lesson_state import Fold, Head, LessonsView
from learnloop_tui.view.state import Pending, Row
from tests.tui.fake_rows import row
from tests.tui.fakes import lesson


def _rows(*numbers: int) -> tuple[Row, ...]:
    return tuple(row(lesson(number)) for number in numbers)


def _shown(view: LessonsView) -> list[str]:
    return [item.id[-1] if isinstance(item, Row) else "fold" for item in view.items]


def _current(view: LessonsView) -> str:
    return view.current.id[-1] if view.current else ""


def test_all_beyond_the_strongest_are_folded_and_what_comes_later_is_not() -> None:
    view = lesson_state.folded(lesson_state.with_rows(LessonsView(), _rows(1, 2, 3)), strongest=1)
    assert _shown(view) == ["1", "fold"]
    assert view.items[1] == Fold("2 more: 2 likely", open=False)
    assert _shown(lesson_state.with_rows(view, _rows(1, 2, 3, 4))) == ["1", "4", "fold"]
    assert _shown(lesson_state.unfolded(view)) == ["1", "fold", "2", "3"]
    assert _shown(list_view.filtered(view, "tool3")) == ["3"], "a filter looks behind the fold"


def test_later_rows_are_folded_if_they_say_so_and_come_out_if_they_do_not_any_more() -> None:
    view = lesson_state.folded(lesson_state.with_rows(LessonsView(), _rows(1, 2)), strongest=1)
    weak = _rows(3)[0]._replace(folded="weak")

    def read(*rows: Row) -> LessonsView:
        return lesson_state.refolded(view, lesson_state.with_rows(view, rows))

    view = read(*_rows(1, 2), weak)
    assert _shown(view) == ["1", "fold"]
    assert _shown(lesson_state.unfolded(view)) == ["1", "fold", "2", "3"]
    view = read(*_rows(1, 2), weak._replace(folded=""))
    assert _shown(view) == ["1", "3", "fold"]
    assert read(*_rows(1, 2), weak._replace(folded="")).weak == view.weak


def test_what_is_pending_is_laid_over_the_rows() -> None:
    rows = _rows(1, 2)
    over = state.overlay(rows, (Pending(1, {"l00001": {"status": "active"}}),))
    assert [found.status for found in over] == ["active", "draft"]
    assert over[1] is rows[1]
    assert state.overlay(rows, ()) == rows


def test_discoveries_alone_are_sorted_most_useful_first() -> None:
    ranks = {1: 300, 2: 900, 3: 600}
    found = tuple(row(lesson(number))._replace(rank=rank, verified=0) for number, rank in ranks.items())
    view = lesson_state.with_rows(LessonsView(), (*found, *_rows(4)))
    assert _shown(list_view.filtered(view, "is:discovery")) == ["2", "3", "1"]
    assert _shown(list_view.filtered(view, "tool")) == ["1", "2", "3", "4"]
    assert _shown(lesson_state.ordered(list_view.filtered(view, "is:discovery"), "lesson")) == ["1", "2", "3"]


def _grouped(*names: str) -> LessonsView:
    rows = (row(lesson(at, category=name)) for at, name in enumerate(names, 1))
    return lesson_state.grouped(lesson_state.with_rows(LessonsView(), tuple(rows)), "category")


def test_groups_are_sorted_by_name_and_what_has_none_last() -> None:
    view = _grouped("style", "", "Docs", "style")
    heads = [(item.name, item.held) for item in view.items if isinstance(item, Head)]
    assert heads == [("Docs", 1), ("style", 2), ("no category", 1)]
    folded = lesson_state.toggled(view, "style")
    assert [item.id[-1] for item in folded.items if isinstance(item, Row)] == ["3", "2"]
    assert lesson_state.toggled(folded, "style").items == view.items


def test_the_cursor_goes_from_lesson_to_lesson_past_heads_but_may_be_on_one() -> None:
    view = list_view.moved(_grouped("a", "b"), 1)
    assert _current(view) == "1"
    assert _current(list_view.advanced(view)) == "2"
    assert _current(list_view.marked(view)) == "2"
    assert _current(lesson_state.with_rows(view, view.rows[1:])) == "2"
    head = list_view.moved(view, 2)
    assert head.current is None
    assert head.targets == ()
    assert isinstance(lesson_state.with_rows(head, (*view.rows, row(lesson(9, category="0")))).item, Head)


def test_sorting_keeps_the_cursor_on_its_row_and_the_first_order_comes_back() -> None:
    rows = tuple(row(lesson(at, seen_count=seen)) for at, seen in ((1, 1), (2, 5), (3, 3)))
    view = lesson_state.with_rows(LessonsView(), rows)
    by_seen = lesson_state.ordered(view, "seen")
    assert (_shown(by_seen), _current(by_seen)) == (["2", "3", "1"], "1")
    assert _shown(lesson_state.ordered(by_seen, "seen", flipped=True)) == ["1", "3", "2"]
    assert _shown(lesson_state.ordered(by_seen, "")) == _shown(view)


def test_a_lesson_is_revealed_whatever_hides_it() -> None:
    view = lesson_state.folded(lesson_state.with_rows(LessonsView(), _rows(1, 2, 3)), strongest=1)
    assert _current(lesson_state.revealed(view, "l00003")) == "3"
    hidden = list_view.filtered(lesson_state.toggled(lesson_state.grouped(view, "project"), "shop"), "tool1")
    assert _current(lesson_state.revealed(hidden, "l00003")) == "3"
    assert lesson_state.revealed(view, "nowhere").cursor == view.cursor
