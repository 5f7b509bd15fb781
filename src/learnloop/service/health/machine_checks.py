"""The doctor's checks of this machine: settings, keys, data folder, disk, client, log."""

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

from learnloop.service.health.check import WEEK_MS, Check, fail, ok, warn
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, paths

OLDEST_CLIENT = (2, 1, 47)
"""The first Claude Code that calls every hook."""
_MIB = 1 << 20


def settings(_ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the settings can be read."""
    from learnloop.settings import load

    load()
    path = paths.config_file()
    yield ok(path if Path(path).exists() else "all at their defaults")


def keys(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the console can use the person's own keys."""
    from learnloop.keymap import keymap

    resolved = keymap.resolved(ws.settings.keys)
    if not resolved.problems:
        changed = len(resolved.keys)
        yield ok(f"{changed} of your own" if changed else "the console's own")
    for problem in resolved.problems:
        yield warn(problem, f"change it in {paths.config_file()}, or learn config --unset KEY")


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
    places = (paths.events, paths.store, paths.quarantine, paths.backups, paths.log, paths.spool)
    folders = [ws.root, *(place(ws.root) for place in places if Path(place(ws.root)).is_dir())]
    open_folders = [path for path in folders if stat.S_IMODE(Path(path).stat().st_mode) & 0o077]
    if open_folders and fix:
        for path in open_folders:
            Path(path).chmod(paths.DIRECTORY_MODE)
        yield ok(f"{ws.root} was open to others and is closed now")
    elif open_folders:
        yield warn(f"{open_folders[0]} can be read by others", "learn doctor --fix closes it")
    else:
        yield ok(ws.root)


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
    """Whether Claude Code is new enough to call every hook."""
    program = shutil.which("claude")
    if not program:
        yield ok("Claude Code is not on the PATH here")
        return
    nested = {**os.environ, "LEARNLOOP_NESTED": "1"}
    run = subprocess.run(
        [program, "--version"], capture_output=True, text=True, timeout=20, env=nested, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    version = version_of(run.stdout)
    if not version:
        yield warn(f"{program} did not report its version", "run claude --version yourself")
    elif version < OLDEST_CLIENT:
        older = f"Claude Code {_dotted(version)} is older than {_dotted(OLDEST_CLIENT)}"
        yield warn(older, "claude update brings it up to date")
    else:
        yield ok(f"Claude Code {_dotted(version)}")


def version_of(text: str) -> tuple[int, ...]:
    """The version at the start of the output of `claude --version`; () where there is none."""
    parts = next(iter(text.split()), "").split(".")
    return tuple(map(int, parts)) if len(parts) > 1 and all(part.isdigit() for part in parts) else ()


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def log(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether something failed in the background lately."""
    from learnloop.service.intake import skipped

    logs = [path for path in Path(paths.log(ws.root)).glob("*") if path.name != skipped.FILE]
    newest = max(logs, key=lambda path: path.stat().st_mtime, default=None)
    if newest is None or newest.stat().st_mtime * 1000 <= clock.now_ms() - WEEK_MS:
        yield ok("nothing failed in the last 7 days")
        return
    last = (newest.read_text("utf-8", "replace").strip().splitlines() or ["empty"])[-1]
    yield warn(f"{newest.name}: {last[:200]}", f"the whole of it is {newest}")
