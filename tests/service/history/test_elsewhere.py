"""Approvals from no terminal of the person's are news that one key takes back; decisions say where they were
made."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.service import place
from learnloop.service.health import doctor, quick_status, visits
from learnloop.service.history import undo
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.transfer import forget
from learnloop.service.workspace import Workspace, ingest
from learnloop.store import seal
from learnloop.wire import paths
from tests.store.small_stores import drafts

UNATTENDED = {
    "no terminal": place.Processes((("bash",), ("cron",)), "", "", 0),
    "a program that plays a terminal": place.Processes((("bash",), ("expect",)), "pts/0", "expect", 0),
}


@pytest.fixture
def leave_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[place.Processes], None]:
    """From now on decisions come from there."""
    return lambda seen: monkeypatch.setattr(place, "processes", lambda: seen)


def _news(root: str) -> dict[str, object]:
    told: dict[str, object] = json.loads(Path(paths.news(root)).read_bytes())
    return told


def test_what_a_person_approves_in_a_terminal_of_their_own_is_no_news(root: str) -> None:
    shell = drafts(root, "always ship the {} with a label", 2)
    visits.leave(Workspace(root, by="console"), now_ms=1)
    verdicts.promote(shell, list(documents.lessons(root)))
    verdicts.add(shell, "Answers are short.")
    news = visits.since(shell)
    assert (_news(root)["approved"], news and news.approved) == (0, 0)


@pytest.mark.parametrize("where", ["no terminal", "a program that plays a terminal"])
def test_what_is_approved_elsewhere_is_told_until_the_next_visit(
    root: str, where: str, leave_terminal: Callable[[place.Processes], None]
) -> None:
    drafts(root, "always ship the {} with a label", 3)
    console, shell = Workspace(root, by="console"), Workspace(root)
    first, second, third = documents.lessons(root)
    visits.leave(console, now_ms=1)
    verdicts.promote(console, [first])
    assert _news(root)["approved"] == 0
    leave_terminal(UNATTENDED[where])
    verdicts.promote(shell, [second])
    verdicts.reject(shell, [third])
    news = visits.since(console)
    assert (_news(root)["approved"], news and news.approved) == (1, 1)
    assert str(_news(root)["approved_words"]).endswith("with a label.")
    visits.leave(console)
    assert _news(root)["approved"] == 0


def test_one_step_takes_back_what_was_approved_elsewhere(
    root: str, leave_terminal: Callable[[place.Processes], None]
) -> None:
    drafts(root, "always ship the {} with a label", 3)
    first, second, third = documents.lessons(root)
    console = Workspace(root, by="console")
    verdicts.promote(console, [second])
    leave_terminal(UNATTENDED["no terminal"])
    verdicts.promote(Workspace(root), [first])
    verdicts.promote(Workspace(root), [third])
    undo.undo_elsewhere(console, {decision.id for decision in undo.approved_elsewhere(console)})
    assert [documents.lessons(root)[name]["status"] for name in (first, second, third)] == [
        "draft", "active", "draft",
    ]  # fmt: skip
    assert undo.approved_elsewhere(Workspace(root, by="console")) == []


def test_history_says_by_which_door_and_from_where(root: str, capsys: pytest.CaptureFixture[str]) -> None:
    ws = drafts(root, "always ship the {} with a label", 1)
    verdicts.promote(ws, list(documents.lessons(root)))
    capsys.readouterr()
    assert main(["undo", "--history"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "cli pts/0, bash < sshd" in printed
    assert main(["undo", "--history", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["door"], entry["terminal"], entry["parents"]) == ("cli", "pts/0", ["bash", "sshd"])


def test_no_argument_of_a_process_is_kept_and_not_many_processes(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = tuple((f"{'x' * 90}{number}",) for number in range(40))
    monkeypatch.setattr(place, "processes", lambda: place.Processes(names, "pts/0", "sshd", 0))
    here = place.here()
    assert len(here.parents) == 8
    assert max(map(len, here.parents)) == 40


def _chain(ws: Workspace) -> tuple[str, str]:
    (check, *_) = [check for check in doctor.examine(ws) if check.name == "decisions"]
    return check.level, quick_status.status_line(quick_status.quick_status(ws))


def test_a_decision_that_was_taken_out_shows(root: str) -> None:
    ws = drafts(root, "always ship the {} with a label", 3)
    for lesson_id in documents.lessons(root):
        verdicts.keep(ws, [lesson_id])
    assert _chain(ws)[0] == "ok"
    file = Path(paths.store(root), "decisions.json")
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines[:2], *lines[3:]]))
    level, line = _chain(ws)
    assert level == "warn"
    assert "decisions were removed" in line


def test_claimed_verdicts_are_counted_in_the_status_line(root: str) -> None:
    ws = drafts(root, "always ship the {} with a label", 1)
    file = Path(paths.store(root), "lessons.json")
    file.write_text(file.read_text().replace('"status":"draft"', '"status":"active"'))
    ingest(ws)
    level, line = _chain(ws)
    assert level == "warn"
    assert "1 verdict may be an agent's, see the Inbox" in line


def test_forgetting_leaves_a_whole_chain(root: str) -> None:
    ws = drafts(root, "always ship the {} with a label", 3)
    for lesson_id in documents.lessons(root):
        verdicts.promote(ws, [lesson_id])
    sessions = {seen["session_id"] for doc in documents.lessons(root).values() for seen in doc["evidence"]}
    forget.forget(ws, session=sorted(sessions)[0])
    verdicts.add(ws, "Answers are short.")
    assert seal.breaks(root) == 0
    assert documents.lessons(root)
