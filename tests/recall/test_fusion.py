"""Rankings become one by reciprocal ranks, and those of words and files lose nothing by it."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from learnloop.recall import fusion
from learnloop.wire import earlier
from tests.recall.test_task_index import FILES, PROJECT, WORDS, a_task, written

_rankings = st.lists(st.lists(st.integers(0, 9), unique=True), max_size=3)


def test_what_stands_high_in_several_comes_first() -> None:
    assert fusion.fused("abc", "ca") == ["a", "c", "b"]
    assert fusion.fused("ab", "cd") == ["a", "c", "b", "d"]
    assert fusion.fused() == fusion.fused([]) == []


@given(_rankings)
def test_the_order_is_that_of_the_sums_of_reciprocal_ranks(rankings: list[list[int]]) -> None:
    order = fusion.fused(*rankings)
    points = [sum(1 / (61 + each.index(name)) for each in rankings if name in each) for name in order]
    assert set(order) == {name for each in rankings for name in each}
    assert len(order) == len(set(order))
    assert points == sorted(points, reverse=True)


def test_tasks_near_in_meaning_take_no_place_of_the_others(tmp_path: Path) -> None:
    tasks = [a_task(n, [WORDS[n % 11], "checkout"], [FILES[n % 5]], PROJECT, "success") for n in range(12)]
    with written(tmp_path, tasks, [5]) as sections:
        alone = earlier.nearest(sections, "deploy checkout", ["src/cart.ts"], 4)
        assert fusion.nearest(sections, "deploy checkout", ["src/cart.ts"], (), 4) == alone
        both = fusion.nearest(sections, "deploy checkout", ["src/cart.ts"], (3, 2, 1, 0, 4), 4)
        by_meaning = fusion.nearest(sections, "", (), (3,), 4)
    assert all(each in both for each in alone)
    assert {each["id"] for each, _ in both} == {each["id"] for each, _ in alone} | {
        tasks[n].id for n in range(4)
    }
    assert [(each["id"], parts) for each, parts in by_meaning] == [(tasks[3].id, (0, 0, 50 + 50 * 4 // 12))]
