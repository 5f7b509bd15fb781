"""Commands as they are really written: what is unwanted is seen in any of them, and nothing else is."""

import random
import shlex
from collections.abc import Callable
from typing import Any

import pytest

from learnloop.learn.lessons import call_patterns
from learnloop.recall.compile import record
from learnloop.recall.explain import explain
from learnloop.wire import check_rules, relevance, shell

LESSONS = (
    "Use pnpm, not npm",
    "Use uv pip install, not pip install",
    "Never use `git push --force`",
    "Use rg instead of grep",
)
UNWANTED: tuple[str, ...] = (
    "npm install left-pad",
    "npm i",
    "npm --prefix web run build",
    "npx npm@10 ci",
    "npm",
    "pip install x",
    "python3 -m pip install -r reqs.txt",
    "pip3 install 'a b'",
    "git push --force",
    "git -C web push -u o x --force",
    "git push origin main --force",
    "grep -rn x .",
    "/usr/bin/grep x",
    "find . -name '*.ts' -exec grep x {} +",
    "xargs -n 1 grep x",
    '"npm" test',
    "n\\pm i",
)
OTHER = (
    "pnpm install npm",
    "pnpm exec tsc",
    "uv pip install x",
    "git push",
    "git push --force-with-lease",
    "rg npm",
    "echo npm install",
    "git commit -m 'npm install; grep x'",
    'git commit -m "use npm | grep $X"',
    "ls npm grep",
    "which npm",
    "command -v npm",
    "man grep",
    "cat npm",
    "pip list",
    "node npm.js",
    "tools=(npm grep)",
    "printf '%s\\n' 'it is `npm`'",
    "FOO=npm true",
    "cat <<'EOF'\nnpm i\ngrep x\nEOF",
    "true # npm i",
    "echo x > npm",
    "tee npm < grep",
    "for p in npm grep; do echo $p; done",
    "npmx i",
    "./npm.sh",
    "cat <<< npm",
    "case $x in npm|grep) echo;; pip) ls;; esac",
    "egrepx y",
    "git log --grep npm",
    "python -c 'import pip'",
)
Frame = Callable[[str], str]
FRAMES: tuple[Frame, ...] = (
    lambda line: f"cd x && {line}",
    lambda line: f"{line} && ls",
    lambda line: f"FOO=1 BAR='a b' true; {line}",
    lambda line: f"(cd web; {line})",
    lambda line: f"echo a | {line}\n" if "\n" not in line else line,
    lambda line: f"if true; then\n{line}\nfi",
    lambda line: f"while false; do\n{line}\ndone; true",
    lambda line: f"out=$( {line}\n)",
    lambda line: f'echo "at $( {line}\n) end"',
    lambda line: f"bash -c {shlex.quote(line)}",
    lambda line: f"sudo -u me sh -lc {shlex.quote(line)} 2>&1 | tee log",
    lambda line: f"eval {shlex.quote(line)}",
    lambda line: f"cat > f <<'END'\nit's text\nEND\n{line}",
    lambda line: f"{line}\n",
    lambda line: f"# it's a comment\n{line}",
    lambda line: f"diff <( {line}\n) <(ls)",
    lambda line: f"git commit -m \"$(cat <<'M'\nit's (text\nM\n)\"; {line}",
    lambda line: f"f() {{ {line}\n}}; f",
    lambda line: f"case $1 in\n  a) ls;;\n  b|c)\n{line}\n;;\nesac",
    lambda line: f"echo $((1 << 2))\n{line}",
    lambda line: f"( ( {line}\n) )",
)
BEFORE = (
    "",
    "sudo ",
    "env -u A B=1 ",
    "time ",
    "nohup ",
    "timeout 20 ",
    "nice -n 5 ",
    "A=1 B='c d' ",
    "! ",
    "exec ",
)


def _is_stopped(line: str) -> bool:
    moment = relevance.Moment({"moment": "tool", "tool": "Bash", "command": line, "words": ""})
    call = check_rules.Call(moment, {"tool_input": {"command": line}})
    return any(check_rules.breaks(rules, call.acts) for rules in STOPS)


def _rules(statement: str) -> list[dict[str, Any]]:
    check = [rule.as_json() for rule in call_patterns.derive(statement)]
    lesson = {"id": "a", "statement": statement, "stops": True, "check": check}
    rules: list[dict[str, Any]] = record(lesson, "a")["checks"]
    return rules


STOPS = [_rules(statement) for statement in LESSONS]


@pytest.mark.parametrize(("cores", "is_unwanted"), [(UNWANTED, True), (OTHER, False)])
@pytest.mark.slow
def test_ten_thousand_lines_are_told_apart(cores: tuple[str, ...], is_unwanted: bool) -> None:
    chosen = random.Random(7)
    wrong = set()
    for _ in range(6_000):
        line = chosen.choice(cores)
        if line[0].isalpha() and line.partition(" ")[0] not in ("for", "case", "tools=(npm"):
            line = chosen.choice(BEFORE) + line
        for _ in range(chosen.randrange(4)):
            line = chosen.choice(FRAMES)(line)
        if _is_stopped(line) is not is_unwanted:
            wrong.add(line)
    assert not wrong, min(wrong, key=len)


def test_any_mix_of_signs_ends_and_is_read_in_little_time() -> None:
    chosen = random.Random(3)
    pieces = [
        "'",
        '"',
        "`",
        "$(",
        ")",
        "(",
        "<<A",
        "\nA\n",
        "\\",
        "bash -c ",
        ";",
        "|",
        "&",
        "npm",
        " ",
        "\0",
        "é",
        "<(",
        "case ",
    ]
    for _ in range(3_000):
        shell.read("".join(chosen.choices(pieces, k=chosen.randrange(60))))


@pytest.mark.parametrize(("command", "is_stopped"), [("cd x && sudo npm i", True), ("pnpm add npm", False)])
def test_explain_says_which_lesson_stops_a_call(command: str, is_stopped: bool) -> None:
    check = [rule.as_json() for rule in call_patterns.derive(LESSONS[0])]
    lesson = {"id": "usespnpm", "status": "active", "statement": LESSONS[0], "scope": "global", "stops": True}
    moment = {"moment": "tool", "tool": "Bash", "command": command, "words": command}
    (explained,) = explain([{**lesson, "check": check}], moment, {"per_call": 3, "call_tokens": 400})
    assert explained.stops is is_stopped
