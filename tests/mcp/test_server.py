"""`learn mcp` over real standard streams, asked by the SDK's own client."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp_types import CallToolResult, Implementation, TextContent, TextResourceContents

from learnloop.ingest.run import ingest
from learnloop.service.lessons import documents
from learnloop.service.memory import near_tasks
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import render
from tests.ingest.session_scene import START, Scene, write

SERVER = ("-m", "learnloop.cli.main", "mcp")


@pytest.fixture
def project(home: Path) -> str:
    folder = home / "shop"
    folder.mkdir()
    return str(folder)


@asynccontextmanager
async def client(project: str, name: str = "codex-mcp-client", **variables: str) -> AsyncIterator[Client]:
    environment = {**os.environ, **variables}
    server = StdioServerParameters(command=sys.executable, args=list(SERVER), env=environment, cwd=project)
    async with Client(stdio_client(server), client_info=Implementation(name=name, version="1")) as connected:
        yield connected


def words(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def asked(connected: Client, **arguments: object) -> str:
    return words(await connected.call_tool("lessons_for", arguments))


def add(ws: Workspace, statement: str, **fields: Any) -> str:
    return verdicts.add(ws, statement, **fields).lesson_ids[0]


async def test_an_agent_is_told_what_a_hook_would_tell(ws: Workspace, project: str) -> None:
    npm = add(ws, "npm is never run.", triggers={"command_patterns": ["npm *"]})
    sql = add(ws, "SQL is written in lower case.", triggers={"file_patterns": ["**/*.sql"]})
    start = add(ws, "Answers are short.")
    async with client(project) as connected:
        assert await asked(connected, command="npm install") == (
            f"{render.HEADING}\n- npm is never run. ({npm[:4]})"
        )
        assert sql[:4] in await asked(connected, file="db/shop.sql")
        assert await asked(connected) == f"{render.HEADING}\n- Answers are short. ({start[:4]})"
        assert await asked(connected, command="ls") == "No lesson applies here."
        verdicts.archive(ws, [npm], "unused")
        assert await asked(connected, command="npm install") == "No lesson applies here."
    ingest(ws.root, wait_s=5)
    recalled = {key: doc["usage"]["recalled"] for key, doc in documents.lessons(ws.root).items()}
    assert recalled == {npm: 1, sql: 1, start: 1}


async def test_an_agent_asks_for_earlier_work_where_the_person_lets_it(ws: Workspace, project: str) -> None:
    others = (_other(f"o{n}", project, n) for n in range(40))
    both = (_checkout(f"t{n}", project, 5 + n, "src/total.ts") for n in range(3))
    write(ws.root, *others, *(_checkout(f"s{n}", project, n) for n in range(3)), *both)
    ingest(ws.root)
    query = {"query": "let guests through the checkout of the cart"}
    async with client(project) as connected:
        refused = await connected.call_tool("earlier_work", query)
        assert refused.is_error
        assert "learn prime on" in words(refused)
        near_tasks.set_priming(ws, project, on=True)
        told = words(await connected.call_tool("earlier_work", query))
        assert told == near_tasks.prime(ws, query["query"], project=project).text()
        assert "Work like this wrote src/cart.ts (6), src/total.ts (3)" in told
        of_file = await connected.call_tool("earlier_work", {"file": "src/cart.ts"})
        assert "use pnpm instead of npm" in words(of_file)
        nothing = await connected.call_tool("earlier_work", {"error": "zebra crossing"})
        assert words(nothing) == "Nothing earlier is near enough to this."


def _other(session: str, project: str, number: int) -> Scene:
    made = Scene(session, project, START + number * 60_000)
    made.prompt(f"Translate chapter number{number} of the handbook", "p1")
    return made.call("Edit", f"{project}/book/{number}.md", prompt_id="p1").stop(prompt_id="p1")


def _checkout(session: str, project: str, number: int, *more: str) -> Scene:
    """One of several tasks about the same file, and perhaps more, which the person corrected."""
    made = Scene(session, project, START + (50 + number) * 60_000)
    made.prompt(f"Let guests pay in the checkout of cart {number}", "p1")
    for file in ("src/cart.ts", *more):
        made.call("Edit", f"{project}/{file}", prompt_id="p1")
    made.stop(prompt_id="p1")
    return made.prompt("No, that's wrong, use pnpm instead of npm", "p2").stop(prompt_id="p2")


async def test_tools_and_resources_say_what_they_are(ws: Workspace, project: str) -> None:
    lesson = add(ws, "Answers are short.")
    add(ws, "Only elsewhere.", scope="project", project="/somewhere/else")
    async with client(project) as connected:
        tools = {tool.name: tool for tool in (await connected.list_tools()).tools}
        assert tools.keys() == {"lessons_for", "earlier_work", "propose_lesson"}
        assert tools["lessons_for"].input_schema["properties"].keys() == {"file", "command", "task"}
        assert all(len(tool.description or "") < 250 for tool in tools.values())
        (resource,) = (await connected.list_resources()).resources
        assert (resource.uri, resource.description) == (
            f"learnloop://lessons/{lesson[:4]}",
            "Answers are short.",
        )
        (content,) = (await connected.read_resource(resource.uri)).contents
        assert isinstance(content, TextResourceContents)
        assert content.text == f"{render.HEADING}\n- Answers are short. ({lesson[:4]})"
        with pytest.raises(MCPError, match="no lesson in use is called zzzz"):
            await connected.read_resource("learnloop://lessons/zzzz")


async def test_a_proposal_is_a_draft_of_an_agent_and_nobody_is_told_it(ws: Workspace, project: str) -> None:
    async with client(project) as connected:
        proposed = await connected.call_tool("propose_lesson", {"statement": "Tabs are used in Makefiles."})
        assert "No agent is told it unless the person approves it." in words(proposed)
        assert await asked(connected) == "No lesson applies here."
        assert (await connected.list_resources()).resources == []
        (draft,) = documents.lessons(ws.root).values()
        assert (draft["status"], draft["trust"], draft["source"]) == ("draft", "agent", "proposal")
        assert draft["project"] == project
        lesson = add(ws, "npm is never run.", triggers={"command_patterns": ["npm *"]})
        for name, arguments in (
            ("remove_all", {}),
            ("lessons_for", {"command": ["npm"]}),
            ("propose_lesson", {}),
            ("propose_lesson", {"statement": "short"}),
            ("propose_lesson", {"statement": "long " * 5_000}),
            ("propose_lesson", {"statement": "Tabs are used.", "reason": "x" * 5_000}),
        ):
            assert (await connected.call_tool(name, arguments)).is_error, (name, str(arguments)[:60])
        assert await asked(connected, task="\x00\x1b[2J\u202e" * 100_000) == "No lesson applies here."
        assert lesson[:4] in await asked(
            connected, command="npm \x00\ud800".encode("utf-8", "replace").decode()
        )
    assert documents.lessons(ws.root).keys() == {lesson, draft["id"]}


@pytest.mark.slow
def test_lines_that_are_no_messages_are_answered_and_do_not_end_the_server(project: str) -> None:
    server = subprocess.Popen(
        [sys.executable, *SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project
    )
    with server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(b"\xff\xfe\x00\n{\n[]\n" + b"x" * 1_000_000 + b"\n")
        server.stdin.write(b'{"jsonrpc":"2.0","id":6,"method":"ping","params":{"a":"\\ud800"}}\n')
        server.stdin.write(b'{"jsonrpc":"2.0","id":7,"method":"ping"}\n')
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(6)]
        assert [answer["id"] for answer in answers] == [None, None, None, None, 6, 7]
        assert {answer["error"]["code"] for answer in answers[:5]} == {-32700}
        server.stdin.close()
    assert server.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["LEARNLOOP_DISABLE", "DISABLE_EXPERIENCE_INJECTION", "LEARNLOOP_RECALL"])
async def test_variables_silence_it(ws: Workspace, project: str, name: str) -> None:
    add(ws, "Answers are short.")
    async with client(project, **{name: "0" if name == "LEARNLOOP_RECALL" else "1"}) as connected:
        assert await asked(connected) == "No lesson applies here."
        assert (await connected.list_resources()).resources == []


def test_without_the_sdk_one_line_says_how_to_get_it(root: str, tmp_path: Path) -> None:
    (tmp_path / "mcp.py").write_text("raise ModuleNotFoundError('no', name='mcp')")
    ran = subprocess.run(
        [sys.executable, *SERVER], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "learn: mcp is not installed – pip install 'learnloop[mcp]' gets it\n"
