"""The history of patches: proposals, decisions and commits, with the hashes of the files."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from learnloop.models import Decision
from learnloop.models.patch import carried
from learnloop.service.id_prefix import shown
from learnloop.service.lessons import documents
from learnloop.service.patches.board import Board
from learnloop.service.patches.file_jobs import WRITTEN
from learnloop.service.workspace import Workspace


class HistoryResult(TypedDict):
    """The outcome for one file, with its hashes."""

    path: str
    did: str
    sha256_before: str
    sha256_after: str
    backup: str


class PatchHistoryEntry(TypedDict):
    """One step in the history of a patch."""

    ts: str
    did: str
    patch: str
    by: str
    sentence: str
    results: list[HistoryResult]


def history(ws: Workspace, patch_id: str | None = None, limit: int = 50) -> list[PatchHistoryEntry]:
    """The proposals and decisions, of one patch or all, newest first; raises NotFound or Ambiguous."""
    now = Board(ws)
    only = now.find(patch_id).id if patch_id else None
    entries: list[PatchHistoryEntry] = [
        {"ts": patch.created, "did": "propose", "patch": patch.id, "by": "learnloop",
         "sentence": f"Proposed {shown(patch.id)}: {patch.reason}", "results": []}
        for patch in now.patches if only in (None, patch.id) and patch.source != "teach"
    ]  # fmt: skip
    for decision in documents.decisions(ws.root):
        for doc in carried(decision.args):
            if only in (None, doc["id"]):
                entries.append({
                    "ts": decision.ts, "did": decision.args.get("did", ""), "patch": doc["id"],
                    "by": decision.by, "sentence": _about(decision, [doc]),
                    "results": _file_results(decision, doc),
                })  # fmt: skip
    return sorted(entries, key=lambda entry: entry["ts"], reverse=True)[:limit]


def _file_results(decision: Decision, patch: Mapping[str, Any]) -> list[HistoryResult]:
    target_by_path = {target.get("path"): target for target in patch.get("targets", ())}
    changes = []
    for result in decision.args.get("results", ()):
        if result.get("patch") == patch.get("id"):
            target = target_by_path.get(result["path"], {})
            changes.append(
                HistoryResult(
                    path=result["path"],
                    did=result["did"],
                    sha256_before=target.get("sha256_before", ""),
                    sha256_after=target.get("sha256_after", ""),
                    backup=target.get("backup", ""),
                )
            )
    return changes


_DID = {
    "apply": "Applied", "revert": "Reverted", "dismiss": "Dismissed", "restore": "Brought back",
    "edit": "Reworded", "import": "Imported", "propose": "Proposed",
}  # fmt: skip


def sentence(decision: Decision) -> str:
    """A decision about patches in words."""
    return _about(decision, list(carried(decision.args)))


def _about(decision: Decision, docs: Sequence[Mapping[str, Any]]) -> str:
    args, ids = decision.args, {doc["id"] for doc in docs}
    did = str(args.get("did", ""))
    results = [result for result in args.get("results", ()) if result.get("patch") in ids]
    paths = {result["path"] for result in results}
    changed = {result["path"] for result in results if result.get("did") in WRITTEN}
    text = f"{_DID.get(did, did.capitalize())} {_patches(docs)}"
    if paths:
        is_one = len(paths) == 1 and changed
        text += f" in {min(changed)}" if is_one else f" in {len(changed)} of {len(paths)} files"
    conflicts = sum(result.get("did") == "conflict" for result in results)
    text += f", {conflicts} in conflict" if conflicts else ""
    why = args.get("reason") or ("" if decision.action == "patch" else decision.action)
    return f"{text} ({why})" if why else text


def _patches(docs: Sequence[Mapping[str, Any]]) -> str:
    if len(docs) != 1:
        return f"{len(docs)} patches"
    first = str(docs[0].get("block", "")).split("\n")[0].lstrip("#").strip().removeprefix("- ")
    return f"patch {shown(str(docs[0]['id']))} “{first}”"
