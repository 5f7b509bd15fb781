"""What one session did is told in another where a person wants that, and nothing an agent said."""

from typing import Any

import pytest

from learnloop.wire import provenance
from tests.e2e.conftest import NewLab
from tests.e2e.lab import Lab
from tests.ingest.session_scene import Scene, write

pytestmark = pytest.mark.e2e

ASKED = "Add a guest checkout to the cart page"
LATER = "The guest checkout on the cart page loses its totals"
CORRECTION = "No, that's wrong, use pnpm instead of npm"
TOLD = f"the user corrected: “{CORRECTION}”"
_ANSWER = "ZEBRAFISH is what the agent answered."


def _reviewed(words: str) -> tuple[list[Any], list[Any]]:
    """A prompt of which the agent hands a part to a subagent."""
    work = {"description": "Look", "prompt": "REVIEW: look", "subagent_type": "general-purpose"}
    steps = [{"prompt": words, "args": ["--allowedTools", "Agent,Task"]}]
    return steps, [{"tools": [{"name": "Agent", "input": work}]}, {"text": "It is mended."}]


@pytest.fixture(scope="module")
def lab(new_lab: NewLab) -> Lab:
    """A project with a history, of which the last session was a real one."""
    lab = new_lab()
    call = {"name": "Write", "input": {"file_path": "$CWD/src/cart.ts", "content": "export {}\n"}}
    lab.play_steps(
        [{"prompt": ASKED, "args": ["--allowedTools", "Write"]}], [{"tools": [call]}, {"text": _ANSWER}]
    )
    project = lab.events("prompt")[0]["project"]
    others = [
        Scene(f"other{n}", project, 1_700_000_000_000 + n * 60_000)
        .prompt(f"Translate chapter number{n} of the handbook", "p1")
        .call("Edit", f"{project}/book/{n}.md", prompt_id="p1").stop(prompt_id="p1")
        for n in range(60)
    ]  # fmt: skip
    corrected = Scene("corrected", project, 1_700_000_000_000 + 90 * 60_000).prompt(ASKED, "p1")
    corrected.call("Edit", f"{project}/src/cart.ts", prompt_id="p1").stop(_ANSWER, prompt_id="p1")
    corrected.prompt(CORRECTION, "p2").stop(prompt_id="p2")
    for scene in (*others, corrected):
        provenance.mark(str(lab.root), scene.events)  # beside real hooks a prompt without a seal is doubted
    write(str(lab.root), *others, corrected)
    lab.learn("prime", LATER)
    return lab


def test_earlier_tasks_are_told_only_where_a_person_wants_it(lab: Lab) -> None:
    assert lab.play_steps(*_reviewed(LATER)).places(TOLD) == []
    lab.learn("prime", "on")
    played = lab.play_steps(*_reviewed(LATER))
    assert played.places(TOLD)
    assert played.places("ZEBRAFISH") == []
    receipts = [event for event in lab.events("recall") if event["payload"].get("tasks")]
    assert {receipt["payload"]["moment"] for receipt in receipts} == {"prompt", "start"}


def test_a_hidden_memory_is_told_no_more(lab: Lab) -> None:
    lab.learn(
        "prime",
        "--memories",
        "--hide",
        lab.listing("prime", "--memories", "type:episodic", "guest")[-1]["id"],
    )
    assert lab.play_steps(*_reviewed(LATER)).places(TOLD) == []
