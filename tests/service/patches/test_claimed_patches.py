"""Prompt files during commands of agents: not written, and put back where the command is only seen later."""

import json
from pathlib import Path

import pytest

from learnloop.errors import Refused
from learnloop.ingest.run import ingest
from learnloop.models.decision import DecisionPlace
from learnloop.service.history import undo
from learnloop.service.patches import inverse, patches, proposals
from learnloop.service.transfer import exchange
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import clock, paths
from tests.recorded_events import fire
from tests.service.patches import patch_home
from tests.service.review.own_approvals import SESSION, apart, environment, in_call

FREE = "nothing is written: it was made during a command of an agent"


@pytest.fixture
def mine(root: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own file, for which a patch is proposed; nobody sits at a terminal."""
    sit(monkeypatch, attended=False)
    home = Path(paths.home())
    patch_home.agents(home, "reviewer")
    file = home / ".claude" / "CLAUDE.md"
    file.write_text("# Mine\n")
    patch_home.rules(root)
    return file


def applied(ws: Workspace) -> str:
    """The id of the proposal, which is applied now."""
    (patch_id, *_) = patch_home.ids(ws)
    patches.apply(ws, [patch_id])
    return patch_id


def sit(monkeypatch: pytest.MonkeyPatch, *, attended: bool = True) -> None:
    """A person sits at a terminal that began before everything, or nobody at none."""
    here = DecisionPlace(terminal="pts/1", parents=("bash",), attended=attended, since_ms=1)
    monkeypatch.setattr("learnloop.service.place.here", lambda: here)


def test_during_a_call_nothing_is_written(ws: Workspace, mine: Path) -> None:
    in_call(ws.root, "bash work.sh")
    with pytest.raises(Refused, match=FREE):
        applied(ws)
    assert mine.read_text() == "# Mine\n"
    in_call(ws.root, "bash work.sh", ended=True)
    applied(ws)
    assert mine.read_text() != "# Mine\n"


def test_during_a_call_nothing_is_taken_out(ws: Workspace, mine: Path) -> None:
    patch_id = applied(ws)
    written = mine.read_text()
    in_call(ws.root, "bash work.sh")
    with pytest.raises(Refused, match=FREE):
        undo.undo(ws)
    with pytest.raises(Refused, match=FREE):
        patches.revert(ws, [patch_id])
    assert mine.read_text() == written
    in_call(ws.root, "bash work.sh", ended=True)
    undo.undo(ws)
    in_call(ws.root, "bash again.sh", tool_id="t2")
    with pytest.raises(Refused, match=FREE):
        undo.redo(ws)
    assert mine.read_text() == "# Mine\n"


def test_during_a_call_nothing_is_imported(ws: Workspace, mine: Path) -> None:
    document = exchange.export_document(ws, quotes=True)
    in_call(ws.root, "bash work.sh")
    with pytest.raises(Refused, match="nothing is imported"):
        exchange.import_document(ws, document)


def test_who_sits_at_a_terminal_works_while_agents_do(
    ws: Workspace, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_call(ws.root, "bash work.sh")
    sit(monkeypatch)
    applied(ws)
    assert mine.read_text() != "# Mine\n"


def test_a_process_that_left_the_agent_writes_nothing(ws: Workspace, mine: Path, tmp_path: Path) -> None:
    (patch_id, *_) = patch_home.ids(ws)
    in_call(ws.root, f"setsid learn patches apply {patch_id}")
    apart(tmp_path, ["learn", "patches", "apply", patch_id, "--file", str(mine)], environment(ws.root))
    assert "nothing is written" in (tmp_path / "out").read_text()
    assert mine.read_text() == "# Mine\n"


def test_what_a_call_did_that_is_seen_later_is_news_and_can_be_discarded(
    ws: Workspace, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch_id = applied(ws)
    made = next(each for each in Store(ws.root).decisions() if each.args.get("results"))
    ms = clock.parse_ms(made.ts)
    given = {"command": "bash work.sh"}
    fire(ws.root, "PreToolUse", SESSION, ms - 5, tool_name="Bash", tool_input=given, tool_use_id="t1")
    ingest(ws.root)
    assert json.loads(Path(paths.news(ws.root)).read_text())["claimed"] == 1
    with pytest.raises(Refused, match="discarded at a terminal"):
        inverse.discard(ws, [patch_id])
    sit(monkeypatch)
    assert [each.id for each in inverse.discard(ws, [patch_id])] == [made.id]
    assert mine.read_text() == "# Mine\n"
    assert json.loads(Path(paths.news(ws.root)).read_text())["claimed"] == 0
    assert inverse.discard(ws, [patch_id]) == []
    assert proposals.dismiss(ws, [patch_id]).args["did"] == "dismiss"
