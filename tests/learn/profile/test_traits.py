"""Traits from remarks: sides, age, balance; rules that contradict each other."""

from typing import Any

import pytest

from learnloop.learn.lessons import contradictions
from learnloop.learn.profile import traits
from learnloop.models import Evidence, Lesson
from learnloop.models.preferences import Trait, TraitName
from learnloop.wire import clock

NOW = 1_763_600_000_000
DAY = traits.DAY_MS


def signal(side: str, days: float = 0.0, number: int = 0) -> dict[str, str]:
    return {
        "side": side, "quote": f"{side} {number}", "session_id": "s", "event_id": f"{side}{number}",
        "ts": clock.iso(NOW - int(days * DAY)), "project": "/p",
    }  # fmt: skip


def autonomy(ask: list[float], just: list[float], half_life: float = 30.0) -> Trait:
    """The trait after remarks of so many days ago."""
    signals = [signal("ask_first", days, n) for n, days in enumerate(ask)]
    signals += [signal("just_do_it", days, n) for n, days in enumerate(just)]
    return traits.trait("autonomy", signals, now_ms=NOW, half_life_days=half_life)


def spoken(*messages: str) -> dict[TraitName, str]:
    """The values of all traits after these were said today."""
    found = [one for message in messages for one in traits.find_remarks(message)]
    return {
        name: traits.trait(
            name,
            [signal(one.side, 0, n) for n, one in enumerate(found) if one.trait == name],
            now_ms=NOW,
        ).value
        for name in traits.TRAITS
    }


@pytest.mark.parametrize(
    ("trait", "value", "messages"),
    [
        ("verbosity", "concise",
         ["Too verbose, be more concise.", "This is too long.", "Too wordy, simplify."]),
        ("verbosity", "detailed",
         ["I need more detail please.", "Too brief, explain more.", "Give me more explanation."]),
        ("verbosity", "unknown", ["Too verbose.", "Too long."]),
        ("autonomy", "ask_first",
         ["Ask me first before making changes.", "Please confirm before proceeding.",
          "Don't assume, ask me."]),
        ("autonomy", "just_do_it",
         ["Just do it, stop asking.", "Don't ask, just make the change.", "Stop asking and just fix it."]),
        ("explanation_depth", "minimal",
         ["don't explain, just the code", "no explanations please", "stop explaining everything"]),
        ("explanation_depth", "thorough",
         ["explain what you did", "you didn't explain the change", "walk me through your changes"]),
        ("explanation_depth", "thorough",
         ["talk me through it", "describe what you changed", "teach me"]),
    ],
)  # fmt: skip
def test_three_remarks_make_a_trait(trait: TraitName, value: str, messages: list[str]) -> None:
    assert spoken(*messages)[trait] == value


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("This function is too long", set()),
        ("explain why the test fails", set()),
        ("the dialog should ask before deleting", set()),
        ("the error message needs more detail", set()),
        ("just make the button blue", set()),
        ("add the reason to the log line", set()),
        ("tell me why the build is red", set()),
        ("no theory tests are left in the file", set()),
        ("i know what the function does", set()),
        ("the machine learning model is slow", set()),
        ("Run `stop asking` in the shell", set()),
        ("```\ntoo verbose\n```", set()),
        ("you pushed without asking", {"ask_first"}),
        ("never delete anything without asking", {"ask_first"}),
        ("go ahead without asking", {"just_do_it"}),
        ("don’t ask me every time", {"just_do_it"}),
        ("", set()),
    ],
)
def test_what_a_remark_speaks_for(message: str, expected: set[str]) -> None:
    assert {one.side for one in traits.find_remarks(message)} == expected


@pytest.mark.parametrize(
    ("age", "half_life", "weight"),
    [(0, 30, 1.0), (30, 30, 0.5), (60, 30, 0.25), (15, 30, 0.70711), (10, 5, 0.25)],
)
def test_weight_halves_with_every_half_life(age: float, half_life: float, weight: float) -> None:
    assert traits.weight(age, half_life) == pytest.approx(weight, abs=1e-5)


def test_a_clock_that_went_back_makes_nothing_heavier_than_now() -> None:
    assert traits.weight(-5, 30) == 1.0


def test_strength_by_hand() -> None:
    # three remarks of 0, 30 and 60 days ago weigh 1 + 0.5 + 0.25 = 1.75; nothing speaks against: 1.75 / 2.75
    found = autonomy([0, 30, 60], [])
    assert (found.value, found.strength) == ("ask_first", 0.636)
    assert [one.weight for one in found.evidence["ask_first"]] == [1.0, 0.5, 0.25]


def test_old_remarks_count_no_more_and_are_still_shown() -> None:
    found = autonomy([91, 95, 100], [])
    assert (found.value, found.strength) == ("unknown", 0.0)
    assert len(found.evidence["ask_first"]) == 3
    assert autonomy([91, 95, 100], [], half_life=60).value == "ask_first"


def test_both_sides_are_balanced_and_said_to_conflict() -> None:
    found = autonomy([1, 2], [0, 3])
    assert (found.value, found.conflict) == ("balanced", True)
    assert autonomy([1, 2], [0]).value == "unknown"
    assert autonomy([0, 0, 0], [0]).value == "ask_first"


def test_new_remarks_outweigh_old_ones_of_the_other_side() -> None:
    found = autonomy([80, 85], [0, 1, 2, 3])
    assert (found.value, found.conflict) == ("just_do_it", False)


def test_where_there_is_nothing_between_a_conflict_is_unknown() -> None:
    signals = [signal(side, n, n) for side in ("concise", "detailed") for n in range(3)]
    found = traits.trait("verbosity", signals, now_ms=NOW)
    assert (found.value, found.conflict, found.statement) == ("unknown", True, "")
    assert all(len(found.evidence[side]) == 3 for side in found.sides)


def test_the_newest_remarks_are_kept_each_once() -> None:
    many = [signal("concise", days, days) for days in range(100)]
    kept = traits.newest_signals([*many, *many])
    assert len(kept) == traits.MOST_SIGNALS
    assert kept[-1]["event_id"] == "concise0"


def rule(number: int, statement: str, **fields: object) -> Lesson:
    said = Evidence(quote=statement, session_id="s", event_id=f"e{number}", ts=f"2026-01-0{number}")
    return Lesson.model_validate(
        {"id": f"rule{number}aaaa", "status": "active", "kind": "preference", "statement": statement,
         "scope": "global", "created": f"2026-01-0{number}", "updated": "", "evidence": [said], **fields}
    )  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("pnpm is used instead of npm.", "npm is used for packages.", "tool"),
        ("pytest is used for unit tests.", "unittest is used for unit tests.", "tool"),
        ("Files are indented with tabs.", "Files are indented with spaces.", "tool"),
        ("Comments are written in tests.", "Comments are never written in tests.", "polarity"),
        ("pnpm is used instead of npm.", "npm is never used.", None),
        ("Jest is used for unit tests.", "Playwright is used for browser tests.", None),
        ("jest is used for unit checks.", "mocha is used for contract reviews.", None),
        ("Commits are signed.", "Branches are named after tickets.", None),
        ("Commits are signed.", "Commits are signed.", None),
        ("Answer in German.", "Reply in English.", "tool"),
        ("Antworte auf Deutsch.", "Your answers should be in English.", "tool"),
        ("Error messages are in German.", "Commit messages are in English.", None),
        ("Use tabs.", "Indent with two spaces.", "tool"),
        ("Use 2 spaces.", "Indent with four spaces.", "tool"),
        ("Retry two times.", "Keep four backups.", None),
        ("Use jest for unit tests.", "Use vitest for unit tests, not jest.", "tool"),
        ("Never squash commits.", "Always squash commits.", "polarity"),
        ("Don't use default exports.", "Use default exports.", "polarity"),
        ("Never commit to main.", "Never commit to main, open a branch.", None),
        ("You forgot the changelog.", "Update the changelog.", None),
    ],
)
def test_contradictions(one: str, other: str, kind: str | None) -> None:
    found = contradictions.find_contradictions([rule(1, one), rule(2, other)])
    assert [item.kind for item in found] == ([kind] if kind else [])
    assert contradictions.find_contradictions([rule(2, other), rule(1, one)]) == found
    for item in found:
        assert (item.one.quote, item.other.quote) == (one, other)
        assert item.reason


def test_rules_of_different_projects_do_not_contradict_each_other() -> None:
    tabs = rule(1, "Files are indented with tabs.", scope="project", project="/a")
    spaces = rule(2, "Files are indented with spaces.", scope="project", project="/b")
    everywhere = rule(3, "Files are indented with spaces.")
    assert contradictions.find_contradictions([tabs, spaces]) == []
    assert len(contradictions.find_contradictions([tabs, everywhere])) == 1
    assert (
        contradictions.find_contradictions(
            [tabs, everywhere.with_(status="archived", archived_reason="unused")]
        )
        == []
    )


def test_leave_to_act_is_no_reproach() -> None:
    sides = {one.side for one in traits.find_remarks("You can run the whole suite without asking")}
    assert sides == {"just_do_it"}
    assert {one.side for one in traits.find_remarks("you pushed without asking")} == {"ask_first"}


def test_the_same_thing_asked_for_and_ruled_out_is_a_matter_of_polarity() -> None:
    said = ("Single quotes are always used in TypeScript.", "Single quotes are never used in TypeScript.")
    rules = [
        Lesson(id=f"{at}" * 26, statement=words, kind="preference", project="/p", scope="project",
               created=f"2026-11-0{at + 1}T00:00:00.000Z", updated="2026-11-09T00:00:00.000Z")
        for at, words in enumerate(said)
    ]  # fmt: skip
    (found,) = contradictions.find_contradictions(rules)
    assert found.kind == "polarity"


def bound(number: int, statement: str, *check: dict[str, Any]) -> Lesson:
    return rule(number, statement).with_(check=check)


ASKS = {"form": "due", "act": [{"on": "write", "files": ["src/**"]}],
        "then": [{"on": "command", "runs": ["npm run dev"]}]}  # fmt: skip


@pytest.mark.parametrize(
    ("forbidden", "is_against"), [("npm run dev", True), ("npm run *", True), ("npm run build", False)]
)
def test_a_check_that_asks_for_what_another_one_forbids_contradicts_it(
    forbidden: str, is_against: bool
) -> None:
    forbids = {"form": "never", "act": [{"on": "command", "runs": [forbidden]}]}
    dev, services = bound(1, "The dev server stays off", forbids), bound(2, "Start everything we test", ASKS)
    found = contradictions.find_contradictions([dev, services])
    assert [each.reason for each in found] == [
        "one asks for `npm run dev`, the other forbids it"
    ] * is_against


def test_a_check_that_forbids_one_of_several_ways_leaves_the_others() -> None:
    either = {**ASKS, "then": [{"on": "command", "runs": ["npm run dev", "make dev"]}]}
    forbids = {"form": "never", "act": [{"on": "command", "runs": ["npm run *"]}]}
    lessons = [bound(1, "The dev server stays off", forbids), bound(2, "Start everything we test", either)]
    assert contradictions.find_contradictions(lessons) == []
