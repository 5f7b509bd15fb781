"""Stores to measure on: lessons recalled, events recorded, all through the formats that real ones use."""

import itertools
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from learnloop.models import ids
from learnloop.store import seal
from learnloop.wire import clock, event

DAY_MS = 86_400_000
_BATCH = 5_000
_DOMAINS = (
    "billing", "search", "export", "login", "cache", "report", "invoice", "queue", "mailer", "upload",
    "profile", "editor", "parser", "router", "schema", "worker", "deploy", "metric", "widget", "dialog",
    "ledger", "coupon", "archive", "session", "webhook", "tenant", "backup", "locale", "avatar", "gateway",
)  # fmt: skip
_THINGS = (
    "tests", "views", "models", "migrations", "handlers", "fixtures", "queries", "styles", "forms", "jobs",
    "routes", "clients", "errors", "logs", "types", "docs", "scripts", "hooks", "tokens", "limits",
)  # fmt: skip
_TOOLS = ("pytest", "ruff", "poetry", "docker", "alembic", "vite", "cargo", "gradle", "terraform", "kubectl")


def lessons(count: int, project: str, seed: int = 7) -> Iterator[dict[str, Any]]:
    """Decision events that add so many lessons: files, commands and keywords as drafts derive them."""
    pick = random.Random(seed)
    now = clock.now_ms() - DAY_MS
    for number in range(count):
        ms = now + number
        event_id = clock.new_id(ms)
        lesson = _lesson(number, event_id, clock.iso(ms), project, pick)
        payload = {"action": "add", "lesson_ids": [lesson["id"]], "args": {"lesson": lesson}, "by": "cli"}
        yield event.record(
            "decision", host="learnloop", session_id="cli", cwd="", project="", payload=payload,
            ts_ms=ms, event_id=event_id,
        )  # fmt: skip


def _lesson(number: int, event_id: str, ts: str, project: str, pick: random.Random) -> dict[str, Any]:
    domain, thing, tool = pick.choice(_DOMAINS), pick.choice(_THINGS), pick.choice(_TOOLS)
    return {
        "id": ids.draft_id(event_id, "told"),
        "status": "active",
        "kind": "preference",
        "statement": f"{tool.capitalize()} is used for the {thing} of {domain} number {number}.",
        "priority": ("MEDIUM", "MEDIUM", "HIGH", "MEDIUM", "CRITICAL")[number % 5]
        if number % 50 == 4
        else "MEDIUM",
        "triggers": _triggers(number, domain, thing, tool),
        "stops": number % 2 == 1,
        "unwanted": {"files": [f"{domain}/old{number}/**"]} if number % 10 == 1 else {"commands": [tool]},
        "scope": "global" if number % 4 == 0 else "project",
        "project": ""
        if number % 4 == 0
        else (project if number % 4 == 1 else f"/somewhere/else-{number % 40}"),
        "confidence": 1.0,
        "source": "told",
        "created": ts,
        "updated": ts,
        "reviewed_at": ts,
    }


def _triggers(number: int, domain: str, thing: str, tool: str) -> dict[str, list[str]]:
    words = {"action_keywords": [thing, tool], "context_keywords": [domain]}
    if number % 3 == 0:
        return {"tool_names": ["Bash"], "command_patterns": [f"{tool} *"], **words}
    if number % 3 == 1:
        return {"file_patterns": [f"**/{domain}/**/*.py"], **words}
    return words


def matching(project: str) -> dict[str, Any]:
    """The decision that adds the lesson which the measured prompts and calls are about."""
    ms = clock.now_ms()
    event_id = clock.new_id(ms)
    lesson = _lesson(0, event_id, clock.iso(ms), project, random.Random(1))
    lesson |= {
        "statement": "Logging is used instead of print.",
        "stops": False,
        "priority": "CRITICAL",
        "scope": "project",
        "project": project,
        "triggers": {
            "file_patterns": ["**/*.py"],
            "action_keywords": ["print", "logging"],
            "context_keywords": ["loader"],
        },
    }
    payload = {"action": "add", "lesson_ids": [lesson["id"]], "args": {"lesson": lesson}, "by": "cli"}
    return event.record(
        "decision", host="learnloop", session_id="cli", cwd="", project="", payload=payload,
        ts_ms=ms, event_id=event_id,
    )  # fmt: skip


def events(
    count: int, project: str, days: int = 30, seed: int = 3, one_in: int = 10
) -> Iterator[dict[str, Any]]:
    """So many hook events of ordinary sessions, oldest first, the last of them now.

    One prompt in `one_in` is a correction, the second prompt of all among them.
    """
    pick = random.Random(seed)
    step = max(days * DAY_MS // max(count, 1), 1) if days else 1
    ms = itertools.count(clock.now_ms() - count * step, step)
    count_so_far = 0
    for number in itertools.count():
        for kind, more in _session(number, pick, one_in):
            if count_so_far == count:
                return
            now = next(ms)
            yield event.record(
                kind, host="claude", session_id=f"{seed:04x}-{number:08x}", cwd=project, project=project,
                ts_ms=now, **more,
            )  # fmt: skip
            count_so_far += 1


def _session(number: int, pick: random.Random, one_in: int) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "session_start", {"payload": {"source": "startup"}}
    for turn in range(6):
        prompt_id = f"p-{number:x}-{turn}"
        domain, thing = pick.choice(_DOMAINS), pick.choice(_THINGS)
        words = f"Please look after the {thing} of {domain} and tell me what you find in part {turn}"
        if (number * 6 + turn) % one_in == 1:
            words = f"No, don't use {pick.choice(_TOOLS)} for {thing}, use {pick.choice(_TOOLS)}"
        yield "prompt", {"prompt_id": prompt_id, "payload": {"prompt": words}}
        for call in range(5):
            ids_ = {"prompt_id": prompt_id, "tool_use_id": f"t-{number:x}-{turn}-{call}"}
            if call == 4:
                yield "tool_end", {**ids_, "payload": {"tool": "Bash", "command": f"pytest tests/{thing}"}}
            else:
                file = f"src/{domain}/{thing}_{call}.py"
                yield "tool_end", {**ids_, "payload": {"tool": "Edit", "file": file}}
        message = f"The {thing} of {domain} are in order now."
        yield "turn_end", {"prompt_id": prompt_id, "payload": {"message": message, "background": []}}
    yield "session_end", {"payload": {"reason": "other"}}


def write(root: Path, records: Iterable[dict[str, Any]]) -> None:
    """Append records to the journal, in a few large pieces."""
    source = iter(records)
    while batch := list(itertools.islice(source, _BATCH)):
        if not seal.append(str(root), batch):
            raise RuntimeError("the journal could not be written")


def transcript(path: Path, size: int) -> None:
    """A transcript of so many bytes, as long sessions leave them."""
    line = (
        json.dumps({"type": "assistant", "message": {"role": "assistant", "content": "word " * 400}}) + "\n"
    )
    with path.open("w") as file:
        for _ in range(size // len(line) + 1):
            file.write(line)
