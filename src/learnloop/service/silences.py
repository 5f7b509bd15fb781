"""What keeps a project from being recorded, or its agents from being told lessons."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from learnloop.hosts import client, hook_settings
from learnloop.wire import env, index, paths, switches

LEAST_BYTES = 64 * 1024
"""Free bytes below which a hook cannot rely on a record being kept."""


LEAST_FILES = 8  # fewer than an ingest makes
MAKE_ROOM = "make room: what agents do is not recorded otherwise"


def room(place: str | Path) -> tuple[int, int]:
    """The bytes and the files that there is room for; raises OSError where nothing is there."""
    volume = os.statvfs(place)
    return volume.f_bavail * volume.f_frsize, volume.f_favail if volume.f_files else 1 << 62


class Silence(NamedTuple):
    """A reason, and the way out of it."""

    why: str
    way_out: str
    records: bool = False
    """Whether events are recorded all the same."""
    recalls: bool = False
    """Whether lessons are recalled all the same."""


def of(root: str, project: str = "") -> list[Silence]:
    """Everything that silences Learnloop in a project, or everywhere where none is named."""
    return [
        *_by_switches(root, project), *_by_settings(root), *by_client(root, project),
        *_by_interpreter(project), *_by_disk(root),
    ]  # fmt: skip


def _by_switches(root: str, project: str) -> Iterator[Silence]:
    if switches.is_set(paths.off_switch(root)):
        yield Silence("recording and recall are switched off", "learn on switches them on")
    if switches.is_set(paths.recall_off_switch(root)):
        yield Silence("recall is switched off", "learn on --recall switches it on", records=True)
    for name in ("LEARNLOOP_DISABLE", "LEARNLOOP_ENABLED"):
        value = env.get(name)
        if env.means_on(value) if name == "LEARNLOOP_DISABLE" else not env.permits(value):
            yield Silence(f"{name} is {value} in this shell", "agents started from it are not recorded")
    if not project:
        return
    brought, own = switches.of_project(project), switches.own(project, switches.PROJECT_RECORD_ONLY)
    if brought == switches.PROJECT_SETTINGS:
        why = f"{project}/{brought} is there, so recording and recall are off"
        yield Silence(why, "remove it, because a project has no settings")
    elif brought == switches.PROJECT_OFF or switches.stopped_in(root, project):
        why = f"recording and recall are switched off in {project}"
        yield Silence(why, f"learn on --project {quote(project)} switches them on")
    elif brought or switches.is_set(f"{root}/{own}"):
        way_out = f"learn on --recall --project {quote(project)} switches it on"
        yield Silence(f"recall is switched off in {project}", way_out, records=True)


def _by_settings(root: str) -> Iterator[Silence]:
    published = index.read(paths.index(root))
    chosen = published.header.get("switches", {}) if published else {}
    reason = switches.settings_note(root)["reason"]
    if reason:
        yield Silence(f"recording is off because of {reason}", "mend the file", recalls=True)
    elif not switches.may_record(root) or not chosen.get("record", True):
        yield Silence(
            "recording is off by the settings", "learn config record true switches it on", recalls=True
        )
    variable = env.get("LEARNLOOP_RECALL")
    is_off = (variable and not env.is_on("LEARNLOOP_RECALL")) or env.is_on("DISABLE_EXPERIENCE_INJECTION")
    if is_off or not chosen.get("recall", True):
        why = "recall is off by settings or environment"
        yield Silence(why, "learn config recall true switches it on", records=True)


def by_client(root: str, project: str) -> Iterator[Silence]:
    """What the client's settings silence in a folder that it is started in."""
    for path, settings in client.read(project):
        if settings.get("disableAllHooks") not in (None, False):
            yield Silence(f'"disableAllHooks" is true in {path}', "no hook runs until it is false")
        yield from _by_variables(path, settings, root)


def _by_interpreter(project: str) -> Iterator[Silence]:
    for path, settings in client.read(project):
        with contextlib.suppress(ValueError):  # a command that nobody can split
            if gone := hook_settings.gone_interpreter(settings):
                yield Silence(
                    f"the hooks in {path} name {gone}, which is gone", "learn doctor --fix renews them"
                )


def _by_variables(path: str, settings: dict[str, Any], root: str) -> Iterator[Silence]:
    way_out = "take it out of the file if that is not your wish"
    for name in ("LEARNLOOP_DISABLE", "LEARNLOOP_NESTED"):
        if env.means_on(client.variable(settings, name)):
            yield Silence(f"{name} is set in {path}", way_out)
    for name in ("LEARNLOOP_ENABLED", "LEARNLOOP_RECORD"):
        if not env.permits(client.variable(settings, name)):
            yield Silence(f"{name} is off in {path}", way_out, recalls=name == "LEARNLOOP_RECORD")
    home = client.variable(settings, "LEARNLOOP_HOME")
    if home and Path(home) != Path(root):
        yield Silence(f"LEARNLOOP_HOME in {path} sends recordings and recall to {home}", way_out)
    recall = client.variable(settings, "LEARNLOOP_RECALL")
    if (recall and not env.means_on(recall)) or env.means_on(
        client.variable(settings, "DISABLE_EXPERIENCE_INJECTION")
    ):
        yield Silence(f"recall is switched off in {path}", way_out, records=True)


def _by_disk(root: str) -> Iterator[Silence]:
    try:
        free, names = room(root)
    except OSError:  # nothing was ever recorded
        return
    if free < LEAST_BYTES or names < LEAST_FILES:
        what = "full" if free < LEAST_BYTES else "out of inodes"
        yield Silence(f"the disk is {what}", MAKE_ROOM, recalls=True)
    elif not os.access(root, os.W_OK | os.X_OK):
        yield Silence(f"{root} cannot be written", "give it back to yourself with chmod 700", recalls=True)
