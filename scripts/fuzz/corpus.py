"""What mutation starts from: real inputs of each target, and the words that its grammar is made of."""
# ruff: noqa: E501

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tests.ingest.client_transcript import Transcript

DATA = Path(__file__).parents[2] / "tests" / "data"
SENTENCES = Path(__file__).parents[2] / "scripts" / "detector" / "sentences.txt"

WORDS: dict[str, tuple[str, ...]] = {
    "payload": ('"hook_event_name":', '"UserPromptSubmit"', '"PostToolBatch"', '"tool_calls":[', '{"tool_name":"Bash",',
                '"tool_response":', '"The user doesn\'t want to', "the user said:", "[", "]", "{", "}", '"', ",", ":",
                "\\ud800", "\\u0000", "1e999", "null", "<tool_use_error>", "<task-notification>"),
    "journal_line": ('{"id":"', '"ts":"', '"kind":"', '"payload":{', "}", "\n", '"', "\\ud800", "[", "1e999"),
    "command_line": ("&&", "||", "|", ";", "$(", ")", "`", "'", '"', "\\", "<<EOF", "\nEOF\n", ">", ">>", "<(", "((", "{", "}",
                     "for x in", "do", "done", "sudo ", "env A=b ", "sh -c ", "eval ", "git push", " ", "\n", "#", "$", "${"),
    "path_pattern": ("*", "**", "**/", "/", "?", "[", "]", "{", "}", ",", "!", "a", ".", "..", "\n", "[!a-", "{a,b}"),
    "redaction": ("password:", "password=", "://", "@", "a-b-", "sk-", "api_key=aaa&", "-----BEGIN PRIVATE KEY-----", "eyJ", ".",
                  "Bearer ", "token ", "is ", '"', "'", "<private>", "</private>", "\u200b", "AKIA", "ghp_", " ", "\n", "x"),
    "offered": ("[PROCESS_KNOWLEDGE]\n", "\n[/PROCESS_KNOWLEDGE]\n", "[DISCOVERY]\n", "\n[/DISCOVERY]\n", "```\n", "~~~\n", "> ",
                "<pre>", "</pre>", "    ", "type: warning\n", "- ", "## Lessons Learned\n", "lesson learned: ", "\r\n", "\n"),
    "yaml": ("a: ", "- ", "\n", "  ", "[", "]", "{", "}", "&a ", "*a", "!!python/object:x ", "|\n", ">\n", '"', "'", "# ", ": ",
             "? ", "---\n", "<<: ", ","),
    "transcript": ('{"type":"user",', '"message":{', '"content":[', '"sessionId":"s"', '"timestamp":"2026-01-31T09:00:00Z"', "\n",
                   '{"type":"tool_use"', '{"type":"tool_result"', '"is_error":true', "}", "]", '"isSidechain":true', "null"),
    "settings": ('"hooks":', '"Stop":', "[", "]", "{", "}", ",", '"', "\\u", "\n", "\t", " ", '"command":', "learnloop_hooks.entry", "1e9"),
    "imported": ("- ", "# ", "### ", "---\n", "\n", '{"nodes":[', '"type":', '"label":', "]", "}", '"', "* ", "  ", '"lessons":'),
    "filter_words": ("state:", "seen:>=", "is:", "not ", "or ", "(", ")", '"', "-", ":", ",", "<", ">", "2026-01-01", "3d", " ", "'"),
    "feedback": ("No, ", "don't ", "use ", "instead of ", ". ", "? ", "! ", "\n", "\n\n", "- ", "```\n", "> ", "always ", "never ",
                 "`", "<", ">", "http://x.y/", ", ", "; ", "(", "\t", "and ", "that is ", "1. ", "@a ", "*", "|"),
    "prompt_file": ("<!-- learnloop:begin append 1 -->", "<!-- learnloop:end append 1 -->", "<!-- learnloop:k7q2m3/5d41aa -->",
                    "<!-- /learnloop:k7q2m3 -->", "<!--", "-->", "```\n", "~~~\n", "\n", "\r\n", "---\n", "    ", "# "),
}  # fmt: skip


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    """Inputs to start from, the words of the grammar among them."""
    given = (word.encode("utf-8") for word in WORDS[name])
    return (*_REAL[name](), *given)


def _payloads() -> tuple[bytes, ...]:
    lines = (DATA / "client.jsonl").read_bytes().splitlines()
    return tuple(
        json.dumps({"session_id": "s1", "cwd": "/code/app", **json.loads(line)}).encode() for line in lines
    )


def _prompts() -> tuple[bytes, ...]:
    return tuple(SENTENCES.read_bytes().splitlines()[::6])


def _commands() -> tuple[bytes, ...]:
    judged = json.loads((DATA / "judged_commands.json").read_text("utf-8"))
    return tuple(sorted({part.encode() for part in _strings(judged)}))


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [part for each in inner for part in _strings(each)]


def _sources() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted((DATA / "sources").rglob("*")) if path.is_file())


def _transcripts() -> tuple[bytes, ...]:
    session = (
        Transcript().prompt("add a parser", promptId="p1").calls_tool("Write", {"file_path": "/code/a.py"})
    )
    lines = [json.dumps(line).encode() for line in session.says("Added it.").prompt("No, use pytest").lines]
    return (b"\n".join(lines), *lines)


_BLOCK = b"[PROCESS_KNOWLEDGE]\ntype: checklist\nlabel: Release\ntrigger_conditions:\n  tool_names: [Write, Edit]\n" \
    b"checklist:\n  title: Bump\n  items:\n    - pyproject.toml\n[/PROCESS_KNOWLEDGE]\n"  # fmt: skip
_SETTINGS = (
    b'{"model": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}\n',
    b"{}",
    b'{\n\t"a": []\n}',
)
_REAL: dict[str, Callable[[], tuple[bytes, ...]]] = {
    "payload": _payloads,
    "journal_line": lambda: (b'{"v":1,"id":"a","ts":"2026-01-02T03:04:05.000Z","kind":"prompt","session_id":"s","payload":{}}',),
    "command_line": _commands,
    "path_pattern": lambda: (b"src/**/*.py\nsrc/a/b.py", b"**/{a,b}/*\n/code/app/a/x", b"git push *\ngit push origin"),
    "redaction": _prompts,
    "offered": lambda: (_BLOCK, b"I am done.\n\n" + _BLOCK + b"\nAnything else?\n\n## Lessons Learned\n- Run the tests first.\n"),
    "yaml": lambda: (_BLOCK.partition(b"\n")[2].rpartition(b"[")[0], b"a: b\nc:\n  - d\n  - e: f\n"),
    "transcript": _transcripts,
    "settings": lambda: _SETTINGS,
    "imported": _sources,
    "filter_words": lambda: (b'kind:pattern,fact prio:>=high "run before" -is:external', b"created:<3d project:shop or seen:>2"),
    "feedback": _prompts,
    "prompt_file": lambda: (b"# Me\n\n<!-- learnloop:begin append 1 -->\n<!-- learnloop:k7q2m3/5d41aa -->\nUse uv.\n"
                            b"<!-- /learnloop:k7q2m3 -->\n<!-- learnloop:end append 1 -->\n",),
}  # fmt: skip
