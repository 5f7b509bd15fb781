"""A list with a filter, a cursor and marks, whatever its rows are."""

from typing import NamedTuple

from learnloop_tui.view import list_view
from learnloop_tui.view.list_view import ListView


class Thing(NamedTuple):
    id: str


class Things(ListView[Thing]):
    PLACE = "agents"

    @staticmethod
    def haystack(row: Thing) -> str:
        return row.id


def _things(ids: str, cursor: int = 0) -> Things:
    return list_view.moved(Things(rows=tuple(map(Thing, ids)), loaded=True), cursor)


def _current(view: Things) -> str:
    return view.current.id if view.current else ""


def test_the_cursor_stays_between_the_ends() -> None:
    assert [_things("abc", cursor).cursor for cursor in (-5, 1, 99)] == [0, 1, 2]
    assert _things("").cursor == 0
    assert _things("").current is None


def test_a_row_that_goes_hands_the_cursor_to_the_next_that_is_left() -> None:
    view = _things("abcd", 1)
    assert _current(list_view.with_rows(view, map(Thing, "dcba"))) == "b"
    assert _current(list_view.with_rows(view, map(Thing, "dca"))) == "c"
    assert _current(list_view.with_rows(view, map(Thing, "a"))) == "a"


def test_a_filter_keeps_the_cursor_and_lets_only_what_fits_through() -> None:
    view = list_view.filtered(_things("abc", 2), "c")
    assert (view.items, _current(view)) == ((Thing("c"),), "c")
    assert (view.total, view.shown_count) == (3, 1)


def test_marks_are_what_is_acted_on_and_go_with_their_rows() -> None:
    view = list_view.marked(_things("abc"))
    assert (view.marks, view.cursor, view.targets) == (frozenset("a"), 1, (Thing("a"),))
    assert list_view.unmarked(view).targets == (Thing("b"),)
    assert list_view.with_rows(view, map(Thing, "bc")).marks == frozenset()
    assert list_view.all_marked(list_view.all_marked(view)).marks == frozenset()


def test_moving_computes_nothing_anew_and_differs_in_the_cursor_only() -> None:
    view = _things("abc")
    items, positions = view.items, view.positions
    other = list_view.moved(view, 2)
    assert other.items is items
    assert other.positions is positions
    assert list_view.only_cursor_differs(view, other)
    assert not list_view.only_cursor_differs(view, list_view.marked(view))
    assert not list_view.only_cursor_differs(view, list_view.filtered(view, "a"))
