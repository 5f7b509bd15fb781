"""Which later sessions were told an earlier task, out of receipts: a document a task and session."""

from typing import Any

from learnloop.ingest.effects import UpsertDocument

Doc = dict[str, Any]
TABLE = "primed"


def of_receipt(event: Doc) -> list[UpsertDocument]:
    """The tasks that a receipt names."""
    items = event["payload"].get("tasks")
    named = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return [_document(event, item) for item in named if isinstance(item.get("id"), str)]


def _document(event: Doc, item: Doc) -> UpsertDocument:
    task, session, score = item["id"], event["session_id"], item.get("score")
    doc_id = f"{task} {session} {event.get('agent_id') or 'main'}"
    doc = {
        "id": doc_id, "task": task, "session_id": session, "project": event.get("project", ""),
        "ts": event["ts"], "agent": event.get("agent_type") or "main",
        "score": score if isinstance(score, int) else 0,
    }  # fmt: skip
    return UpsertDocument(TABLE, doc_id, doc)
