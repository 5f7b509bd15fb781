"""Rows and tables of secrets: each by its own examples, and none that the others make superfluous."""

import json
from pathlib import Path

import pytest

from learnloop.wire import secret_places, secret_rows, secret_tokens
from learnloop.wire.redact import cleaned
from tests.secret_texts import made

EXAMPLES = json.loads((Path(__file__).parents[1] / "data" / "secret_examples.json").read_text("utf-8"))
SEEDS = range(20)
PASSWORD = "kX9mQ2v7-zT"
TOKENS = [
    (row[0], row[1][0], row, *examples)
    for row, examples in zip(secret_tokens.ROWS, EXAMPLES["tokens"], strict=True)
]
OPTIONS = [(option, program) for option, programs in secret_places.OPTIONS for program in programs.split()]


def leaks(template: str, seed: int) -> bool:
    """Whether a value of a template is still to be read."""
    secret, values = made(template, seed)
    shown = cleaned(f"before\n{secret}\nafter")
    return any(value in shown for value in values if len(value) > 3)


@pytest.mark.parametrize(("name", "mark", "row", "holds", "lacks"), TOKENS)
def test_a_token(
    name: str, mark: str, row: tuple[str, tuple[str, ...], str, int], holds: str, lacks: str
) -> None:
    _, marks, alphabet, least = row
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


@pytest.mark.parametrize("template", EXAMPLES["holds"])
def test_a_form(template: str) -> None:
    assert cleaned(f"before\n{made(template, 1)[0]}\nafter").startswith("before\n")
    assert [seed for seed in SEEDS if leaks(template, seed)] == []


@pytest.mark.parametrize("harmless", EXAMPLES["lacks"])
def test_what_is_no_secret_stays(harmless: str) -> None:
    text, _ = made(harmless, 1)
    assert cleaned(text) == text


@pytest.mark.slow
def test_no_row_is_superfluous(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, superfluous = secret_rows.ROWS, []
    for at, row in enumerate(rows):
        monkeypatch.setattr(secret_rows, "ROWS", rows[:at] + rows[at + 1 :])
        if not any(leaks(template, seed) for template in EXAMPLES["holds"] for seed in range(3)):
            superfluous.append((row[0], row[1][:3]))
    assert superfluous == []


@pytest.mark.parametrize(("option", "program"), OPTIONS)
def test_an_option_of_a_program(option: str, program: str) -> None:
    command = f"{program.replace('+', ' ')} one -x {option}{PASSWORD} two"
    assert PASSWORD not in cleaned(command)


@pytest.mark.parametrize("option", sorted({option for option, _ in OPTIONS if len(option.strip()) == 2}))
def test_the_same_option_of_another_program(option: str) -> None:
    command = f"lister one -x {option}{PASSWORD} two"
    assert cleaned(command) == command


@pytest.mark.parametrize("line", secret_places.LINES)
def test_words_of_a_command_or_a_line(line: str) -> None:
    words = line.lstrip("^").removesuffix(" .").replace("_ ", "abc ").replace("?", PASSWORD)
    assert PASSWORD not in cleaned(f"first line\n{words}\nlast line")


@pytest.mark.parametrize(
    "call", [*secret_places.WITH_USER, *secret_places.ENDS_WITH_USER, *secret_places.ANY]
)
def test_an_argument_of_a_call(call: str) -> None:
    name = call if call in secret_places.ENDS_WITH_USER else f"{call}x"
    assert PASSWORD not in cleaned(f'it.{name}("db.example.com", "bob", "{PASSWORD}")')
    assert cleaned(f'it.{name}("db.example.com", 5432, "bob", key="main")').endswith('"bob", key="main")')


@pytest.mark.parametrize("call", secret_places.KEYED)
def test_a_key_that_a_call_gets(call: str) -> None:
    key, _ = made("<w24>4aX", 1)
    assert key not in cleaned(f'new {call}("eu-west-1", "{key}")')
    assert cleaned(f'{call}("main", "/srv/a")') == f'{call}("main", "/srv/a")'
