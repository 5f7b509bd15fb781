"""Rules that draft: counted by verdicts, muted and brought back, and the threshold that verdicts move."""

import json
from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.errors import NotFound, Refused
from learnloop.learn.lessons import draft_rules as learned
from learnloop.learn.lessons import scorer
from learnloop.service.history import undo
from learnloop.service.lessons import rows, rule_drafts
from learnloop.service.review import rule_muting, verdicts
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.settings import Settings
from learnloop_tui.bridge import ServiceBridge
from tests.store.small_stores import drafts, put
from tests.tui.fakes import console

DOCS = Path(__file__).parents[3] / "docs"


def _standing(ws: Workspace, rule: str) -> rule_muting.RuleStats:
    return next(one for one in rule_muting.rules(ws) if one.rule == rule)


def test_accepted_and_turned_down_drafts_are_counted_by_rule(root: str) -> None:
    ws = drafts(root, "always use the {} instead of a copy of it", 4)
    rule = "said:standing"
    ids = [row.id for row in rows.rows(ws)]
    verdicts.promote(ws, [ids[0]])
    verdicts.reject(ws, ids[1:3], "no")
    found = _standing(ws, rule)
    assert (found.accepted, found.rejected, found.waiting, found.share) == (1, 2, 1, 1 / 3)
    assert not found.is_poor
    undo.undo(ws)
    assert (_standing(ws, rule).accepted, _standing(ws, rule).rejected) == (1, 0)


def test_a_rule_that_is_hardly_ever_accepted_is_offered_to_be_muted(root: str) -> None:
    ws = drafts(root, "always use the {} instead of a copy of it", 22)
    ids = [row.id for row in rows.rows(ws)]
    verdicts.promote(ws, ids[:3])
    verdicts.reject(ws, ids[3:19], "no")
    assert not _standing(ws, "said:standing").is_poor
    verdicts.reject(ws, ids[19:20], "no")
    assert _standing(ws, "said:standing").is_poor


def test_a_muted_rules_drafts_are_folded_and_come_back(root: str) -> None:
    drafts(root, "always use the {} instead of a copy of it", 3)
    ws = drafts(root, "don't use tin for the {}, it rusts", 3)
    rule = "said:standing"
    before = len(rows.queue_page(ws).top)
    rule_muting.mute(ws, rule)
    page = rows.queue_page(ws)
    assert (len(page.top), len(page.folded)) == (before - 3, 3)
    assert [row.folded for row in rows.rows(ws)][-3:] == ["muted"] * 3
    assert rule in rule_drafts.muted_rules(root)
    with pytest.raises(Refused):
        rule_muting.mute(ws, rule)
    undo.undo(ws)
    assert len(rows.queue_page(ws).top) == before
    undo.redo(ws)
    assert len(rows.queue_page(ws).top) == before - 3
    rule_muting.unmute(ws, "said:sta")
    assert len(rows.queue_page(ws).top) == before
    with pytest.raises(NotFound):
        rule_muting.mute(ws, "nonsense")


def _draft(confidence: float, status: str, source: str = "said:x") -> learned.DraftOutcome | None:
    doc = {"source": source, "confidence": confidence, "status": status, "reviewed_at": "2026"}
    return learned.draft_outcome(doc)


def test_the_threshold_rises_where_weak_drafts_are_turned_down_and_falls_where_they_are_kept() -> None:
    poor = [_draft(0.68, "rejected")] * 19
    good = [_draft(0.85, "active")] * 10
    usual = scorer.MAYBE / 100
    assert learned.threshold([]) == learned.threshold(poor + good) == usual
    assert learned.threshold([*poor, _draft(0.6, "rejected"), *good]) == 0.85
    assert learned.threshold([*poor, _draft(0.6, "rejected"), *[_draft(0.72, "active")] * 5, *good]) == 0.7
    assert learned.threshold([*poor, *[_draft(0.68, "active")] * 6, *good]) == usual
    assert learned.threshold([_draft(0.68, "rejected", "told")] * 40) == usual
    assert learned.threshold([*[_draft(0.4, "rejected")] * 20, *[_draft(0.64, "active")] * 6]) == usual
    kept = [_draft(0.52, "active")] * 8
    assert learned.threshold([*kept, _draft(0.4, "rejected")]) == usual, "nine verdicts are too few"
    assert learned.threshold([*kept, *[_draft(0.4, "rejected")] * 2]) == scorer.WEAK / 100
    assert learned.threshold([*kept, *[_draft(0.4, "rejected")] * 3]) == usual


def test_drafts_below_the_threshold_are_folded_and_the_setting_pins_it(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, chance in zip("abc", (0.9, 0.7, 0.3), strict=True):
        put(root, id=name * 8, source="said:standing", confidence=chance, statement=f"Use {name}.")
    ws = open_workspace(root)
    assert rule_muting.threshold(ws) == (scorer.MAYBE, False)
    assert len(rows.queue_page(ws).top) == 2
    for least, shown in (("75", 1), ("95", 0), ("0", 3)):
        monkeypatch.setenv("LEARNLOOP_DRAFT_THRESHOLD", least)
        pinned = open_workspace(root)
        assert rule_muting.threshold(pinned) == (int(least), True)
        page = rows.queue_page(pinned)
        assert (len(page.top), len(page.folded)) == (shown, 3 - shown)


def test_the_pages_name_the_borders_of_the_code() -> None:
    names = ("guide.md", "panes.md", "design.md")
    pages = {name: " ".join((DOCS / name).read_text("utf-8").split()) for name in names}
    assert f"*likely* from {scorer.LIKELY} on, *maybe* from {scorer.MAYBE} on" in pages["panes.md"]
    assert f"falls to {scorer.WEAK} " in pages["guide.md"]
    assert (
        f"From {scorer.LIKELY} on a draft is *likely*, from {scorer.MAYBE} on *maybe*" in pages["design.md"]
    )
    assert f"falls to {scorer.WEAK} " in pages["design.md"]
    assert f"unset {scorer.MAYBE}" in str(Settings.model_fields["draft_threshold"].description)


def test_the_threshold_says_why_it_is_so(root: str) -> None:
    assert rule_muting.Threshold(68, is_set=False).words == (
        "drafts below 68 of 100 are folded away: as long as your verdicts say nothing else"
    )
    assert rule_muting.Threshold(55, is_set=False).words.endswith(
        "below 55 of 100 are folded away: your verdicts say so"
    )
    assert rule_muting.Threshold(70, is_set=True).words.endswith("draft_threshold says so")
    assert rule_muting.Threshold(0, is_set=True).words.startswith("no draft is folded away")


def test_the_command_line_lists_mutes_and_unmutes(root: str, capsys: pytest.CaptureFixture[str]) -> None:
    drafts(root, "always use the {} instead of a copy of it", 3)
    assert main(["lessons", "--rules", "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["rule"], one["waiting"], one["offered"]) == ("said:standing", 3, False)
    assert main(["lessons", "--mute", "said:s"]) == 0
    assert main(["lessons", "--rules"]) == 0
    assert "muted" in capsys.readouterr().out
    assert main(["undo"]) == 0
    assert "the rule “said:standing”" in capsys.readouterr().out
    assert main(["lessons", "--unmute", "said:s"]) == 1
    assert "is not muted" in capsys.readouterr().err


async def test_the_console_mutes_the_rule_of_a_draft(root: str) -> None:
    drafts(root, "always use the {} instead of a copy of it", 3)
    ws = drafts(root, "don't use tin for the {}, it rusts", 1)
    async with console(ServiceBridge(root)) as seen:
        total = len(seen.rows)
        assert total == len(rows.rows(ws))
        at = next(n for n, row in enumerate(rows.rows(ws)) if row.rule == "said:standing")
        seen.app.main.triage.move_by(at)
        await seen.press("M")
        await seen.until(lambda: seen.rows[-1].startswith("3 more: 3 of muted rules"))
        await seen.press("6", "d")
        await seen.until(lambda: "Rules that draft" in seen.page)
        assert "said:standing muted" in seen.page
        await seen.press("1", "z")
        await seen.until(lambda: "Taken back" in seen.toasts)
        assert not rule_drafts.muted_rules(root)
