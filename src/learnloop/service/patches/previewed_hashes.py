"""Which hash each file had when it was previewed: what changed since is not written to."""

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


def _seen(root: str) -> dict[str, dict[str, str]]:
    """Which hash each file had when it was previewed for which patch."""
    try:
        found = json.loads(files.read(Path(root, _FILE)) or b"{}")
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def expected(root: str, chosen: Sequence[Patch]) -> dict[str, str]:
    """The hash that each file had at the last preview of any of these."""
    found = _seen(root)
    return {path: digest for patch in chosen for path, digest in found.get(patch.id, {}).items()}


def remember(root: str, chosen: Sequence[Patch], made: Sequence[FilePreview]) -> None:
    """Keep the hashes of the files that were previewed."""
    found = _seen(root)
    for patch in chosen:
        mine = {
            one.path: one.sha256
            for one in made
            if one.sha256 and any(result.patch == patch.id for result in one.results)
        }
        found[patch.id] = {**found.get(patch.id, {}), **mine}
    _keep(root, found)


def carry_on(root: str, report: Report) -> None:
    """What we changed ourselves is no change since the preview."""
    moved = {
        (one.path, one.sha256_before): one.sha256_after
        for one in report.results
        if one.ok and one.sha256_after
    }
    found = _seen(root)
    if moved and found:
        for seen in found.values():
            for path, digest in seen.items():
                seen[path] = moved.get((path, digest), digest)
        _keep(root, found)


def _keep(root: str, found: Mapping[str, Any]) -> None:
    with contextlib.suppress(OSError):  # without it a later change is noticed only while it is written
        files.replace(Path(root, _FILE), [json.dumps(found).encode("ascii")], sync=False)
