"""The folder of a model as the person names it: its files, and the hash that tells it from another."""

import functools
import hashlib
import os
from pathlib import Path
from typing import NamedTuple

from learnloop.errors import Refused
from learnloop.wire import regular

_MODELS = ("model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx")
_TOKENIZER, _POOLING = "tokenizer.json", "1_Pooling/config.json"
_WAY_OUT = "learn config vectors.model names the folder of a sentence model with an ONNX file"


class ModelFolder(NamedTuple):
    """The files of a model; `pooling` may not exist."""

    name: str
    model: Path
    tokenizer: Path
    pooling: Path
    digest: str
    """SHA-256 of all its files."""


def read(folder: str) -> ModelFolder:
    """Look at the folder of a model; raises Refused where it is none."""
    path = Path(folder).expanduser()
    model = next((path / name for name in _MODELS if (path / name).is_file()), None)
    tokenizer, pooling = path / _TOKENIZER, path / _POOLING
    if not path.is_dir():
        raise Refused(f"{path} is no folder", _WAY_OUT)
    if model is None or not tokenizer.is_file():
        raise Refused(f"{path} has no {_TOKENIZER if model else _MODELS[0]}", _WAY_OUT)
    files = (model, model.with_name(f"{model.name}_data"), tokenizer, pooling)
    try:
        stamps = tuple(map(_stamp, filter(Path.is_file, files)))
        return ModelFolder(path.name, model, tokenizer, pooling, _digest(stamps))
    except OSError as error:
        raise Refused(f"{error.filename} cannot be read ({error.strerror})", _WAY_OUT) from None


_Stamp = tuple[str, int, int, int]
"""A file in the state in which it was looked at: path, size, time of change, inode."""


def _stamp(file: Path) -> _Stamp:
    status = file.stat()
    return str(file), status.st_size, status.st_mtime_ns, status.st_ino


@functools.lru_cache(maxsize=4)
def _digest(stamps: tuple[_Stamp, ...]) -> str:
    """The hash of some files; a console reads them once."""
    whole = hashlib.sha256()
    for path, *_ in stamps:
        with os.fdopen(regular.opened(path, follows=True), "rb") as opened:
            whole.update(hashlib.file_digest(opened, "sha256").digest())
    return whole.hexdigest()
