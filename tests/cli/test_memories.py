"""`learn memories`: what tasks taught, filtered, hidden and pinned."""

import json
from pathlib import Path

import pytest

from learnloop.service.transfer import exchange, forget
from learnloop.service.workspace import open_workspace
from learnloop.wire import index, paths
from tests.cli.store import Learn
from tests.ingest.session_scene import write
from tests.ingest.test_earlier_tasks import PROJECT, scene


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    praised = scene("s1").prompt("Perfect, thanks!", "p2").stop(prompt_id="p2")
    write(root, praised, scene("s2", 1, "Show the zebrafish on the cart page"))
    return Learn(capsys)


def ids(learn: Learn, *words: str) -> list[str]:
    return [row["id"] for row in learn.listing("memories", *words)]


def test_memories_are_listed_and_filtered(learn: Learn) -> None:
    assert learn("memories") == 0
    assert "Show the zebrafish on the cart page: unknown; wrote src/cart.ts; ran npm test" in learn.out
    assert [name.partition("-")[0] for name in ids(learn, "type:procedural")] == ["procedural"]
    assert len(ids(learn, "zebrafish")) == 1
    assert ids(learn, "--project", "/elsewhere") == []
    assert learn("memories", "type:odd") == 1


def test_a_hidden_memory_is_told_no_more_until_it_is_shown_again(root: str, learn: Learn) -> None:
    def hidden() -> list[str]:
        current = index.read(paths.index(root))
        return list(current.header["hidden"]) if current else []

    (fish,) = learn.listing("memories", "zebrafish")
    assert learn("prime", "on", "--project", PROJECT) == 0
    assert learn("memories", "--hide", fish["id"]) == 0
    assert hidden() == fish["tasks"]
    assert ids(learn, "is:hidden") == [fish["id"]]
    assert learn("memories", "--hide", fish["id"]) == 1
    assert learn("undo") == 0
    assert hidden() == []


def test_a_pinned_memory_stays_when_its_events_go_but_not_when_it_is_forgotten(
    root: str, learn: Learn
) -> None:
    (fish,) = learn.listing("memories", "zebrafish")
    assert learn("memories", "--pin", fish["id"]) == 0
    for table in ("turns", "tasks"):
        for path in Path(root, "store", table).iterdir():
            path.unlink()
    (kept,) = learn.listing("memories")
    assert (kept["id"], kept["pinned"], kept["expires"]) == (fish["id"], True, None)
    forget.forget(open_workspace(root), session="s2")
    assert ids(learn) == []
    data = [path.read_bytes() for path in Path(root).rglob("*.json*") if path.is_file()]
    assert not any(b"zebrafish" in content for content in data)


def test_an_export_carries_memories(root: str, learn: Learn) -> None:
    listed = set(ids(learn))
    document = json.loads(json.dumps(exchange.export_document(open_workspace(root))))
    assert {memory["id"] for memory in document["memories"]} == listed
    exchange.import_document(open_workspace(root), document)
