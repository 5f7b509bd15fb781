"""The doctor runs every check and reports what is wrong and what to do."""

from learnloop.errors import LearnloopError
from learnloop.service.health import (
    hook_checks,
    lesson_checks,
    machine_checks,
    settings_checks,
    store_checks,
)
from learnloop.service.health.check import Check, Checker, fail
from learnloop.service.workspace import Workspace

CHECKS: dict[str, Checker] = {
    "settings": settings_checks.settings,
    "keys": settings_checks.keys,
    "redaction": settings_checks.redaction,
    "folder": machine_checks.folder,
    "disk": machine_checks.disk,
    "hooks": hook_checks.registration,
    "switches": hook_checks.switches,
    "hooks once": hook_checks.once,
    "hook code": hook_checks.copy,
    "client": machine_checks.client,
    "journal": store_checks.journal,
    "spool": store_checks.spool,
    "clock": store_checks.clock_ahead,
    "capture": hook_checks.capture,
    "detector": store_checks.detector,
    "hook errors": hook_checks.errors,
    "store": store_checks.documents,
    "decisions": store_checks.decisions,
    "index": store_checks.index,
    "earlier tasks": store_checks.earlier,
    "vectors": store_checks.vectors,
    "trust": lesson_checks.trusted_files,
    "priorities": lesson_checks.priorities,
    "missed lessons": lesson_checks.silent,
    "ignored lessons": lesson_checks.ignored,
    "session starts": lesson_checks.starts,
    "prompt files": lesson_checks.prompt_files,
    "reading along": settings_checks.reading,
    "quarantine": store_checks.quarantine,
    "imports": lesson_checks.imports,
    "log": machine_checks.log,
}
"""The checks by name, in the order in which they depend on each other."""

_OF_SETTINGS = {"log.folder": settings_checks.log_folder, "vectors.model": store_checks.vectors}
"""What looks at the thing that a setting names."""


def problems_of(ws: Workspace, key: str) -> list[Check]:
    """What is wrong with the thing that a setting names, if it names any."""
    checker = _OF_SETTINGS.get(key)
    return [check for check in _run_safely(checker, ws, False) if check.level != "ok"] if checker else []


def examine(ws: Workspace, *, fix: bool = False) -> list[Check]:
    """Run every check; `fix` repairs what is safe to repair."""
    return [
        check.model_copy(update={"name": name})
        for name, checker in CHECKS.items()
        for check in _run_safely(checker, ws, fix)
    ]


def _run_safely(checker: Checker, ws: Workspace, fix: bool) -> list[Check]:
    """The results of a check; an exception becomes a failure of that check alone."""
    try:
        return list(checker(ws, fix))
    except LearnloopError as error:
        return [fail(error.message, error.hint)]
    except OSError as error:
        return [fail(f"{error.filename}: {error.strerror}", "look at it, then move it away")]
    except Exception as error:
        return [fail(f"could not be checked ({type(error).__name__}: {error})", "report this")]
