"""Checkouts of a repository, and what hooks stop in them."""

from pathlib import Path

from learnloop.service.workspace import Workspace
from learnloop.wire import check_memory, check_rules, index, paths, relevance


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
    call = check_rules.Call(moment, {"tool_name": "Bash", "tool_input": {"command": "pip install httpx"}})
    posted = check_rules.posted(opened, moment, call.names())
    return [record["text"] for record, *_ in check_rules.broken(posted, call, check_memory.Done())]
