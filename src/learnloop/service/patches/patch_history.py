"""The history of patches: what was proposed, decided and done, by whom, with the hashes of the files."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from learnloop.models import Decision
from learnloop.patch.carried import carried
from learnloop.service.lessons import documents
from learnloop.service.patches.board import Board
from learnloop.service.patches.file_jobs import WRITTEN

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


def history(ws: "Workspace", patch_id: str | None = None, limit: int = 50) -> list[dict[str, Any]]:
    """What was proposed, decided and done, newest first: {ts, did, patch, by, sentence, results}."""
    now = Board(ws)
    wanted = now.find(patch_id).id if patch_id else None
    entries: list[dict[str, Any]] = [
        {"ts": one.created, "did": "propose", "patch": one.id, "by": "learnloop",
         "sentence": f"Proposed {one.id[:6]}: {one.reason}", "results": []}
        for one in now.patches if wanted in (None, one.id) and one.source != "teach"
    ]  # fmt: skip
    for decision in documents.decisions(ws.root):
        for doc in carried(decision.args):
            if wanted in (None, doc["id"]):
                entries.append({
                    "ts": decision.ts, "did": decision.args.get("did", ""), "patch": doc["id"],
                    "by": decision.by, "sentence": _about(decision, [doc]), "results": _told(decision, doc),
                })  # fmt: skip
    return sorted(entries, key=lambda one: str(one["ts"]), reverse=True)[:limit]


def _told(decision: Decision, patch: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What happened to each file, with the hashes of before and after."""
    found = {one.get("path"): one for one in patch.get("targets", ())}
    names = ("sha256_before", "sha256_after", "backup")
    return [
        {"path": one["path"], "did": one["did"]}
        | {name: found.get(one["path"], {}).get(name, "") for name in names}
        for one in decision.args.get("results", ())
        if one.get("patch") == patch.get("id")
    ]


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
    said = f"{_DID.get(did, did.capitalize())} {_patches(docs)}"
    results = [one for one in args.get("results", ()) if one.get("patch") in ids]
    places = {one["path"] for one in results}
    done = {one["path"] for one in results if one.get("did") in WRITTEN}
    if places:
        said += (
            f" in {len(done)} of {len(places)} files" if len(places) > 1 or not done else f" in {min(done)}"
        )
    conflicts = sum(1 for one in results if one.get("did") == "conflict")
    said += f", {conflicts} in conflict" if conflicts else ""
    why = args.get("reason") or ("" if decision.action == "patch" else decision.action)
    return f"{said} ({why})" if why else said


def _patches(docs: Sequence[Mapping[str, Any]]) -> str:
    if len(docs) != 1:
        return f"{len(docs)} patches"
    first = str(docs[0].get("block", "")).split("\n")[0].lstrip("#").strip().removeprefix("- ")
    return f"patch {str(docs[0]['id'])[:6]} “{first}”"
