"""How many shapes of secrets never reach the disk, and how many ordinary texts lose something."""

import json
import sysconfig
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from learnloop.wire import text
from learnloop.wire.redact import cleaned, redact
from tests.secret_texts import made

SHAPES = Path(__file__).parents[1] / "data" / "secret_shapes.txt"
SHARED = Path(__file__).parents[3] / "shared" / "data"
VALUES = 20
CARDS = ("4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005")


def shapes() -> list[tuple[str, str]]:
    lines = [line for line in SHAPES.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [(kind, _decoded(words)) for kind, _, words in (line.partition(" | ") for line in lines)]


def _decoded(words: str) -> str:
    """The text of a line: `\\n` is a line break, `\\\\n` stays as it is in JSON, `\\z` a zero-width space."""
    parts = words.split("\\\\n")
    return "\\n".join(part.replace("\\n", "\n").replace("\\z", "\u200b") for part in parts)


def leaks(template: str) -> bool:
    """Whether any of many values of a shape is still to be read."""
    for seed in range(VALUES):
        secret, values = made(template, seed)
        values = values or [card for card in CARDS if card in secret]
        shown = cleaned(secret)
        if any(value in shown for value in values if len(value) > 3):
            return True
    return False


def test_shapes_that_stay_off_the_disk(capsys: pytest.CaptureFixture[str]) -> None:
    count, leaking = Counter(kind for kind, _ in shapes()), Counter[str]()
    for kind, template in shapes():
        leaking[kind] += leaks(template)
    with capsys.disabled():
        for kind, number in count.items():
            print(f"\n  {kind}: {number - leaking[kind]} of {number} never leak", end="")
        share = 1 - leaking.total() / count.total()
        print(f"\n  all: {count.total() - leaking.total()} of {count.total()} ({share:.1%})")
    assert count.total() >= 208
    assert share >= 0.95


def changed(texts: Iterable[str]) -> list[str]:
    """The texts that redaction takes something from."""
    return [words for words in map(text.clean, texts) if redact(words) != words]


@pytest.mark.skipif(not SHARED.exists(), reason="the shared prompts are not here (../shared/data)")
@pytest.mark.parametrize("name", ["feedback-dev.jsonl", "feedback-synthetic.jsonl"])
def test_ordinary_prompts_stay_as_they_are(name: str) -> None:
    rows = [json.loads(line) for line in (SHARED / name).read_text("utf-8").splitlines()]
    lost = changed(row["text"] for row in rows)
    assert len(lost) * 1_000 <= len(rows), lost


@pytest.mark.slow
@pytest.mark.parametrize("files", ["*.py", "[a-z]*/**/*.py"])
def test_the_library_stays_as_it_is(files: str) -> None:
    """Python's own library is code that speaks of passwords, tokens and keys all the time."""
    folder = Path(sysconfig.get_path("stdlib"))
    paths = [
        path for path in folder.glob(files) if not {"test", "tests", "site-packages"}.intersection(path.parts)
    ]
    lines = [
        line for path in paths for line in path.read_text("utf-8", "replace").splitlines() if line.strip()
    ]
    lost = changed(lines)
    assert len(lost) * 1_000 <= len(lines), lost
