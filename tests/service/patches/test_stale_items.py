"""List items in LEARNED.md that went out of use are proposed for removal, and stay until a person decides."""

from pathlib import Path

import pytest

from learnloop.service.health import doctor
from learnloop.service.patches import block_upkeep, patches
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import clock
from tests.cli.store import Learn

DAY_MS = 86_400_000
WORDS = "Prefers functions over classes"


@pytest.fixture
def lesson_id(ws: Workspace, tmp_path: Path) -> str:
    """A fact that stands in LEARNED.md."""
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    [name] = verdicts.add(ws, WORDS, scope="project", project=str(folder), source="synthesis").lesson_ids
    [patch] = patches.listing(ws, "proposed")
    assert not patches.apply(ws, [patch.id], imports=["none"]).failed
    return name


def _why(ws: Workspace, days: int = 0) -> list[str]:
    return [item.why for item in block_upkeep.stale_items(ws, clock.now_ms() + days * DAY_MS)]


def test_an_unused_item_is_proposed_for_removal_unless_it_is_kept(ws: Workspace, lesson_id: str) -> None:
    assert _why(ws, 89) == []
    [why] = _why(ws, 91)
    assert why.startswith("nothing came of it for 90 days")
    verdicts.keep(ws, [lesson_id])
    assert _why(ws, 29) == []


def test_an_expired_item_and_one_of_an_archived_lesson_are_too(ws: Workspace, lesson_id: str) -> None:
    verdicts.edit(ws, lesson_id, {"expires_at": clock.iso(clock.now_ms() + 10 * DAY_MS)})
    assert _why(ws, 9) == []
    assert _why(ws, 11)[0].startswith("it held until 20")
    verdicts.archive(ws, lesson_id)
    assert _why(ws) == ["its lesson is archived"]


def test_nothing_is_removed_by_itself(
    ws: Workspace, lesson_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verdicts.archive(ws, lesson_id)
    learn, file = Learn(capsys), tmp_path / "shop" / "LEARNED.md"
    assert learn("lessons", "--upkeep") == 0
    assert WORDS in learn.out
    assert any(WORDS in str(check) for check in doctor.examine(ws))
    assert WORDS in file.read_text()
    way_out = next(line.split() for line in learn.out.splitlines() if "learn patches revert" in line)
    assert learn(*way_out[1:4]) == 0
    assert not file.exists()
    assert _why(ws) == []
