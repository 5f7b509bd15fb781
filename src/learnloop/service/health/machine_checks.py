"""The doctor's checks of this machine: data folder, disk, client, log."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from learnloop.hosts import deploy
from learnloop.service.health.check import WEEK_MS, Check, fail, ok, warn
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, paths, regular

_MIB = 1 << 20
_OTHERS = 0o077
_SUFFIXES = (".json", ".jsonl", ".fold", ".lock", ".key", ".head", ".log")


def folder(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether the data folder is writable and closed to others."""
    try:
        owner = Path(ws.root).stat().st_uid
    except FileNotFoundError:
        yield ok(f"{ws.root} is made when something is first recorded")
        return
    if owner != os.getuid() or not os.access(ws.root, os.W_OK | os.X_OK):
        yield fail(f"{ws.root} cannot be written", "give it back to yourself with chown and chmod 700")
        return
    everything = [Path(ws.root), *Path(ws.root).rglob("*")]
    for path in filter(_is_odd, everything[1:]):
        yield fail(f"{path} is no regular file, or far too large", "look at it, then move it away")
    exposed = list(filter(_is_exposed, everything))
    for path in exposed if fix else ():
        path.chmod(path.stat().st_mode & ~_OTHERS)
    if exposed and fix:
        yield ok(f"{_exposed(exposed)} open to others and closed now")
    elif exposed:
        yield warn(f"{_exposed(exposed)} open to others", "learn doctor --fix closes that")
    else:
        yield ok(ws.root)


def _is_odd(path: Path) -> bool:
    """Whether a path is neither folder nor file, a folder with the name of a file, or far too large."""
    try:
        status = path.lstat()
    except OSError:  # removed meanwhile
        return False
    if stat.S_ISDIR(status.st_mode):
        return path.suffix in _SUFFIXES
    is_file = stat.S_ISREG(status.st_mode) and status.st_size <= regular.LARGEST
    return not is_file and path.name != deploy.CURRENT


def _is_exposed(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except OSError:  # removed meanwhile
        return False
    return not stat.S_ISLNK(mode) and bool(mode & _OTHERS)


def _exposed(paths_: list[Path]) -> str:
    return str(paths_[0]) + (f" and {len(paths_) - 1} more are" if len(paths_) > 1 else " is")


def disk(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the disk has room."""
    place = Path(ws.root)
    while not place.exists():
        place = place.parent
    volume = os.statvfs(place)
    free = volume.f_bavail * volume.f_frsize
    if free < 16 * _MIB:
        yield fail(f"{free // 1024} KiB free", "make room: what agents do is not recorded otherwise")
    elif free < 200 * _MIB:
        yield warn(f"{free // _MIB} MiB free", "make room before it runs out")
    else:
        yield ok(f"{free // _MIB:,} MiB free")


def client(_ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether each agent on this machine is new enough to call every hook."""
    from learnloop.hosts import client
    from learnloop.service import hosts

    present = [host for host in hosts.HOSTS if shutil.which(host.program)]
    if not present:
        yield ok("no agent is on the PATH here")
    for host in present:
        version = client.version(host.program)
        if version is None:
            yield warn(f"{host.program} did not report its version", f"run {host.program} --version yourself")
        elif version < host.oldest:
            older = f"{host.title} {client.dotted(version)} is older than {client.dotted(host.oldest)}"
            yield warn(older, "update it")
        else:
            yield ok(f"{host.title} {client.dotted(version)}")


def log(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether something failed in the background lately."""
    from learnloop.service.intake import skipped

    logs = [path for path in Path(paths.log(ws.root)).glob("*") if path.name != skipped.FILE]
    newest = max(logs, key=lambda path: path.stat().st_mtime, default=None)
    if newest is None or newest.stat().st_mtime * 1000 <= clock.now_ms() - WEEK_MS:
        yield ok("nothing failed in the last 7 days")
        return
    last = (regular.content(str(newest)).decode("utf-8", "replace").strip().splitlines() or ["empty"])[-1]
    yield warn(f"{newest.name}: {last[:200]}", f"the whole of it is {newest}")
