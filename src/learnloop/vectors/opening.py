"""Opens what the extra installs, where vectors are asked for."""

from __future__ import annotations

import functools
import importlib.util
import os
from typing import TYPE_CHECKING

from learnloop.errors import Refused

if TYPE_CHECKING:
    from learnloop.vectors.model_folder import ModelFolder
    from learnloop.vectors.onnx_model import OnnxModel

_NEEDED = ("numpy", "onnxruntime", "tokenizers")
_WAY_OUT = "pip install 'learnloop[vectors]' gets it"


def missing() -> Refused | None:
    """What the extra would install and is not there; loads nothing."""
    absent = next((name for name in _NEEDED if importlib.util.find_spec(name) is None), "")
    return _refused(absent) if absent else None


def _refused(name: str) -> Refused:
    return Refused(f"search by meaning needs {name}, which is not installed", _WAY_OUT)


@functools.lru_cache(maxsize=1)
def embedder(folder: ModelFolder) -> OnnxModel:
    """Load a model, once in a process.

    Raises Refused where the extra is not installed, or the model makes no sentence vectors.
    """
    # A search reads memory and computes little: more threads only wait for each other on a busy machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from learnloop.vectors.onnx_model import OnnxModel as Model
    except ImportError as error:
        raise _refused(error.name or str(error)) from None
    return Model(folder)
