"""The words of the person's own prompts: counted at publish, read wherever lessons are tried.

One file beside the index, so that hooks, explanations and backtests rest on the same figures.
"""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from learnloop.learn.language import rarity
from learnloop.learn.language.rarity import Shares
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import paths, regular

MOST = 2_000
"""The newest prompts that are counted."""


def count(root: str) -> Shares:
    """Count the words of the newest prompts in the store; what `shares` returns from now on."""
    counted = rarity.word_shares(islice(_prompts(root), MOST))
    files.replace(_path(root), [json.dumps(counted).encode("ascii")])
    return counted


def shares(root: str) -> Shares:
    """The shares of common words, as the index was published with; none where it was not."""
    try:
        counted = json.loads(regular.content(str(_path(root))))
    except (OSError, ValueError):
        return rarity.NO_SHARES
    return counted if isinstance(counted, dict) else rarity.NO_SHARES


def _prompts(root: str) -> Iterator[tuple[str, str]]:
    """The project and the words of every human turn, days newest first."""
    for turn in Store(root).all_documents("turns"):
        if turn.get("origin") != "machine":
            yield str(turn.get("project", "")), str(turn.get("prompt", ""))


def _path(root: str) -> Path:
    return Path(paths.index(root) + ".words")
