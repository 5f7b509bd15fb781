"""A real agent without any hook of ours asks `learn mcp`: what it is told reaches its model, and no more."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.ingest.run import ingest
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests.e2e.lab import LEARN

pytestmark = pytest.mark.e2e

TOOLS = {"gemini": "mcp_learnloop_", "qwen": "mcp__learnloop__"}
"""How each host names the tools of a server called learnloop."""
PROPOSED = "Packages are added with pnpm add."


def play(realclient: Path, host: str, root: str, work: Path) -> str:
    """Run a host whose model asks and proposes; returns all that reached the model."""
    calls = {"lessons_for": {"command": "npm install left-pad"}, "propose_lesson": {"statement": PROPOSED}}
    turns = [{"tools": [{"name": TOOLS[host] + name, "input": given}]} for name, given in calls.items()]
    scenario = work / "scenario.json"
    scenario.write_text(
        json.dumps({"steps": [{"prompt": "Install left-pad"}], "turns": [*turns, {"text": "Done."}]})
    )
    server = {
        "command": str(LEARN),
        "args": ["mcp"],
        "env": {"LEARNLOOP_HOME": root, "LEARNLOOP_BACKGROUND": "0"},
    }
    (work / "server.json").write_text(json.dumps({"mcpServers": {"learnloop": server}}))
    name = f"$HOME/.{host}/settings.json"
    merge = (
        "import json, sys; own, more = map(json.load, map(open, sys.argv[1:])); print(json.dumps(own | more))"
    )
    setup = f"'{sys.executable}' -c '{merge}' {name} '{work}/server.json' > $HOME/new && mv $HOME/new {name}"
    ran = subprocess.run(
        [sys.executable, str(realclient / "hosts" / "run_host.py"), str(scenario), "--host", host,
         "--work", str(work / "run"), "--no-recorder", "--setup", setup],
        capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip
    if "'npm', 'install'" in ran.stderr:
        pytest.skip(f"npm cannot install {host}: {ran.stderr.strip().splitlines()[-1]}")
    assert ran.returncode == 0, ran.stderr
    return (work / "run" / "logs" / "requests.jsonl").read_text()


@pytest.mark.parametrize("host", TOOLS)
def test_an_agent_without_hooks_asks_and_proposes(
    realclient: Path, ws: Workspace, tmp_path: Path, host: str
) -> None:
    if not shutil.which("npm"):
        pytest.skip("npm is not installed, so the real client cannot be fetched")
    lesson = verdicts.add(ws, "Use pnpm, not npm.", stops=True).lesson_ids[0]
    requests = play(realclient, host, ws.root, tmp_path)
    assert f"- Use pnpm, not npm. ({lesson[:4]})" in requests
    assert f"What you asked about goes against ({lesson[:4]})." in requests
    assert "No agent is told it unless the person approves it." in requests
    ingest(ws.root, wait_s=5)
    docs = documents.lessons(ws.root)
    assert docs[lesson]["usage"]["recalled"] == 1
    (draft,) = (doc for doc in docs.values() if doc["status"] == "draft")
    assert (draft["statement"], draft["trust"]) == (PROPOSED, "agent")
