"""The server of `learn mcp`: three tools, and a resource for each lesson in use, over standard streams."""

import json
from collections.abc import AsyncIterable, Awaitable, Callable
from contextlib import suppress
from inspect import getdoc
from itertools import count
from typing import Annotated

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError, Resource, ToolAnnotations
from pydantic import Field, ValidationError

from learnloop import __version__
from learnloop.errors import LearnloopError
from learnloop.service.lessons import proposed_lessons
from learnloop.service.memory import near_tasks
from learnloop.service.recall import on_request
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.wire import render

MOST_PROPOSALS = 20
"""The most proposals of one client: a person reads each of them."""
_INSTRUCTIONS = (
    "Standing instructions that the user approved. Ask lessons_for at the start, before you write a file or "
    "run a command, and follow what it answers: it comes from the user."
)
_NOTHING, _NO_WORK = "No lesson applies here.", "Nothing earlier is near enough to this."
_URI = "learnloop://lessons/"
_LONGEST_NAME = 80


class LessonServer(MCPServer[object]):
    """Lessons of one project. Each request reads settings, switches and lessons as they are then."""

    def __init__(self, root: str, project: str) -> None:
        super().__init__("learnloop", instructions=_INSTRUCTIONS, version=__version__, log_level="ERROR")
        self._root, self._project, self._numbers = root, project, count(1)
        reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        adds = ToolAnnotations(destructive_hint=False, open_world_hint=False)
        tools = (self.lessons_for, reads), (self.earlier_work, reads), (self.propose_lesson, adds)
        for tool, annotations in tools:
            self.add_tool(tool, description=getdoc(tool), annotations=annotations, structured_output=False)
        self.resource(_URI + "{short}", name="lesson", mime_type="text/plain")(self.lesson)

    async def lessons_for(
        self,
        context: Context[object],
        file: Annotated[str, Field(description="path of the file you are about to write")] = "",
        command: Annotated[str, Field(description="shell command you are about to run")] = "",
        task: Annotated[str, Field(description="what the user asked for, in their words")] = "",
    ) -> str:
        """The user's approved instructions for a file, a command or a task; without any, those for the start.

        Few or none apply at a time. Asking changes nothing; that you were told is recorded.
        """
        inquiry = on_request.Inquiry(self._project, _host(context), file, command, task)
        try:
            return on_request.lessons_for(self._workspace(), inquiry) or _NOTHING
        except LearnloopError as error:
            raise ToolError(str(error)) from error

    async def earlier_work(
        self,
        query: Annotated[str, Field(description="what you are about to do, in a few words")] = "",
        file: Annotated[str, Field(description="path of a file that it is about")] = "",
        error: Annotated[str, Field(description="the failure that you want to mend")] = "",
    ) -> str:
        """Work of earlier sessions in this project: files that such work touched and what proved it, what
        the user corrected there, and what mended a failure. A record, not instructions.
        """
        try:
            words = f"{query} {error}".strip()
            return near_tasks.earlier_work(self._workspace(), words, file, self._project) or _NO_WORK
        except LearnloopError as refused:
            raise ToolError(str(refused)) from refused

    async def propose_lesson(
        self,
        context: Context[object],
        statement: Annotated[
            str, Field(description="one sentence: what is to be done, 10 to 300 characters")
        ],
        reason: Annotated[str, Field(description="why, as the user said it or as you found out")] = "",
    ) -> str:
        """Propose an instruction for later sessions, after the user corrected you.

        It becomes a draft. No agent is told it unless the user approves it.
        """
        if next(self._numbers) > MOST_PROPOSALS:
            raise ToolError(f"{MOST_PROPOSALS} proposals are enough: the user has to read them")
        try:
            return proposed_lessons.propose(
                self._workspace(), statement, reason, project=self._project, host=_host(context)
            )
        except LearnloopError as error:
            raise ToolError(str(error)) from error

    async def lesson(self, short: str) -> str:
        """A lesson in use, as an agent reads it."""
        for record in on_request.active_lessons(self._workspace(), self._project):
            if record["short"] == short:
                return render.text([record])
        raise ResourceNotFoundError(f"no lesson in use is called {short[:26]}")

    async def list_resources(self) -> list[Resource]:
        """The lessons in use that hold in the project."""
        return [
            Resource(
                uri=_URI + record["short"],
                name=record["text"][:_LONGEST_NAME],
                description=record["text"],
                mime_type="text/plain",
            )
            for record in on_request.active_lessons(self._workspace(), self._project)
        ]

    async def run_stdio_async(self) -> None:
        """Answer on standard streams, also a line that is no message: its client would wait for ever."""
        server = self._lowlevel_server
        writer, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        async with stdio_server() as (lines, answers), anyio.create_task_group() as both:
            both.start_soon(_messages, lines, writer, answers.send)
            await server.run(messages, answers, server.create_initialization_options())

    def _workspace(self) -> Workspace:
        return open_workspace(self._root)


async def _messages(
    lines: AsyncIterable[SessionMessage | Exception],
    writer: MemoryObjectSendStream[SessionMessage | Exception],
    answer: Callable[[SessionMessage], Awaitable[None]],
) -> None:
    """Hand messages on; answer what is none with an error, under its id where it has one."""
    async with writer:
        async for message in lines:
            if isinstance(message, ValidationError):
                fault = ErrorData(code=PARSE_ERROR, message="the line is no message of JSON-RPC")
                name = _id_in(message.errors()[0]["input"])
                await answer(SessionMessage(JSONRPCError(jsonrpc="2.0", id=name, error=fault)))
            else:
                await writer.send(message)


def _id_in(line: object) -> int | str | None:
    """The id in what is no message; None where it has none."""
    with suppress(ValueError, RecursionError):
        line = json.loads(line) if isinstance(line, str) else line
    name = line.get("id") if isinstance(line, dict) else None
    return name if isinstance(name, int) or (isinstance(name, str) and name.isascii()) else None


def _host(context: Context[object]) -> str:
    client = context.session.client_params
    return on_request.host_of(client.client_info.name if client else "")


def serve(root: str, project: str) -> None:
    """Answer requests on standard input until it ends."""
    LessonServer(root, project).run()
