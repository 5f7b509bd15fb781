"""Finish commits that were cut off, from the logs they left."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from learnloop.errors import LearnloopError
from learnloop.patch import blocks, files
from learnloop.service import event_log
from learnloop.service.lessons import documents
from learnloop.service.patches.commit import record
from learnloop.service.patches.file_jobs import PatchResult

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

_FIELDS = {
    "did": str, "by": str, "action": str, "extra": dict, "event": str, "patches": list, "results": list,
    "files": list,
}  # fmt: skip


def recover(ws: "Workspace") -> list[str]:
    """Remove leftovers and record what happened; returns a line for each log.

    Called by whoever changes prompt files next, and by `learn doctor --fix`. The caller holds `files.held`.
    Raises Refused where the decision cannot be written, or ingest fails after it.
    """
    report = []
    for path in files.open_logs(ws.root):
        log = files.read_log(path)
        report.append(_recovered(ws, log) if log is not None and _is_log(log) else f"{path.name}: unreadable")
        files.close(path)
    if report:
        event_log.ingest(ws)
    return report


def _is_log(log: Mapping[str, Any]) -> bool:
    return all(isinstance(log.get(name), kind) for name, kind in _FIELDS.items())


def _recovered(ws: "Workspace", log: dict[str, Any]) -> str:
    entries = {entry["path"]: entry for entry in log["files"]}
    states = {path: files.state_of(entry) for path, entry in entries.items()}
    results = []
    for doc in log["results"]:
        result = PatchResult.model_validate(doc)
        entry = entries.get(result.path)
        if entry is None or not result.ok:
            continue
        state = states[result.path]
        if state == "new" or (state == "other" and _is_done(result, entry["real"])):
            results.append(result.with_(sha256_after=entry["after"], backup=entry["backup"]))
    reals = {path: (entry["real"], int(entry["mode"])) for path, entry in entries.items()}
    if all(decision.id != log["event"] for decision in documents.decisions(ws.root)):
        record(ws, log, results, reals)
    written = sum(state == "new" for state in states.values())
    return f"{log['did']} was cut off: {written} of {len(states)} files are written"


def _is_done(result: PatchResult, real: str) -> bool:
    """Whether a file that was edited meanwhile has the block, or no longer has it, as it was asked for."""
    try:
        is_there = any(block.id == result.patch for block in blocks.blocks(files.read(real).text))
    except LearnloopError:
        return False
    return is_there == (result.did in ("applied", "updated"))
