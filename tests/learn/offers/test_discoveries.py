"""Discoveries: what counts as one, when two are one, and which is told first."""

from typing import Any

import pytest

from learnloop.learn.lessons import origins
from learnloop.learn.offers import discovery_drafts
from learnloop.learn.offers.knowledge import Origin
from learnloop.learn.offers.plain_yaml import Malformed, YamlMapping
from learnloop.models import Lesson
from learnloop.wire import clock

NOW = "2026-06-01T00:00:00.000Z"
GOOD: dict[str, Any] = {
    "category": "gotcha",
    "summary": "Migration must run before seeding the database",
    "details": "The seed script assumes that all tables are there already.",
    "confidence": "0.9",
}


def _made(ts: str = NOW, project: str = "/code/shop", **fields: Any) -> Lesson:
    return discovery_drafts.lesson_from_discovery(
        YamlMapping({**GOOD, **fields}), Origin("e1", ts, "discovery", project=project)
    )


def test_a_discovery_is_a_draft_of_an_agent() -> None:
    draft = _made(files="prisma/seed.ts, prisma/schema.prisma", expires="2026-12-31", agent="oracle")

    assert draft.statement == "Migration must run before seeding the database."
    assert (draft.status, draft.trust, draft.category, draft.scope) == ("draft", "agent", "gotcha", "project")
    assert draft.evidence[0].files == ("prisma/seed.ts", "prisma/schema.prisma")
    assert (draft.evidence[0].agent, draft.expires_at) == ("oracle", "2026-12-31T00:00:00.000Z")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"summary": "too short"}, "summary has 9 characters, 10 is the least"),
        ({"summary": "x" * 101}, "summary has 101 characters, 100 is the most"),
        ({"summary": ""}, "summary is missing"),
        ({"details": "not enough"}, "details has 10 characters, 20 is the least"),
        ({"confidence": "0.4"}, "it goes from 0.5 to 1"),
        ({"confidence": "1.5"}, "it goes from 0.5 to 1"),
        ({"confidence": "nan"}, "it goes from 0.5 to 1"),
        ({"confidence": "sure"}, "not a number"),
        ({"category": "poem"}, "not one of"),
        ({"expires": "soon"}, "not a date"),
        ({"expires": "2020-01-01"}, "expires is 2020-01-01, which was over when it was found"),
        ({"scope": "galaxy"}, "not project or global"),
        ({"summary": {"a": "b"}}, "no text"),
        ({"files": [["a"]]}, "no list of texts"),
    ],
)
def test_what_is_none_is_refused_with_a_reason(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(Malformed) as caught:
        _made(**fields)

    assert reason in caught.value.reason


@pytest.mark.parametrize("length", [10, 100])
def test_the_limits_of_a_summary_are_within(length: int) -> None:
    assert len(_made(summary=("a bc" * 25)[:length].strip().ljust(length, "x")).title) == length


def test_two_are_one_above_eighty_percent_of_words_in_common() -> None:
    assert discovery_drafts.overlap("a b c d e", "A B C D E") == 1.0
    assert discovery_drafts.overlap("a b c d e", "a b c d f") == 0.8
    ten = "one two three four five six seven eight nine ten"
    assert discovery_drafts.overlap(ten, f"{ten} more") > discovery_drafts.OVERLAP

    here, there = _made().as_json(), _made(project="/code/blog").as_json()
    assert discovery_drafts.is_same_discovery(
        here, _made(details="Something else altogether is said here.").as_json()
    )
    assert not discovery_drafts.is_same_discovery(here, there)


def test_merging_keeps_the_longer_details_the_surer_figure_and_counts() -> None:
    first = _made().as_json()
    again = _made(confidence="0.95", details=GOOD["details"] + " It fails on foreign keys.").as_json()
    again["evidence"][0]["event_id"] = "e2"
    merged = discovery_drafts.merge_sighting(first, again)

    assert (merged["confidence"], merged["description"]) == (0.95, again["description"])
    assert (origins.verifications(first), origins.verifications(merged)) == (0, 1)
    assert len(merged["evidence"]) == 2


def test_merging_leaves_alone_what_a_person_approved() -> None:
    first = {**_made().as_json(), "status": "active"}
    again = _made(confidence="1", details=GOOD["details"] * 3).as_json()
    merged = discovery_drafts.merge_sighting(first, again)

    assert (merged["confidence"], merged["description"], merged["seen_count"]) == (
        0.9,
        first["description"],
        2,
    )


@pytest.mark.parametrize(
    ("created", "verified", "confidence", "rank"),
    [
        ("2026-06-01T00:00:00.000Z", 0, 0.8, 0.8),
        ("2026-04-17T00:00:00.000Z", 1, 0.8, 0.8),  # 45 days: half as fresh, twice as often
        ("2025-01-01T00:00:00.000Z", 9, 1.0, 1.0),  # never less than a tenth
    ],
)
def test_rank_is_verifications_times_freshness_times_confidence(
    created: str, verified: int, confidence: float, rank: float
) -> None:
    doc = {"created": created, "seen_count": verified + 1, "confidence": confidence, "source": "discovery"}

    assert origins.rank(doc, clock.parse_ms(NOW)) == pytest.approx(rank)


def test_the_most_useful_come_first_and_the_expired_not_at_all() -> None:
    docs = [
        {**_made().as_json(), "id": "weak", "confidence": 0.5},
        {**_made().as_json(), "id": "rated", "usage": {"helpful": 2}},
        {**_made().as_json(), "id": "over", "expires_at": "2026-05-01T00:00:00.000Z"},
        {**_made().as_json(), "id": "other", "source": "standing:always"},
    ]

    assert [doc["id"] for doc in discovery_drafts.ranked(docs, clock.parse_ms(NOW))] == ["rated", "weak"]
    assert discovery_drafts.by_category(docs) == {
        name: 3 * (name == "gotcha") for name in discovery_drafts.CATEGORIES
    }
