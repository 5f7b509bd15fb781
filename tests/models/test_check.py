"""A check reads as a sentence, and one that explodes or stops everything is refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from learnloop.models.lesson_check import CheckRule, expression_fault

TEST = {"on": "command", "runs": ["make test"]}


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (
            {"form": "before", "act": [{"on": "command", "runs": ["git commit"]}], "then": [TEST],
             "since": "edit", "passing": True},
            "before you run `git commit`: run `make test`, which passes, since the last edit",
        ),
        (
            {"form": "due", "act": [{"on": "write", "files": ["src/**"]}], "then": [TEST]},
            "after you write src/**: run `make test`, before you are done",
        ),
        (
            {"form": "never", "act": [
                {"on": "write", "files": ["*.ts"], "text": ["re:console\\.log"], "skip": ["tests", "docs"]}]},
            "never write *.ts that adds `console\\.log`, tests and docs left out",
        ),
        (
            {"form": "never", "act": [
                {"on": "command", "runs": ["venv"], "line": ["X=1"], "folder": ["!api"]},
                {"on": "write", "text": ["x"], "but": ["90"], "times": 2, "also": ["host"]}]},
            "never run `venv` in any folder but api in a line with `X=1` or write a file that adds `x`"
            " 2 times (not `90`) and `host`",
        ),
    ],
)  # fmt: skip
def test_it_reads_as_a_sentence(rule: dict[str, Any], sentence: str) -> None:
    read = CheckRule.model_validate(rule)
    assert read.words == sentence
    assert read.as_json() == rule


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+b",
        "(a|aa)*b",
        r"(\w)\1",
        "(?=a)b",
        ".*.*.*x",
        r"[^x]*\n[^y]*z",
        "a{2,}{3,}",
        "[",
        "x" * 10_000 + "(",
    ],
)
def test_an_expression_that_may_take_long_is_refused(pattern: str) -> None:
    assert expression_fault(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"^\d{4}-\d\d-\d\d-.+\.md$",
        r"(?i)\b(run|type) /continue\b",
        r"sk-[A-Za-z0-9]{20,}",
        "^a*b*c",
        r"\bimport\(?|\brequire\(? [*+]+",
        r"^\|.*\n\|.*x|^#.*\n#.*y",
    ],
)
def test_a_plain_expression_is_taken(pattern: str) -> None:
    assert expression_fault(pattern) == ""


@pytest.mark.parametrize(
    "rule",
    [
        {"form": "never", "act": [{"on": "command"}]},
        {"form": "never", "act": [{"on": "write", "files": ["**"]}]},
        {"form": "due", "act": [TEST]},
        {"form": "after", "act": [TEST]},
        {"form": "never", "act": []},
        {"form": "never", "act": [{"on": "write", "files": ["x"] * 61}]},
        {"form": "never", "act": [{"on": "write", "text": ["x" * 201]}]},
        {"form": "never", "act": [{"on": "write", "files": ["x"], "colour": "red"}]},
    ],
)
def test_a_check_that_holds_for_everything_or_is_not_whole_is_refused(rule: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        CheckRule.model_validate(rule)
