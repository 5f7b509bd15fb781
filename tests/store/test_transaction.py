"""Transactions: one writer at a time, all changed files replaced whole, unchanged ones left alone."""

import json
import os
from pathlib import Path

import pytest
import tinydb

from learnloop import errors
from learnloop.store import files, tinydb_file
from learnloop.store.store import Store
from learnloop.wire import clock
from tests.store import numbered_events


def test_documents_are_there_afterwards(root: str) -> None:
    with Store(root).transaction() as changes:
        changes.documents("turns").put("t1", {"a": 1})
        changes.state["open"] = ["s1"]
        changes.cursor = "0000000000001-000000.jsonl"
    with Store(root).transaction() as changes:
        table = changes.documents("turns")
        assert (table.get("t1"), table.get("t2"), len(table.all())) == ({"a": 1}, None, 1)
        assert table.cursor == changes.cursor == Store(root).cursor() == "0000000000001-000000.jsonl"
        assert changes.state == {"open": ["s1"]} == Store(root).state()


def test_nothing_is_written_on_an_exception(root: str) -> None:
    def failing() -> None:
        with Store(root).transaction() as changes:
            changes.table("lessons").put("l1", {"a": 1})
            changes.cursor = "x"
            raise KeyError("stop")

    with pytest.raises(KeyError):
        failing()
    assert Store(root).documents("lessons") == {}
    assert Store(root).cursor() == ""
    assert not list(Path(root, "store").glob("*.json"))


def test_unchanged_tables_are_not_written(root: str) -> None:
    with Store(root).transaction() as changes:
        changes.table("lessons").put("l1", {"a": [1]})
        changes.table("health").put("h", {})
    before = _stamps(root)
    with Store(root).transaction() as changes:
        changes.table("lessons").put("l1", {"a": [1]})
        changes.table("lessons").remove("never there")
        assert changes.table("health").all() == {"h": {}}
    assert _stamps(root) == before


def test_only_the_state_is_written_when_only_the_cursor_moves(root: str) -> None:
    with Store(root).transaction() as changes:
        changes.table("lessons").put("l1", {"a": 1})
    before = _stamps(root)
    with Store(root).transaction() as changes:
        changes.table("lessons")
        changes.cursor = "c2"
    assert _stamps(root)["lessons.json"] == before["lessons.json"]
    assert Store(root).cursor() == "c2"


def test_what_a_transaction_gets_is_a_copy(root: str) -> None:
    with Store(root).transaction() as changes:
        changes.table("lessons").put("l1", {"tags": ["a"]})
    with Store(root).transaction() as changes:
        found = changes.table("lessons").get("l1")
        assert found is not None
        found["tags"].append("b")
        assert changes.table("lessons").get("l1") == {"tags": ["a"]}
        changes.table("lessons").put("l1", found)
    assert Store(root).documents("lessons") == {"l1": {"tags": ["a", "b"]}}


def test_removed_and_put_again(root: str) -> None:
    with Store(root).transaction() as changes:
        for doc_id in ("a", "b", "c"):
            changes.table("lessons").put(doc_id, {"id": doc_id})
    with Store(root).transaction() as changes:
        table = changes.table("lessons")
        table.remove("a")
        table.remove("b")
        table.put("b", {"id": "b2"})
        table.put("d", {})
        table.remove("d")
    assert Store(root).documents("lessons") == {"c": {"id": "c"}, "b": {"id": "b2"}}


def test_files_are_replaced_in_order_with_the_state_last(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced: list[str] = []
    real = os.replace

    def replace(source: object, target: object) -> None:
        replaced.append(str(target).removeprefix(f"{root}/store/"))
        real(str(source), str(target))

    monkeypatch.setattr(os, "replace", replace)
    with Store(root).transaction() as changes:
        for name in ("lessons", "decisions", "health", "patterns"):
            changes.table(name).put("x", {})
        changes.state["x"] = 1
    inside = [name for name in replaced if not name.startswith("/")]
    assert inside == ["patterns.json", "health.json", "decisions.json", "lessons.json", "state.json"]


def test_only_what_is_asked_for_is_read(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(root).transaction() as changes:
        for name in ("lessons", "decisions", "health"):
            changes.table(name).put("x", {})
    read: list[str] = []
    real = files.read

    def look(file: Path) -> bytes | None:
        read.append(file.stem)
        return real(file)

    monkeypatch.setattr(files, "read", look)
    with Store(root).transaction() as changes:
        changes.table("health").put("y", {})
        changes.cursor = "c"
    assert sorted(read) == ["health", "state"]


def test_a_text_is_sought_in_what_was_stored_whether_it_was_read_or_not(root: str) -> None:
    with Store(root).transaction() as changes:
        for name in ("npm", "pnpm", "jest", "vitest"):
            changes.table("lessons").put(name, {"statement": f"Use {name} here."})
    with Store(root).transaction() as changes:
        table = changes.table("lessons")
        assert list(table.containing(["npm"])) == ["npm", "pnpm"]
        assert len(table.all()) == 4
        assert list(table.containing(["npm"])) == ["npm", "pnpm"]
        table.remove("pnpm")
        table.put("jest", {"statement": "Use npm test."})
        assert list(table.containing(["npm"])) == ["npm", "jest"]


def test_a_rewrite_takes_over_what_did_not_change(root: str) -> None:
    odd: dict[str, object] = {"quote": 'a "b"\n},\n{ é \u2028 \ud800', "empty": {}, "list": [{}, None]}
    with Store(root).transaction() as changes:
        for name in ("a", 'odd " id', "c", "d"):
            changes.table("lessons").put(name, {**odd, "name": name})
    with Store(root).transaction() as changes:
        changes.table("lessons").put("c", {"name": "new"})
        changes.table("lessons").put("e", odd)
        changes.table("lessons").remove("d")

    data = tinydb_file.path(root, "lessons").read_bytes()
    assert data == tinydb_file.encode(json.loads(data))
    assert Store(root).documents("lessons") == {
        "a": {**odd, "name": "a"}, 'odd " id': {**odd, "name": 'odd " id'}, "c": {"name": "new"}, "e": odd,
    }  # fmt: skip


def test_every_file_is_an_ordinary_tinydb_file(root: str) -> None:
    with Store(root).transaction() as changes:
        changes.table("lessons").put("abcd", {"id": "abcd", "statement": "Tests run with pytest."})
    with tinydb.TinyDB(Path(root, "store", "lessons.json"), access_mode="r") as database:
        assert database.tables() == {"lessons", "meta"}
        found = database.table("lessons").get(doc_id="abcd")
        assert {**found, "_seal": ""} == {"id": "abcd", "statement": "Tests run with pytest.", "_seal": ""}


def test_a_second_writer_learns_who_holds_the_store(root: str) -> None:
    with (
        Store(root).transaction(),
        pytest.raises(errors.Busy, match=rf"\(process {os.getpid()}\)") as raised,
        Store(root).transaction(wait_s=0.02),
    ):
        pass
    assert raised.value.hint


def test_the_lock_is_free_after_an_exception(root: str) -> None:
    with pytest.raises(ValueError, match="x"), Store(root).transaction():
        raise ValueError("x")
    with Store(root).transaction(wait_s=0):
        pass


@pytest.mark.parametrize("name", ["", "../x", "/etc/x", ".x", "turns/../../x"])
def test_a_table_name_never_leads_out_of_the_store(root: str, name: str) -> None:
    with pytest.raises(ValueError, match="table name"), Store(root).transaction() as changes:
        changes.table(name)


def test_the_state_is_no_table(root: str) -> None:
    with pytest.raises(ValueError, match="state"), Store(root).transaction() as changes:
        changes.table("state")


def test_hostile_text_survives(root: str) -> None:
    document = {"text": 'line\nquote" \0 \ud800 \u202e 😀 \\', "deep": [[[{"a": None}]]]}
    with Store(root).transaction() as changes:
        changes.table("lessons").put("x", document)
    assert Store(root).documents("lessons") == {"x": document}


def test_copies_of_lessons_and_decisions_are_kept_hour_by_hour(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hour = 3_600_000
    for written, ms in enumerate((0, 10, hour, *(hour * n for n in range(2, 12)), hour * 11 + 5), 1):
        monkeypatch.setattr(clock, "now_ms", lambda ms=ms: numbered_events.START_MS + ms)
        with Store(root).transaction() as changes:
            for name in ("lessons", "decisions", "health"):
                changes.table(name).put("x", {"n": written})
    copies = sorted(path.name for path in Path(root, "backups", "store").iterdir())
    assert len(copies) == 10
    newest = json.loads(Path(root, "backups", "store", copies[-1]).read_bytes())
    assert newest["lessons"]["x"]["n"] == 13
    assert not any(name.startswith("health") for name in copies)


def test_the_same_content_is_not_copied_twice(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from learnloop.store import repair

    for hours in range(3):
        monkeypatch.setattr(clock, "now_ms", lambda hours=hours: numbered_events.START_MS + hours * 3_600_000)
        repair.save(root, "lessons", b'{"lessons":{}}')
    assert len(repair.listing(root, "lessons")) == 1


def _stamps(root: str) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in Path(root, "store").rglob("*.json")}
