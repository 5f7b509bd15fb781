"""Whether to record and to recall: switch files, asked with one `stat` each.

An empty file switches off for good; one that is not empty does so until its time of modification. A person's
switch of a project is also below the root, so that a project can neither remove it nor make one.
"""

import posix
import time

from learnloop.wire import env, paths

PROJECT_OFF = ".learnloop/off"
"""Switches recording and recall off in a project."""
PROJECT_SETTINGS = ".learnloop/config.toml"
"""A project has no settings; whoever writes some wishes for less, so they count as PROJECT_OFF."""
PROJECT_RECORD_ONLY = ".learnloop/record-only"
"""Switches recall off in a project, but not recording."""
_MOST_SETTINGS = 1 << 20
_HARMLESS = (b" ", b"recall", b"record=true", b"enabled=true")
TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from typing import TypedDict

    class SettingsNote(TypedDict):
        """Which settings files were read in which state, and why they let nothing be recorded."""

        seen: dict[str, int]
        reason: str


_HASH = (1 << 127) - 1


def silenced() -> bool:
    """Whether the environment switches everything off: the person did, or this client was started by us."""
    return (
        env.is_on("LEARNLOOP_DISABLE")
        or env.is_on("LEARNLOOP_NESTED")
        or not env.permits(env.get("LEARNLOOP_ENABLED"))
    )


def recording(root: str, project_dir: str) -> bool:
    """Whether events of this project are recorded."""
    if silenced() or is_set(paths.off_switch(root)) or stopped_in(root, project_dir):
        return False
    return may_record(root) and of_project(project_dir) not in (PROJECT_OFF, PROJECT_SETTINGS)


def may_record(root: str) -> bool:
    """Whether settings and environment let anything be recorded.

    Settings that changed since a program read them forbid it where they may mean that: hooks parse no TOML.
    """
    if is_set(paths.record_off_switch(root)) or not env.permits(env.get("LEARNLOOP_RECORD")):
        return False
    states = settings_states(root)
    seen = settings_note(root)["seen"] if states else {}
    return not any(seen.get(path) != changed and _may_forbid(path) for path, changed in states.items())


def settings_states(root: str) -> "dict[str, int]":
    """When each settings file that is there was changed: the one that counts, and one in the root."""
    states = {}
    for path in (paths.config_file(), f"{root}/config.toml"):
        try:
            states[path] = posix.stat(path).st_mtime_ns
        except OSError:
            pass
    return states


def settings_note(root: str) -> "SettingsNote":
    """What the programs that read the settings noted about them."""
    from learnloop.wire import codec, regular

    try:
        note: SettingsNote = codec.decode(
            regular.read(paths.settings_note(root), _MOST_SETTINGS).decode("utf-8")
        )
        return {"seen": dict(note["seen"]), "reason": str(note["reason"])}
    except (OSError, ValueError, TypeError, KeyError):
        return {"seen": {}, "reason": ""}


def _may_forbid(settings: str) -> bool:
    from learnloop.wire import regular

    try:
        text = regular.read(settings, _MOST_SETTINGS, follows=True)
    except OSError:
        return True
    for word in _HARMLESS:
        text = text.replace(word, b"")
    return b"rec" in text.lower() or b"enab" in text.lower()


def stopped_in(root: str, project_dir: str) -> bool:
    """Whether the person switched everything off in a project, or in a folder that it is a part of."""
    if not exists(root + "/switches"):
        return False
    folder = project_dir
    while folder and not is_set(f"{root}/{own(folder, PROJECT_OFF)}"):
        folder = folder.rpartition("/")[0]
    return bool(folder)


def recalling(root: str, project_dir: str) -> bool:
    """Whether the person lets lessons be recalled in this project; asked only where nothing is off."""
    if env.get("LEARNLOOP_RECALL") and not env.is_on("LEARNLOOP_RECALL"):
        return False
    if env.is_on("DISABLE_EXPERIENCE_INJECTION"):
        return False
    own_switch = f"{root}/{own(project_dir, PROJECT_RECORD_ONLY)}"
    return not is_set(paths.recall_off_switch(root)) and not is_set(own_switch)


def of_project(project_dir: str) -> str:
    """The switch that a project itself brings along, one of the `PROJECT_` names, or none.

    It may have come with a clone, so it silences neither gates nor CRITICAL lessons.
    """
    for name in (PROJECT_OFF, PROJECT_SETTINGS, PROJECT_RECORD_ONLY):
        path = f"{project_dir}/{name}"
        if exists(path) if name == PROJECT_SETTINGS else is_set(path):
            return name
    return ""


def own(project_dir: str, name: str) -> str:
    """The person's own copy of a project's switch, from the root."""
    key = int.from_bytes(project_dir.encode("utf-8", "surrogatepass"), "big") % _HASH
    return f"switches/{name.rpartition('/')[2]}-{key:032x}"


def exists(path: str) -> bool:
    """Whether there is anything at a path."""
    try:
        posix.stat(path)
    except (OSError, ValueError):  # the latter: no path can be written like that
        return False
    return True


def is_set(path: str) -> bool:
    """Whether a switch file is there and its time has not passed."""
    try:
        status = posix.stat(path)
    except (OSError, ValueError):
        return False
    return status.st_size == 0 or status.st_mtime > time.time()
