"""Rows of secrets: each by its own examples."""

import pytest

from learnloop.wire import secret_rows, secret_tokens
from learnloop.wire.redact import cleaned
from tests.secret_texts import made

SEEDS = range(20)
TOKENS = [(row[0], row[1][0], row) for row in secret_tokens.ROWS]


@pytest.mark.parametrize(("name", "mark", "row"), TOKENS)
def test_a_token(name: str, mark: str, row: tuple[str, tuple[str, ...], str, int, str, str]) -> None:
    _, marks, alphabet, least, holds, lacks = row
    for seed in SEEDS:
        secret, values = made(holds, seed)
        shown = cleaned(f"before {secret} after")
        assert shown.startswith("before ")
        assert shown.endswith(" after")
        assert not [value for value in values if len(value) > 4 and value in shown]
    harmless, _ = made(lacks, 1)
    assert cleaned(harmless) == harmless
    body = "7A8" + "".join(alphabet[at % len(alphabet)] for at in range(least))
    for each in marks:
        assert body not in cleaned(f"({each}{body})")


@pytest.mark.parametrize("row", secret_rows.ROWS, ids=lambda row: f"{row[0]} {row[1][0]}")
def test_a_form(row: "secret_rows.Row") -> None:
    assert row[6], "a row has examples"
    for template in row[6]:
        for seed in SEEDS:
            secret, values = made(template, seed)
            shown = cleaned(f"before\n{secret}\nafter")
            assert shown.startswith("before\n")
            assert [value for value in values if len(value) > 3 and value in shown] == [], secret
    for harmless in row[7]:
        assert cleaned(harmless) == harmless
