"""What the settings forbid, where hooks find it without the index: a switch file, and redaction patterns.

A settings file that is gone or cannot be read changes nothing: what a person forbade stays forbidden until a
file that can be read says otherwise.
"""

import json
from pathlib import Path

from learnloop import settings
from learnloop.errors import Unreadable
from learnloop.store import files
from learnloop.wire import paths


def keep(root: str) -> None:
    """Bring both files up to the settings file; raises OSError where they cannot be written."""
    if not Path(paths.config_file()).exists():
        return
    try:
        chosen = settings.load(environment=False)
    except Unreadable:
        return
    records = chosen.enabled and chosen.record
    _put(Path(paths.record_off_switch(root)), None if records else b"")
    extras = json.dumps(list(chosen.redaction.extras)).encode()
    _put(Path(paths.redaction(root)), extras if chosen.redaction.extras else None)


def _put(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
    elif files.read(path) != data:
        files.replace(path, [data])
