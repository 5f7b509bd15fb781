"""Checkouts of a repository, and what hooks stop in them."""

from pathlib import Path

from learnloop.service.workspace import Workspace
from learnloop.wire import index, paths, relevance, stops


def clone(folder: Path, config: str) -> str:
    """A checkout with such settings."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text(config)
    return str(folder)


def remote(url: str) -> str:
    """The settings of a repository with this origin."""
    return f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {url}\n\tfetch = +refs/*\n'


def stopped(ws: Workspace, folder: str) -> list[str]:
    """What a hook stops `pip install` with in a folder."""
    opened = index.read(paths.index(ws.root))
    assert opened is not None
    at_hand = {
        "moment": "tool",
        "tool": "Bash",
        "command": "pip install httpx",
        "project": folder,
        "cwd": folder,
    }
    moment = relevance.Moment(at_hand)
    call = stops.CallAtHand(moment, {"tool_name": "Bash", "tool_input": {"command": "pip install httpx"}})
    return [record["text"] for record in stops.broken(opened, moment, call)]
