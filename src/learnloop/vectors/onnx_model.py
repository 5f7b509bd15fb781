"""Sentence vectors by ONNX Runtime, from files on this machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from learnloop.errors import Refused
from learnloop.wire import regular

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from learnloop.vectors.model_folder import ModelFolder
    from learnloop.vectors.row_search import Vectors

BATCH = 32
MOST_TOKENS = 128
"""Longer texts are cut: what a task is about stands in front, and time grows with the length."""
_MOST_BYTES = 1 << 16
_SENTENCE, _ERRORS_ALONE = "sentence_embedding", 3


class OnnxModel:
    """A sentence model as ONNX file, with its tokenizer."""

    def __init__(self, folder: ModelFolder) -> None:
        """Load the model and try it; raises Refused where it does not make sentence vectors."""
        self.name = folder.name
        try:
            self._tokenizer = Tokenizer.from_file(str(folder.tokenizer))
            self._tokenizer.enable_truncation(MOST_TOKENS)
            self._tokenizer.no_padding()
            self._session = _session(str(folder.model))
            self._takes_first = _takes_first_token(folder)
            outputs = [each.name for each in self._session.get_outputs()]
            self._output = _SENTENCE if _SENTENCE in outputs else outputs[0]
            self.dim = int(self._sentences(["a"]).shape[1])
        except Exception as error:  # both libraries raise exceptions of their own, without a common base
            raise _refusal(folder.name, error) from None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each text; zeros for an empty text, and where the model gives no numbers.

        Raises Refused where model and tokenizer do not fit each other.
        """
        rows = np.zeros((len(texts), self.dim), np.float32)
        numbers = sorted((n for n, text in enumerate(texts) if text.strip()), key=lambda n: len(texts[n]))
        for first in range(
            0, len(numbers), BATCH
        ):  # of like length, because a batch is as wide as its longest
            batch = numbers[first : first + BATCH]
            try:
                rows[batch] = _unit(self._sentences([texts[n] for n in batch]))
            except (
                Exception
            ) as error:  # as above: a tokenizer of another model names tokens that this has not
                raise _refusal(self.name, error) from None
        return rows

    def _sentences(self, texts: Sequence[str]) -> Vectors:
        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.zeros((len(texts), max(len(each.ids) for each in encoded) or 1), np.int64)
        mask = np.zeros_like(ids)
        for row, each in enumerate(encoded):
            ids[row, : len(each.ids)] = each.ids
            mask[row, : len(each.ids)] = 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        names = [each.name for each in self._session.get_inputs()]
        output: Vectors = self._session.run([self._output], {name: feeds[name] for name in names})[0]
        return output if output.ndim == 2 else self._pooled(output, mask)

    def _pooled(self, tokens: Vectors, mask: NDArray[np.int64]) -> Vectors:
        """One vector of those of the tokens: the first, or their mean."""
        if self._takes_first:
            return tokens[:, 0]
        weights = mask[:, :, None].astype(np.float32)
        pooled: Vectors = (tokens * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
        return pooled


def _refusal(name: str, error: Exception) -> Refused:
    reason = str(error).partition("\n")[0][:200]
    return Refused(
        f"the model {name} makes no sentence vectors ({reason})", "learn config vectors.model names another"
    )


def _session(path: str) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _ERRORS_ALONE
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _takes_first_token(folder: ModelFolder) -> bool:
    if not folder.pooling.is_file():
        return False
    pooling = json.loads(regular.read(str(folder.pooling), _MOST_BYTES, follows=True))
    return bool(pooling.get("pooling_mode_cls_token"))


def _unit(vectors: Vectors) -> Vectors:
    with np.errstate(all="ignore"):
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(np.isfinite(unit).all(axis=1, keepdims=True), unit, np.float32(0))
