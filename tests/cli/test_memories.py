"""`learn prime --memories`: what tasks taught, filtered, hidden and pinned."""

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from learnloop.service.memory import memory_list
from learnloop.service.transfer import forget
from learnloop.service.workspace import open_workspace
from learnloop.wire import index, paths
from tests.cli.store import Learn
from tests.ingest.session_scene import Scene, write
from tests.ingest.test_earlier_tasks import PROJECT, scene


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    praised = scene("s1").prompt("Perfect, thanks!", "p2").stop(prompt_id="p2")
    write(root, praised, scene("s2", 1, "Show the zebrafish on the cart page"))
    return Learn(capsys)


def ids(learn: Learn, *words: str) -> list[str]:
    return [row["id"] for row in learn.listing("prime", "--memories", *words)]


def test_memories_are_listed_and_filtered(learn: Learn) -> None:
    assert learn("prime", "--memories") == 0
    assert "Show the zebrafish on the cart page: unknown; wrote src/cart.ts; ran npm test" in learn.out
    for only in (["type:procedural"], ["--type", "procedural"]):
        assert [name.partition("-")[0] for name in ids(learn, *only)] == ["procedural"]
    assert len(ids(learn, "zebrafish")) == 1
    assert ids(learn, "--project", "/elsewhere") == []
    assert learn("prime", "--memories", "type:odd") == 1


def test_a_context_says_branch_and_versions(root: str, learn: Learn, tmp_path: Path) -> None:
    session = Scene("s3", str(tmp_path)).add("session_start", {"source": "startup", "branch": "main"})
    session.prompt("Run the tests", "p1").call("Bash", "npm --version", payload={"version": "10.2.0"})
    write(root, session.call("Bash", "npm test").stop(prompt_id="p1").prompt("perfect, thanks!", "p2").stop())
    assert [row["text"] for row in learn.listing("prime", "--memories", "type:context")] == [
        "Work on the branch main uses npm 10.2.0"
    ]


@pytest.mark.parametrize("words", [["show"], []])
def test_one_memory_is_shown_by_the_beginning_of_its_id(learn: Learn, words: list[str]) -> None:
    (fish,) = learn.listing("prime", "--memories", "zebrafish")
    assert learn("prime", "--memories", *words, fish["id"][:21]) == 0
    assert learn.out.startswith("Show the zebrafish on the cart page: unknown")
    assert f"  tasks  {fish['task'][:12]}\n" in learn.out
    assert learn("prime", "--memories", *words, fish["id"], "--json") == 0
    assert json.loads(learn.out) == fish
    assert "no memory" in learn.refused("prime", "--memories", *words, "episodic-dead")


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("-type:episodic", 1), ("seen:>1", 2), ("project:shop", 4), ("agent:main type:procedural", 1),
        ("agent:nobody", 0), ("ts:>2026-03-10", 4), ("ts:>2026-03-12", 0), ("is:hidden,pinned", 2),
        ("tag:none", 0), ("file:cart.ts", 4),
    ],
)  # fmt: skip
def test_each_filter_of_memories_finds_what_fits(root: str, learn: Learn, line: str, count: int) -> None:
    again = scene("s3", 1).prompt("Perfect, thanks!", "p2").stop(prompt_id="p2")
    write(root, again, scene("s4", 1, "Show the walrus on the cart page"))
    for word, mark in (("zebrafish", "--hide"), ("walrus", "--pin")):
        assert learn("prime", "--memories", mark, ids(learn, "type:episodic", word)[0]) == 0
    assert len(memory_list.memories(open_workspace(root), line)) == count


def test_each_listed_id_names_one_memory(root: str, learn: Learn) -> None:
    named = scene("s4", 1, "Let `loadCart` and `saveCart` keep the walrus").prompt("Perfect, thanks!", "p2")
    write(root, scene("s3", 1, "Show the walrus on the home page"), named.stop(prompt_id="p2"))
    assert learn("prime", "--memories") == 0
    typed = [line.split()[0] for line in learn.out.splitlines()[1:]]
    for beginning in typed:
        assert learn("prime", "--memories", "--pin", beginning) == 0
    assert any(beginning.endswith("-2") for beginning in typed)
    assert len(ids(learn, "is:pinned")) == len(typed)


def test_a_hidden_memory_is_told_no_more_until_it_is_shown_again(root: str, learn: Learn) -> None:
    def hidden() -> list[str]:
        current = index.read(paths.index(root))
        return list(current.header["hidden"]) if current else []

    (fish,) = learn.listing("prime", "--memories", "zebrafish")
    assert learn("prime", "on", "--project", PROJECT) == 0
    assert learn("prime", "--memories", "--hide", fish["id"]) == 0
    assert hidden() == fish["tasks"]
    assert ids(learn, "is:hidden") == [fish["id"]]
    assert learn("prime", "--memories", "--hide", fish["id"]) == 1
    assert learn("undo") == 0
    assert learn.out.startswith("Undone: Hid the memory “")
    assert hidden() == []


def test_a_pinned_memory_stays_when_its_events_go_but_not_when_it_is_forgotten(
    root: str, learn: Learn
) -> None:
    (fish,) = learn.listing("prime", "--memories", "zebrafish")
    assert learn("prime", "--memories", "--pin", fish["id"]) == 0
    retire_day(root, "")
    (kept,) = learn.listing("prime", "--memories")
    assert (kept["id"], kept["pinned"], kept["expires"]) == (fish["id"], True, None)
    forget.forget(open_workspace(root), session="s2")
    assert ids(learn) == []
    data = [path.read_bytes() for path in Path(root).rglob("*.json*") if path.is_file()]
    assert not any(b"zebrafish" in content for content in data)


def retire_day(root: str, day: str) -> None:
    """Let retention take the documents of a day."""
    with contextlib.closing(sqlite3.connect(Path(root, "store", "history.db"))) as connection, connection:
        for table in ("turns", "traces"):
            connection.execute(f"DELETE FROM {table} WHERE at LIKE ?", (f"{day}%",))


@pytest.mark.parametrize(("mark", "label"), [("hide", "hidden"), ("pin", "pinned")])
def test_a_marked_procedure_stays_so_when_the_first_of_its_tasks_goes(
    root: str, learn: Learn, mark: str, label: str
) -> None:
    again = scene("s3", 1).prompt("Perfect, thanks!", "p2").stop(prompt_id="p2")
    write(root, again)
    (both,) = learn.listing("prime", "--memories", "type:procedural")
    assert both["seen"] == 2
    assert learn("prime", "--memories", f"--{mark}", both["id"]) == 0
    retire_day(root, "2026-03-10")
    (later,) = learn.listing("prime", "--memories", "type:procedural")
    assert (later["id"] == both["id"], later["seen"], later[label]) == (False, 1, True)
    assert learn("prime", "--memories", f"--un{mark}", later["id"]) == 0
    assert ids(learn, f"is:{label}") == []
    assert learn("undo") == 0
    assert ids(learn, f"is:{label}") == [later["id"]]
