"""A real agent without any hook of ours asks `learn mcp`: what it is told reaches its model, and no more."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.host_lab import HostLab, fetch, requests_with
from tests.e2e.lab import LEARN

pytestmark = pytest.mark.e2e

TOOLS = {"gemini": "mcp_learnloop_", "qwen": "mcp__learnloop__"}
"""How each host names the tools of a server called learnloop."""
PROPOSED = "Packages are added with pnpm add."
_MERGE = (
    "import json, sys; from pathlib import Path; own = Path.home() / sys.argv[1];"
    "own.write_text(json.dumps(json.loads(own.read_text()) | json.loads(sys.argv[2])))"
)


def turn(host: str, tool: str, **given: str) -> dict[str, Any]:
    return {"tools": [{"name": TOOLS[host] + tool, "input": given}]}


@pytest.mark.parametrize("host", TOOLS)
def test_an_agent_without_hooks_asks_and_proposes(realclient: Path, tmp_path: Path, host: str) -> None:
    if not shutil.which("npm"):
        pytest.skip("npm is not installed, so no client can be fetched")
    if reason := fetch(realclient, host):
        pytest.skip(f"npm cannot install {host}: {reason}")
    lab = HostLab(realclient, host, tmp_path / "lab")
    server = {"command": str(LEARN), "args": ["mcp"], "env": {"LEARNLOOP_HOME": str(lab.root)}}
    settings = json.dumps({"mcpServers": {"learnloop": server}})
    turns = [
        turn(host, "lessons_for", command="npm install left-pad"),
        turn(host, "propose_lesson", statement=PROPOSED),
        {"text": "Done."},
    ]
    scenario = lab.work / "scenario.json"
    scenario.write_text(json.dumps({"steps": [{"prompt": "Install left-pad"}], "turns": turns}))
    played = lab.play(
        str(scenario),
        f"'{LEARN}' add 'Use pnpm, not npm.'",
        f"'{sys.executable}' -c '{_MERGE}' .{host}/settings.json '{settings}'",
        install=False,
    )
    (lesson,) = lab.listing("lessons", "--status", "active")
    assert requests_with(played, f"- Use pnpm, not npm. ({lesson['id'][:4]})")
    assert requests_with(played, f"What you asked about goes against ({lesson['id'][:4]}).")
    assert requests_with(played, "No agent is told it unless the person approves it.")
    assert lesson["usage"]["recalled"] == 1
    assert [event["host"] for event in lab.events() if event["kind"] in ("recall", "proposal")] == [
        host,
        host,
    ]
    (draft,) = lab.listing("drafts")
    assert (draft["statement"], draft["trust"], draft["source"]) == (PROPOSED, "agent", "proposal")
