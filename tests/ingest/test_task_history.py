"""The history database follows the store, whatever the batches, and may go at any time."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from learnloop.errors import Refused, Unreadable
from learnloop.ingest import background, task_history
from learnloop.ingest.run import ingest
from learnloop.service.health import doctor
from learnloop.service.memory import memory_list
from learnloop.service.tasks import task_list
from learnloop.service.transfer import forget
from learnloop.service.workspace import open_workspace
from learnloop.store import history
from learnloop.store.task_table import TaskTable
from tests.ingest.session_scene import Scene, without_turns, write
from tests.ingest.test_earlier_tasks import NOON, PROJECT, others, scene

DAY_MS = 86_400_000


def listed(root: str, line: str = "") -> list[dict[str, object]]:
    return [memory.as_json() for memory in memory_list.memories(open_workspace(root), line)]


def holding(root: str, text: bytes) -> list[str]:
    """The files below a root that contain a text, the database and its log too; ballast is random."""
    every = (path for path in Path(root).rglob("*") if path.is_file() and path.name != "ballast")
    return [path.name for path in every if text in path.read_bytes()]


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
        task_history.refresh(slowly)
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
    first, behind = memory_list.newest(ws, within_s=0.0)
    assert ([memory.text[:20] for memory in first], behind) == (["Do the part number2:"], 2)
    assert memory_list.newest(ws, within_s=0.0)[1] == 1
    background.run(root)
    assert (len(memory_list.newest(ws, within_s=0.0)[0]), task_history.refresh(root)) == (3, 0)


def test_nothing_is_read_for_somebody_who_never_asked(root: str) -> None:
    write(root, scene("s1"))
    background.run(root)
    assert not history.is_used(root)


def folder(path: Path) -> None:
    path.mkdir()
    (path / "theirs").write_text("kept")


def link(path: Path) -> None:
    path.symlink_to(path.with_name("elsewhere"))


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE tasks (theirs)")


@pytest.mark.parametrize(
    "put", [folder, os.mkfifo, link, of_another_program, lambda path: path.write_bytes(b"nonsense" * 512)]
)
def test_what_lies_in_its_place_is_moved_aside_and_named(put: Callable[[Path], None], root: str) -> None:
    write(root, scene("s1"))
    ingest(root)
    before = listed(root)
    history.path(root).unlink()
    put(history.path(root))
    with suppress(Unreadable):
        listed(root)
    ingest(root)
    assert listed(root) == before
    (aside,) = history.set_aside(root)
    ws = open_workspace(root)
    assert [check.message for check in doctor.examine(ws) if str(aside) in check.message]
    doctor.examine(ws, fix=True)
    assert (history.set_aside(root), listed(root)) == ([], before)


def test_one_of_a_newer_program_stays_and_is_refused(root: str) -> None:
    write(root, scene("s1"))
    ingest(root)
    assert task_list.tasks(open_workspace(root))
    with closing(sqlite3.connect(history.path(root))) as database, database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(Refused, match="newer Learnloop"):
        listed(root)
    write(root, scene("s2", 1))
    with pytest.raises(Refused, match="update Learnloop"):
        ingest(root)
    assert not history.set_aside(root)


@pytest.mark.parametrize("start", [0, 4096, 40960])
def test_a_damaged_one_is_moved_aside_and_made_anew(start: int, root: str) -> None:
    write(root, *others(20))
    ingest(root)
    before, file = listed(root), history.path(root)
    data = bytearray(file.read_bytes())
    data[start : start + 8192] = b"\xff" * 8192
    file.write_bytes(data)
    with suppress(Unreadable):
        history.verify(root)
    ingest(root)
    assert listed(root) == before
    assert len(history.set_aside(root)) == 1


@pytest.mark.parametrize("damage", [b"", b"nonsense"])
def test_a_task_that_is_not_as_it_was_written_leads_to_a_new_one(damage: bytes, root: str) -> None:
    write(root, scene("s1"))
    ingest(root)
    before = task_list.tasks(open_workspace(root))
    with closing(sqlite3.connect(history.path(root))) as database, database:
        database.execute("UPDATE task_docs SET doc = ?", (damage,))
    assert task_list.tasks(open_workspace(root)) == before
    assert not history.set_aside(root)


def test_a_reader_keeps_nobody_from_writing(root: str) -> None:
    write(root, scene("s1"))
    ingest(root)
    listed(root)
    with history.opened(root) as connection:
        rows = TaskTable(connection).newest()
        assert next(rows).session_id == "s1"
        write(root, scene("s2", 1))
        ingest(root)
        task_history.refresh(root)
        assert list(rows) == []
    assert len(task_list.tasks(open_workspace(root))) == 2


def test_it_is_the_persons_alone_and_forgets(root: str) -> None:
    write(root, scene("s1", words="Add the canary zebrafish checkout page"), scene("s2", 1))
    ingest(root)
    assert listed(root, "zebrafish")
    with history.opened(root) as connection:  # so that its log stays
        assert list(TaskTable(connection).newest(words=["zebrafish"]))
        modes = {path.stat().st_mode & 0o777 for path in history.path(root).parent.glob("history.db*")}
    assert modes == {0o600}
    forget.forget(open_workspace(root), session="s1")
    assert holding(root, b"zebrafish") == holding(root, b"zeb") == []
    assert listed(root, "zebrafish") == []


def test_what_retention_takes_leaves_nothing_in_the_file(root: str) -> None:
    write(root, scene("s1", words="Add the canary zebrafish checkout page"), scene("s2", 1))
    ingest(root)
    assert listed(root, "zebrafish")
    assert holding(root, b"zebrafish")
    without_turns(root)
    assert listed(root, "zebrafish") == []
    for text in (b"zebrafish", b"zeb", b"fish"):
        assert text not in history.path(root).read_bytes()
