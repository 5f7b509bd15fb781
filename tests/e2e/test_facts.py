"""Facts in a project's own memory files, and what of them the real client puts before the model."""

from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest import instruction_files
from learnloop.service.review import verdicts
from learnloop.service.workspace import open_workspace
from tests.e2e.conftest import NewLab
from tests.e2e.lab import Lab

pytestmark = pytest.mark.e2e

WORDS = "Prefers functions over classes"
MODULE = "Talks to the bank over the event bus"
HELLO: list[Any] = [{"prompt": "Say hello"}]
ANSWER: list[Any] = [{"text": "Hello."}]
READS = [
    {"tools": [{"name": "Read", "input": {"file_path": "$CWD/billing/pay.py"}}]},
    {"text": "It pays."},
]


def fact(lab: Lab, words: str, **more: Any) -> None:
    """Approve a fact as what a model read."""
    scope = more.pop("scope", "project")
    ws = open_workspace(str(lab.root))
    verdicts.add(ws, words, scope=scope, project=str(lab.project), source="synthesis", **more)


def apply(lab: Lab, place: str) -> None:
    """Apply the only proposal, with its import line in one of the project's files."""
    (patch,) = lab.listing("patches", "--status", "proposed")
    lab.learn("patches", "apply", patch["id"], "--import", place)


def shown(lab: Lab, words: str, turns: list[Any] = ANSWER, *, recalls: bool = False) -> int:
    """How often the model is shown the words as a list item in a new session; files alone by default."""
    played = lab.play_steps(HELLO, turns, recalls=recalls)
    last = max(place.request for place in played.places("Say hello"))
    return sum(place.text.count(f"- {words}") for place in played.places(words) if place.request == last)


@pytest.fixture
def lab(new_lab: NewLab) -> Lab:
    """A laboratory whose project has a module, and no instructions yet."""
    lab = new_lab()
    lab.play_steps(HELLO, ANSWER)
    (lab.project / "billing").mkdir()
    (lab.project / "billing" / "pay.py").write_text("def pay(): ...\n")
    return lab


@pytest.mark.parametrize(
    ("present", "place"),
    [
        ({"CLAUDE.md": "# Shop\n"}, "CLAUDE.md"), ({"AGENTS.md": "# Shop\n"}, "AGENTS.md"),
        ({"AGENTS.md": "# Shop\n"}, "CLAUDE.md"), ({}, "CLAUDE.md"),
        ({".claude/CLAUDE.md": "# Shop\n"}, ".claude/CLAUDE.md"),
        ({"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "# Shop\n"}, "AGENTS.md"),
        ({"CLAUDE.local.md": "# Mine\n"}, "CLAUDE.local.md"),
        ({"AGENTS.md": "# Shop\n", "CLAUDE.md": "-> AGENTS.md"}, "AGENTS.md"),
    ],
)  # fmt: skip
def test_a_fact_in_learned_md_is_in_the_next_sessions_request(
    lab: Lab, present: dict[str, str], place: str
) -> None:
    for name, text in present.items():
        (lab.project / name).parent.mkdir(exist_ok=True)
        if text.startswith("-> "):
            (lab.project / name).symlink_to(text.removeprefix("-> "))
        else:
            (lab.project / name).write_text(text)
    fact(lab, WORDS)
    apply(lab, place)
    assert (lab.project / "LEARNED.md").read_text().endswith(f"## Coding\n- {WORDS}\n")
    assert shown(lab, WORDS) == 1
    if "AGENTS.md" in present:
        assert lab.play_steps(HELLO, ANSWER).places("# Shop")
    assert shown(lab, WORDS, recalls=True) == (1 if "CLAUDE" in place else 2)
    lab.learn("undo")
    assert shown(lab, WORDS) == 0


@pytest.mark.parametrize(
    "names",
    [
        ("AGENTS.md",), ("AGENTS.md", "CLAUDE.md"), ("AGENTS.md", "CLAUDE.local.md"),
        ("AGENTS.md", ".claude/CLAUDE.md"), ("AGENTS.md", ".claude/rules/style.md"),
        ("AGENTS.md", "../CLAUDE.md"), ("AGENTS.md", "../home/.claude/CLAUDE.md"),
    ],
)  # fmt: skip
def test_the_client_reads_what_is_expected_of_it(lab: Lab, names: tuple[str, ...]) -> None:
    for name in names:
        (lab.project / name).parent.mkdir(exist_ok=True)
        (lab.project / name).write_text(f"- the words of {name}\n")
        assert shown(lab, f"the words of {name}") == 1
    is_loaded = instruction_files.is_loaded(str(lab.project), f"{lab.project}/AGENTS.md", None)
    assert shown(lab, "the words of AGENTS.md") == is_loaded


@pytest.mark.parametrize("memory", ["CLAUDE.md", "AGENTS.md", ""])
def test_a_modules_fact_reaches_only_a_session_that_works_there(lab: Lab, memory: str) -> None:
    if memory:
        (lab.project / memory).write_text("# Shop\n")
    written = str(lab.project / "billing" / "pay.py")
    seen = [{"quote": "q", "session_id": "s", "event_id": "e", "ts": "2026-01-01T00:00:00.000Z",
             "files": [written]}]  # fmt: skip
    fact(lab, MODULE, scope="module", path="billing", evidence=seen)
    apply(lab, "billing/CLAUDE.md")
    assert MODULE in (lab.project / "billing" / "AGENTS.md").read_text()
    assert Path(lab.project / "billing" / "CLAUDE.md").exists() == (memory == "CLAUDE.md")
    assert shown(lab, MODULE) == 0
    assert shown(lab, MODULE, READS) == 1
