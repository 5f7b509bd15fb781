"""The short part of `make fuzz`: a few thousand inputs, the same each time, and the costliest structures."""

import pytest
from scripts.fuzz import cost, running
from scripts.fuzz.targets import TARGETS

RUNS = {"feedback": 60, "settings": 150, "filter_words": 300}
_RUNS = 1_000
COSTLY: dict[str, tuple[tuple[bytes, cost.Frame], ...]] = {
    "imported": ((b"[", (b"- a", b"b\n")), (b"[a](", (b"- a", b"b\n")), (b" ", (b"# a", b"x\n"))),
    "redaction": (
        (b"password:", (b"", b"")),
        (b"api_key=aaa&", (b"", b"")),
        (b"a-b-", (b"https://", b"@host")),
        (b"sk-", (b"https://", b"@host")),
    ),
    "feedback": ((b"\n", (b"fix it", b"now")), (b" \n", (b"fix it", b"now"))),
    "command_line": ((b"eval ", (b"", b"")), (b"$(", (b"", b""))),
    "path_pattern": ((b"**/", (b"", b"\nsrc/a/b.py")),),
}
"""Structures whose cost once grew with the square of their size, or easily would."""


@pytest.mark.parametrize("name", TARGETS)
def test_whatever_arrives_is_read_or_refused(name: str) -> None:
    result = running.mutated(name, RUNS.get(name, _RUNS), seed=7, most_s=20)
    assert result.failures == []
    assert result.runs == RUNS.get(name, _RUNS)


@pytest.mark.parametrize("name", COSTLY)
def test_twice_the_size_costs_at_most_little_more_than_twice(name: str) -> None:
    findings = [cost.examine(name, unit, frame) for unit, frame in COSTLY[name]]
    assert [str(finding) for finding in findings if finding] == []
