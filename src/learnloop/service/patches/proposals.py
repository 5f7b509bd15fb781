"""Decisions about patches that change no file: propose, dismiss, restore, reword."""

from collections.abc import Mapping, Sequence
from typing import Any

from learnloop.errors import NotFound, Refused
from learnloop.hosts import agent_files
from learnloop.models import Decision
from learnloop.models.patch import Patch, PatchTarget
from learnloop.patch import blocks, plain_bullets, propose
from learnloop.service import event_log, workspace
from learnloop.service.id_prefix import shown
from learnloop.service.patches.board import Board
from learnloop.service.patches.commit import without_quotes
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.wire import clock

_LONGEST = 4000


def teach(ws: Workspace, agent: str = "", projects: Sequence[str] = (), *, is_named: bool = False) -> Patch:
    """The patch with the instructions for recording discoveries, proposed if new, updated if older.

    `is_named` says that the person names the file. Raises NotFound where no prompt file would take it and
    none is named, Refused where the agent's name is not valid.
    """
    if agent:
        agent_files.check_name(agent)
    snippet = propose.snippet(agent, _now())
    now = Board(ws, projects)
    if not is_named and not now.candidates(snippet):
        raise _nowhere(now, agent)
    before = now.by_id.get(snippet.id)
    if before is None:
        _decide(ws, "propose", [snippet], {})
    elif before.state == "dismissed":
        restore(ws, [before.id])
    if before is not None and before.block != snippet.block and not before.edited:
        edit(ws, before.id, snippet.block, is_persons=False)
    return Board(ws, projects).find(snippet.id)


def _nowhere(now: Board, agent: str) -> NotFound:
    if not agent:
        return NotFound(
            "no instruction file was found", "make one, as ~/.claude/CLAUDE.md, or name it with --file"
        )
    names = sorted({file.name for file in now.files if file.kind == "agent" and file.name})
    hint = f"there are {', '.join(names[:8])}" if names else "learn patches targets lists what there is"
    return NotFound(f"no prompt file of an agent {agent!r} was found", hint)


def dismiss(ws: Workspace, ids: Sequence[str], reason: str = "") -> Decision:
    """Turn proposals down; they are not made again. Raises Refused where one is not proposed."""
    agent_guard.check(ws, "patches", ids)
    patches = Board(ws).find_all(ids)
    for patch in patches:
        if patch.state != "proposed":
            way_out = "revert it first" if patch.state == "active" else "nothing is to be done"
            raise Refused(f"{shown(patch.id)} is {patch.state}", way_out)
    reason = workspace.redacted(ws, reason)
    changed = [dismissed(patch, reason) for patch in patches]
    return _decide(ws, "dismiss", changed, {"reason": reason} if reason else {})


def restore(ws: Workspace, ids: Sequence[str]) -> Decision:
    """Bring dismissed proposals back; raises Refused where one is not dismissed."""
    agent_guard.check(ws, "patches", ids)
    patches = Board(ws).find_all(ids)
    for patch in patches:
        if patch.state != "dismissed":
            raise Refused(f"{shown(patch.id)} is {patch.state}, not dismissed", "nothing is to be done")
    reasons = {patch.id: patch.reason_dismissed for patch in patches if patch.reason_dismissed}
    return _decide(
        ws, "restore", [restored(patch) for patch in patches], {"reasons": reasons} if reasons else {}
    )


def edit(
    ws: Workspace, patch_id: str, words: str | None = None, placement: str | None = None, *,
    is_persons: bool = True,
) -> Decision | None:  # fmt: skip
    """Change what a block says or where it goes; files get the new block when it is applied again.

    `is_persons` is false where the words are a newer wording of our own. None where nothing is different.
    Raises Refused where the words are too long or the placement is unknown.
    """
    if is_persons:
        agent_guard.check(ws, "patches", [patch_id])
    patch = Board(ws).find(patch_id)
    changes = _wording(ws, patch, words, placement)
    before = {name: getattr(patch, name) for name in changes}
    if before == changes:
        return None
    if "block" in changes:
        changes["edited"] = is_persons
    return _decide(ws, "edit", [reworded(patch, changes)], {"before": before})


def _wording(ws: Workspace, patch: Patch, words: str | None, placement: str | None) -> dict[str, Any]:
    """The fields `block` and `placement` as far as they are given, checked."""
    changes: dict[str, Any] = {}
    if words is not None:
        if patch.is_plain and not patch.is_item:
            raise Refused("an import line has no other words", "revert it, and apply the fact again")
        make = plain_bullets.item_of if patch.is_item else blocks.safe_body
        body = make(workspace.redacted(ws, words))
        if len(body) > _LONGEST:
            raise Refused(f"the block is {len(body)} characters long", f"say it in {_LONGEST} or less")
        changes["block"] = body
    if placement is not None:
        if placement not in ("append", "prepend"):
            raise Refused(f"{placement!r} is no place", "take append or prepend")
        changes["placement"] = placement
    return changes


# The patch after a decision


def dismissed(patch: Patch, reason: str) -> Patch:
    """The patch as dismissed."""
    return patch.with_(state="dismissed", reason_dismissed=reason, targets=_written(patch), updated=_now())


def restored(patch: Patch) -> Patch:
    """The patch as proposed again."""
    return patch.with_(state="proposed", reason_dismissed="", updated=_now())


def reworded(patch: Patch, changes: Mapping[str, Any]) -> Patch:
    """The patch with other words or another placement; its targets keep the block that is in the files."""
    if "block" in changes:
        targets = [
            target.with_(block=patch.block)
            if target.state in ("applied", "conflict") and not target.block
            else target
            for target in _written(patch)
        ]
        changes = {**changes, "targets": targets}
    return patch.with_(**changes, updated=_now())


def _written(patch: Patch) -> tuple[PatchTarget, ...]:
    """The targets that anything was ever written to: planned ones follow from the files of the moment."""
    return tuple(target for target in patch.targets if target.state != "planned")


def _now() -> str:
    return clock.iso(clock.now_ms())


def _decide(ws: Workspace, did: str, changed: Sequence[Patch], extra: Mapping[str, Any]) -> Decision:
    args = {"did": did, "patches": [without_quotes(patch) for patch in changed], **extra}
    return event_log.decide(ws, "patch", [], args)
