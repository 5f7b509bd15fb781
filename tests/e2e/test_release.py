"""The story of the forgotten manifest: said once, drafted, approved, and there when it matters again."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import Lab, Play

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def lab(new_lab: NewLab) -> Lab:
    """A laboratory in which the person said that the second manifest was forgotten."""
    lab = new_lab()
    lab.play("release")
    lab.learn("ingest")
    return lab


@pytest.fixture(scope="module")
def draft(lab: Lab) -> dict[str, Any]:
    drafts = lab.listing("lessons", "--drafts")
    assert len(drafts) == 1, drafts
    return drafts[0]


@pytest.fixture(scope="module")
def promoted(lab: Lab, draft: dict[str, Any]) -> Lab:
    lab.learn("promote", draft["id"])
    return lab


@pytest.fixture(scope="module")
def next_release(promoted: Lab) -> Play:
    """The session after the promotion."""
    return promoted.play("next_release")


def test_before_it_is_promoted_the_backtest_says_where_it_would_have_helped(
    lab: Lab, draft: dict[str, Any]
) -> None:
    import json

    document = json.loads(lab.learn("why", "--backtest", draft["id"], "--json"))
    assert (document["led"], document["led_fired"]) == (1, 1), "in the turn that led to the correction"
    assert document["at_calls"] >= 1
    assert document["first"][0]["final"] >= document["first"][0]["threshold"]


def test_the_next_write_of_the_manifest_brings_it(next_release: Play, draft: dict[str, Any]) -> None:
    told = next_release.places(draft["statement"].rstrip("."))
    assert told, next_release.report
    assert told[0].request == 2, "with the result of the Write, not with that of the Read"


def test_the_turn_that_follows_it_is_noted(promoted: Lab, next_release: Play, draft: dict[str, Any]) -> None:
    promoted.learn("ingest")
    usage = promoted.listing("lessons", "--status", "active")[0]["usage"]
    assert (usage["told_sessions"], usage["ignored"], usage["recurred"]) == (1, 0, 0)


def test_a_gate_is_read_before_the_file_is_written(promoted: Lab, draft: dict[str, Any]) -> None:
    promoted.learn("check", draft["id"], "--first")
    before = len(promoted.events("recall"))
    try:
        played = promoted.play("gated_release")
    finally:
        promoted.learn("check", draft["id"], "--tell")
    told = played.places(draft["statement"].rstrip("."))
    assert told[0].request == 1, "in the answer to the first two calls"
    receipts = [one["payload"] for one in promoted.events("recall")[before:]]
    stopped = [Path(one["file"]).parent.name for one in receipts if one.get("gate")]
    assert sorted(stopped) == ["a", "b"], "calls made at once are both stopped, and once each"
    written = [one["payload"] for one in promoted.events("tool_end") if one["payload"].get("tool") == "Write"]
    names = [Path(one["file"]).parent.name for one in written]
    assert [name for name in names if name in "abc"] == ["a", "b", "c"]
    assert (promoted.project / "c" / "plugin.json").exists()


def test_as_a_checklist_it_brings_its_items(promoted: Lab, draft: dict[str, Any]) -> None:
    items = ("the version in plugin.json is raised", "the version in marketplace.json is raised")
    given = [part for item in items for part in ("--set", f"content.items={item}")]
    promoted.learn("edit", draft["id"], "--kind", "checklist", "--set", "content.title=Release", *given)
    played = promoted.play("next_release")
    for item in items:
        told = played.places(item)
        assert told, played.report
        assert told[0].request == 2, "beside the Write, not beside the Read"
