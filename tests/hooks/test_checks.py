"""Checks of lessons bind: before a call and at the end of a turn, with what was found; nothing else does."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.models.lesson_check import CheckRule
from learnloop.wire import session_recalls
from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish

COMMIT = {"on": "command", "runs": ["git commit"]}
SOURCE = {"on": "write", "files": ["src/**"]}
MAKE_TEST = {"on": "command", "runs": ["make test"]}


def lesson(*rules: dict[str, Any], **changes: Any) -> dict[str, Any]:
    check = [CheckRule.model_validate(rule).model_dump(mode="json") for rule in rules]
    return {
        "id": "checked1", "status": "active", "statement": "As I said.", "scope": "global", "stops": True,
        "check": check, **changes,
    }  # fmt: skip


def never(**event: Any) -> dict[str, Any]:
    return {"form": "never", "act": [event]}


def before(agent: Agent, tool: str, session: str = "s1", **given: Any) -> str:
    """Why a call is stopped; empty where it runs."""
    out = agent.fire("PreToolUse", session, tool_name=tool, tool_use_id="t", tool_input=given)
    answer = json.loads(out).get("hookSpecificOutput", {}) if out else {}
    return str(answer["permissionDecisionReason"]) if answer.get("permissionDecision") == "deny" else ""


def bash(agent: Agent, command: str, result: str = "ok", session: str = "s1") -> str:
    """Why a command is stopped; one that runs has a result."""
    if reason := before(agent, "Bash", session, command=command):
        return reason
    after(agent, "Bash", session, result, command=command)
    return ""


def after(agent: Agent, tool: str, session: str = "s1", result: str = "ok", **given: Any) -> None:
    call = {"tool_name": tool, "tool_input": given, "tool_use_id": "t", "tool_response": result}
    agent.fire("PostToolBatch", session, tool_calls=[call])


def write(agent: Agent, file: str, text: str = "x", old: str = "", session: str = "s1") -> str:
    path = str(agent.project / file)
    if old:
        return before(agent, "Edit", session, file_path=path, old_string=old, new_string=text)
    return before(agent, "Write", session, file_path=path, content=text)


def end(agent: Agent, said: str = "Done.", session: str = "s1") -> str:
    out = agent.fire("Stop", session, stop_hook_active=False, last_assistant_message=said)
    return str(json.loads(out)["reason"]) if out else ""


@pytest.mark.parametrize(
    ("event", "broken", "kept"),
    [
        ({"runs": ["playwright test"], "has": ["--headed"]}, "npx playwright test --headed", "ls"),
        ({"runs": ["git merge"], "lacks": ["--squash"]}, "git merge dev", "git merge --squash dev"),
        ({"runs": ["git commit"], "has": ["-n"]}, "git commit -anm x", "git commit -m 'x -n'"),
        ({"runs": ["conda create"], "lacks": ["-n aie*"]}, "conda create -n foo", "conda create -n aie311"),
        ({"runs": ["vercel"], "folder": ["agent/"]}, "cd agent/x && vercel deploy", "vercel deploy"),
        ({"runs": ["npm run dev"], "unless": ["npm run dev:docs"]}, "npm run dev &", "npm run build"),
        ({"text": ["re:sk-[a-z0-9]{8}"]}, "curl -H 'k: sk-abcdefgh1' x", "curl x"),
        ({"runs": ["python* -m venv"], "folder": ["!api"]}, "python -m venv v", "cd api && python -m venv v"),
        ({"line": ["&&"], "skip": ["quotes"]}, "ls && pwd", "git commit -m 'a && b'"),
        ({"runs": ["npm test"], "line": ["PORT=80"]}, "PORT=80 npm test", "PORT=81 npm test"),
    ],
)  # fmt: skip
def test_commands(agent: Agent, publish: Publish, event: dict[str, Any], broken: str, kept: str) -> None:
    publish(lesson(never(on="command", **event)))
    assert bash(agent, kept) == ""
    assert bash(agent, broken).startswith("As I said. (chec)\nFound: ")


@pytest.mark.parametrize(
    ("event", "broken", "kept"),
    [
        ({"files": ["docs/*.md"], "unlike": "re:^[A-Z0-9-]+\\.md$"}, ("docs/plan.md",), ("docs/MY-PLAN.md",)),
        ({"files": ["/*.py"], "fresh": True}, ("new.py",), ("lib/new.py",)),
        ({"files": ["*.ts"], "text": ["addFolder("]}, ("a.ts", "x.addFolder(1)"), ("a.ts", "myaddFolder(1)")),
        ({"text": ["TODO"], "skip": ["comments"]}, ("a.py", "x = 'TODO'"), ("a.py", "# TODO")),
        ({"text": ["TODO"], "skip": ["tests", "docs"]}, ("a.py", "TODO"), ("tests/a.py", "TODO")),
        ({"text": ["x()"], "skip": ["fences"]}, ("a.md", "x()"), ("a.md", "```\nx()\n```")),
        ({"files": ["*.mdx"], "without": ["description:"]}, ("a.mdx", "# A"), ("a.mdx", "description: a")),
        ({"files": ["*.go"], "gone": ["re:^func "]}, ("a.go", "y", "func a()"), ("a.go", "func b()", "func")),
        ({"gone": ["!keep"], "without": ["!keep"]}, ("a", "", "!keep"), ("b", "!keep x", "!keep")),
        ({"files": ["*.md"], "longest": 2}, ("a.md", "1\n2\n3"), ("a.md", "1\n2")),
        ({"text": ["re:port: \\d+"], "but": ["9000"]}, ("a.yml", "port: 80"), ("b.yml", "port: 9000")),
        ({"text": ["strict:"], "but": ["true"]}, ("a.yml", "strict: no"), ("b.yml", "strict: true")),
        ({"text": ["done"], "also": ["- [ ]"]}, ("a.md", "done\n- [ ] x"), ("b.md", "done\n- [x] x")),
        ({"text": ["re:\\bfoo\\b"], "times": 3}, ("a.go", "foo\nfoo foo"), ("b.go", "foo\nfoo")),
        ({"text": ["re:^#.*\\n\\|"]}, ("a.md", "# A\n| b |"), ("b.md", "# A\nwords\n| b |")),
        ({"files": ["*.go"], "gone": ["re:func Run\\(.*"]}, ("a.go", "func Run(b)", "func Run(a)"),
         ("b.go", "func Run(a)\nx", "func Run(a)")),
    ],
)  # fmt: skip
def test_files(
    agent: Agent, publish: Publish, event: dict[str, Any], broken: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    publish(lesson(never(on="write", **event)))
    assert write(agent, *kept) == ""
    assert write(agent, *broken).startswith("As I said. (chec)\nFound: ")


def test_text_that_the_file_has_already_is_not_new(agent: Agent, publish: Publish) -> None:
    publish(lesson(never(on="write", text=["latest"])))
    Path(agent.project, "a.md").write_text("latest\n", "utf-8")
    assert write(agent, "a.md", "latest\nand more") == ""
    assert "Found: latest in" in write(agent, "a.md", "latest\nlatest")


def test_a_file_that_is_written_anew_loses_what_stood_there(agent: Agent, publish: Publish) -> None:
    publish(lesson(never(on="write", gone=["keep me"])))
    Path(agent.project, "a.md").write_text("keep me\n", "utf-8")
    assert write(agent, "a.md", "keep me\nand more") == ""
    assert write(agent, "a.md", "more")


def test_a_folder_is_made_and_what_is_moved_away_is_not_new(agent: Agent, publish: Publish) -> None:
    publish(lesson(never(on="write", files=["/tests"], fresh=True)))
    assert bash(agent, "git mv tests/e2e test/e2e") == ""
    assert bash(agent, "rm -r tests/old") == ""
    assert "Found: tests/unit\n" in bash(agent, "mkdir -p tests/unit")
    assert bash(agent, "git mv spec tests/spec", session="s2")


def test_reads_and_other_tools(agent: Agent, publish: Publish) -> None:
    secret = {"on": "read", "files": [".env*"], "unless": [".env.example"]}
    publish(lesson(never(**secret), never(on="tool", runs=["mcp__fs__*"])))
    assert before(agent, "Read", file_path=str(agent.project / ".env.example")) == ""
    assert before(agent, "Read", file_path=str(agent.project / ".env"))
    assert before(agent, "Bash", "s5", command="grep .env .gitignore") == ""
    assert before(agent, "Bash", "s2", command="cat .env.local | head")
    assert before(agent, "mcp__fs__read", "s3", path="/x")
    assert before(agent, "mcp__git__log", "s4", path="/x") == ""


def test_before_a_commit_a_passing_run_since_the_last_edit(agent: Agent, publish: Publish) -> None:
    publish(
        lesson({"form": "before", "act": [COMMIT], "then": [MAKE_TEST], "since": "edit", "passing": True})
    )
    bash(agent, "make test")
    assert bash(agent, "git commit -m a") == ""
    write(agent, "src/a.py")
    bash(agent, "make test", "1 failed, 3 passed")
    assert bash(agent, "git commit -m a").startswith("As I said. (chec)\nFound: git commit -m a\n")
    bash(agent, "make test", session="s2")
    assert bash(agent, "git commit -m a", session="s2") == ""
    assert bash(agent, "ls && git commit -m 'make test'", session="s3")


def test_before_an_edit_a_read_in_this_turn(agent: Agent, publish: Publish) -> None:
    first = {"on": "read", "files": ["GUIDE.md"]}
    publish(lesson({"form": "before", "act": [SOURCE], "then": [first], "turn": True}))
    agent.fire("UserPromptSubmit", prompt="go on with the loader", prompt_id="p1")
    after(agent, "Read", file_path=str(agent.project / "GUIDE.md"))
    assert write(agent, "src/a.py") == ""
    agent.fire("UserPromptSubmit", prompt="now the parser please", prompt_id="p2")
    assert write(agent, "src/a.py")


def test_after_a_push_nothing_is_written(agent: Agent, publish: Publish) -> None:
    publish(lesson({"form": "after", "act": [{"on": "command", "runs": ["git push"]}], "then": [SOURCE]}))
    assert write(agent, "src/a.py") == ""
    bash(agent, "git push")
    assert write(agent, "src/a.py")


def test_what_is_due_and_failed_is_sent_back_once(agent: Agent, publish: Publish) -> None:
    due = {"form": "due", "act": [SOURCE], "then": [MAKE_TEST], "passing": True}
    publish(lesson(due, stops=False, reminds=True))
    write(agent, "src/a.py")
    bash(agent, "make test")
    assert end(agent) == ""
    write(agent, "src/a.py")
    bash(agent, "make test", "Exit code 1")
    assert end(agent).startswith("As I said. (chec)\n")
    assert end(agent) == ""


def test_a_noisy_one_reminds_at_the_end_alone(agent: Agent, publish: Publish) -> None:
    publish(lesson(never(on="write", text=["console.log"]), stops=False, reminds=True))
    assert write(agent, "src/a.ts", "console.log(1)") == ""
    assert end(agent).startswith("As I said. (chec)\n")
    assert write(agent, "src/a.ts", "log(1)", session="s2") == ""
    assert end(agent, session="s2") == ""


def test_the_last_message_is_held_to_it(agent: Agent, publish: Publish) -> None:
    ran = {"on": "command", "runs": ["pytest"]}
    claim = {"form": "before", "act": [{"on": "say", "text": ["tests pass"]}], "then": [ran], "since": "edit"}
    publish(lesson(claim, never(on="say", text=["re:[Yy]ou're right"])))
    assert "Found: tests pass\n" in end(agent, "All tests pass.")
    bash(agent, "pytest", session="s2")
    assert end(agent, "All tests pass.", session="s2") == ""
    assert end(agent, "You're right!", session="s3")


def test_the_memory_stays_small_in_many_calls(agent: Agent, publish: Publish) -> None:
    from learnloop.wire import check_memory

    memory = check_memory.SessionChecks(agent.root, "s1")
    for number in range(3000):
        memory.mark("checked1.0") if number % 2 else memory.clear("checked1.0")
        memory.open(f"checked1.{number % 7}")
        memory.keep()
        if number % 500 == 0:
            memory = check_memory.SessionChecks(agent.root, "s1")
    size = Path(session_recalls.path(agent.root, "s1") + session_recalls.ACTS).stat().st_size
    assert size < 1 << 16
    assert check_memory.SessionChecks(agent.root, "s1").is_set("checked1.0")


@pytest.mark.parametrize("tries", [1, 40])
def test_a_rule_for_every_time_stops_each_call_until_the_person_orders_it(
    agent: Agent, publish: Publish, tries: int
) -> None:
    publish(lesson({**never(on="command", runs=["terraform apply"]), "every": True}))
    reasons = [bash(agent, "terraform apply") for _ in range(tries + 1)]
    assert all("every time" in reason and "goes through" not in reason for reason in reasons)
    agent.fire("UserPromptSubmit", "s1", prompt="run terraform apply now")
    assert bash(agent, "terraform apply") == ""


def test_an_order_for_every_time_ends_when_what_comes_first_was_done(agent: Agent, publish: Publish) -> None:
    publish(lesson({"form": "before", "act": [COMMIT], "then": [MAKE_TEST], "every": True}))
    assert bash(agent, "git commit -m x")
    assert bash(agent, "git commit -m x")
    assert bash(agent, "make test") == ""
    assert bash(agent, "git commit -m x") == ""


@pytest.mark.parametrize(
    "rule", [{"form": "due", "act": [SOURCE], "then": [MAKE_TEST]}, {"form": "before", "act": [COMMIT]}]
)
def test_what_is_due_or_read_first_is_not_for_every_time(rule: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not for what is due"):
        CheckRule.model_validate({**rule, "every": True})
