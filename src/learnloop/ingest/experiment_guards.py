"""Experiments that do harm are paused, by a decision that says why and can be undone."""

from typing import Any

from learnloop.ingest import moment_counts
from learnloop.ingest.expiry import BY
from learnloop.learn.experiments import experiment_findings, replay
from learnloop.store import seal
from learnloop.store.store import Store
from learnloop.wire import event

Doc = dict[str, Any]


def pause_harmful(root: str) -> list[str]:
    """Pause every running experiment of which a variant is surely worse; return the reasons.

    The decisions are appended for the next ingest.
    """
    store = Store(root)
    if not store.shards("moments"):
        return []
    running = replay.running(replay.experiments(store.decisions()).values())
    counted = moment_counts.counted(root) if running else {}
    harms = [(one, experiment_findings.harm(one, counted.get(one.id, {}))) for one in running]
    records = [_pause(one.id, one.name, reason) for one, reason in harms if reason]
    is_kept = bool(records) and seal.append(root, records)
    return [reason for _, reason in harms if reason] if is_kept else []


def _pause(experiment_id: str, name: str, reason: str) -> Doc:
    step = {"do": "pause", "id": experiment_id, "name": name, "reason": reason}
    payload = {"action": replay.ACTION, "lesson_ids": [], "args": {replay.NAME: step}, "by": BY}
    return event.record("decision", host="learnloop", session_id=BY, cwd="", project="", payload=payload)
