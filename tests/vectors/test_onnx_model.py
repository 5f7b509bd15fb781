"""The adapter makes sentence vectors of a local model folder, without a network, or says what is wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.errors import Refused
from learnloop.vectors import model_folder, opening
from tests.vectors import tiny_model
from tests.walls.test_imports import loaded_after

tiny_model.needs_extra()
np = pytest.importorskip("numpy")


def embedded(folder: Path, *texts: str) -> list[list[float]]:
    rows: list[list[float]] = opening.embedder(model_folder.read(str(folder))).embed(texts).tolist()
    return rows


def test_texts_of_like_meaning_have_like_vectors_of_length_one(tmp_path: Path) -> None:
    folder = tiny_model.write(tmp_path / "tiny")
    model = opening.embedder(model_folder.read(str(folder)))
    rows = model.embed(["guest checkout", "A visitor has to pay", "translate the handbook", "guest"])
    assert (model.name, model.dim, rows.shape, rows.dtype) == ("tiny", 4, (4, 4), np.float32)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert rows[0] @ rows[1] > 0.9
    assert rows[0] @ rows[2] == 0


def test_a_text_has_the_same_vector_alone_and_among_many(tmp_path: Path) -> None:
    folder = tiny_model.write(tmp_path / "tiny")
    many = [f"{'guest ' * (number % 7)}checkout cart" for number in range(100)]
    together = embedded(folder, *many)
    assert np.allclose(together, [embedded(folder, text)[0] for text in many], atol=1e-6)


def test_empty_texts_unknown_words_and_odd_numbers_are_rows_of_zeros(tmp_path: Path) -> None:
    folder = tiny_model.write(
        tmp_path / "odd", {"cart": (1, 1), "nan": (float("nan"), 1), "far": (1e38, 1e38)}
    )
    assert embedded(folder, "", " \n", "what", "nan cart", "far") == [[0, 0]] * 5
    assert embedded(folder) == []
    assert embedded(folder, "cart " * 10_000)[0] == pytest.approx([2**-0.5] * 2)


def test_a_model_that_says_so_takes_the_first_token(tmp_path: Path) -> None:
    folder = tiny_model.write(tmp_path / "first")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    assert embedded(folder, "cart guest guest guest") == [[0, 0, 1, 0]]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [("folder", "is no folder"), ("model", "has no model.onnx"), ("tokenizer", "has no tokenizer.json")],
)
def test_what_a_folder_lacks_is_named(damage: str, reason: str, tmp_path: Path) -> None:
    folder = tiny_model.write(tmp_path / "tiny")
    if damage == "folder":
        folder = tmp_path / "elsewhere"
    else:
        (folder / {"model": "model.onnx", "tokenizer": "tokenizer.json"}[damage]).unlink()
    with pytest.raises(Refused, match=reason):
        model_folder.read(str(folder))


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "1_Pooling/config.json"])
def test_a_damaged_model_is_refused(name: str, tmp_path: Path) -> None:
    folder = tiny_model.write(tmp_path / "tiny")
    (folder / "1_Pooling").mkdir()
    (folder / name).write_bytes(b"\x08nonsense")
    with pytest.raises(Refused, match="makes no sentence vectors"):
        embedded(folder, "cart")


def test_a_model_of_another_sort_is_refused(tmp_path: Path) -> None:
    folder = tiny_model.write(tmp_path / "images", inputs=("input_ids", "pixels"))
    with pytest.raises(Refused, match="makes no sentence vectors"):
        embedded(folder, "cart")


def test_another_model_of_the_same_name_has_another_hash(tmp_path: Path) -> None:
    before = model_folder.read(str(tiny_model.write(tmp_path / "tiny")))
    after = model_folder.read(str(tiny_model.write(tmp_path / "tiny", {"cart": (1, 0)})))
    assert before.name == after.name
    assert before.digest != after.digest


def test_no_socket_is_opened(tmp_path: Path) -> None:
    folder = tiny_model.write(tmp_path / "tiny")
    code = (
        "import sys\n"
        "def refuse(name, args):\n"
        "    if name.startswith(('socket.', 'urllib.', 'http.')): raise SystemExit(f'network: {name}')\n"
        "sys.addaudithook(refuse)\n"
        "from learnloop.vectors import model_folder, opening\n"
        f"print(opening.embedder(model_folder.read({str(folder)!r})).embed(['cart']).tolist())\n"
        "assert not {'huggingface_hub', 'httpx', 'requests'} & set(sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("[[0.0, 0.0, 1.0, 0.0]]\n", "")
    blocked = subprocess.run(
        [sys.executable, "-c", code.replace("print(", "import socket; socket.socket(); print(")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert blocked.stderr == "network: socket.__new__\n"


def test_nothing_of_the_extra_is_loaded_where_nobody_asks_for_it() -> None:
    names = ("learnloop.cli.main", "learnloop.ingest.background", "learnloop.service.memory.near_tasks",
             "learnloop.service.memory.memory_list", "learnloop.service.health.doctor",
             "learnloop.vectors.opening", "learnloop.vectors.near")  # fmt: skip
    loaded = loaded_after(f"import {', '.join(names)}", bare=False)
    assert loaded.isdisjoint({"numpy", "onnxruntime", "tokenizers"})
