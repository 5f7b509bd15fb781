"""Blocks and discoveries from the journal to drafts, and what becomes of those that nobody can read."""

from pathlib import Path

from learnloop.ingest.run import ingest
from learnloop.models import Lesson
from learnloop.service.health import health_report
from learnloop.service.lessons import queue, rows
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.store import quarantine
from learnloop.wire import event, journal
from tests.recorded_events import fire

BLOCK = """[PROCESS_KNOWLEDGE]
type: warning
label: The seed script needs tables
confidence: 1.0
warning:
  risk: Seeding before the migration fails on foreign keys
  mitigation: Migrate first
[/PROCESS_KNOWLEDGE]"""


def _said(root: str, words: str, session: str = "s1") -> None:
    fire(root, "UserPromptSubmit", session, prompt="seed the database")
    fire(root, "Stop", session, last_assistant_message=words)
    ingest(root)


def _drafts(root: str) -> list[Lesson]:
    return queue.listing(Workspace(root), "draft")


def test_a_block_in_the_last_message_becomes_a_draft_of_an_agent(root: str) -> None:
    _said(root, f"Seeded.\n\n{BLOCK}")
    (draft,) = _drafts(root)

    assert draft.statement == "Seeding before the migration fails on foreign keys. Migrate first."
    assert (draft.trust, draft.source, draft.status) == ("agent", "block:process_knowledge", "draft")
    assert draft.evidence[0].quote.startswith("type: warning")


def test_a_block_at_the_end_of_a_long_message_is_not_cut_off(root: str) -> None:
    _said(root, "I looked at every table.\n" * 400 + BLOCK)

    assert len(_drafts(root)) == 1


def test_a_block_pasted_into_a_prompt_is_the_agents_still(root: str) -> None:
    fire(root, "UserPromptSubmit", prompt=f"{BLOCK.replace('Migrate first', 'Never seed first')}\nkeep that")
    ingest(root)

    assert [draft.trust for draft in _drafts(root)] == ["agent"]


def test_saying_it_again_in_a_session_does_not_make_it_truer_in_another_it_does(root: str) -> None:
    _said(root, BLOCK)
    _said(root, f"Once more.\n{BLOCK}")
    assert [draft.seen_count for draft in _drafts(root)] == [1]

    _said(root, BLOCK, session="s2")
    assert [draft.seen_count for draft in _drafts(root)] == [2]


def test_an_agents_own_confidence_does_not_put_it_over_what_a_person_said(root: str) -> None:
    _said(root, f"Seeded.\n\n{BLOCK}")
    fire(root, "UserPromptSubmit", prompt="no, use pnpm, not npm")
    ingest(root)

    assert [row.trust for row in rows.queue_page(Workspace(root)).top] == ["user", "agent"]


def test_a_block_that_cannot_be_read_is_kept_aside_with_line_and_reason(root: str) -> None:
    _said(root, "Done.\n[PROCESS_KNOWLEDGE]\nlabel: a\nlabel: b\n[/PROCESS_KNOWLEDGE]")
    (kept,) = quarantine.listing(root)

    assert _drafts(root) == []
    assert kept.reason == "line 4: 'label' is given twice"
    assert b"label: b" in Path(root, "quarantine", kept.name).read_bytes()
    assert [one.reason for one in health_report.health_report(Workspace(root)).quarantine] == [kept.reason]


def test_secrets_in_a_block_are_redacted_before_they_touch_the_disk(root: str) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    _said(root, BLOCK.replace("Migrate first", f"Use the token {secret}"))

    assert secret.encode() not in b"".join(
        path.read_bytes() for path in Path(root).rglob("*") if path.is_file()
    )
    assert len(_drafts(root)) == 1


def _discover(root: str, session: str, **fields: object) -> None:
    told = {
        "category": "gotcha",
        "summary": "Migration must run before seeding the database",
        "details": "The seed script assumes that all tables are there already.",
        "confidence": 0.9,
        **fields,
    }
    record = event.record(
        "discovery", host="claude", session_id=session, cwd="/code/shop", project="/code/shop", payload=told
    )
    assert journal.append(root, [record])
    ingest(root)


def test_a_rejected_discovery_is_held_back(root: str) -> None:
    _discover(root, "s1")
    verdicts.reject(Workspace(root), _drafts(root)[0].id)
    _discover(root, "s2")

    assert _drafts(root) == []
    assert [(draft.status, draft.held_back) for draft in queue.listing(Workspace(root))] == [("rejected", 1)]
