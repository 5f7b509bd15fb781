"""The doctor says when vectors were asked for and cannot be used."""

import sys
from pathlib import Path

import pytest

from learnloop.ingest.run import ingest
from learnloop.service.health import doctor
from learnloop.service.workspace import open_workspace
from learnloop.store import history
from learnloop.vectors import opening
from tests.vectors import tiny_model
from tests.vectors.stores import add, asked, set_model, with_model


def check(root: str, *, fix: bool = False) -> tuple[str, str]:
    (result,) = (each for each in doctor.examine(open_workspace(root), fix=fix) if each.name == "vectors")
    return result.level, result.message


def test_rows_are_counted_and_made_anew_after_damage(root: str) -> None:
    tiny_model.needs_extra()
    with_model(root, {**tiny_model.WORDS, "odd": (float("nan"),) * 4})
    add(root, asked("s1", "Let a guest through the checkout", "a.ts"))
    assert check(root) == ("ok", "every task has one")
    add(root, asked("s2", "Something odd is to be done in the shop", "a.ts", day=1))
    assert check(root) == ("warn", "the model gives no numbers for 1 tasks")
    history.path(root).write_bytes(b"torn" * 1024)
    doctor.examine(open_workspace(root))
    ingest(root)
    assert check(root) == ("warn", "no task has a vector yet")
    assert check(root, fix=True)[1] == "the model gives no numbers for 1 tasks"


def test_a_missing_folder_and_a_missing_extra_are_named(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    set_model(Path(root) / "nowhere")
    assert check(root)[1].endswith("is no folder")
    with_model(root)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.delitem(sys.modules, "learnloop.vectors.onnx_model", raising=False)
    opening.embedder.cache_clear()
    level, message = check(root)
    assert level == "warn"
    assert message.startswith("search by meaning needs ")
