"""The commands that ask a model: arguments, shields, what their answer says, and which are quiet."""

import hashlib
import json
import os
import secrets
import shlex
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from learnloop.distill import bounded_call
from learnloop.distill.bounded_call import CallResult
from learnloop.errors import Refused
from learnloop.hosts import client
from learnloop.hosts.table import CLAUDE
from learnloop.learn.facts.answers import MOST_BYTES, Answer, BadAnswer, parse
from learnloop.learn.facts.requests import Known, Quoted, Request, extraction
from learnloop.settings import Facts
from learnloop.store import files, pending
from learnloop.wire import redact
from learnloop.wire.text import cut

NOT_LOGGED_IN = "not logged in"
_ERROR = 200
_FLAGS = (
    "--output-format", "json", "--settings", '{"disableAllHooks":true}',
    "--tools", "", "--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands",
    "--no-session-persistence",
)  # fmt: skip
"""No hook, tool, settings file, MCP server or slash command, nothing kept; from `client.OLDEST` on."""
_LOGIN = frozenset((
    "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_SKIP_BEDROCK_AUTH", "CLAUDE_CODE_SKIP_VERTEX_AUTH",
    "CLAUDE_CODE_SKIP_FOUNDRY_AUTH", "CLAUDE_CODE_CLIENT_CERT", "CLAUDE_CODE_CLIENT_KEY",
    "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE",
))  # fmt: skip
"""Variables of the client that say who the person is; all others are of the session around it."""
_QUIET = {
    "LEARNLOOP_NESTED": "1", "CLAUDE_CODE_MAX_RETRIES": "0", "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "8192",
    "MAX_THINKING_TOKENS": "0", "CLAUDE_CODE_DISABLE_THINKING": "1", "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
}  # fmt: skip


CLIENTS = {
    "codex": (
        "codex", "exec", "--skip-git-repo-check", "--ephemeral", "--ignore-rules", "-s", "read-only",
        "-c", "features.hooks=false", "-c", "features.shell_tool=false", "-c", "features.unified_exec=false",
        "-c", 'web_search="disabled"', "-c", "mcp_servers={}", "-",
    ),
    "qwen": (
        "qwen", "--safe-mode", "--chat-recording=false", "--approval-mode", "plan", "--max-tool-calls", "0",
        "-o", "text",
    ),
    "llm": ("llm", "--no-log", "--no-stream"),
}  # fmt: skip
"""What asks another client that answers without hooks, tools and a transcript, by its program.

Gemini CLI has no option against its hooks and its transcript, so it is not among them.
"""


class ModelClient(NamedTuple):
    """A command that asks a model."""

    name: str
    command: tuple[str, ...] = ()
    """The person's own, with `{model}` and `{schema}`; empty for Claude Code."""
    program: str = ""
    """The path of Claude Code."""
    turns: int = 1
    """An older one takes a second turn to give an answer that fits the schema."""

    @property
    def key(self) -> str:
        """What a trial of this command is remembered by."""
        return hashlib.sha256("\0".join(self.command).encode()).hexdigest()[:16]


class ModelAnswer(NamedTuple):
    """What a call came to."""

    said: Answer = Answer([])
    error: str = ""
    is_timeout: bool = False
    is_content: bool = False
    """Whether the answer itself was bad, not the way to it."""
    usage: Mapping[str, Any] = {}
    """The fields of a FactRun that it tells: tokens and cost."""


def argv(asked: ModelClient, model: str, request: Request) -> list[str]:
    """The command line of a call; the data never stands in it."""
    schema = json.dumps(request.schema)
    if asked.command:
        return [part.replace("{model}", model).replace("{schema}", schema) for part in asked.command]
    own = ["--max-turns", str(asked.turns), "--model", model, "--system-prompt", request.system]
    return [asked.program, *_FLAGS, *own, "--json-schema", schema, "-p"]


def text_of(asked: ModelClient, request: Request) -> str:
    """What goes to standard input; a command of the person's own is told the instructions there."""
    return f"{request.system}\n\n{request.text}" if asked.command else request.text


def environment() -> dict[str, str]:
    """The person's variables without those of the session around this process."""
    own = {
        name: value
        for name, value in os.environ.items()
        if name in _LOGIN or not name.startswith(("CLAUDE", "LEARNLOOP_", "AI_AGENT"))
    }
    return own | _QUIET


def answer_of(asked: ModelClient, result: CallResult) -> ModelAnswer:
    """What a call said, or why it said nothing."""
    if result.reason:
        return ModelAnswer(error=result.reason, is_timeout=result.reason == "timeout")
    if not asked.command:
        return _of_claude(result)
    if result.code != 0:
        return ModelAnswer(error=_words(f"exit code {result.code}", result.errors))
    return _parsed(result.output, {})


def _of_claude(result: CallResult) -> ModelAnswer:
    try:
        said = json.loads(result.output)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        code = f"exit code {result.code}" if result.code else "no JSON"
        return ModelAnswer(error=_words(f"the client gave {code}", result.errors))
    usage, status = _usage(said), said.get("api_error_status")
    if said.get("subtype") == "error_max_turns":
        return ModelAnswer(error="the answer is words instead of JSON", is_content=True, usage=usage)
    if result.code != 0 or said.get("is_error"):
        words = str(said.get("result", ""))
        error = f"the service answered {status}" if isinstance(status, int) else words or "an error"
        is_login = status == 401 or (status is None and "/login" in words)
        return ModelAnswer(error=NOT_LOGGED_IN if is_login else _words(error, b""), usage=usage)
    return _parsed(said.get("structured_output"), usage)


def _parsed(answer: object, usage: Mapping[str, Any]) -> ModelAnswer:
    try:
        return ModelAnswer(parse(answer), usage=usage)
    except BadAnswer as error:
        return ModelAnswer(error=str(error), is_content=True, usage=usage)


def _usage(said: Mapping[str, Any]) -> dict[str, Any]:
    """The tokens and the cost as far as the answer tells them, in numbers that can be true."""
    tokens, cost = said.get("usage"), said.get("total_cost_usd")
    tokens = tokens if isinstance(tokens, dict) else {}
    is_cost = isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < float("inf")
    return {
        "tokens_in": _count(tokens, "input_tokens") + _count(tokens, "cache_creation_input_tokens"),
        "tokens_out": _count(tokens, "output_tokens"),
        "tokens_cached": _count(tokens, "cache_read_input_tokens"),
        "cost_usd": float(cost) if is_cost and cost is not None else None,
    }


def _count(tokens: Mapping[str, Any], name: str) -> int:
    value = tokens.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _words(error: str, more: bytes) -> str:
    """An error on one line, without secrets, with the last line that the command wrote besides."""
    last = more.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return cut(" ".join(redact.cleaned(f"{error}: {last}" if last else error).split()), _ERROR)


_ONE_TURN = (2, 1, 197)
"""From this version on an answer of the schema needs no second turn; measured, older ones do at times."""
_TRIAL_S = 60.0


def offered(facts: Facts) -> tuple[str, ...]:
    """The command that a yes is about: the person's own, none for Claude Code, else another client's."""
    if facts.command or shutil.which("claude"):
        return facts.command
    return next((command for name, command in CLIENTS.items() if shutil.which(name)), ())


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
        argv(asked, model, request), text_of(asked, request),
        env=environment(), folder=folder, most_s=_TRIAL_S, most_bytes=MOST_BYTES,
    )  # fmt: skip
    if any(mark in json.dumps(event) for event in pending.records(root, "")):
        raise Refused(f"{asked.name} runs hooks that record what it is asked", "set another facts.command")
    if not result.reason:
        files.replace(quiet, [])
