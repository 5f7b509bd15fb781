"""Searches find what was meant where a model is named; else one line says how to get there."""

import sys
from pathlib import Path

import pytest

from learnloop.service.setup import settings_file
from learnloop.vectors import opening
from tests.cli.store import Learn
from tests.vectors import tiny_model
from tests.vectors.stores import add, asked, set_model, with_model

REBUILD = ("prime", "--memories", "rebuild", "--vectors")
MISSING = " is not installed – pip install 'learnloop[vectors]' gets it\n"


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    guest = asked("s1", "Let a guest through the checkout of the shop", "guests.ts")
    praised = guest.prompt("Perfect, thanks!", "p2").stop(prompt_id="p2")
    add(root, praised, asked("s2", "Translate the handbook of the shop into Dutch", "book.md", day=1))
    return Learn(capsys)


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.delitem(sys.modules, "learnloop.vectors.onnx_model", raising=False)
    opening.embedder.cache_clear()


def titles(learn: Learn, *words: str) -> list[str]:
    return [row["title"].split()[0] for row in learn.listing("sessions", "--tasks", *words)]


def test_a_search_finds_what_was_meant(root: str, learn: Learn) -> None:
    tiny_model.needs_extra()
    assert titles(learn, "visitor") == []
    with_model(root)
    assert learn(*REBUILD) == 0
    assert (learn.out, learn.err) == ("2 tasks can be found by what they mean.\n", "")
    assert titles(learn, "visitor") == ["Let"]
    assert titles(learn, "outcome:success", "visitor") == ["Let"]
    assert titles(learn, "outcome:failed", "visitor") == []
    assert titles(learn, "shop", "visitor") == ["Let"]
    assert titles(learn, "shop") == ["Translate", "Let"]
    assert titles(learn) == ["Translate", "Let"]
    assert titles(learn, "the") == ["Translate", "Let"]
    assert "episodic" in {row["type"] for row in learn.listing("prime", "--memories", "visitor")}
    (near,) = learn.listing("prime", "what does a visitor pay", "--explain", "--project", "/code/shop")
    assert (near["words"], near["files"], near["told"], near["meaning"] > 80) == (0, 0, False, True)
    assert learn("prime", "what does a visitor pay", "--explain", "--project", "/code/shop") == 0
    assert "MEANING" in learn.out


@pytest.mark.usefixtures("without_extra")
def test_without_the_extra_words_are_searched_and_one_line_says_how_to_get_it(
    root: str, learn: Learn
) -> None:
    with_model(root)
    assert learn(*REBUILD) == 1
    assert (learn.out, learn.err.endswith(MISSING), learn.err.count("\n")) == ("", True, 1)
    for view in (("sessions", "--tasks"), ("prime", "--memories")):
        assert learn(*view, "guest") == 0
        assert "Let a guest through" in learn.out
        assert (learn.err.endswith(MISSING), learn.err.count("\n")) == (True, 1)
        assert learn(*view) == 0
        assert learn.err == ""
    set_model("")
    assert learn("sessions", "--tasks", "guest") == 0
    assert learn.err == ""


def test_what_is_in_the_way_is_said(root: str, learn: Learn) -> None:
    assert "no model is named" in learn.refused(*REBUILD)
    assert "go together" in learn.refused("prime", "--memories", "cart", "--vectors")
    assert "learn prime --memories rebuild --vectors" in learn.refused("prime", "--memories", "rebuild")
    assert learn("config", "vectors.model", "relative/folder") == 1
    for key, folder in (("log.folder", Path(root)), ("vectors.model", "")):
        assert learn("config", key, str(folder)) == 0
        assert (learn.out, learn.err) == (f"{key} = {settings_file.literal(str(folder))}\n", "")
        assert learn("config", key, f"{root}/nowhere") == 0
        assert (f"{root}/nowhere is " in learn.err, learn.err.count("\n")) == (True, 1)
        assert learn("config", key, "--unset") == 0
        assert learn.err == ""
    set_model(Path(root) / "nowhere")
    assert "is no folder" in learn.refused(*REBUILD)
    assert learn("sessions", "--tasks", "guest") == 0
    assert "is no folder" in learn.err
    assert "Let a guest through" in learn.out


def test_rows_of_another_model_are_named(root: str, learn: Learn) -> None:
    tiny_model.needs_extra()
    with_model(root)
    assert learn(*REBUILD) == 0
    with_model(root, {"guest": (1, 0), "visitor": (1, 0)})
    assert learn("sessions", "--tasks", "visitor") == 0
    assert learn.err.endswith(
        "2 of 2 tasks have no vector of this model – learn prime --memories rebuild --vectors\n"
    )
    assert learn(*REBUILD) == 0
    assert titles(learn, "visitor") == ["Let"]
