"""Formats: an older file is read as it is, a newer one is refused with a way out."""

import json
from pathlib import Path

import pytest

from learnloop import errors
from learnloop.store import tinydb_file
from learnloop.store.store import Store

OLD = {"lessons": {"x": {"text": "Tests run with pytest."}}}


def test_the_format_is_in_every_file_from_the_start(root: str) -> None:
    with Store(root).transaction() as changes:
        changes.table("health").put("x", {})
        changes.cursor = "c"
    assert tinydb_file.VERSION == 3
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
    with pytest.raises(errors.Refused, match="nothing leads from"):
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
    monkeypatch.setattr(tinydb_file, "VERSION", 1)
    monkeypatch.setattr(tinydb_file, "ALIKE", (1,))
    with pytest.raises(errors.Refused, match=r"newer Learnloop \(format 3, this one knows 1\)"):
        Store(root).lessons()
    with pytest.raises(errors.Refused, match="newer Learnloop"), Store(root).transaction():
        pass
