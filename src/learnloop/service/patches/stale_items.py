"""List items in files whose fact is no longer in use: proposed for removal, which only a person decides."""

from collections.abc import Mapping
from typing import Any

from learnloop.learn.lessons import usefulness
from learnloop.models.base import Document
from learnloop.service.id_prefix import shown
from learnloop.service.lessons import documents
from learnloop.service.patches.board import stored_patches
from learnloop.service.workspace import Workspace
from learnloop.wire import clock

_OUT_OF_USE = {"archived": "its lesson is archived", "rejected": "its lesson is rejected"}


class StaleItem(Document):
    """A list item that is proposed for removal; `learn patches revert` with its patch removes it."""

    patch_id: str
    short: str
    path: str
    item: str
    why: str


def stale_items(ws: Workspace, now_ms: int | None = None) -> list[StaleItem]:
    """The items in files of facts that are unused, expired, archived or gone."""
    applied = [
        (patch, target.path)
        for patch in stored_patches(ws.root).values()
        if patch.is_item
        for target in patch.targets
        if target.is_applied
    ]
    now, docs = clock.now_ms() if now_ms is None else now_ms, documents.lessons(ws.root) if applied else {}
    return [
        StaleItem(patch_id=patch.id, short=shown(patch.id), path=path, item=patch.block, why=why)
        for patch, path in applied
        if (why := _why(docs.get(patch.source_id), now))
    ]


def _why(lesson: Mapping[str, Any] | None, now_ms: int) -> str:
    """Why an item is out of date, by its lesson; empty where it is not."""
    if lesson is None:
        return "its lesson is gone"
    expires = clock.parse_ms(lesson.get("expires_at"))
    if expires and expires <= now_ms:
        return f"it held until {str(lesson['expires_at'])[:10]}"
    if usefulness.proposal(lesson, now_ms) == "unused":
        keep = f"learn edit --keep {shown(str(lesson['id']))} keeps it"
        return f"nothing came of it for {usefulness.UNUSED_DAYS} days ({keep})"
    return _OUT_OF_USE.get(str(lesson.get("status")), "")
