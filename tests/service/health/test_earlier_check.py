"""The doctor says when earlier tasks cannot be read, and makes their index anew."""

from pathlib import Path

from learnloop.service.health import doctor
from learnloop.service.health.check import Check
from learnloop.service.workspace import open_workspace
from learnloop.wire import earlier, paths
from tests.ingest.test_earlier_tasks import refreshed, scene


def check(root: str, *, fix: bool = False) -> Check:
    (result,) = (
        each for each in doctor.examine(open_workspace(root), fix=fix) if each.name == "earlier tasks"
    )
    return result


def test_a_damaged_index_is_named_and_made_anew(root: str) -> None:
    assert check(root).message == "nobody has asked for earlier tasks"
    names = refreshed(root, scene("s1"))
    assert check(root).message == "whole"
    part = next(name for name in names if name != earlier.LIST)
    Path(paths.earlier_tasks(root), part).write_bytes(b"torn")
    assert check(root).level == "warn"
    assert check(root, fix=True).message == "whole"
