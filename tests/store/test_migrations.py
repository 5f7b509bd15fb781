"""Formats: an older file is brought up to date when it is read, a newer one is refused with a way out."""

import json
from pathlib import Path

import pytest

from learnloop import errors
from learnloop.store import migrations
from learnloop.store.store import Store

OLD = {"lessons": {"x": {"text": "Tests run with pytest."}}}


def _rename(table: str, documents: migrations.Documents) -> migrations.Documents:
    assert table == "lessons"
    return {key: {"statement": found["text"]} for key, found in documents.items()}


@pytest.fixture
def old(root: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store from before formats had numbers, and the way from there to now."""
    monkeypatch.setitem(migrations.REGISTRY, 0, _rename)
    Path(root, "store").mkdir(parents=True)
    Path(root, "store", "lessons.json").write_text(json.dumps(OLD))
    return root


def test_a_reader_sees_an_old_file_in_the_new_format(old: str) -> None:
    assert Store(old).documents("lessons") == {"x": {"statement": "Tests run with pytest."}}
    assert json.loads(Path(old, "store", "lessons.json").read_text()) == OLD


def test_the_next_change_writes_the_new_format(old: str) -> None:
    with Store(old).transaction() as changes:
        changes.table("lessons").put("y", {"statement": "Lines end in LF."})
    written = json.loads(Path(old, "store", "lessons.json").read_text())
    assert written["meta"]["meta"]["version"] == migrations.VERSION
    assert written["lessons"]["x"] == {"statement": "Tests run with pytest."}


def test_the_format_is_in_every_file_from_the_start(root: str) -> None:
    with Store(root).transaction() as changes:
        changes.table("health").put("x", {})
        changes.cursor = "c"
    assert migrations.VERSION == 3
    for name in ("health", "state"):
        document = json.loads(Path(root, "store", f"{name}.json").read_text())
        assert document["meta"]["meta"]["version"] == 3


@pytest.mark.parametrize("name", ["state", "lessons"])
def test_a_newer_store_is_refused_and_left_alone(root: str, name: str) -> None:
    path = Path(root, "store", f"{name}.json")
    path.parent.mkdir(parents=True)
    path.write_text('{"meta":{"meta":{"version":4}}}')
    with pytest.raises(errors.Refused, match="newer Learnloop"), Store(root).transaction() as changes:
        changes.table("lessons")
    with pytest.raises(errors.Refused, match="update Learnloop"):
        Store(root).lessons() or Store(root).state()
    assert path.read_text() == '{"meta":{"meta":{"version":4}}}'
    assert not Path(root, "quarantine").exists()


def test_a_format_that_nothing_leads_from_is_refused(root: str) -> None:
    Path(root, "store").mkdir(parents=True)
    Path(root, "store", "lessons.json").write_text(json.dumps(OLD))
    with pytest.raises(errors.Refused, match="no migration"):
        Store(root).documents("lessons")


def test_a_program_of_the_first_format_refuses_what_this_one_wrote(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = json.dumps(
        {"meta": {"meta": {"version": 1}}, "lessons": {"x": {"statement": "Lines end in LF."}}}
    )
    Path(root, "store").mkdir(parents=True)
    Path(root, "store", "lessons.json").write_text(first)
    with Store(root).transaction() as changes:
        changes.table("lessons").put("y", {"statement": "Tests run with pytest."})
    assert Store(root).documents("lessons").keys() == {"x", "y"}
    monkeypatch.setattr(migrations, "VERSION", 1)
    monkeypatch.setattr(migrations, "ALIKE", (1,))
    with pytest.raises(errors.Refused, match=r"newer Learnloop \(format 3, this one knows 1\)"):
        Store(root).lessons()
    with pytest.raises(errors.Refused, match="newer Learnloop"), Store(root).transaction():
        pass
