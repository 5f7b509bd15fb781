"""The outcome of a lesson in sessions as hooks record them: told beside a call that breaks it."""

from typing import Any

from learnloop.ingest.analyze import analyze
from learnloop.ingest.run import ingest
from learnloop.service import workspace
from learnloop.service.lessons import documents, outcome_words, upkeep
from learnloop.service.review import verdicts
from tests.hooks.agent import Agent


def run(agent: Agent, session: str, command: str, use: str = "t1") -> bytes:
    """A command that the agent runs; returns what it is told before."""
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": use}
    answer = agent.fire("PreToolUse", session, **call)
    agent.fire("PostToolBatch", session, tool_calls=[{**call, "tool_response": "ok"}])
    return answer


def turn(agent: Agent, session: str, prompt: str, command: str = "") -> None:
    agent.fire("UserPromptSubmit", session, prompt=prompt, prompt_id=prompt)
    if command:
        run(agent, session, command)
    agent.fire("Stop", session, last_assistant_message="Done.")


def test_a_lesson_that_was_broken_three_times_was_ignored_not_followed(agent: Agent) -> None:
    ws = workspace.open_workspace(agent.root)
    lesson_id = verdicts.tell(ws, "pnpm is used instead of npm").lesson_ids[0]
    verdicts.edit(ws, lesson_id, {"stops": False})
    ingest(agent.root)
    for session in ("s1", "s2", "s3"):
        agent.fire("SessionStart", session, source="startup")
        turn(agent, session, "add left-pad", "npm install left-pad")
    turn(agent, "s3", "no, I said pnpm! why do you still use npm?", "pnpm add left-pad")
    ingest(agent.root)
    usage = documents.find(ws, lesson_id).usage
    assert (usage.told_sessions, usage.heeded, usage.ignored, usage.corrected, usage.recurred) == (
        3,
        0,
        3,
        0,
        1,
    )
    story = outcome_words.story(documents.find(ws, lesson_id).as_json())
    assert story.startswith("told 3× · ignored 3, last ")
    assert story.endswith('"no, I said pnpm! why do you still use npm?"')
    assert [proposal.reason for proposal in upkeep.proposals(ws)] == ["ignored"]
    analyze(agent.root)
    assert documents.find(ws, lesson_id).usage == usage
