"""Whether to record and to recall: switch files, asked with one `stat` each.

An empty file switches off for good; one that is not empty does so until its time of modification.
"""

import posix
import time

from learnloop.wire import env, paths


def silenced() -> bool:
    """Whether the environment switches everything off: the person did, or this client was started by us."""
    return env.is_on("LEARNLOOP_DISABLE") or env.is_on("LEARNLOOP_NESTED")


def recording(root: str, project_dir: str) -> bool:
    """Whether events of this project are recorded."""
    return not silenced() and not is_set(paths.off_switch(root)) and not is_set(project_off(project_dir))


def recalling(root: str, project_dir: str) -> bool:
    """Whether lessons are recalled in this project; asked only where `recording` said yes."""
    if env.get("LEARNLOOP_RECALL") and not env.is_on("LEARNLOOP_RECALL"):
        return False
    if env.is_on("DISABLE_EXPERIENCE_INJECTION"):
        return False
    return not is_set(paths.recall_off_switch(root)) and not is_set(project_record_only(project_dir))


def project_off(project_dir: str) -> str:
    """The file that switches recording and recall off in a project."""
    return project_dir + "/.learnloop/off"


def project_record_only(project_dir: str) -> str:
    """The file that switches recall off in a project, but not recording."""
    return project_dir + "/.learnloop/record-only"


def is_set(path: str) -> bool:
    """Whether a switch file is there and its time has not passed."""
    try:
        status = posix.stat(path)
    except (OSError, ValueError):
        return False
    return status.st_size == 0 or status.st_mtime > time.time()
