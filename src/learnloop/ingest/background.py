"""The background ingest that hooks start: `python -m learnloop.ingest.background [ROOT]`.

It runs at low priority, one at a time, and silently; failures go to `log/background.log`.
"""

import contextlib
import os
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from learnloop.ingest.retention import BY
from learnloop.learn.experiments import counts, experiment_findings, replay
from learnloop.learn.tasks import days
from learnloop.models.experiment import Experiment
from learnloop.store import seal
from learnloop.store.document_table import Span
from learnloop.store.store import Store
from learnloop.wire import clock, event, paths, regular, session_recalls

Doc = dict[str, Any]
_LOG_BYTES = 256 * 1024
_WAIT_S = 5.0
"""For another process's transaction, after decisions were appended."""


def main(argv: list[str] | None = None) -> int:
    """Ingest, then tidy up. Always return 0, because nobody reads the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    root = arguments[0] if arguments else paths.root()
    with contextlib.suppress(OSError):
        os.nice(10)
    logged(root, lambda: run(root))
    return 0


def logged(root: str, work: Callable[[], object], name: str = "background") -> None:
    """Do some work; a failure goes to the log of that name, the only place for it."""
    try:
        work()
    except Exception:
        _log(root, name, traceback.format_exc())


def run(root: str) -> None:
    """Ingest, pause what does harm, then remove what is too old."""
    from learnloop import settings
    from learnloop.ingest import (
        day_logs,
        decided,
        earlier_tasks,
        publish,
        retention,
        start_reading,
        task_history,
        task_vectors,
    )
    from learnloop.ingest.retention import expire
    from learnloop.ingest.run import ingest
    from learnloop.store import history, locks

    paths.ensure_dir(root)
    os.close(regular.opened(f"{root}/ingest.stamp", os.O_WRONLY | os.O_CREAT))
    os.utime(f"{root}/ingest.stamp")
    with locks.held(Path(root, "background.lock"), wait_s=0.0, what="the background ingest"):
        ingest(root)
        if [*expire(root, clock.now_ms()), *pause_harmful(root)]:
            decided.take(root, _WAIT_S)
        session_recalls.clean(root)
        retention.retire(root)
        day_logs.refresh(root, clock.now_ms())
        if not (model := settings.load(environment=False).vectors.model):
            task_vectors.remove(root)
        if model or earlier_tasks.is_used(root) or publish.is_priming(root):
            earlier_tasks.refresh(root, model=model)
        elif history.is_used(root):
            task_history.refresh(root)
    start_reading.start(root)
    start_reading.start_exchange(root)


def _log(root: str, name: str, failure: str) -> None:
    """Append a failure; a log that has grown large starts again."""
    with contextlib.suppress(OSError):
        paths.ensure_dir(paths.log(root))
        fd = regular.opened(f"{paths.log(root)}/{name}.log", os.O_RDWR | os.O_APPEND | os.O_CREAT)
        with os.fdopen(fd, "r+b", buffering=0) as file:
            if os.fstat(fd).st_size > _LOG_BYTES:
                file.truncate(0)
            entry = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}\n{failure}\n"
            file.write(entry.encode("utf-8", "backslashreplace"))


def pause_harmful(root: str) -> list[str]:
    """Pause every running experiment of which a variant is surely worse; return the reasons.

    Of one that a person let go on, only moments since its last pause count. The decisions are appended, and
    take effect by `decided.take`.
    """
    store = Store(root)
    decisions = store.decisions()
    running = replay.running(replay.experiments(decisions).values())
    if not running:
        return []
    first = days.before(min(trial.started for trial in running)[:10], 1)
    moments = list(store.all_documents("moments", Span(first)))
    since = replay.last_paused(decisions, BY)
    harms = [(trial, _harm(trial, moments, since.get(trial.id, ""))) for trial in running]
    records = [_pause(trial.id, trial.name, reason) for trial, reason in harms if reason]
    is_kept = bool(records) and seal.append(root, records)
    return [reason for _, reason in harms if reason] if is_kept else []


def _harm(trial: Experiment, moments: Sequence[Doc], since: str) -> str:
    """Why an experiment should pause, by its moments since a time where one is given; else empty."""
    counted = counts.count(doc for doc in moments if doc.get("started", "") > since)
    harm = experiment_findings.harm(trial, counted.get(trial.id, {}))
    return f"{harm}, since its last pause" if harm and since else harm


def _pause(experiment_id: str, name: str, reason: str) -> Doc:
    step = {"do": "pause", "id": experiment_id, "name": name, "reason": reason}
    payload = {"action": replay.ACTION, "lesson_ids": [], "args": {replay.NAME: step}, "by": BY}
    return event.record("decision", host="learnloop", session_id=BY, cwd="", project="", payload=payload)


if __name__ == "__main__":
    sys.exit(main())
