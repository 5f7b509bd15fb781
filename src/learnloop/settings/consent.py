"""What the settings forbid, where hooks find it without the index: a switch file, and redaction patterns.

A settings file that is gone changes nothing: what a person forbade stays forbidden until a file says
otherwise. One that is not understood forbids recording, unless its faults are surely about something else.
"""

import json
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from learnloop import settings
from learnloop.errors import Unreadable
from learnloop.store import files
from learnloop.wire import paths, switches

_KEYS = ("enabled", "record")


def keep(root: str) -> None:
    """Bring what hooks read up to the settings file; raises OSError where it cannot be written.

    A `config.toml` in the root may forbid even where another one counts.
    """
    states, path = switches.settings_states(root), paths.config_file()
    reasons = [reason for file in states if (reason := _prohibition(file)) is not None]
    if reasons or path in states:
        _put(Path(paths.record_off_switch(root)), b"" if reasons else None)
    if states:
        seen = {**switches.settings_note(root)["seen"], **states}
        note = {"seen": seen, "reason": max(reasons, default="")}
        _put(Path(paths.settings_note(root)), json.dumps(note).encode())
    try:
        extras = json.dumps(list(settings.load(path, environment=False).redaction.extras))
    except Unreadable:
        return
    if path in states:
        _put(Path(paths.redaction(root)), None if extras == "[]" else extras.encode())


def _prohibition(path: str) -> str | None:
    """Why a settings file lets nothing be recorded, "" where it says so; None where it does not."""
    try:
        document = settings.read(path)
        chosen = settings.Settings.model_validate(document)
    except Unreadable as error:
        return error.message
    except ValidationError as error:
        if any(map(_may_forbid, error.errors(include_url=False))):
            return settings.invalid(error, path).message
        chosen = settings.Settings.model_validate({key: document[key] for key in _KEYS if key in document})
    return None if chosen.enabled and chosen.record else ""


def _may_forbid(fault: ErrorDetails) -> bool:
    """Whether a fault may hide the wish that nothing is recorded: an unknown or misplaced key, its value."""
    return fault["type"] == "extra_forbidden" or fault["loc"] == ("keys",) or bool({*_KEYS} & {*fault["loc"]})


def _put(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
    elif files.read(path) != data:
        files.replace(path, [data])
