"""What Claude Code prints is read strictly; what it is started with keeps it to one answer."""

import json
from typing import Any

import pytest

from learnloop.distill.bounded_call import CallResult
from learnloop.distill.model_clients import NOT_LOGGED_IN, ModelClient, answer_of, argv
from learnloop.learn.facts.requests import Known, Quoted, extraction

CLAUDE = ModelClient("claude", program="/bin/claude")
GOOD: dict[str, Any] = {
    "is_error": False, "subtype": "success", "result": "", "total_cost_usd": 0.0004,
    "structured_output": {"facts": [{"from": "p1", "text": "Use uv", "kind": "preference"}]},
    "usage": {"input_tokens": 90, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 5,
              "output_tokens": 7},
}  # fmt: skip


def _said(code: int = 0, **changes: object) -> CallResult:
    return CallResult(code, json.dumps({**GOOD, **changes}).encode(), b"")


def test_a_good_answer_has_its_facts_and_its_price() -> None:
    answer = answer_of(CLAUDE, _said())
    assert [fact.text for fact in answer.said.facts] == ["Use uv"]
    assert answer.usage == {"tokens_in": 100, "tokens_out": 7, "tokens_cached": 5, "cost_usd": 0.0004}
    assert answer.error == ""


@pytest.mark.parametrize(
    ("result", "error"),
    [
        (CallResult(0, b"", b""), "the client gave no JSON"),
        (CallResult(1, b"", b"boom\n"), "the client gave exit code 1: boom"),
        (CallResult(0, b"\x00\xff", b""), "the client gave no JSON"),
        (CallResult(0, b"[" * 100_000, b""), "the client gave no JSON"),
        (CallResult(None, b"", b"", "timeout"), "timeout"),
        (_said(1, is_error=True, api_error_status=429), "the service answered 429"),
        (_said(1, is_error=True, api_error_status=500), "the service answered 500"),
        (_said(1, is_error=True, api_error_status=529), "the service answered 529"),
        (_said(1, is_error=True, api_error_status=401), NOT_LOGGED_IN),
        (_said(1, is_error=True, result="Not logged in · Please run /login"), NOT_LOGGED_IN),
        (_said(1, is_error=True, result="API Error: Unable to connect"), "API Error: Unable to connect"),
        (_said(0, is_error=True, result="odd"), "odd"),
        (_said(1, subtype="error_max_turns"), "the answer is words instead of JSON"),
        (_said(structured_output=None), "the answer is no object of the schema"),
        (_said(structured_output="Use uv"), "the answer is words instead of JSON"),
    ],
)  # fmt: skip
def test_anything_else_is_a_failure_with_its_reason(result: CallResult, error: str) -> None:
    answer = answer_of(CLAUDE, result)
    assert (answer.said.facts, answer.error) == ([], error)


@pytest.mark.parametrize("cost", [None, "1", -1, float("nan"), float("inf"), True, [1]])
def test_a_price_that_cannot_be_is_unknown(cost: object) -> None:
    answer = answer_of(CLAUDE, _said(total_cost_usd=cost, usage={"input_tokens": -5, "output_tokens": "x"}))
    assert answer.usage == {"tokens_in": 0, "tokens_out": 0, "tokens_cached": 0, "cost_usd": None}
    assert answer_of(CLAUDE, _said(usage=[1])).usage["tokens_in"] == 0


def test_a_secret_in_an_error_is_taken_out() -> None:
    key = "ghp_" + "a1B2c3D4" * 5
    assert key not in answer_of(CLAUDE, _said(1, is_error=True, result=f"bad key {key}")).error


def test_the_client_is_shielded() -> None:
    line = argv(CLAUDE, "haiku", extraction([], Known()))
    shields = {
        "--settings": '{"disableAllHooks":true}', "--tools": "", "--setting-sources": "", "--max-turns": "1",
        "--output-format": "json", "--model": "haiku",
    }  # fmt: skip
    assert {name: line[line.index(name) + 1] for name in shields if name in line} == shields
    assert {"--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence"} <= set(line)


def test_captured_text_never_stands_on_the_command_line() -> None:
    request = extraction([Quoted("p1", "the prompt")], Known("what is known"))
    line = argv(CLAUDE, "haiku", request)
    assert line[0] == "/bin/claude"
    assert line[-1] == "-p"
    assert "the prompt" not in " ".join(line)
    assert "what is known" not in " ".join(line)
    own = argv(ModelClient("llm", ("llm", "-m", "{model}")), "small", request)
    assert own == ["llm", "-m", "small"]
