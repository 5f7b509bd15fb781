"""What is found out about a command once: its version, and, remembered, that it is quiet."""

import json
import secrets
import shlex
import shutil
from functools import cache
from pathlib import Path

from learnloop.distill import bounded_call, model_clients
from learnloop.distill.model_clients import ModelClient
from learnloop.errors import Refused
from learnloop.hosts import client
from learnloop.hosts.table import CLAUDE
from learnloop.learn.facts.answers import MOST_BYTES
from learnloop.learn.facts.requests import Known, Quoted, extraction
from learnloop.settings import Facts
from learnloop.store import files, pending

_ONE_TURN = (2, 1, 197)
"""From this version on an answer of the schema needs no second turn; measured, older ones do at times."""
_TRIAL_S = 60.0


def offered(facts: Facts) -> tuple[str, ...]:
    """The command that a yes is about: the person's own, none for Claude Code, else another client's."""
    if facts.command or shutil.which("claude"):
        return facts.command
    return next((command for name, command in model_clients.CLIENTS.items() if shutil.which(name)), ())


def named(facts: Facts) -> str:
    """Who is asked, in words for the person; empty where there is no such program."""
    if command := offered(facts):
        own = f"{shlex.join(command)}, once a trial shows that no hook records it"
        return own if shutil.which(command[0]) else ""
    models = f"{facts.model}, and {facts.merge_model} for what several sessions say, and checks"
    shield = "without hooks, tools, settings and a transcript"
    return f"Claude Code with your login ({models}), {shield}" if shutil.which("claude") else ""


def chosen(command: tuple[str, ...]) -> ModelClient:
    """The command to use; raises Refused where Claude Code is missing or too old."""
    if command:
        return ModelClient(Path(command[0]).name[:40] or "command", command)
    program = shutil.which("claude")
    if program is None:
        raise Refused("there is no claude on the path", "install Claude Code, or set facts.command")
    version = _version(program, Path(program).resolve().stat().st_mtime_ns)
    if version < CLAUDE.oldest:
        raise Refused("this Claude Code is too old to be shielded", "update it")
    return ModelClient("claude", program=program, turns=1 if version >= _ONE_TURN else 2)


@cache
def _version(program: str, _changed: int) -> tuple[int, ...]:
    """The version of a program, asked anew when its file is another one."""
    return client.version(program) or ()


def refuse_loud(root: str, asked: ModelClient, folder: str, model: str) -> None:
    """Try a command of the person's own once; raises Refused where what it is given becomes an event."""
    quiet = Path(root, "facts", f"quiet-{asked.key}")
    if not asked.command or quiet.exists():
        return
    mark = f"learnloop-trial-{secrets.token_hex(8)}"
    request = extraction([Quoted("p1", mark)], Known())
    result = bounded_call.call(
        model_clients.argv(asked, model, request), model_clients.text_of(asked, request),
        env=model_clients.environment(), folder=folder, most_s=_TRIAL_S, most_bytes=MOST_BYTES,
    )  # fmt: skip
    if any(mark in json.dumps(event) for event in pending.records(root, "")):
        raise Refused(f"{asked.name} runs hooks that record what it is asked", "set another facts.command")
    if not result.reason:
        files.replace(quiet, [])
