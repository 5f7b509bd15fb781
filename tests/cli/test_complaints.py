"""A complaint never comes back as an order: not as a lesson, not as a theme's instruction, not as a patch."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.store import Learn
from tests.ingest.session_scene import START, Scene, write
from tests.service.patches import patch_home

COMPLAINTS = (
    "no error handling around the upload",
    "hardcoded passwords in the fixtures!",
    "no comments, no types, no tests",
    "unused imports all over the module",
    "no changelog entry again",
    "No transaction for the inserts.",
    "secrets in the repo!",
    "no typing, no docstrings, nothing",
    "still no tests for the parser",
    "always the same: no tests",
    "the happy path only, again",
    "magic numbers all over the place",
    "copy paste code in three files",
    "keine Fehlerbehandlung beim Upload",
    "immer vergisst du das Changelog",
    "immer noch kein Index auf der Tabelle",
    "nie schreibst du Tests",
    "schon wieder ohne Tests committet",
    "toujours pas de tests",
    "tu oublies toujours le changelog",
    "jamais de commentaires dans ton code",
    "siempre olvidas los tests",
    "nunca escribes pruebas",
    "siempre lo mismo con los imports",
    "no hay pruebas otra vez",
    "nothing but mocks in the tests",
    "immer diese halben Sachen",
    "toujours les mêmes erreurs",
)
ORDERS = (
    "No emojis in commit messages, please.",
    "From now on no print statements.",
    "No print statements, use logging.",
    "I said no default exports.",
    "pnpm, not npm.",
    "Never commit to main.",
    "Immer pnpm verwenden, niemals npm nutzen.",
    "Nie direkt auf main pushen.",
    "Utilise toujours pnpm.",
    "Ne commite jamais sur main.",
    "Siempre usa pnpm.",
    "Nunca hagas push directo a main.",
)


@pytest.fixture
def writer(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patch_home.agents(home, "db-writer")
    monkeypatch.chdir(home)


def said_to(root: str, agent: str, *said: str) -> None:
    """Each remark in a session of its own, about what an agent wrote."""
    for number, words in enumerate(said):
        scene = Scene(f"s{number}", start=START + number * 100_000)
        scene.add("session_start", {"source": "startup"}).prompt("write the inserts", "p1")
        who: dict[str, Any] = {"agent_id": f"agent-{number}", "agent_type": agent}
        scene.add("subagent_start", **who).call("Write", "/code/shop/db/ins.py", prompt_id="p1", **who)
        write(root, scene.stop(prompt_id="p1").prompt(words, "p2").stop(prompt_id="p2"))


@pytest.mark.parametrize("words", COMPLAINTS)
def test_a_complaint_needs_words_or_is_nothing(learn: Learn, root: str, words: str) -> None:
    said_to(root, "db-writer", words, words, words)
    assert learn("ingest") == 0
    assert [
        draft["statement"]
        for draft in learn.listing("lessons", "--drafts", "--all")
        if not draft["needs_words"]
    ] == []


@pytest.mark.parametrize("words", ORDERS)
def test_an_order_keeps_its_words(learn: Learn, root: str, words: str) -> None:
    said_to(root, "db-writer", words)
    assert learn("ingest") == 0
    assert any(draft["statement"] for draft in learn.listing("lessons", "--drafts", "--all"))


@pytest.mark.parametrize(
    "said",
    [
        ["no transaction for the inserts", "again no transaction for the inserts!",
         "you forgot the transaction around the inserts", "no, the inserts need a transaction"],
        ["no tests for the parser", "still no tests for the parser", "no parser tests again!"],
        ["I still see print statements"] * 4,
    ],
    ids=("transaction", "parser", "prints"),
)  # fmt: skip
def test_complaints_teach_no_agent_anything(learn: Learn, root: str, writer: None, said: list[str]) -> None:
    said_to(root, "db-writer", *said)
    assert learn("ingest") == 0
    (agent,) = [one for one in learn.listing("agents") if one["agent_name"] == "db-writer"]
    assert agent["failure_patterns"], "the theme is there, in quotes"
    for theme in agent["failure_patterns"]:
        assert theme["instruction"] == ""
        assert "“" in theme["pattern"]
    assert learn.listing("patches") == []


def test_an_order_among_complaints_is_what_a_patch_says(learn: Learn, root: str, writer: None) -> None:
    order = "Wrap the inserts in a transaction."
    said_to(root, "db-writer", "you forgot the transaction around the inserts", f"No, wrong. {order}",
            "no, the inserts need a transaction", "again no transaction for the inserts!")  # fmt: skip
    assert learn("ingest") == 0
    assert [patch["block"] for patch in learn.listing("patches")] == [f"- {order}"]
