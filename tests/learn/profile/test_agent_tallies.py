"""What a turn counts for whom, shares, areas, themes and changes: the pure part of agents."""

from typing import Any

import pytest

from learnloop.learn.profile import agent_tallies, areas, remark_groups
from learnloop.models.agent import AreaCount, Period

Doc = dict[str, Any]


def _turn(**fields: Any) -> Doc:
    return {"started": "2026-09-07T09:00:00.000Z", "origin": "human", "prompt": "extend it",
            "agents": ["main"], "starts": {}, "agent_used": "main", "outcome": "unknown",
            "files": [], **fields}  # fmt: skip


def _tally(*turns: Doc, agent: str) -> Doc:
    tally = agent_tallies.empty_tally(agent, "/p", "claude")
    for turn in turns:
        for share in agent_tallies.contributions(turn):
            if share.agent == agent:
                agent_tallies.count_contribution(tally, share, 1)
    return tally


def _remark(number: int, words: str, says: str = "") -> Doc:
    return {
        "id": str(number),
        "turn": f"t{number}",
        "ts": f"2026-09-{number:02d}",
        "words": words,
        "says": says,
    }


def test_a_praised_and_a_revised_turn_are_half_a_success() -> None:
    turns = [
        _turn(starts={"oracle": 1}, agent_used="oracle", outcome=outcome)
        for outcome in ("success", "revision")
    ]
    tally = _tally(*turns, agent="oracle")
    assert (tally["total_invocations"], tally["success_count"], tally["revision_count"]) == (2, 1, 1)
    found = agent_tallies.wilson(1, 2)
    assert found is not None
    assert [found.low, found.high] == pytest.approx([0.0945, 0.9055], abs=1e-4)


def test_two_remarks_that_led_to_one_lesson_are_a_theme() -> None:
    found = remark_groups.find_themes(
        [
            _remark(1, "You have to install the shadcn component first."),
            _remark(2, "The shadcn component is not installed."),
        ],
        dict.fromkeys("12", "install=+ shadcn=+"),
    )
    assert [(theme.count, "shadcn" in theme.pattern) for theme in found] == [(2, True)]
    assert found[0].turn_ids == ("t2", "t1")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("the violin chart has no legend", "the helm chart pins no version"),
        ("otherwise the BigQuery scan reads everything", "otherwise the Rails migration cannot be reversed"),
        ("the orders page loads slowly", "the orders table lacks an index on customer"),
        ("use two spaces", "use four spaces"),
    ],
)
def test_a_word_in_common_makes_no_theme(first: str, second: str) -> None:
    assert remark_groups.find_themes([_remark(1, first), _remark(2, second)], {}) == ()


def test_remarks_about_different_things_are_none() -> None:
    assert (
        remark_groups.find_themes([_remark(1, "no, use tabs"), _remark(2, "the header is too large")], {})
        == ()
    )


def test_themes_do_not_depend_on_the_order() -> None:
    remarks = [
        _remark(1, "no, use uv instead of pip", "Use uv instead of pip."),
        _remark(2, "use uv, not pip", "Use uv instead of pip."),
        _remark(3, "the orders migration is broken"),
        _remark(4, "you broke the orders migration"),
        _remark(5, "`never` is a keyword\n```\nshadcn\n```"),
        _remark(6, "\0\u202e🙂"),
    ]
    found = remark_groups.find_themes(remarks, {})
    assert found == remark_groups.find_themes(remarks[::-1], {})
    assert [theme.count for theme in found] == [2, 2]
    assert "Use uv instead of pip." in [theme.pattern for theme in found]


def test_an_agent_without_failures_has_no_themes_and_full_marks() -> None:
    tally = _tally(_turn(starts={"scout": 1}, agent_used="scout", outcome="success"), agent="scout")
    assert (tally["success_count"], tally["revision_count"] + tally["cancellation_count"]) == (1, 0)
    assert remark_groups.find_themes(tally["_remarks"].values(), {}) == ()


@pytest.mark.parametrize(
    ("successes", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_is_the_published_interval(successes: int, total: int, low: float, high: float) -> None:
    found = agent_tallies.wilson(successes, total)
    assert found is not None
    assert [found.low, found.high] == pytest.approx([low, high], abs=1e-4)


def test_nothing_has_no_interval() -> None:
    assert agent_tallies.wilson(0, 0) is None


def test_taking_out_what_was_put_in_leaves_nothing() -> None:
    turn = _turn(outcome="success", files=["a.py", "tests/test_a.py"], recalled=["abcd"])
    tally = _tally(turn, agent="main")
    assert tally["_areas"] == {"Python": [1, 0, 1], "testing": [1, 0, 1]}
    for share in agent_tallies.contributions(turn):
        agent_tallies.count_contribution(tally, share, -1)
    assert agent_tallies.is_empty(tally)
    assert (tally["_areas"], tally["_told"]) == ({}, {})


def test_a_machines_prompt_is_no_invocation_of_main() -> None:
    assert [share.counts[0] for share in agent_tallies.contributions(_turn(origin="machine"))] == [0]


def test_areas_come_from_files_and_from_a_persons_words() -> None:
    turn = _turn(prompt="fix the login endpoint", files=["/w/src/App.tsx", "/w/docs/a.md", "/w/Makefile"])
    assert areas.areas_of_turn(turn) == ("API", "TypeScript", "bug fixing", "documentation")
    assert areas.areas_of_turn({**turn, "origin": "machine"}) == ("TypeScript", "documentation")


@pytest.mark.parametrize(
    ("prompt", "is_build"),
    [
        ("build the stock export", False),
        ("build me a parser for invoices", False),
        ("fix the build", True),
        ("the nightly build fails", True),
        ("speed up build times on CI", True),
        ("deploy to staging", True),
    ],
)
def test_to_build_something_is_no_area_and_the_build_is(prompt: str, is_build: bool) -> None:
    assert ("build and release" in areas.areas_of_text(prompt)) == is_build


def test_areas_of_an_older_store_count_no_turns_and_are_added_all_the_same() -> None:
    turn = _turn(outcome="success", files=["a.py"])
    older = {**_tally(turn, agent="main"), "_areas": {"Python": [1, 3]}}
    merged = agent_tallies.merge_tallies("main", [older, _tally(turn, agent="main"), older])
    (area,) = agent_tallies.area_counts(merged["_areas"])
    assert (area.success_count, area.failure_count, area.turns) == (3, 6, 9)


def test_strong_and_weak_areas_follow_the_stated_rule() -> None:
    counts = {
        "a": (15, 1),
        "b": (10, 0),
        "h": (9, 0),
        "c": (2, 2),
        "d": (1, 0),
        "e": (1, 9),
        "f": (0, 12),
        "g": (0, 9),
    }
    found = [AreaCount(area=name, success_count=s, failure_count=f) for name, (s, f) in counts.items()]
    assert agent_tallies.strong_areas(found) == ("a", "b")
    assert agent_tallies.weak_areas(found) == ("f", "e")
    quiet = [AreaCount(area="i", success_count=1, failure_count=12, turns=40)]
    assert agent_tallies.weak_areas(quiet) == (), "of most turns nobody complained"
    many = [AreaCount(area=str(number), success_count=number + 10) for number in range(9)]
    assert agent_tallies.strong_areas(many) == ("8", "7", "6", "5", "4")


def _side(turns: int, failures: int) -> Period:
    return agent_tallies.period([[turns, turns, turns - failures, failures, 0]])


@pytest.mark.parametrize(
    ("before", "since", "change"),
    [
        ((40, 20), (40, 4), "better"),
        ((40, 4), (40, 20), "worse"),
        ((40, 12), (40, 10), "no clear change"),
        ((9, 9), (40, 0), "too few to say"),
        ((0, 0), (40, 0), "too few to say"),
    ],
)
def test_a_change_is_clear_only_where_intervals_are_apart(
    before: tuple[int, int], since: tuple[int, int], change: str
) -> None:
    assert agent_tallies.change(_side(*before), _side(*since)) == change


def test_days_of_a_broken_clock_make_no_endless_series() -> None:
    days = {"1970-01-01": [1, 1, 0, 0, 0], "2099-12-31": [2, 2, 0, 0, 0]}
    found = agent_tallies.weeks(days)
    assert len(found) == agent_tallies.MOST_WEEKS
    assert found[-1].invocations == 2
    assert agent_tallies.contributions(_turn(started="no time at all"))[0].day == "1970-01-01"


def test_days_and_names_are_bounded() -> None:
    tally = agent_tallies.empty_tally("main", "", "")
    for number in range(500):
        day = f"{2000 + number // 300}-{number % 300 // 28 + 1:02d}-{number % 28 + 1:02d}"
        agent_tallies.count_contribution(tally, agent_tallies.Contribution("main", day, (1, 1, 0, 0, 0)), 1)
    assert len(tally["_days"]) <= agent_tallies.MOST_DAYS
    assert tally["total_invocations"] == 500
    one, other = "x" * 5_000, "x" * 5_001
    assert agent_tallies.stored_name(one) != agent_tallies.stored_name(other)
    assert len(agent_tallies.stored_name(one)) <= agent_tallies.LONGEST_NAME
    assert agent_tallies.stored_name("\n\t ") == "unnamed"


def test_tally_since_a_day_counts_that_day_and_later() -> None:
    turns = [
        _turn(outcome="revision"),
        _turn(started="2026-09-09T09:00:00.000Z"),
        _turn(started="2026-09-08"),
    ]
    tally = _tally(*turns, agent="main") | {"_remarks": {"a": _remark(7, "no"), "b": _remark(9, "no")}}
    late = agent_tallies.since(tally, "2026-09-08")
    assert (late["total_invocations"], late["_claims"], late["revision_count"]) == (2, 2, 0)
    assert (sorted(late["_days"]), list(late["_remarks"])) == (["2026-09-08", "2026-09-09"], ["b"])
    assert agent_tallies.since(tally, "2027-01-01")["_claims"] == 0
    assert tally["_claims"] == 3
