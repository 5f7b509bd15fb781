"""The doctor says when earlier tasks cannot be read, and makes their index anew."""

import shutil
import zlib
from pathlib import Path
from typing import Any

import pytest

from learnloop.recall import index_file
from learnloop.service.health import doctor
from learnloop.service.health.check import Check
from learnloop.service.workspace import open_workspace
from learnloop.wire import earlier, paths
from tests.ingest.test_earlier_tasks import PROJECT, lines, others, refreshed, scene


def check(root: str, *, fix: bool = False) -> Check:
    (result,) = (
        each for each in doctor.examine(open_workspace(root), fix=fix) if each.name == "earlier tasks"
    )
    return result


def test_a_single_changed_byte_is_named(root: str) -> None:
    names = refreshed(root, *others(), scene("s1"))
    part = Path(paths.earlier_tasks(root), next(name for name in names if name != earlier.LIST))
    whole = part.read_bytes()
    for at in range(400, len(whole), 997):
        part.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert check(root).level == "warn"
    part.write_bytes(whole)
    assert check(root).message == "whole"


def foreign(kind: str, project: str = PROJECT) -> bytes:
    """A file of the index that is whole, but not as this version writes it."""
    body = bytearray()
    record = {"id": "a" * 32, "session": "s", "line": "a line", "outcome": "unknown", "files": []}
    records: dict[str, Any] = {"a number": {**record, "line": 7}, "a list": [1], "nothing told": {}}
    key = earlier.term_key("checkout")
    place: Any = [1, *index_file.unfiltered(body, [records.get(kind, record)], {key: [1, 200 << 24]})]
    place = {"short": place[:2], "words": ["1"] * 4, "far": [1, 1 << 40, 1, 1 << 70], "null": None}.get(
        kind, place
    )
    table: Any = index_file.project_table(body, {project: place})
    odd = {"no table": 5, "no projects": {}, "beyond": [[0, 1 << 40]]}
    header = {"tasks": "many", "projects": odd.get(kind, table), "sum": zlib.crc32(body)}
    return index_file.whole(header, body)


KINDS = (
    "a number", "a list", "nothing told", "short", "words", "far", "null", "no table", "beyond",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_file_of_another_version_is_named_and_made_anew(kind: str, root: str) -> None:
    names = refreshed(root, scene("s1"))
    part = next(name for name in names if name != earlier.LIST)
    Path(paths.earlier_tasks(root), part).write_bytes(foreign(kind))
    assert check(root).level == "warn"
    assert check(root, fix=True).message == "whole"


def test_an_index_of_another_machine_is_named_and_replaced(root: str, tmp_path: Path) -> None:
    refreshed(root, scene("s1"))
    theirs = str(tmp_path / "theirs")
    refreshed(theirs, scene("t1", 40, "Add the foreign checkout page"))
    shutil.rmtree(paths.earlier_tasks(root))
    shutil.copytree(paths.earlier_tasks(theirs), paths.earlier_tasks(root))
    assert check(root).level == "warn"
    assert check(root, fix=True).message == "whole"
    assert not any("foreign" in line for line in lines(root))
