"""Real remarks whose statement a careful reader wrote down, or that need words in that reader's eyes.

The table holds hashes, because the words belong to those who wrote them, and stand in the shared set.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from learnloop.learn.language import wording, words

TABLE = Path(__file__).parents[2] / "data" / "golden_statements.json"
SHARED = Path(__file__).parents[4] / "shared" / "data" / "feedback-dev.jsonl"

pytestmark = pytest.mark.skipif(
    not SHARED.exists(), reason=f"the shared remarks are not here ({SHARED.name})"
)


@cache
def _prompts() -> dict[str, str]:
    return {row["id"]: row["text"] for row in map(json.loads, SHARED.read_text("utf-8").splitlines())}


def _table() -> list[dict[str, Any]]:
    return list(json.loads(TABLE.read_text()))


def _hash(text: str) -> str:
    """Of words as they are read: case, spaces and the full stop do not count; empty where there are none."""
    plain = " ".join(text.split()).rstrip(".").lower()
    return hashlib.sha256(plain.encode()).hexdigest()[:16] if plain else ""


def _statement(row: dict[str, Any]) -> str:
    """The statement of the sentence that begins where the reader's does."""
    own = words.own_words(_prompts()[row["id"]])
    at = next(at for at, sentence in enumerate(own.every) if sentence.start == row["start"])
    return wording.word(own, at).statement


def test_the_statement_is_the_readers_or_there_is_none() -> None:
    wrong = [(row["id"], row["start"]) for row in _table() if _hash(_statement(row)) != row["statement"]]
    assert wrong == []


def test_the_table_has_both_kinds() -> None:
    worded = sum(bool(row["statement"]) for row in _table())
    assert worded >= 150
    assert len(_table()) - worded >= 60
