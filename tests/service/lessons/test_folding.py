"""The border of weak: what verdicts move, and what the setting pins."""

from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.learn.lessons import folding, scorer
from learnloop.models import Decision
from learnloop.service.lessons import rows
from learnloop.service.review import verdicts
from learnloop.service.workspace import open_workspace
from learnloop.settings import Settings
from tests.store.small_stores import drafts, put

DOCS = Path(__file__).parents[3] / "docs"


def _lesson(confidence: float, status: str, source: str = "said:x") -> dict[str, object]:
    return {"source": source, "confidence": confidence, "status": status, "reviewed_at": "2026"}


def test_the_border_rises_where_weak_drafts_are_turned_down_and_falls_where_they_are_kept() -> None:
    border = folding.least_strength
    poor = [_lesson(0.68, "rejected")] * 19
    good = [_lesson(0.85, "active")] * 10
    assert border([]) == border(poor + good) == scorer.MAYBE
    assert border([*poor, _lesson(0.6, "rejected"), *good]) == 85
    assert border([*poor, _lesson(0.6, "rejected"), *[_lesson(0.72, "active")] * 5, *good]) == 70
    assert border([*poor, *[_lesson(0.68, "active")] * 6, *good]) == scorer.MAYBE
    assert border([_lesson(0.68, "rejected", "told")] * 40) == scorer.MAYBE
    assert border([*[_lesson(0.4, "rejected")] * 20, *[_lesson(0.64, "active")] * 6]) == scorer.MAYBE
    kept = [_lesson(0.52, "active")] * 8
    assert border([*kept, _lesson(0.4, "rejected")]) == scorer.MAYBE, "nine verdicts are too few"
    assert border([*kept, *[_lesson(0.4, "rejected")] * 2]) == scorer.WEAK
    assert border([*kept, *[_lesson(0.4, "rejected")] * 3]) == scorer.MAYBE


def test_drafts_below_the_border_are_folded_and_the_setting_pins_it(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, chance in zip("abc", (0.9, 0.7, 0.3), strict=True):
        put(root, id=name * 8, source="said:standing", confidence=chance, statement=f"Use {name}.")
    assert len(rows.queue_page(open_workspace(root)).top) == 2
    for least, shown in (("75", 1), ("95", 0), ("0", 3)):
        monkeypatch.setenv("LEARNLOOP_DRAFT_THRESHOLD", least)
        page = rows.queue_page(open_workspace(root))
        assert (len(page.top), len(page.folded)) == (shown, 3 - shown)


def test_a_rule_that_an_older_version_muted_folds_nothing_and_is_taken_back_like_the_rest(
    root: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ws = drafts(root, "always use the {} instead of a copy of it", 3)
    before = rows.queue_page(ws)
    decision = verdicts.decide(ws, "mute", [], {"rule": "said:standing"})
    assert isinstance(decision, Decision)
    assert main(["ingest", "--all"]) == 0
    assert [row.id for row in rows.queue_page(ws).top] == [row.id for row in before.top]
    assert main(["history"]) == 0
    assert main(["undo"]) == 0
    assert "Traceback" not in capsys.readouterr().err
    assert [row.folded for row in rows.rows(ws)] == [""] * 3


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
