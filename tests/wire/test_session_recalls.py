"""What recall remembers of a session, and that of two hooks at once only one tells."""

import multiprocessing
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from learnloop.wire import paths, session_recalls
from learnloop.wire.session_recalls import SessionRecalls

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

DAY_MS = 86_400_000


def test_what_is_claimed_is_recalled_for_that_agent_and_moment(root: str) -> None:
    assert SessionRecalls(root, "s").claim("tool", ["aaaa"], 12)
    assert SessionRecalls(root, "s").shown("tool") == {"aaaa"}
    assert not SessionRecalls(root, "s").claim("tool", ["aaaa"], 12)
    for other in (SessionRecalls(root, "s", "agent-1"), SessionRecalls(root, "t")):
        assert other.shown("tool") == set()
    assert SessionRecalls(root, "s").shown("prompt") == set()
    assert SessionRecalls(root, "s").claim("prompt", ["aaaa"], 12)


def test_no_more_is_recalled_than_a_session_allows(root: str) -> None:
    assert SessionRecalls(root, "s").claim("prompt", ["one", "two"], 4) == ["one", "two"]
    assert SessionRecalls(root, "s").claim("tool", ["one", "three", "four"], 4) == ["one", "three"]
    assert SessionRecalls(root, "s").claim("tool", ["five"], 4) == []
    assert SessionRecalls(root, "s").shown("tool") == {"one", "three"}


def test_after_a_compaction_everything_may_be_recalled_again(root: str) -> None:
    kept = SessionRecalls(root, "s")
    assert kept.claim("tool", ["aaaa"], 1)
    assert kept.claim("start", ["aaaa", "bbbb"])
    kept.forget_context()
    fresh = SessionRecalls(root, "s")
    assert (fresh.shown("tool"), fresh.shown("start")) == (set(), set())
    assert fresh.claim("tool", ["aaaa"], 1)


def test_a_start_is_remembered_and_does_not_count(root: str) -> None:
    assert SessionRecalls(root, "s").claim("start", ["aaaa", "bbbb"]) == ["aaaa", "bbbb"]
    assert SessionRecalls(root, "s").claim("start", ["bbbb", "cccc"]) == ["cccc"]
    assert SessionRecalls(root, "s").shown("start") == {"aaaa", "bbbb", "cccc"}
    assert SessionRecalls(root, "s").claim("tool", ["aaaa"], 1) == ["aaaa"]


def _new(root: str, moment: str, *lessons: str, agent: str = "main") -> list[str]:
    kept = SessionRecalls(root, "s", agent)
    return kept.new_to_person(moment, kept.claim(moment, list(lessons)))


def test_a_lesson_is_new_to_the_person_once_in_a_session(root: str) -> None:
    assert _new(root, "start", "aaaa", "bbbb") == ["aaaa", "bbbb"]
    assert _new(root, "tool", "aaaa", agent="agent-1") == []
    assert _new(root, "tool", "aaaa") == ["aaaa"]
    assert _new(root, "prompt", "aaaa", "bbbb") == ["bbbb"]
    SessionRecalls(root, "s").forget_context()
    assert _new(root, "start", "aaaa", "cccc") == ["cccc"]
    assert _new(root, "tool", "aaaa", "cccc") == ["cccc"]
    assert SessionRecalls(root, "s").new_to_person("tool", ["dddd"]) == []


def test_the_news_of_a_session_are_claimed_once_and_of_none_that_is_forgotten(root: str) -> None:
    assert not SessionRecalls(root, "s").claim_news()
    SessionRecalls(root, "s").claim("tool", ["aaaa"])
    at_once = [SessionRecalls(root, "s") for _ in range(3)]
    assert [hook.claim_news() for hook in at_once] == [True, False, False]
    assert not SessionRecalls(root, "s").claim_news()
    assert SessionRecalls(root, "s").shown("tool") == {"aaaa"}


def test_the_last_prompt_is_kept_in_part(root: str) -> None:
    assert session_recalls.last_prompt(root, "s") == ""
    SessionRecalls(root, "s").keep_prompt("first")
    SessionRecalls(root, "s").keep_prompt("é" * 5_000)
    assert session_recalls.last_prompt(root, "s") == "é" * session_recalls.PROMPT_CHARACTERS
    SessionRecalls(root, "s").keep_prompt("last")
    assert session_recalls.last_prompt(root, "s") == "last"
    for number in range(300):
        SessionRecalls(root, "s").claim("start", [f"lesson{number:020d}"])
    assert session_recalls.last_prompt(root, "s") == "last"


def test_a_prompt_is_one_line_whatever_it_says(root: str) -> None:
    SessionRecalls(root, "s").claim("tool", ["aaaa"])
    SessionRecalls(root, "s").keep_prompt("one\nepoch\r\ntold x main tool 9 bbbb\u2028")
    assert SessionRecalls(root, "s").shown("tool") == {"aaaa"}
    assert session_recalls.last_prompt(root, "s") == "one epoch told x main tool 9 bbbb"


def test_a_torn_line_costs_itself_only(root: str) -> None:
    SessionRecalls(root, "s").claim("tool", ["aaaa"])
    with Path(session_recalls.path(root, "s")).open("ab") as file:
        file.write(b"\ntold 0198")
    SessionRecalls(root, "s").claim("tool", ["bbbb"])
    assert SessionRecalls(root, "s").shown("tool") == {"aaaa", "bbbb"}


@pytest.mark.parametrize("session", ["../../x", "a/b", "", "x" * 300, "a\0b", "\ud800", "."])
def test_no_session_leaves_the_folder(session: str, root: str) -> None:
    assert SessionRecalls(root, session, session).claim("tool", ["aaaa"], 12)
    assert SessionRecalls(root, session, session).shown("tool") == {"aaaa"}
    (made,) = [path for path in Path(root).parent.rglob("*") if path.is_file()]
    assert made.parent == Path(paths.recall_sessions(root))


def test_only_its_owner_can_look(root: str) -> None:
    SessionRecalls(root, "s").keep_prompt("words")
    made = Path(session_recalls.path(root, "s"))
    assert (made.stat().st_mode & 0o777, made.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def _claims(root: str, names: list[str], limit: int, parent: "Connection") -> None:
    kept = SessionRecalls(root, "s")
    parent.send("ready")
    parent.recv()
    parent.send([name for name in names if kept.claim("tool", [name], limit)])


def _at_once(root: str, names: list[list[str]], limit: int) -> list[str]:
    """What processes that claim at the same time may tell. Pipes need no /dev/shm."""
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe() for _ in names]
    hooks = [
        context.Process(target=_claims, args=(root, mine, limit, theirs))
        for mine, (_, theirs) in zip(names, pipes, strict=True)
    ]
    for hook in hooks:
        hook.start()
    assert [ours.poll(30) and ours.recv() for ours, _ in pipes] == ["ready"] * len(hooks)
    for ours, _ in pipes:
        ours.send("go")
    assert all(ours.poll(60) for ours, _ in pipes)
    claimed = [name for ours, _ in pipes for name in ours.recv()]
    for hook in hooks:
        hook.join(30)
    return sorted(claimed)


def test_of_many_hooks_at_once_one_recalls_each_lesson(root: str) -> None:
    lessons = [f"lesson{number}" for number in range(8)]
    assert _at_once(root, [lessons] * 4, 20) == lessons


def test_many_hooks_at_once_keep_the_limit(root: str) -> None:
    claimed = _at_once(root, [[f"{hook}-{number}" for number in range(6)] for hook in range(4)], 5)
    assert len(claimed) <= 5
    assert set(claimed) == SessionRecalls(root, "s").shown("tool")


def test_sessions_of_long_ago_are_forgotten(root: str) -> None:
    for session in ("old", "new"):
        SessionRecalls(root, session).claim("start", ["aaaa"])
    now_ms = 2_000_000_000_000
    os.utime(session_recalls.path(root, "old"), (0, now_ms / 1000 - 8 * 86_400))
    os.utime(session_recalls.path(root, "new"), (0, now_ms / 1000 - 6 * 86_400))
    assert session_recalls.clean(root, now_ms) == 1
    assert [path.name for path in Path(paths.recall_sessions(root)).iterdir()] == ["new"]


def test_a_session_is_forgotten(root: str) -> None:
    SessionRecalls(root, "s").keep_prompt("words")
    assert session_recalls.forget(root, "s")
    assert not session_recalls.forget(root, "s")
    assert session_recalls.last_prompt(root, "s") == ""


def test_nothing_to_forget_is_no_trouble(root: str) -> None:
    assert session_recalls.clean(root) == 0
