"""A patched agent file in the real client: the agent is offered, and the model reads the block."""

import json

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import LEARN

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("terminal")]

DESCRIPTION = "Reviews changes before they are merged"
AGENT = f"---\nname: reviewer\ndescription: {DESCRIPTION}\ntools: Read\n---\n# Reviewer\n\nRead the change.\n"
RULE = "Integration tests are run before a change is called done"


def test_a_patched_agent_is_listed_and_its_block_reaches_the_model(new_lab: NewLab) -> None:
    lab = new_lab()
    kept = lab.work / "reviewer.md"
    kept.write_text(AGENT)
    file = lab.home / ".claude" / "agents" / "reviewer.md"
    played = lab.play(
        "reviewer",
        f"mkdir -p '{file.parent}' && cp '{kept}' '{file}'",
        f"printf '# Me\\n' > '{lab.home}/.claude/CLAUDE.md'",
        f"'{LEARN}' feedback '{RULE}'",
        f"'{LEARN}' patches preview --all && '{LEARN}' patches apply --all",
    )
    assert RULE in file.read_text()
    assert any(DESCRIPTION in json.dumps(request) for request in played.requests)
    own = [place for place in played.places(RULE) if "Read the change." in place.text]
    assert [place.role for place in own] == ["system prompt"] * len(own)
    assert own
    assert any(place.role != "system prompt" or "# Me" in place.text for place in played.places(RULE))
    lab.learn("patches", "revert", "--all")
    assert file.read_text() == AGENT
