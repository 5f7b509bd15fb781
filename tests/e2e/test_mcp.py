"""A real agent without any hook of ours asks `learn mcp`: what it is told reaches its model, and no more."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.host_lab import HostLab, fetch, requests_with
from tests.e2e.lab import LEARN, Lab

pytestmark = pytest.mark.e2e

TOOLS = {
    "claude": "mcp__learnloop__",
    "codex": "",  # below a namespace of the server's
    "gemini": "mcp_learnloop_",
    "qwen": "mcp__learnloop__",
}
"""What stands before the names of tools of a server called learnloop."""
PROPOSED = "Packages are added with pnpm add."
_MERGE = (
    "import json, sys; from pathlib import Path; own = Path.home() / sys.argv[1];"
    "own.write_text(json.dumps(json.loads(own.read_text()) | json.loads(sys.argv[2])))"
)
_CODEX = """
[mcp_servers.learnloop]
command = "{}"
args = ["mcp"]
required = true
env = {{ LEARNLOOP_HOME = "{}" }}
"""


def turn(host: str, tool: str, **given: str) -> dict[str, Any]:
    return {"tools": [{"name": TOOLS[host] + tool, "input": given}]}


def new_lab(request: pytest.FixtureRequest, realclient: Path, host: str, work: Path) -> Lab:
    """A laboratory of a host; skips where npm cannot fetch its client."""
    if host == "claude":
        return Lab(realclient, request.getfixturevalue("client"), work)
    if not shutil.which("npm"):
        pytest.skip("npm is not installed, so no client can be fetched")
    if reason := fetch(realclient, host):
        pytest.skip(f"npm cannot install {host}: {reason}")
    return HostLab(realclient, host, work)


def named_in_settings(host: str, root: Path) -> str:
    """The shell command that names the server in a host's settings."""
    if host == "codex":  # newer models get tools of servers only after a search of theirs
        older = "sed -i 's/^model = .*/model = \"gpt-5\"/' ~/.codex/config.toml"
        return f"{older}; printf '%s' '{_CODEX.format(LEARN, root)}' >> ~/.codex/config.toml"
    server = {"command": str(LEARN), "args": ["mcp"], "env": {"LEARNLOOP_HOME": str(root)}}
    settings = json.dumps({"mcpServers": {"learnloop": server}})
    if host == "claude":
        return f"printf '%s' '{settings}' > .mcp.json"
    return f"'{sys.executable}' -c '{_MERGE}' .{host}/settings.json '{settings}'"


@pytest.mark.parametrize("host", TOOLS)
def test_an_agent_without_hooks_asks_and_proposes(
    request: pytest.FixtureRequest, realclient: Path, tmp_path: Path, host: str
) -> None:
    lab = new_lab(request, realclient, host, tmp_path / "lab")
    turns = [
        turn(host, "lessons_for", command="npm install left-pad"),
        turn(host, "propose_lesson", statement=PROPOSED),
        {"text": "Done."},
    ]
    prompt: dict[str, Any] = {"prompt": "Install left-pad"}
    if host == "claude":
        prompt["args"] = ["--allowedTools", "mcp__learnloop"]
    scenario = lab.work / "scenario.json"
    scenario.write_text(json.dumps({"steps": [prompt], "turns": turns}))
    played = lab.play(
        str(scenario.with_suffix("") if host == "claude" else scenario),
        f"'{LEARN}' add 'Use pnpm, not npm.'",
        named_in_settings(host, lab.root),
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
    (draft,) = lab.listing("lessons", "--drafts")
    assert (draft["statement"], draft["trust"], draft["source"]) == (PROPOSED, "agent", "proposal")
