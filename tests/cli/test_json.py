"""Every verb that takes `--json` prints what docs/json.md says, on a lively store and on an empty one."""

import io
import json
from argparse import ArgumentParser
from pathlib import Path

import pytest
from scripts.shapes import SHAPES, Shape

from learnloop.cli.registry import VERBS, VIEWS, for_verb
from tests.cli.store import Learn
from tests.demo_stores import DemoStores
from tests.ingest.client_transcript import Transcript

ADVICE = "## Lessons Learned\n- Always pin the versions of build tools before a release.\n"
WORDS = {"LABELS": "labels.jsonl",
         "S": "Migrations run before seeding", "D": "The seed script assumes that all tables are there.",
         "C": "gotcha", "WORD": "the", "PATH": "old"}  # fmt: skip
ONLY_ON_A_FULL_STORE = {"show ID", "check ID", "why --backtest ID", "sessions ID", "sessions --tasks ID",
                        "patches show ID",
                        "patches preview ID", "patches apply ID", "patches revert ID",
                        "prime --memories show ID", "experiments --holdout ID"}  # fmt: skip


@pytest.fixture
def learn(
    root: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Learn:
    monkeypatch.chdir(tmp_path / "user")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ADVICE.encode())))
    (tmp_path / "user" / ".claude").mkdir()
    Transcript("s1", str(tmp_path)).prompt("No, use uv instead of pip").says("Done.").write(
        tmp_path / "user" / "old"
    )
    (tmp_path / "user" / ".claude" / "CLAUDE.md").write_text("Be kind.\n")
    (tmp_path / "user" / "labels.jsonl").write_text("")
    return Learn(capsys)


def _takes_json(parser: ArgumentParser) -> bool:
    return any(action.dest == "json" for action in parser._actions)


def test_every_verb_that_takes_json_is_documented() -> None:
    every = {" ".join(verb.words): for_verb(verb, verb.load()) for verb in (*VERBS, *VIEWS)}
    taking = {usage for usage, parser in every.items() if _takes_json(parser)}
    documented = {
        max((usage for usage in every if f"{shape.usage} ".startswith(f"{usage} ")), key=len)
        for shape in SHAPES
    }
    assert documented == taking


def _printed(learn: Learn, shape: Shape, *words: str) -> object:
    """What a command prints, checked against its shape: no field more or less, each of its type."""
    learn(*words, "--json")
    assert learn.out, learn.err
    shape.adapter.validate_json(learn.out, strict=True)
    document = json.loads(learn.out)
    assert isinstance(document, list) is shape.is_list
    _whole(shape, document)
    return document


def _whole(shape: Shape, found: object) -> None:
    """Fields with a default are printed too."""
    for one in found if isinstance(found, list) else [found]:
        assert isinstance(one, dict)
        assert set(one) == set(shape.document.model_fields), shape.usage


def _words(learn: Learn, usage: str) -> list[str]:
    """A usage with ids of the store and words in the places of capitals."""
    words = [WORDS.get(word, word) for word in usage.split()]
    if "ID" not in words:
        return [*words, "--explain"] if "--command" in words else words
    named = ["lessons", "--status", "active"]
    if words[1] in ("--tasks", "--memories"):
        named = words[:2]
    elif words[0] in ("sessions", "patches"):
        named = words[:1]
    if words[:2] == ["patches", "revert"]:
        named = ["patches", "--status", "active"]
    ids = [row["id"] for row in learn.listing(*named)]
    return [ids[0] if word == "ID" else word for word in words]


@pytest.mark.slow
def test_a_lively_store_is_printed_as_documented(root: str, demo_stores: DemoStores, learn: Learn) -> None:
    demo_stores.copy_of_today(root)
    assert (learn("config", "--trust"), learn("prime", "on")) == (0, 0)
    lists = {shape.usage: _printed(learn, shape, *_words(learn, shape.usage)) for shape in SHAPES}
    empty = [usage for usage, found in lists.items() if found == []]  # no transcripts here, no model
    of_facts = ["facts", "facts runs", "facts modes", "facts show"]
    assert empty == ["backfill", "prime TASK --explain", "team members", *of_facts]


@pytest.mark.parametrize(
    "shape", [shape for shape in SHAPES if shape.usage not in ONLY_ON_A_FULL_STORE], ids=lambda one: one.usage
)
def test_an_empty_store_prints_an_empty_list(root: str, learn: Learn, shape: Shape) -> None:
    found = _printed(learn, shape, *_words(learn, shape.usage))
    fills = {"config", "doctor", "sessions --log", "patches targets", "patches --teach",
             "discover --draft --from output", "facts score LABELS --answers LABELS"}  # fmt: skip
    assert not shape.is_list or found == [] or shape.usage in fills


@pytest.mark.parametrize("page", ["docs/json.md"])
def test_the_page_names_each_form(page: str) -> None:
    text = (Path(__file__).resolve().parents[2] / page).read_text("utf-8")
    assert all(f"`learn {shape.usage} --json`" in text for shape in SHAPES)
