"""What makes vectors of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Makes vectors of texts with one model."""

    @property
    def name(self) -> str:
        """What the model is called: the name of its folder."""

    @property
    def dim(self) -> int:
        """How many numbers a vector has."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each text; zeros for an empty text, and where the model gives no numbers."""
