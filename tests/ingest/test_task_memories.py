"""The catalogue of memories follows the store, whatever the batches, and may go at any time."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from learnloop.errors import Unreadable
from learnloop.ingest import background, task_memories
from learnloop.ingest.run import ingest
from learnloop.service.memory import memory_list
from learnloop.service.tasks import task_list
from learnloop.service.transfer import forget
from learnloop.service.workspace import open_workspace
from learnloop.wire import paths
from tests.ingest.session_scene import Scene, write
from tests.ingest.test_earlier_tasks import NOON, PROJECT, others, scene

DAY_MS = 86_400_000


def listed(root: str, line: str = "") -> list[dict[str, object]]:
    return [memory.as_json() for memory in memory_list.memories(open_workspace(root), line)]


def catalog(root: str) -> Path:
    (file,) = Path(paths.memories(root)).iterdir()
    return file


def fixes(session: str, day: int) -> Scene:
    failed = {"error": "TypeError: cart is undefined"}
    return (
        Scene(session, start=NOON + day * DAY_MS).prompt("Mend the checkout of the cart page", "p1")
        .call("Bash", "npm test", "tool_failed", payload=failed).call("Edit", f"{PROJECT}/src/cart.ts")
        .call("Bash", "npm test").stop(prompt_id="p1").prompt("works now", "p2").stop(prompt_id="p2")
    )  # fmt: skip


def test_any_batches_give_the_same_memories(root: str, tmp_path: Path) -> None:
    scenes = [*others(12), *(fixes(f"f{day}", day) for day in range(4)), scene("s1", 2)]
    write(root, *scenes)
    ingest(root)
    slowly = str(tmp_path / "slowly")
    for each in scenes:
        write(slowly, each)
        ingest(slowly)
        task_memories.refresh(slowly)
    assert listed(slowly) == listed(root)
    assert {memory["type"] for memory in listed(root)} == {"episodic", "semantic", "technical", "procedural"}


@pytest.mark.parametrize("shown", ["tasks", "memories"])
def test_any_part_of_what_is_searched_finds_it(root: str, shown: str) -> None:
    def texts(line: str = "") -> dict[str, str]:
        if shown == "tasks":
            return {task.id: task_list.words(task) for task in task_list.tasks(ws, line)}
        return {memory.id: memory_list.words(memory) for memory in memory_list.memories(ws, line)}

    write(root, *others(4), *(fixes(f"f{day}", day) for day in range(3)), scene("s1", 2))
    ingest(root)
    ws = open_workspace(root)
    for name, text in texts().items():
        for line in text.splitlines():
            for at in range(0, max(len(line) - 6, 1), 9):
                assert name in texts(f'"{line[at : at + 7]}"'), line[at : at + 7]


def test_a_late_word_changes_what_its_task_taught(root: str) -> None:
    write(root, scene("s1"), scene("s2", 3, "Show the zebrafish"))
    ingest(root)
    assert listed(root, "guest outcome") == listed(root, "type:procedural") == []
    write(root, Scene("s1", start=NOON + 60_000).prompt("Perfect, thanks!", "p2").stop(prompt_id="p2"))
    ingest(root)
    (procedure,) = listed(root, "type:procedural")
    assert procedure["confidence"] == 0.9


def test_days_are_read_as_the_time_allows_the_newest_first(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("learnloop.wire.clock.now_ms", lambda: NOON + 9 * DAY_MS)
    write(root, *(scene(f"s{day}", day, f"Do the part number{day}") for day in range(3)))
    ingest(root)
    ws = open_workspace(root)
    first = memory_list.newest(ws, within_s=0.0)
    assert ([memory.text[:20] for memory in first.memories], first.behind) == (["Do the part number2:"], 2)
    assert memory_list.newest(ws, within_s=0.0).behind == 1
    background.run(root)
    assert (len(memory_list.newest(ws, within_s=0.0).memories), task_memories.refresh(root)) == (3, [])


def test_nothing_is_read_for_somebody_who_never_asked(root: str) -> None:
    write(root, scene("s1"))
    background.run(root)
    assert not Path(paths.memories(root)).exists()


def test_a_catalogue_of_another_version_is_made_anew(root: str) -> None:
    write(root, scene("s1"))
    ingest(root)
    before = listed(root)
    with closing(sqlite3.connect(catalog(root))) as database, database:
        database.execute("DROP TABLE pieces")
        database.execute("PRAGMA user_version = 99")
    task_memories.refresh(root)
    assert listed(root) == before


@pytest.mark.parametrize("start", [0, 4096])
def test_a_damaged_catalogue_is_made_anew(start: int, root: str) -> None:
    write(root, *others(20))
    ingest(root)
    before, file = listed(root), catalog(root)
    data = bytearray(file.read_bytes())
    data[start : start + 8192] = b"\xff" * 8192
    file.write_bytes(data)
    try:
        after = listed(root)
    except Unreadable:
        after = listed(root)
    assert after == before


def test_a_catalogue_is_the_persons_alone_and_forgets(root: str) -> None:
    write(root, scene("s1", words="Add the canary zebrafish checkout page"), scene("s2", 1))
    ingest(root)
    assert listed(root, "zebrafish")
    assert catalog(root).stat().st_mode & 0o777 == 0o600
    forget.forget(open_workspace(root), session="s1")
    left = [path.read_bytes() for path in Path(root, "recall").rglob("*") if path.is_file()]
    assert not any(b"zebrafish" in content for content in left)
    assert listed(root, "zebrafish") == []


def test_what_retention_takes_leaves_nothing_in_the_file(root: str) -> None:
    write(root, scene("s1", words="Add the canary zebrafish checkout page"), scene("s2", 1))
    ingest(root)
    assert listed(root, "zebrafish")
    for table in ("turns", "tasks"):
        for path in Path(root, "store", table).glob("2026-03-10*"):
            path.unlink()
    assert listed(root, "zebrafish") == []
    assert b"zebrafish" not in catalog(root).read_bytes()
