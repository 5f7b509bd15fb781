"""Prompts that an agent may have typed: they count for nothing, and their drafts are not the person's."""

import pytest

from learnloop.ingest.run import ingest
from learnloop.service.lessons import documents
from learnloop.store.store import Store
from learnloop.wire import clock, event, journal, provenance
from learnloop.wire.payloads import HookContext, records
from tests.recorded_events import PROJECT, fire
from tests.service.review.own_approvals import SESSION, in_call

RULE = "no, always squash the commits before you push"
OWN = {"pid": 10, "name": "claude", "since": 1}
OTHER = {"pid": 20, "name": "claude", "since": 1}
YOUNG = {"pid": 30, "name": "claude"}
IN_CALL = "Perhaps not your words: they came during a command of an agent."
NO_CLIENT = "Perhaps not your words: no client started the hook that recorded them."
UNSEALED = "Perhaps not your words: no hook of Learnloop recorded them."
Doc = dict[str, object]


def drafted(root: str) -> tuple[str, str]:
    """Trust and context of the only lesson."""
    ingest(root)
    (doc,) = documents.lessons(root).values()
    return doc["trust"], doc["context"]


@pytest.fixture
def began(root: str) -> str:
    """A store with a session of its own client, whose hooks seal what they record."""
    ingest(root)
    fire(root, "UserPromptSubmit", SESSION, prompt="hello")
    ingest(root)
    fire(root, "UserPromptSubmit", SESSION, starter=OWN, prompt="write a test for the parser")
    return root


@pytest.mark.parametrize(
    ("session", "starter", "draft"),
    [("another", OTHER, ("user", "")), ("another", OWN, ("external", IN_CALL)),
     (SESSION, OWN, ("external", IN_CALL)), ("another", YOUNG, ("external", IN_CALL)),
     ("another", None, ("external", IN_CALL)), (SESSION, None, ("external", IN_CALL))],
)  # fmt: skip
def test_only_a_client_that_was_there_before_types_while_a_call_runs(
    began: str, session: str, starter: Doc | None, draft: tuple[str, str]
) -> None:
    in_call(began, "bash work.sh")
    fire(began, "UserPromptSubmit", session, starter=starter, prompt=RULE)
    in_call(began, "bash work.sh", ended=True)
    assert drafted(began) == draft


def test_between_the_calls_it_is_the_persons(began: str) -> None:
    in_call(began, "bash work.sh")
    in_call(began, "bash work.sh", ended=True)
    fire(began, "UserPromptSubmit", SESSION, ts_ms=clock.now_ms() + 10, starter=OWN, prompt=RULE)
    assert drafted(began) == ("user", "")


@pytest.mark.parametrize(
    ("name", "draft"),
    [("bash", ("external", NO_CLIENT)), ("systemd", ("external", NO_CLIENT)),
     ("python3.11", ("user", "")), ("node", ("user", "")), ("crush", ("user", ""))],
)  # fmt: skip
def test_what_runs_anything_is_no_client(began: str, name: str, draft: tuple[str, str]) -> None:
    fire(began, "UserPromptSubmit", "another", starter={**OTHER, "name": name}, prompt=RULE)
    assert drafted(began) == draft


@pytest.mark.parametrize("seal", [{}, {"seal": "0" * 16}, {"seal": 1}, {"starter": "x"}])
def test_a_line_that_no_hook_wrote(began: str, seal: Doc) -> None:
    ingest(began)
    payload = {"prompt": RULE, **seal}
    line = event.record(
        "prompt", host="claude", session_id="s1", cwd=PROJECT, project=PROJECT, payload=payload
    )
    journal.append(began, [line])
    assert drafted(began) == ("external", UNSEALED)


@pytest.mark.parametrize("field", ["session_id", "project", "ts"])
def test_a_line_that_was_changed(began: str, field: str) -> None:
    call = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": PROJECT, "prompt": RULE}
    (line,) = records("claude", call, HookContext(PROJECT))
    provenance.mark(began, [line])
    journal.append(began, [{**line, field: clock.iso(1) if field == "ts" else "another"}])
    assert drafted(began) == ("external", UNSEALED)


def test_hooks_of_an_earlier_version_sealed_nothing(root: str) -> None:
    for prompt in ("write a test for the parser", RULE):
        ingest(root)
        call = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": PROJECT, "prompt": prompt}
        (line,) = records("claude", call, HookContext(PROJECT))
        line["payload"]["starter"] = "what no hook writes"
        journal.append(root, [line])
    assert drafted(root) == ("user", "")


def test_what_a_doubted_prompt_says_of_the_turn_before_it_is_not_heard(began: str) -> None:
    fire(began, "UserPromptSubmit", SESSION, starter={**OTHER, "name": "sh"}, prompt=RULE)
    ingest(began)
    assert Store(began).feedback() == []
