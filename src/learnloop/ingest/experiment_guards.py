"""Experiments that do harm are paused, by a decision that says why and can be undone."""

from typing import Any

from learnloop.ingest import moment_counts
from learnloop.ingest.expiry import BY
from learnloop.learn.experiments import experiment_findings, replay
from learnloop.learn.experiments.counts import Counts
from learnloop.models.experiment import Experiment
from learnloop.store import seal
from learnloop.store.store import Store
from learnloop.wire import event

Doc = dict[str, Any]


def pause_harmful(root: str) -> list[str]:
    """Pause every running experiment of which a variant is surely worse; return the reasons.

    Of one that a person let go on, only moments since its last pause count. The decisions are appended for
    the next ingest.
    """
    store = Store(root)
    if not store.shards("moments"):
        return []
    decisions = store.decisions()
    running = replay.running(replay.experiments(decisions).values())
    counted = moment_counts.counted(root) if running else {}
    since = replay.last_paused(decisions, BY)
    harms = [(trial, _harm(root, trial, counted, since.get(trial.id, ""))) for trial in running]
    records = [_pause(trial.id, trial.name, reason) for trial, reason in harms if reason]
    is_kept = bool(records) and seal.append(root, records)
    return [reason for _, reason in harms if reason] if is_kept else []


def _harm(root: str, trial: Experiment, counted: Counts, since: str) -> str:
    """Why an experiment should pause, by its moments since a time where one is given; else empty."""
    of_trial = (moment_counts.counted_since(root, since) if since else counted).get(trial.id, {})
    harm = experiment_findings.harm(trial, of_trial)
    return f"{harm}, since its last pause" if harm and since else harm


def _pause(experiment_id: str, name: str, reason: str) -> Doc:
    step = {"do": "pause", "id": experiment_id, "name": name, "reason": reason}
    payload = {"action": replay.ACTION, "lesson_ids": [], "args": {replay.NAME: step}, "by": BY}
    return event.record("decision", host="learnloop", session_id=BY, cwd="", project="", payload=payload)
