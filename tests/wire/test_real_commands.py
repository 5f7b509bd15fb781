"""Real command lines, judged by reading each: which of twelve rules does it break? Agents ran them all."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnloop.learn.lessons import acts, call_patterns

_SHARED = Path(__file__).parents[3] / "shared" / "data"
_TABLE = json.loads((Path(__file__).parents[1] / "data" / "judged_commands.json").read_text("utf-8"))

pytestmark = pytest.mark.skipif(
    not _SHARED.exists(), reason="the real command lines are not here (../shared/data)"
)


def test_each_of_330_real_commands_breaks_what_a_reader_says_it_breaks() -> None:
    rules = {
        name: {"check": [rule.as_json() for rule in call_patterns.derive(words)]}
        for name, words in _TABLE["rules"].items()
    }
    commands = {name: command for command in _commands() if (name := _name(command)) in _TABLE["judged"]}
    assert len(commands) == len(_TABLE["judged"]) >= 300
    wrong = {}
    for name, command in commands.items():
        broken = [rule for rule, lesson in rules.items() if acts.breach(lesson, _call(command))]
        if set(broken) != set(_TABLE["judged"][name].split()):
            wrong[command] = broken
    assert not wrong


def _call(command: str) -> acts.AgentCall:
    return acts.AgentCall(command=command)


def _name(command: str) -> str:
    return hashlib.sha256(command.encode()).hexdigest()[:16]


def _commands() -> Iterator[str]:
    """Every command line of the shared tasks and transcripts."""
    for line in (_SHARED / "tasks-dev.jsonl").read_text("utf-8").splitlines():
        yield from map(str.strip, json.loads(line)["commands"])
    for path in sorted((_SHARED / "transcripts").glob("claude*.jsonl")):
        for line in map(json.loads, path.read_text("utf-8").splitlines()):
            content = (line.get("message") or {}).get("content")
            for part in content if isinstance(content, list) else ():
                if part.get("name") == "Bash":
                    yield str(part["input"]["command"]).strip()
