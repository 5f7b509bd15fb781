"""Swap: a whole store replaces another; a crash leaves the old one or the new one.

The new store is built in a root of its own below the root. A list of its files declares it complete. From
then on, whoever holds the store's lock moves the files that are left. A reader sees each file whole. The
database that is replaced stays until the new one was opened.
"""

import json
import shutil
from pathlib import Path

from learnloop.store import files
from learnloop.wire import paths, regular

FOLDER = "reanalysis"
_LIST = "complete.json"
_LAST = "state.json"


def shadow(root: str) -> str:
    """The root of the store that is being built."""
    return f"{root}/{FOLDER}"


def clear(root: str) -> None:
    """Remove what an unfinished building left; the caller holds the lock for building."""
    shutil.rmtree(shadow(root), ignore_errors=True)


def complete(root: str) -> None:
    """Declare the new store complete and put it in place; the caller holds the store's lock."""
    names = [path.name for path in files.listing(Path(paths.store(shadow(root))), ".json")]
    files.replace(Path(shadow(root), _LIST), [json.dumps(names).encode()])
    finish(root)


def is_pending(root: str) -> bool:
    """Whether a complete new store is not in place yet."""
    return Path(shadow(root), _LIST).exists()


def finish(root: str) -> None:
    """Move the rest of a complete new store into place, if there is one; the caller holds the lock.

    Files that the new store does not have are removed.
    """
    if not is_pending(root):
        return
    from learnloop.store import history

    names: list[str] = json.loads(regular.content(f"{shadow(root)}/{_LIST}"))
    built, place = Path(paths.store(shadow(root))), Path(paths.store(root))
    files.ensure(place)
    history.put_in_place(root, history.path(shadow(root)))
    for name in sorted(names, key=lambda other: (other == _LAST, other)):
        if (built / name).exists():
            (built / name).replace(place / name)
    for path in files.listing(place, ".json"):
        if path.name not in names:
            path.unlink(missing_ok=True)
    files.sync_folder(place)
    shutil.rmtree(shadow(root))
