"""Claimed verdicts in the console: shown with sign and reason, settled by one key."""

import pytest

from learnloop.service import place
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import ingest, open_workspace
from learnloop.wire import event, journal
from learnloop_tui.bridge import ServiceBridge
from tests.store.small_stores import workspace
from tests.tui import person
from tests.tui.fakes import Console, console
from tests.tui.test_visits import visit

NO_PIP = "no, use uv instead of pip"


def _forge(root: str, action: str) -> None:
    """A verdict that is written into the journal by hand."""
    payload = {"action": action, "lesson_ids": list(documents.lessons(root)), "args": {}, "by": "console"}
    forged = event.record("decision", host="learnloop", session_id="x", cwd="", project="", payload=payload)
    assert journal.append(root, [forged])
    ingest(open_workspace(root), wait_s=10)


def _status(root: str) -> list[tuple[str, bool]]:
    return [(doc["status"], bool(doc.get("claims"))) for doc in documents.lessons(root).values()]


async def _look(seen: Console) -> None:
    await seen.until(lambda: seen.view.items and "claimed" in seen.page)
    assert "⚠" in seen.page
    assert "it was not written by Learnloop" in " ".join(seen.page.split())


@pytest.mark.parametrize(("key", "status"), [("p", "active"), ("r", "draft")])
async def test_a_claimed_approval_is_settled_by_one_key(root: str, key: str, status: str) -> None:
    workspace(root, NO_PIP)
    _forge(root, "promote")
    async with console(ServiceBridge(root), size=(120, 30)) as seen:
        await _look(seen)
        await seen.press(key)
        await seen.until(lambda: _status(root) == [(status, False)])


@pytest.mark.parametrize(("key", "status"), [("p", "archived"), ("r", "active")])
async def test_a_claim_on_a_lesson_in_use_is_in_triage(root: str, key: str, status: str) -> None:
    ws = workspace(root, NO_PIP)
    verdicts.promote(ws, list(documents.lessons(root)))
    _forge(root, "archive")
    async with console(ServiceBridge(root), size=(120, 30)) as seen:
        await _look(seen)
        await seen.press(key)
        await seen.until(lambda: _status(root) == [(status, False)])


@pytest.mark.parametrize(("answer", "status"), [("escape", "active"), ("enter", "draft")])
async def test_what_was_approved_elsewhere_is_news_and_taken_back_after_a_question(
    root: str, answer: str, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = workspace(root, NO_PIP)
    async with visit(root):
        pass
    with monkeypatch.context() as patch:
        patch.setattr(place, "processes", lambda: place.Processes((("cron",),), "", "", 0))
        verdicts.promote(ws, list(documents.lessons(root)))
    async with visit(root) as seen:
        there = person.Inside(seen)
        await there.until(lambda screen: "1 approved elsewhere, U undoes" in screen)
        await seen.press("U")
        await there.until(lambda screen: "Kept " in screen and "“Use uv instead of pip.”" in screen)
        assert _status(root) == [("active", False)]
        await seen.press(answer)
        await seen.until(lambda: seen.app.screen is seen.app.main and _status(root) == [(status, False)])
