"""The plugin in the real client: valid, loaded, answered; an agent's discovery and block in triage."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import LEARN

pytestmark = pytest.mark.e2e

PLUGIN = Path(__file__).parents[2] / "hooks" / "plugin"


def test_the_client_finds_the_plugin_valid(client: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [client / "node_modules" / ".bin" / "claude", "plugin", "validate", str(PLUGIN)],
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Validation passed" in done.stdout
    names = ("review", "show", "search", "status", "promote", "archive", "rate", "discover")
    assert all(f"learn:{name}" in done.stdout for name in names)


def test_a_discovery_and_a_block_reach_triage_and_the_plugins_review(new_lab: NewLab) -> None:
    lab = new_lab("plugin lab")
    played = lab.play(
        "plugin",
        f"cp -r '{PLUGIN}' '{lab.home}/plugin'",
        PATH=f"{LEARN.parent}:{os.environ['PATH']}",
    )
    lab.learn("ingest")
    found = {one["source"]: one for one in lab.listing("lessons", "--drafts")}

    assert found["discovery"]["statement"] == "Migration must run before seeding."
    assert found["discovery"]["evidence"][0]["session_id"]
    assert found["block:process_knowledge"]["statement"] == "Both version files are raised in one commit."
    assert {one["trust"] for one in found.values()} == {"agent"}
    assert played.places("Drafts that wait for the person"), "the command was not expanded"
    assert any(
        "Migration must run" in place.text for place in played.places("Drafts that wait for the person")
    )


def test_only_the_persons_own_command_promotes(new_lab: NewLab, tmp_path: Path) -> None:
    lab = new_lab("promoting lab")
    plugin = f"cp -r '{PLUGIN}' '{lab.home}/plugin'"
    path = f"{LEARN.parent}:{os.environ['PATH']}"
    lab.play("plugin", plugin, PATH=path)
    lab.learn("ingest")
    theirs, mine = (one["id"][:8] for one in lab.listing("lessons", "--drafts"))
    scenario = _promoting(tmp_path, theirs, mine)

    played = lab.play(str(scenario), f"rm -r '{lab.home}/plugin'; {plugin}", PATH=path)
    lab.learn("ingest")

    assert [one["id"][:8] for one in lab.listing("lessons", "--status", "active")] == [mine]
    assert [one["id"][:8] for one in lab.listing("lessons", "--drafts")] == [theirs]
    assert played.places("an agent cannot give verdicts"), "the agent was not told why"


def _promoting(folder: Path, theirs: str, mine: str) -> Path:
    """A scenario, named without .json: the agent promotes one draft by its shell, the person another."""
    args = ["--allowedTools", "Bash", "--plugin-dir", "../home/plugin"]
    call = {"command": f"learn promote {theirs}", "description": "Promote it"}
    scenario = {
        "about": "an agent that promotes a draft, and the person's own command",
        "steps": [
            {"prompt": "Tidy the drafts", "args": args}, {"prompt": f"/learn:promote {mine}", "args": args}
        ],
        "turns": [
            {"tools": [{"name": "Bash", "input": call}]}, {"text": "It was refused."}, {"text": "Promoted."}
        ],
    }  # fmt: skip
    (folder / "promoting.json").write_text(json.dumps(scenario))
    return folder / "promoting"
