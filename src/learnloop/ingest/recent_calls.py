"""The newest calls and prompts of each project, kept in ingest's state: what triggers are tried on.

A fold over events in their order, so that any cut of the stream gives the same. It is bounded: the newest
calls of the newest projects.
"""

from typing import Any

from learnloop.ingest.turns import WRITING_TOOLS
from learnloop.learn.lessons.trigger_choice import Calls

Doc = dict[str, Any]
MOST_CALLS, MOST_PROMPTS, MOST_PROJECTS = 150, 40, 6
_COMMAND, _PROMPT = 160, 200
_KEPT = ("tool_end", "tool_failed", "prompt")
NAME = "recent"
"""The entry of the state."""


def note(state: Doc, event: Doc) -> None:
    """Keep a call that wrote a file or ran a command, or the words of a prompt."""
    if event["kind"] not in _KEPT:
        return
    payload, project = event["payload"], event.get("project", "")
    if event["kind"] == "prompt":
        words = payload.get("prompt")
        if words and not payload.get("machine"):
            _add(_of(state, event)["prompts"], words[:_PROMPT], MOST_PROMPTS)
    elif payload.get("file") and payload.get("tool") in WRITING_TOOLS:
        file = payload["file"]
        own = file[len(project) + 1 :] if project and file.startswith(f"{project}/") else file
        _add(_of(state, event)["calls"], f"f{own}", MOST_CALLS)
    elif payload.get("command"):
        _add(_of(state, event)["calls"], f"c{payload['command'][:_COMMAND]}", MOST_CALLS)


def of(state: Doc, project: str) -> Calls:
    """Return what is kept of a project, oldest first."""
    recent = state.get(NAME, {}).get(project)
    if recent is None:
        return Calls()
    files = [call[1:] for call in recent["calls"] if call[0] == "f"]
    return Calls(
        [file if file.startswith("/") or not project else f"{project}/{file}" for file in files],
        [call[1:] for call in recent["calls"] if call[0] == "c"],
        recent["prompts"],
    )


def retire(state: Doc, before: str) -> None:
    """Forget the projects in which nothing happened since a time."""
    projects = state.get(NAME, {})
    for project in [project for project, recent in projects.items() if recent.get("at", "") < before]:
        del projects[project]


def _of(state: Doc, event: Doc) -> Doc:
    """Return what is kept of an event's project, which is the newest one now."""
    projects, project = state.setdefault(NAME, {}), event.get("project", "")
    recent: Doc = projects.pop(project, None) or {"calls": [], "prompts": []}
    projects[project], recent["at"] = recent, event["ts"]
    if len(projects) > MOST_PROJECTS:
        del projects[next(iter(projects))]
    return recent


def _add(items: list[str], item: str, most: int) -> None:
    items.append(item)
    if len(items) > most:
        del items[0]
