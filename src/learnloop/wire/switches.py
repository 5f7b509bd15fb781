"""Whether to record and to recall: switch files, asked with one `stat` each.

An empty file switches off for good; one that is not empty does so until its time of modification. A person's
switch of a project is also below the root, so that a project can neither remove it nor make one.
"""

import posix
import time

from learnloop.wire import env, paths

PROJECT_OFF = ".learnloop/off"
"""Switches recording and recall off in a project."""
PROJECT_RECORD_ONLY = ".learnloop/record-only"
"""Switches recall off in a project, but not recording."""
_HASH = (1 << 127) - 1


def silenced() -> bool:
    """Whether the environment switches everything off: the person did, or this client was started by us."""
    return env.is_on("LEARNLOOP_DISABLE") or env.is_on("LEARNLOOP_NESTED")


def recording(root: str, project_dir: str) -> bool:
    """Whether events of this project are recorded."""
    everywhere = (paths.off_switch(root), paths.record_off_switch(root))
    if silenced() or any(map(is_set, everywhere)) or stopped_in(root, project_dir):
        return False
    return not is_set(f"{project_dir}/{PROJECT_OFF}")


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
    """The switch that a project itself brings along: `.learnloop/off` or `.learnloop/record-only`, or none.

    It may have come with a clone, so it silences neither gates nor CRITICAL lessons.
    """
    for name in (PROJECT_OFF, PROJECT_RECORD_ONLY):
        if is_set(f"{project_dir}/{name}"):
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
