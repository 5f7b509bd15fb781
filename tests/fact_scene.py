"""A session that a model may read: prompts as hooks record them, and answers as a model gives them."""

import json
from pathlib import Path
from typing import Any

from learnloop.service import workspace
from learnloop.service.facts import by_hand
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests import recorded_events
from tests.recorded_events import fire

PROJECT = recorded_events.PROJECT
BRANCH = "Commit to a session branch, never to main"
FUNCTIONS = "Prefers functions over classes"
IMPLIED = "why did you commit to main and not a session branch?"
Doc = dict[str, Any]


def say(
    root: str, *prompts: str, session: str = "s1", project: str = PROJECT, wrote: str = "api/orders.py",
    starter: Doc | None = None,
) -> None:  # fmt: skip
    """Prompts of one session, each after a turn that wrote a file of the project."""
    for number, prompt in enumerate(prompts):
        ids: Doc = {"session": session, "prompt_id": f"{session}-{number}", "cwd": project}
        fire(root, "UserPromptSubmit", **ids, starter=starter, prompt=prompt)
        file = {"file_path": f"{project}/{wrote}"}
        call = {"tool_name": "Write", "tool_input": file, "tool_response": "ok"}
        fire(root, "PostToolBatch", **ids, tool_calls=[{**call, "tool_use_id": f"{session}u{number}"}])
        fire(root, "Stop", **ids, last_assistant_message="Done.")


def asked(ws: Workspace, project: str = PROJECT) -> list[Doc]:
    """What would be asked about the project now."""
    return list(by_hand.requests(ws, project))


def answer(ws: Workspace, *answers: object, project: str = PROJECT) -> by_hand.AnswersReport:
    """Answer what is asked about the project, in its order, with objects or texts."""
    requests = asked(ws, project)
    assert len(requests) == len(answers), requests
    pairs = zip(requests, answers, strict=True)
    lines = [json.dumps({**request, "answer": given}) for request, given in pairs]
    report = by_hand.take_answers(ws, lines)
    workspace.ingest(ws)
    return report


def fact(text: str, source: str | list[str] = "p1", **more: str) -> Doc:
    """One fact of an answer of the second stage, or of an earlier version."""
    return {"from": source, "text": text, "kind": "correction", **more}


def facts(*items: Doc) -> Doc:
    """An answer with these facts."""
    return {"facts": list(items)}


def item(text: str, *source: str, sure: int = 80, place: str = "new", **more: object) -> Doc:
    """One lesson of an answer."""
    fields = {"scope": "project", "when": [], "sure": sure, "place": place}
    return {"from": list(source or ("p1",)), "text": text, **fields, **more}


def reading(*items: Doc, **says: list[str]) -> Doc:
    """An answer with these lessons, and by message what it says of the turn before it."""
    return {
        "lessons": list(items),
        "turns": [{"message": name, "says": words} for name, words in says.items()],
    }


def read_session(ws: Workspace) -> None:
    """One session, read by hand: its fact became a draft."""
    say(ws.root, IMPLIED)
    answer(ws, facts(fact(BRANCH)))


def project_with_a_fact(ws: Workspace, parent: Path) -> Path:
    """A new project `shop` with an AGENTS.md and one approved fact."""
    folder = parent / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "AGENTS.md").write_text("# Shop\n")
    verdicts.add(ws, FUNCTIONS, scope="project", project=str(folder), source="synthesis")
    return folder
