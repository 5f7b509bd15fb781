"""`learn prime`: earlier tasks near to a task, and where agents are told them."""

import json

import pytest

from learnloop.service.workspace import open_workspace
from learnloop.wire import index, paths
from tests.cli.store import Learn
from tests.ingest import told_lessons
from tests.ingest.session_scene import Scene, write
from tests.ingest.test_earlier_tasks import NOON, PROJECT, others, scene

TASK = "the guest checkout loses the totals of the cart page"


@pytest.fixture
def learn(capsys: pytest.CaptureFixture[str]) -> Learn:
    return Learn(capsys)


@pytest.fixture
def history(root: str) -> None:
    wrong = Scene("s3", start=NOON + 600_000).prompt(
        "Move the guest checkout of the cart page to a popup", "p1"
    )
    wrong.call("Edit", f"{PROJECT}/src/cart.ts", prompt_id="p1").stop(prompt_id="p1")
    wrong.prompt("No, that's wrong, guests should see a page instead of a popup", "p2").stop(prompt_id="p2")
    both = (scene(f"b{n}").call("Edit", f"{PROJECT}/src/total.ts", prompt_id="p1") for n in range(2))
    write(root, *others(), *both, wrong)


@pytest.mark.usefixtures("history")
def test_it_prints_what_an_agent_would_be_told(learn: Learn) -> None:
    assert learn("prime", TASK, "--project", PROJECT) == 0
    assert learn.out.startswith(
        "## Relevant Experience\n\n### Earlier Work\n- Work like this wrote src/cart.ts (3), src/total.ts (2)"
    )
    assert "the user corrected: “No, that's wrong, guests should see a page instead of a popup”" in learn.out


@pytest.mark.usefixtures("history")
def test_it_prints_lessons_of_its_files_and_those_that_near_tasks_were_told(root: str, learn: Learn) -> None:
    ws = open_workspace(root)
    told = told_lessons.add(ws, "Totals come from the ledger service.")
    of_file = told_lessons.add(ws, "Prices are integers.", triggers={"file_patterns": ["src/price.ts"]})
    told_lessons.add(ws, "Letters are set in Garamond.")
    again = Scene("s4", start=NOON + 900_000).prompt("Show guests the checkout on the cart page", "p1")
    again.add("recall", {"moment": "prompt", "lessons": [{"id": told, "score": 80}], "chars": 9})
    told_lessons.take(ws, again.call("Edit", f"{PROJECT}/src/cart.ts", prompt_id="p1").stop(prompt_id="p1"))
    primed = ["prime", TASK, "--project", PROJECT, "--json"]
    assert learn(*primed) == 0
    assert json.loads(learn.out)["learnings"] == [f"Totals come from the ledger service. ({told[:4]})"]
    assert learn(*primed, "--file", "src/price.ts") == 0
    assert f"Prices are integers. ({of_file[:4]})" in json.loads(learn.out)["learnings"]


@pytest.mark.usefixtures("history")
def test_explain_lists_every_part_of_the_score(learn: Learn) -> None:
    near = learn.listing("prime", TASK, "--explain", "--project", PROJECT, "--file", f"{PROJECT}/src/cart.ts")
    (told,) = (each for each in near if each["told"])
    assert told["score"] == (told["words"] + told["files"]) * told["age"] // 100
    assert told["files"] > 0


def test_a_task_like_no_other_says_so(learn: Learn) -> None:
    assert learn("prime", "anything", "--project", PROJECT) == 0
    assert "Nothing earlier is near enough" in learn.err


def test_a_person_switches_it_on_and_takes_it_back(root: str, learn: Learn) -> None:
    def published() -> object:
        current = index.read(paths.index(root))
        return current.header.get("priming") if current else None

    assert learn("prime", "on", "--project", PROJECT) == 0
    assert published() == {PROJECT: True}
    assert learn("prime", "on", "--project", PROJECT) == 1
    assert learn("prime", "off", "--project", PROJECT) == 0
    assert published() == {PROJECT: False}
    assert learn("prime", "on", "--everywhere") == 0
    assert learn.listing("prime") == [{"project": "", "on": True}, {"project": PROJECT, "on": False}]
    assert learn("undo") == 0
    assert published() == {PROJECT: False}
