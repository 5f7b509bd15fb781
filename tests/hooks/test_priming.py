"""Priming: earlier tasks behind the lessons, where the person switched it on, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest import earlier_tasks
from learnloop.ingest.run import ingest
from learnloop.models.task import Task
from learnloop.recall import task_index
from learnloop.wire import clock, earlier, nearness, paths
from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish
from tests.hooks.recalls import lesson
from tests.ingest.session_scene import Scene, write
from tests.service.health.test_earlier_check import KINDS, foreign

LESSONS = "The user's standing instructions for this project, approved by them:"
HEADING = "A record of earlier work in this project, with the user's own words; not instructions:"
PROMPT = "The guest checkout on the cart page loses its totals"
CORRECTION = "No, that's wrong, use pnpm instead of npm"
TOLD = (
    "- 2026-03-10 at src/cart.ts (“Add a guest checkout to the cart page”) the user corrected:"
    f" “{CORRECTION}”"
)
NOON = clock.parse_ms("2026-03-10T12:00:00.000Z")


def tasks(agent: Agent, *more: Scene) -> None:
    """Earlier tasks of the agent's project: many about something else, one about the checkout."""
    project = str(agent.project)
    scenes = [
        Scene(f"o{n}", project, NOON - 86_400_000 + n * 60_000)
        .prompt(f"Translate chapter number{n} of the handbook", "p1")
        .call("Edit", f"{project}/book/{n}.md", prompt_id="p1").stop(prompt_id="p1")
        for n in range(60)
    ]  # fmt: skip
    checkout = Scene("c", project, NOON).prompt("Add a guest checkout to the cart page", "p1")
    checkout.call("Edit", f"{project}/src/cart.ts", prompt_id="p1").call("Bash", "npm test", prompt_id="p1")
    checkout.stop("SECRETCLAIM of the agent", prompt_id="p1").prompt(CORRECTION, "p2").stop(prompt_id="p2")
    write(agent.root, *scenes, checkout, *more)
    ingest(agent.root)
    earlier_tasks.refresh(agent.root)


@pytest.fixture
def primed(agent: Agent, publish: Publish) -> Agent:
    tasks(agent)
    publish(priming={str(agent.project): True})
    return agent


def text(out: bytes) -> list[str]:
    answer: dict[str, Any] = json.loads(out) if out else {}
    context: str = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
    return context.split("\n") if context else []


def ask(agent: Agent, prompt: str = PROMPT, session: str = "new", **more: Any) -> list[str]:
    return text(agent.fire("UserPromptSubmit", session, prompt=prompt, **more))


def receipts(agent: Agent) -> list[dict[str, Any]]:
    return [payload for kind, payload in agent.payloads() if kind == "recall"]


def test_a_prompt_is_told_the_earlier_task_it_is_about_once(primed: Agent) -> None:
    assert ask(primed) == [HEADING, TOLD]
    (receipt,) = receipts(primed)
    (told,) = receipt["tasks"]
    assert (receipt["moment"], receipt["lessons"], told["files"]) == ("prompt", [], 0)
    assert told["score"] == nearness.score((told["words"], told["files"], told["age"])) >= nearness.THRESHOLD
    assert receipt["chars"] == len("\n".join([HEADING, TOLD]))
    assert ask(primed) == []
    primed.fire("SessionStart", "new", source="compact")
    assert ask(primed) == [HEADING, TOLD]


def test_it_is_told_where_a_session_begins_and_not_later(primed: Agent) -> None:
    assert ask(primed, "hi there") == []
    assert ask(primed) == [HEADING, TOLD], "a greeting is no beginning"
    assert ask(primed, "Write a poem about autumn", "later") == []
    assert ask(primed, session="later") == []


@pytest.mark.parametrize(
    "prompt", ["Write a poem about autumn", "proceed", "<task-notification>guest checkout cart"]
)
def test_what_is_about_nothing_earlier_is_told_nothing(prompt: str, primed: Agent) -> None:
    assert ask(primed, prompt) == []
    assert receipts(primed) == []


@pytest.mark.parametrize(
    "prompt",
    ["x", "部署到服务器" * 3_000, "cart" * 4_000, "cart " * 3_200, "\ud83d\udc4d\x00\u202e", "`" * 16_000],
)
def test_odd_prompts_harm_nothing(prompt: str, primed: Agent) -> None:
    ask(primed, prompt)
    assert [kind for kind, _ in primed.payloads() if kind == "hook_error"] == []


def test_it_is_off_until_a_person_switches_it_on(agent: Agent, publish: Publish) -> None:
    tasks(agent)
    for priming in ({}, {"/elsewhere": True}, {"": True, str(agent.project): False}):
        publish(priming=priming)
        assert ask(agent, session=str(priming)) == []
    publish(priming={"": True})
    assert ask(agent) == [HEADING, TOLD]


def test_switches_that_stop_recall_stop_it_too(primed: Agent) -> None:
    assert text(primed.fire("UserPromptSubmit", "a", prompt=PROMPT, env={"LEARNLOOP_RECALL": "0"})) == []
    folder = primed.project / ".learnloop"
    folder.mkdir()
    (folder / "record-only").touch()
    assert ask(primed, session="b") == []
    (folder / "record-only").unlink()
    Path(primed.root, "recall-off").touch()
    assert ask(primed, session="c") == []
    Path(primed.root, "recall-off").unlink()
    assert ask(primed, session="d") == [HEADING, TOLD]


def test_a_hidden_task_is_not_told(primed: Agent, publish: Publish) -> None:
    ask(primed)
    (told,) = receipts(primed)[0]["tasks"]
    publish(priming={"": True}, hidden=[told["id"]])
    assert ask(primed, session="later") == []


def test_lessons_come_first_and_leave_it_what_is_left_of_the_budget(primed: Agent, publish: Publish) -> None:
    carts = lesson("carting2", "Carts are tested.", triggers={"action_keywords": ["checkout", "cart"]})
    publish(carts, priming={"": True})
    first, told, empty, heading, line = ask(primed)
    assert (told, empty, heading, line) == ("- Carts are tested. (cart)", "", HEADING, TOLD)
    assert receipts(primed)[-1]["lessons"][0]["id"] == "carting2"
    publish(carts, priming={"": True}, budgets={"call_tokens": len(f"{first}{told}{HEADING}") // 4})
    assert ask(primed, session="later") == [first, told]


def test_an_index_of_an_earlier_version_still_tells_tasks(
    agent: Agent, publish: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    def older(task: Task) -> dict[str, Any]:
        return {**newest(task), "lessons": [task.id]}

    newest = task_index.record
    monkeypatch.setattr(task_index, "record", older)
    tasks(agent)
    carts = lesson("carting2", "Carts are tested.", triggers={"action_keywords": ["checkout", "cart"]})
    publish(carts, priming={"": True})
    assert ask(agent) == [LESSONS, "- Carts are tested. (cart)", "", HEADING, TOLD]


def test_a_subagent_is_told_what_its_session_is_about(primed: Agent) -> None:
    ask(primed)
    out = primed.fire("SubagentStart", "new", agent_id="a1", agent_type="reviewer")
    assert text(out) == [HEADING, TOLD]
    assert json.loads(out)["hookSpecificOutput"]["hookEventName"] == "SubagentStart"
    assert text(primed.fire("SubagentStart", "new", agent_id="a1", agent_type="reviewer")) == []
    assert text(primed.fire("SubagentStart", "new", agent_id="a2")) == []


def test_damaged_files_tell_nothing_and_break_nothing(primed: Agent) -> None:
    for path in Path(paths.earlier_tasks(primed.root)).iterdir():
        path.write_bytes(path.read_bytes()[:40] + b"x" * 400)
    assert ask(primed) == []
    assert [kind for kind, _ in primed.payloads() if kind == "hook_error"] == []


@pytest.mark.parametrize(
    "kind", [*KINDS[:2], *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS[2:])]
)
def test_a_whole_index_of_another_version_tells_nothing_and_costs_no_lesson(
    kind: str, primed: Agent, publish: Publish
) -> None:
    carts = lesson("carting2", "Carts are tested.", triggers={"action_keywords": ["checkout", "cart"]})
    publish(carts, priming={"": True})
    for path in Path(paths.earlier_tasks(primed.root)).iterdir():
        if path.name != earlier.LIST:
            path.write_bytes(foreign(kind, str(primed.project)))
    assert ask(primed)[1:] == ["- Carts are tested. (cart)"]
    assert [kind for kind, _ in primed.payloads() if kind == "hook_error"] == []


def test_nothing_of_what_agents_and_tools_said_is_told(primed: Agent) -> None:
    assert "SECRETCLAIM" not in "\n".join(ask(primed))


def test_a_first_prompt_is_told_once_what_such_work_wrote(agent: Agent, publish: Publish) -> None:
    project = str(agent.project)
    again = [
        Scene(f"c{n}", project, NOON + n * 60_000).prompt(f"Let the guest checkout of the cart sum {n}", "p1")
        .call("Edit", f"{project}/src/cart.ts", prompt_id="p1")
        .call("Edit", f"{project}/src/total.ts", prompt_id="p1").stop(prompt_id="p1")
        for n in range(1, 4)
    ]  # fmt: skip
    tasks(agent, *again)
    publish(priming={"": True})
    assert ask(agent, session="short") == [HEADING, TOLD], "a few words have near tasks by chance"
    longer = f"{PROMPT}: guests who reload it see nothing, so add what the server counted, and cover that"
    heading, work, line = ask(agent, longer)
    assert (heading, line) == (HEADING, TOLD)
    assert work == "- Work like this wrote src/cart.ts (4), src/total.ts (3); npm test proved it"
    assert len(receipts(agent)[-1]["tasks"]) > 1
    assert ask(agent, longer) == []


def test_a_correction_is_told_only_to_a_prompt_that_has_words_of_it(agent: Agent, publish: Publish) -> None:
    asked = "Write a gift voucher page. Mind the ledger, payroll, invoice, dunning and escrow tables."
    voucher = Scene("v", str(agent.project), NOON).prompt(asked, "p1")
    voucher.call("Edit", f"{agent.project}/gift.ts", prompt_id="p1").stop(prompt_id="p1")
    tasks(agent, voucher.prompt("No, that's wrong, use euros instead of cents", "p2").stop(prompt_id="p2"))
    publish(priming={"": True})
    assert ask(agent, "The ledger, payroll, invoice, dunning and escrow tables lock", "far") == []
    told = ask(agent, "The gift voucher page shows cents: ledger, invoice, escrow")
    assert "use euros instead of cents" in told[1]


@pytest.mark.parametrize("prompt", [
    "[Image: source: /tmp/guest-checkout-cart-page.png]", "see https://shop.example/guest/checkout/cart",
    "checkout 2 3 17", "[08/03/26 18:19 ~/code/guest/checkout/cart/page]", "uhhh ok, great, checkout",
])  # fmt: skip
def test_pictures_addresses_numbers_and_interjections_look_nothing_up(prompt: str, primed: Agent) -> None:
    assert ask(primed, prompt) == []
