"""Proposals and their figures: what the evidence makes, how sure, and whether it helped."""

import pytest

from learnloop.models import AgentPerformance
from learnloop.models.agent import FailurePattern
from learnloop.models.preferences import RecurringCorrection, Signal, Trait
from learnloop.patch import propose
from learnloop.service.patches import patch_outcomes

AT = "2025-11-01T10:00:00.000Z"
RULE = "Integration tests are run before a change is called done."


def _lesson(**more: object) -> dict[str, object]:
    return {
        "id": "aaaaaa", "status": "active", "kind": "preference", "scope": "global",
        "statement": RULE, "seen_count": 2, "reviewed_at": AT,
        "evidence": [{"quote": "run the integration tests first"}], **more,
    }  # fmt: skip


def test_an_approved_rule_is_for_all_agents() -> None:
    (one,) = propose.from_lessons([_lesson()])
    assert (one.source, one.audience, one.confidence, one.block) == ("rule", "agents", 0.95, f"- {RULE}")
    assert one.quotes == ("run the integration tests first",)


@pytest.mark.parametrize(
    "change",
    [{"status": "draft"}, {"status": "rejected"}, {"paused": True}, {"statement": ""},
     {"kind": "fact", "scope": "project"}],
)  # fmt: skip
def test_what_nobody_approved_or_holds_only_somewhere_is_not_proposed(change: dict[str, object]) -> None:
    assert list(propose.from_lessons([_lesson(**change)])) == []


def test_a_lesson_counts_as_often_as_it_was_seen_and_goes_to_its_agents() -> None:
    lesson = _lesson(kind="warning", triggers={"agent_names": ["tester", "main"]}, seen_count=3)
    one, two = propose.from_lessons([lesson])
    assert (one.audience, one.agent, round(one.confidence, 2)) == ("agent", "tester", 0.8)
    assert (two.audience, two.agent) == ("main", "")


def test_what_came_back_although_it_was_recalled_is_a_finding_of_its_own() -> None:
    lesson = _lesson(kind="fact", scope="project", project="/code/shop", usage={"recalled": 4, "recurred": 2})
    (one,) = propose.from_lessons([lesson])
    assert (one.source, one.audience, one.project) == ("correction", "main", "/code/shop")
    assert one.confidence == pytest.approx(0.7)
    assert "2 times although it was recalled" in one.reason
    never_told = _lesson(kind="fact", scope="project", usage={"recalled": 0, "recurred": 2})
    assert list(propose.from_lessons([never_told])) == []


@pytest.mark.parametrize(("count", "confidence"), [(2, None), (3, 0.8), (4, 0.9), (9, 0.95)])
def test_a_theme_is_proposed_from_three_sightings_on(count: int, confidence: float | None) -> None:
    theme = FailurePattern(
        pattern=RULE, instruction=RULE, count=count, examples=("not tested",), turn_ids=("t1",)
    )
    agent = AgentPerformance(agent_name="tester", failure_patterns=(theme,), last_updated=AT)
    found = list(propose.from_themes([agent]))
    assert [round(one.confidence, 2) for one in found] == ([] if confidence is None else [confidence])
    if found:
        assert (found[0].audience, found[0].agent, found[0].evidence) == ("agent", "tester", ("t1",))
        assert "times" not in found[0].block


def test_of_complaints_alone_nothing_is_proposed() -> None:
    theme = FailurePattern(pattern="Corrected on missing tests: “the timeout case is not tested”", count=5)
    agent = AgentPerformance(agent_name="tester", failure_patterns=(theme,), last_updated=AT)
    assert list(propose.from_themes([agent])) == []


def test_only_confirmed_traits_are_proposed() -> None:
    signal = Signal(side="concise", quote="shorter please", session_id="s", event_id="e1", ts=AT)
    trait = Trait(id="t", name="verbosity", sides=("concise", "detailed"), evidence={"concise": (signal,)})
    assert list(propose.from_traits([trait])) == []
    told = trait.with_(confirmed=True, confirmed_value="concise", confirmed_statement="Answers are concise.")
    (one,) = propose.from_traits([told])
    assert (one.audience, one.confidence, one.block) == ("agents", 0.85, "- Answers are concise.")


def test_a_recurring_correction_counts_once_its_lesson_was_recalled() -> None:
    found = RecurringCorrection(id="c", pattern=RULE, count=4, last_seen="2025-11-05", lesson_id="aaaaaa")
    told = {"aaaaaa": _lesson(usage={"last_recalled": "2025-11-03"})}
    (one,) = propose.from_corrections([found], told)
    assert (one.source, round(one.confidence, 2)) == ("correction", 0.9)
    later = {"aaaaaa": _lesson(usage={"last_recalled": "2025-11-07"})}
    assert list(propose.from_corrections([found], later)) == []


def test_the_same_finding_makes_the_same_patch_and_the_stronger_of_two_stays() -> None:
    (one,) = propose.from_lessons([_lesson()])
    (other,) = propose.from_lessons([_lesson(id="bbbbbb", kind="fact")])
    assert [one] == list(propose.from_lessons([_lesson()]))
    kept = propose.strongest([other, one])
    assert [patch.id for patch in kept] == [one.id]


def test_what_a_text_says_is_seen_but_not_in_its_own_block() -> None:
    from learnloop.patch import blocks

    (one,) = propose.from_lessons([_lesson()])
    assert propose.said_already(one, f"# T\n\n{RULE}\n")
    assert propose.said_already(one, blocks.insert("# T\n", one.id, one.block, "append")) is None


def test_figures_are_shown_only_where_there_are_enough() -> None:
    few = patch_outcomes.judgements(["success"] * 3 + ["unknown"])
    many = patch_outcomes.judgements(["success"] * 28 + ["revision"] * 2)
    poor = patch_outcomes.judgements(["success"] * 8 + ["revision"] * 22)
    assert (few.judged, few.rate) == (3, 1.0)
    assert patch_outcomes.change(few, many) == "too few to say"
    assert patch_outcomes.change(poor, many) == "better"
    assert patch_outcomes.change(many, poor) == "worse"
    assert patch_outcomes.change(many, many) == "no clear change"
    assert many.interval is not None
    assert 0.78 < many.interval.low < 0.93 < many.interval.high < 0.99
