"""The hash of each file at its last preview: a file that changed since is not written to."""

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from learnloop.models.patch import Patch
from learnloop.service.patches.commit import Report
from learnloop.service.patches.preview import FilePreview
from learnloop.store import files

_FILE = "patching/previewed"


def _load(root: str) -> dict[str, dict[str, str]]:
    """By patch and path, the hash of the file when it was previewed."""
    try:
        hashes = json.loads(files.read(Path(root, _FILE)) or b"{}")
    except (OSError, ValueError):
        return {}
    return hashes if isinstance(hashes, dict) else {}


def expected(root: str, chosen: Sequence[Patch]) -> dict[str, str]:
    """The hash of each file at the last preview of any of these patches, by path."""
    hashes = _load(root)
    return {path: digest for patch in chosen for path, digest in hashes.get(patch.id, {}).items()}


def remember(root: str, chosen: Sequence[Patch], previews: Sequence[FilePreview]) -> None:
    """Store the hashes of the files that were previewed."""
    hashes = _load(root)
    for patch in chosen:
        own = {
            preview.path: preview.sha256
            for preview in previews
            if preview.sha256 and any(result.patch == patch.id for result in preview.results)
        }
        hashes[patch.id] = {**hashes.get(patch.id, {}), **own}
    _save(root, hashes)


def update(root: str, report: Report) -> None:
    """Replace the hashes of files that we changed: that is no change since the preview."""
    moved = {
        (result.path, result.sha256_before): result.sha256_after
        for result in report.results
        if result.ok and result.sha256_after
    }
    hashes = _load(root)
    if moved and hashes:
        for hash_by_path in hashes.values():
            for path, digest in hash_by_path.items():
                hash_by_path[path] = moved.get((path, digest), digest)
        _save(root, hashes)


def _save(root: str, hashes: Mapping[str, Any]) -> None:
    with contextlib.suppress(OSError):  # without it a later change is noticed only while it is written
        files.replace(Path(root, _FILE), [json.dumps(hashes).encode("ascii")], sync=False)
