"""Errors of one kind have one class, without what is particular to one of them."""

import pytest

from learnloop.learn.tasks import patterns, told_line


@pytest.mark.parametrize(
    ("error", "named"),
    [
        ('Exit code 1\nTraceback:\n  File "/a/b.py", line 3\nValueError: bad 17', "ValueError: bad <n>"),
        ("Exit code 127\n(eval):1: command not found: python3", "(eval):<n>: command not found: python3"),
        ("ENOENT: no such file, open '/home/me/x.ts'", "ENOENT: no such file, open '<path>'"),
        ("fatal: bad object 1a2b3c4d5e6f", "fatal: bad object <hash>"),
        ("\x1b[31merror\x1b[0m: missing 2 fields", "error: missing <n> fields"),
        ("Exit code 2", "Exit code <n>"),
        ("Exit code 2: no rule 7", "no rule <n>"),
        ("", "no message"),
        ("   \n ", "no message"),
    ],
)  # fmt: skip
def test_a_class_is_the_telling_line_without_particulars(error: str, named: str) -> None:
    assert patterns.error_class(error) == named


def test_a_class_is_short_whatever_the_error() -> None:
    for error in ("x" * 100_000, "/" * 50_000, "1.2" * 20_000, "\x1b[" * 10_000):
        assert len(patterns.error_class(error)) <= patterns.LONGEST


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q",
        "cd app && npm test",
        "uv run pytest tests/a.py",
        "make",
        "cargo build --release",
        "npx tsc",
    ],
)
def test_tests_and_builds_judge_the_work(command: str) -> None:
    assert told_line.is_check(command)


@pytest.mark.parametrize(
    "command", ["ls tests", "git commit -m 'run pytest'", "cat Makefile", "", "rm -rf build"]
)
def test_other_commands_do_not(command: str) -> None:
    assert not told_line.is_check(command)
