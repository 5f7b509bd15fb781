"""A model folder that is made in a millisecond: each word has a vector, a text the mean of its words'.

ONNX is protocol buffers; a graph of one node needs few of its fields, so they are written by hand.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

WORDS: Mapping[str, Sequence[float]] = {
    "guest": (1, 0, 0, 0), "visitor": (0.9, 0.1, 0, 0), "checkout": (0, 1, 0, 0), "pay": (0, 0.9, 0.1, 0),
    "cart": (0, 0, 1, 0), "handbook": (0, 0, 0, 1), "translate": (0, 0, 0, 0.9),
}  # fmt: skip
"""Words that mean nearly the same lie beside each other; all others mean nothing."""
_FLOAT, _INT64 = 1, 7


def needs_extra() -> None:
    """Skip a test module where the extra is not installed."""
    for name in ("numpy", "onnxruntime", "tokenizers"):
        pytest.importorskip(name, reason="learnloop[vectors] is not installed")


def write(folder: Path, words: Mapping[str, Sequence[float]] = WORDS, *, inputs: Sequence[str] = ()) -> Path:
    """Write model and tokenizer into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    dim = len(next(iter(words.values())))
    rows = [(0.0,) * dim, *words.values()]
    (folder / "model.onnx").write_bytes(_model(rows, inputs or ("input_ids", "attention_mask")))
    vocabulary = {word: number for number, word in enumerate(("[UNK]", *words))}
    (folder / "tokenizer.json").write_text(json.dumps(_tokenizer(vocabulary)))
    return folder


def _tokenizer(vocabulary: Mapping[str, int]) -> dict[str, object]:
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
        "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None, "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }  # fmt: skip


def _model(rows: Sequence[Sequence[float]], inputs: Sequence[str]) -> bytes:
    """A graph that gathers a row for each token."""
    dim = len(rows[0])
    numbers = [number for row in rows for number in row]
    table = _number(1, len(rows)) + _number(1, dim) + _number(2, _FLOAT) + _bytes(8, b"table")
    table += _bytes(9, struct.pack(f"<{len(numbers)}f", *numbers))
    node = _bytes(1, b"table") + _bytes(1, inputs[0].encode()) + _bytes(2, b"tokens") + _bytes(4, b"Gather")
    graph = _bytes(1, node) + _bytes(2, b"tiny") + _bytes(5, table)
    graph += b"".join(_bytes(11, _value(name, _INT64, ("batch", "width"))) for name in inputs)
    graph += _bytes(12, _value("tokens", _FLOAT, ("batch", "width", dim)))
    return _number(1, 8) + _bytes(8, _bytes(1, b"") + _number(2, 13)) + _bytes(7, graph)


def _value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    sizes = (_number(1, each) if isinstance(each, int) else _bytes(2, each.encode()) for each in shape)
    dimensions = b"".join(_bytes(1, size) for size in sizes)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, dimensions)))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    low, high = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _varint(high) if high else bytes([low])
