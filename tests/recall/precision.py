"""Thirty lessons replayed over the shared transcripts as hooks would tell them, for judging by hand.

Their triggers are those that the program derives from their words: what is measured is what a person gets.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from learnloop.learn.lessons import trigger_words, triggers
from learnloop.recall.compile import records
from learnloop.wire import payload_fields, relevance, render

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "transcripts"
TABLE = Path(__file__).parents[1] / "data" / "precision.json"
_PER_CALL, _TOKENS = 3, 400


class Moment(NamedTuple):
    """A prompt or call of a transcript; its name is the file's with the number of the moment."""

    name: str
    session: str
    asked: dict[str, Any]


class Told(NamedTuple):
    """A lesson that was told at a moment."""

    key: str
    """Names lesson and moment without their words."""
    lesson: str
    moment: Moment
    score: int
    why: str


def lessons() -> list[dict[str, Any]]:
    """The thirty lessons, with triggers as derived from their words; a third holds everywhere."""
    documents = []
    for name, (priority, project, statement) in table()["lessons"].items():
        derived = triggers.derive(statement).model_dump(mode="json")
        documents.append({
            "id": name, "status": "active", "scope": "project" if project else "global",
            "project": project, "priority": priority, "statement": statement,
            "triggers": derived, "keywords": list(trigger_words.content_words(statement)),
        })  # fmt: skip
    return documents


def table() -> dict[str, Any]:
    """The lessons, and which of their recalls were judged how."""
    judgements: dict[str, Any] = json.loads(TABLE.read_text("utf-8"))
    return judgements


def replay() -> Iterator[Told]:
    """What would be told: the best three a moment, each once for a session and kind of moment."""
    recalled: set[tuple[str, str, str]] = set()
    every = list(records(lessons()))
    for moment in moments():
        ready = relevance.Moment(moment.asked)
        scored = [(relevance.score(record, ready), record) for record in every]
        fresh = [
            (score, record)
            for score, record in sorted(scored, key=lambda pair: (-pair[0]["final"], pair[1]["id"]))
            if score["fires"] and (moment.session, moment.asked["moment"], record["id"]) not in recalled
        ]
        chosen = render.fit_budget([record for _, record in fresh[:_PER_CALL]], _TOKENS)
        scores = {record["id"]: score for score, record in fresh}
        for record in chosen:
            recalled.add((moment.session, moment.asked["moment"], record["id"]))
            score = scores[record["id"]]
            yield Told(_key(record["id"], moment.name), record["id"], moment, score["final"], score["why"])


def _key(lesson: str, moment: str) -> str:
    return hashlib.sha256(f"{lesson} {moment}".encode()).hexdigest()[:12]


def moments() -> Iterator[Moment]:
    """Every prompt that a person typed and every call that recall is asked at, in order."""
    for path in sorted(FOLDER.glob("*.jsonl")):
        read = _codex if path.name.startswith("codex") else _claude
        begins = table()["projects"].items()
        project = next(name for name, start in begins if path.name.startswith(start))
        prompt = ""
        for number, (tool, given, cwd) in enumerate(read(path)):
            if tool:
                payload = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given}
                words = f"{payload_fields.tool_words(payload)}\n{prompt}"
            else:
                prompt = words = str(given["prompt"])
            asked = {
                "moment": "tool" if tool else "prompt", "tool": tool, "words": words, "project": project,
                "cwd": cwd, "file": given.get("file_path", ""), "command": given.get("command", ""),
                "agent": "main",
            }  # fmt: skip
            yield Moment(f"{path.name}:{number}", path.name, asked)


_Step = tuple[str, dict[str, Any], str]


def _claude(path: Path) -> Iterator[_Step]:
    for line in map(json.loads, path.read_text("utf-8").splitlines()):
        content = (line.get("message") or {}).get("content")
        cwd = str(line.get("cwd", ""))
        if line.get("type") == "user" and not line.get("isMeta"):
            prompt = _said(content)
            if prompt and not payload_fields.machine(prompt) and not prompt.startswith(("<", "[Request")):
                yield "", {"prompt": prompt}, cwd
        for part in content if line.get("type") == "assistant" and isinstance(content, list) else ():
            if part.get("type") == "tool_use" and part["name"] in payload_fields.ASKED_TOOLS:
                yield part["name"], part["input"], cwd


def _said(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if part.get("type") == "text")


def _codex(path: Path) -> Iterator[_Step]:
    """The other agent's calls: what its shell runs as Bash, each file that it patches as an Edit."""
    for line in map(json.loads, path.read_text("utf-8").splitlines()):
        payload = line["payload"]
        if payload.get("type") == "user_message":
            yield "", {"prompt": payload["message"]}, ""
        if payload.get("type") != "function_call" or payload.get("name") != "shell":
            continue
        given = json.loads(payload["arguments"])
        command, cwd = given["command"][-1], str(given.get("workdir", ""))
        patched = [
            text.partition(": ")[2] for text in command.splitlines() if text.startswith("*** Update File")
        ]
        for file in patched:
            yield "Edit", {"file_path": file, "old_string": "", "new_string": command}, cwd
        if not patched:
            yield "Bash", {"command": command}, cwd
