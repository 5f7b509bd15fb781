"""The border of weak: what verdicts move, and what the setting pins."""

import io
import json
from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.ingest.publish import publish
from learnloop.learn.lessons import scorer
from learnloop.models import Decision
from learnloop.service.lessons import rows
from learnloop.service.review import verdicts
from learnloop.service.workspace import open_workspace
from learnloop.settings import Settings
from learnloop.wire import paths
from tests.store.small_stores import drafts, put, say, workspace

DOCS = Path(__file__).parents[3] / "docs"


def _lesson(confidence: float, status: str, source: str = "said:x") -> dict[str, object]:
    return {"source": source, "confidence": confidence, "status": status, "reviewed_at": "2026"}


def test_the_border_rises_where_weak_drafts_are_turned_down_and_falls_where_they_are_kept() -> None:
    border = scorer.least_strength
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


def test_a_draft_that_a_file_says_already_is_folded_with_the_place_until_the_file_says_it_no_more(
    root: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Path.home() / ".claude" / "CLAUDE.md"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("# Mine\n\n- Never mock the database\n")
    ws = workspace(root, "never mock the database", "from now on use uv instead of pip")
    page = rows.queue_page(ws)
    assert [row.statement for row in page.top] == ["Use uv instead of pip."]
    assert [(row.folded, row.said) for row in page.folded] == [("said", "CLAUDE.md:3")]
    assert json.loads(Path(paths.news(root)).read_text())["drafts"] == 1
    monkeypatch.setattr("sys.stdin", io.StringIO("s\ns\n"))
    assert main(["triage", "--plain", "--all"]) == 0
    assert "Already said in CLAUDE.md:3." in capsys.readouterr().out
    assert main(["triage", "--plain"]) == 0
    assert "1 more: 1 said already" in capsys.readouterr().out
    own.write_text("# Mine\n")
    say(ws, "always run make lint before a commit")
    assert {row.statement for row in rows.queue_page(ws).top} >= {"Never mock the database."}


def test_what_an_agent_may_have_decided_is_asked_whatever_files_say_and_damage_folds_nothing(
    root: str,
) -> None:
    own = Path.home() / ".claude" / "CLAUDE.md"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("- Never mock the database\n")
    claim = {"decision": "d" * 8, "action": "promote", "ts": "", "reason": "beside a call"}
    told = {"statement": "Never mock the database.", "confidence": 0.9, "source": "said:standing"}
    put(root, id="a" * 8, claims=[claim], **told)
    put(root, id="b" * 8, **told)
    publish(root, force=True)
    ws = open_workspace(root)
    assert [row.id for row in rows.queue_page(ws).top] == ["a" * 8]
    kept = Path(paths.known_facts(root), "said.json")
    kept.write_text("[1, 2")
    assert len(rows.queue_page(ws).top) == 2
    publish(root, force=True)
    assert len(rows.queue_page(ws).top) == 1
