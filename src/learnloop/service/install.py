"""Registering the hooks with an agent, taking them out again, and the switches."""

import difflib
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from learnloop.errors import Refused, Unreadable
from learnloop.hosts import deploy
from learnloop.hosts.claude import settings as claude
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, paths, switches

HOSTS = ("claude",)
_BOM = "\ufeff"


@dataclass(frozen=True)
class InstallReport:
    """What became of a settings file."""

    path: str
    changed: bool
    diff: str = ""
    messages: tuple[str, ...] = ()
    backup: str = ""
    """Where the file is kept as it was before; empty where there was none or nothing was written."""


@dataclass(frozen=True)
class Installation:
    """Our hooks as they stand in one settings file."""

    path: str
    host: str
    scope: str
    events: tuple[str, ...]
    current: bool
    """Whether every event is there once, with the command that this program would register."""
    error: str = ""


@dataclass(frozen=True)
class _Before:
    """What a settings file was before our hooks came: how to put it back as it would have been."""

    host: str
    scope: str
    existed: bool
    backup: str
    after: str
    """Digest of the file as we left it: unchanged since, the backup is put back byte for byte."""
    hooks: bool
    events: tuple[str, ...]
    folders: tuple[str, ...] = ()
    """Folders that were made for the file."""


def hook_command(ws: Workspace, host: str = "claude") -> str:
    """The exact command line that an agent runs; deploys the hook copy if it is not there."""
    _known(host)
    _deploy(ws)
    return deploy.command(ws.root, host)


def refresh(ws: Workspace) -> None:
    """Bring a deployed hook copy up to this program; nothing where hooks were never installed."""
    if not (_register(ws).exists() or os.path.lexists(paths.hooks(ws.root) + "/current")):
        return
    try:
        deploy.ensure(ws.root)
    except OSError:  # a full or read-only disk: the program works on, doctor tells
        return


def install(
    ws: Workspace,
    host: str = "claude",
    scope: str = "user",
    project: str | None = None,
    dry_run: bool = False,
) -> InstallReport:
    """Register the hooks in a settings file that is the person's own.

    Raises Unreadable, with nothing changed, for a file that cannot be parsed; Refused for one that cannot be
    written or is committed to a repository.
    """
    _known(host)
    path = claude.path_of(scope, project)
    _refuse_committed(path, scope)
    raw = _read(path)
    text = _text(path, raw)
    edited = _with_bom(raw, _explained(path, lambda: claude.with_hooks(text, deploy.command(ws.root, host))))
    messages = _messages(path, edited)
    report = InstallReport(str(path), edited.encode() != (raw or b""), _diff(path, raw, edited), messages)
    if dry_run:
        return report
    _deploy(ws)
    if report.changed:
        with _registered(ws) as register:
            backup = _install(ws, host, scope, path, raw, edited, register)
        return replace(report, backup=_kept_at(ws, backup))
    return report


def uninstall(
    ws: Workspace,
    host: str = "claude",
    scope: str = "user",
    project: str | None = None,
    dry_run: bool = False,
) -> InstallReport:
    """Take the hooks out again: the file becomes what it would have been without them."""
    _known(host)
    path = claude.path_of(scope, project)
    raw = _read(path)
    if raw is None:
        return InstallReport(str(path), False, messages=(f"{path} does not exist: nothing to take out",))
    before = _before(ws, path)
    restored = _restored(ws, path, raw, before)
    report = InstallReport(str(path), restored != raw, _diff(path, raw, (restored or b"").decode()))
    if not report.changed:
        return InstallReport(str(path), False, messages=(f"no hooks of ours in {path}",))
    if not dry_run:
        with _registered(ws) as register:
            backup = _uninstall(ws, path, raw, restored, before)
            register.pop(str(path), None)
        return replace(report, backup=_kept_at(ws, backup))
    return report


def installed(ws: Workspace) -> list[Installation]:
    """Where our hooks stand: the user's settings file, and every other that we installed into."""
    known = {path: (_as_before(entry).host, _as_before(entry).scope) for path, entry in _load(ws).items()}
    known.setdefault(str(claude.path_of("user", None)), ("claude", "user"))
    found = [_installation(ws, Path(path), host, scope) for path, (host, scope) in sorted(known.items())]
    return [each for each in found if each is not None]


def switch(
    ws: Workspace,
    on: bool,
    project: str | None = None,
    everything: bool = False,
    recall_only: bool = False,
    for_s: float | None = None,
) -> list[str]:
    """Switch recording and recall (or recall alone) on or off, in one project or everywhere.

    Returns the switch files that were written or removed.
    """
    if project is not None and not everything:
        off, recall_off = switches.project_off(project), switches.project_record_only(project)
    else:
        off, recall_off = paths.off_switch(ws.root), paths.recall_off_switch(ws.root)
    if on:
        return [
            path for path in ([recall_off] if recall_only else [off, recall_off]) if _switch_on(Path(path))
        ]
    path = recall_off if recall_only else off
    _switch_off(Path(path), for_s)
    return [path]


def client_version() -> tuple[int, ...] | None:
    """The version of the installed client, or None where it is not on the path or does not say."""
    found = shutil.which("claude")
    if not found:
        return None
    try:
        ran = subprocess.run(
            [found, "--version"], env={**os.environ, "LEARNLOOP_NESTED": "1"}, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=10, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    version = re.search(rb"(\d+)\.(\d+)\.(\d+)", ran.stdout)
    return tuple(int(part) for part in version.groups()) if version else None


def _known(host: str) -> None:
    if host not in HOSTS:
        raise Refused(f"no hooks for {host!r}", f"known: {', '.join(HOSTS)}")


def _deploy(ws: Workspace) -> None:
    try:
        deploy.ensure(ws.root)
        _register(ws).touch(paths.FILE_MODE)
    except OSError as error:
        raise Refused(f"cannot write the hook copy below {ws.root}", str(error)) from error


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(f"cannot read {path}", error.strerror or str(error)) from error


def _text(path: Path, raw: bytes | None) -> str:
    try:
        return (raw or b"").decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path} is not UTF-8", "put it right, then try again") from error


def _with_bom(raw: bytes | None, text: str) -> str:
    return _BOM + text if (raw or b"").startswith(_BOM.encode()) else text


def _explained(path: Path, edit: Any) -> str:
    """The outcome of an edit; what is wrong with the file is told with its path."""
    try:
        return str(edit())
    except Unreadable as error:
        raise Unreadable(f"{path}: {error.message}", error.hint) from error


def _diff(path: Path, raw: bytes | None, edited: str) -> str:
    old, new = _text(path, raw).splitlines(keepends=True), edited.removeprefix(_BOM).splitlines(keepends=True)
    lines = difflib.unified_diff(old, new, f"{path} (now)", f"{path} (then)")
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def _messages(path: Path, text: str) -> tuple[str, ...]:
    said = []
    if sys.platform == "win32":
        said.append("native Windows is not supported: install and use Learnloop inside WSL")
    version = client_version()
    if version is not None and version < claude.OLDEST_CLIENT:
        oldest, found = (".".join(map(str, numbers)) for numbers in (claude.OLDEST_CLIENT, version))
        said.append(f"Claude Code {found} is older than {oldest}, the oldest that is supported: update it")
    if claude.disabled(text.removeprefix(_BOM)):
        said.append(f'"disableAllHooks" is true in {path}: no hook runs until it is false')
    return tuple(said)


def _refuse_committed(path: Path, scope: str) -> None:
    """Hooks name this machine's paths: they belong in no file that a repository carries."""
    if scope != "local" or not shutil.which("git"):
        return
    ran = subprocess.run(
        ["git", "ls-files", "--error-unmatch", str(path)],
        cwd=path.parent if path.parent.is_dir() else None, capture_output=True, check=False,
    )  # fmt: skip
    if path.parent.is_dir() and ran.returncode == 0:
        raise Refused(
            f"{path} is committed to the repository", "use --scope user, or take the file out of git"
        )


def _install(
    ws: Workspace, host: str, scope: str, path: Path, raw: bytes | None, edited: str, register: dict[str, Any]
) -> str:
    earlier = _before(ws, path)
    untouched = earlier is not None and raw is not None and _digest(raw) == earlier.after
    held = claude.installed(_text(path, raw))
    shapes = claude.containers(_text(path, raw))
    if earlier is not None and held:  # ours are in it: what stood before them is what we noted then
        shapes = claude.Containers(earlier.hooks, earlier.events)
    backup = earlier.backup if earlier and untouched else _backup(ws, path, raw)
    existed = earlier.existed if earlier and held else raw is not None
    folders = tuple(str(parent) for parent in path.parents if not parent.exists())
    _replace(path, raw, edited.encode())
    exact = backup if untouched or not held else ""
    register[str(path)] = asdict(
        _Before(
            host, scope, existed, exact, _digest(edited.encode()), shapes.hooks, shapes.events,
            earlier.folders if earlier and held else folders,
        )
    )  # fmt: skip
    return backup


def _restored(ws: Workspace, path: Path, raw: bytes, before: _Before | None) -> bytes | None:
    """The file without our hooks; None where it would not be there."""
    if before and _digest(raw) == before.after:
        if not before.existed:
            return None
        kept = _read(Path(paths.backups(ws.root), before.backup)) if before.backup else None
        if kept is not None:
            return kept
    shapes = claude.Containers(before.hooks, before.events) if before else None
    text = _text(path, raw)
    bare = _explained(path, lambda: claude.without_hooks(text, shapes))
    if before and not before.existed and claude.is_empty(bare):
        return None
    return _with_bom(raw, bare).encode()


def _uninstall(ws: Workspace, path: Path, raw: bytes, restored: bytes | None, before: _Before | None) -> str:
    backup = _backup(ws, path, raw)
    if restored is not None:
        _replace(path, raw, restored)
        return backup
    path.unlink()
    for folder in before.folders if before else ():
        try:
            Path(folder).rmdir()
        except OSError:  # something else is in it
            break
    return backup


def _replace(path: Path, expected: bytes | None, data: bytes) -> None:
    """Replace a file atomically where its link leads, permission bits kept; refuses one that changed meanwhile."""
    real = Path(os.path.realpath(path))
    temporary = real.with_name(f".{real.name}.{os.getpid()}.tmp")
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        mode = real.stat().st_mode & 0o7777 if real.exists() else paths.FILE_MODE
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            os.fchmod(fd, mode)
            file.flush()
            os.fsync(fd)
        if _read(path) != expected:
            raise Refused(f"{path} was changed by another program meanwhile", "try again")
        temporary.replace(real)
    except OSError as error:
        raise Refused(f"cannot write {path}", error.strerror or str(error)) from error
    finally:
        temporary.unlink(missing_ok=True)


def _backup(ws: Workspace, path: Path, raw: bytes | None) -> str:
    """Keep what a file was; the name of the copy below the backups."""
    if raw is None:
        return ""
    name = f"settings/{clock.new_id(clock.now_ms())}-{path.name}"
    kept = Path(paths.backups(ws.root), name)
    try:
        paths.ensure_dir(str(kept.parent))
        kept.touch(paths.FILE_MODE)
        kept.write_bytes(raw)
    except OSError as error:
        raise Refused(f"cannot back up {path} below {ws.root}", error.strerror or str(error)) from error
    return name


def _kept_at(ws: Workspace, backup: str) -> str:
    return f"{paths.backups(ws.root)}/{backup}" if backup else ""


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _register(ws: Workspace) -> Path:
    """Where we note which settings files we changed, and what they were before."""
    return Path(ws.root, "install.json")


def _load(ws: Workspace) -> dict[str, Any]:
    """The register; a damaged one is as good as none, our entries are recognised without it."""
    try:
        found = json.loads(_register(ws).read_bytes() or b"{}")
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


@contextmanager
def _registered(ws: Workspace) -> Iterator[dict[str, Any]]:
    """The register for changing, one process at a time; written where the change succeeds."""
    paths.ensure_dir(ws.root)
    fd = os.open(f"{ws.root}/install.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, paths.FILE_MODE)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        register = _load(ws)
        yield register
        temporary = _register(ws).with_suffix(".tmp")
        temporary.touch(paths.FILE_MODE)
        temporary.write_text(json.dumps(register, indent=1))
        temporary.replace(_register(ws))
    finally:
        os.close(fd)


def _before(ws: Workspace, path: Path) -> _Before | None:
    entry = _load(ws).get(str(path))
    return _as_before(entry) if entry is not None else None


def _as_before(entry: Any) -> _Before:
    """An entry of the register; what is missing or wrong in it counts as not known."""
    found = entry if isinstance(entry, dict) else {}

    def text(name: str) -> str:
        value = found.get(name)
        return value if isinstance(value, str) else ""

    def texts(name: str) -> tuple[str, ...]:
        value = found.get(name)
        return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()

    return _Before(
        text("host") or "claude", text("scope") or "user", found.get("existed") is not False, text("backup"),
        text("after"), found.get("hooks") is not False, texts("events"), texts("folders"),
    )  # fmt: skip


def _installation(ws: Workspace, path: Path, host: str, scope: str) -> Installation | None:
    """Our hooks in one file, or None where there are none."""
    try:
        raw = _read(path)
        ours = claude.installed(_text(path, raw)) if raw is not None else {}
    except Unreadable as error:
        return Installation(str(path), host, scope, (), False, str(error))
    if not ours:
        return None
    groups = claude.wanted(deploy.command(ws.root, host))
    current = ours == {event: [group] for event, group in groups.items()}
    return Installation(str(path), host, scope, tuple(ours), current)


def _switch_off(path: Path, for_s: float | None) -> None:
    """Write a switch file: empty for good, else until its time of modification."""
    try:
        if path.parent.name == ".learnloop" and not path.parent.exists():
            path.parent.mkdir()
            (path.parent / ".gitignore").write_text("/.gitignore\n/off\n/record-only\n")
        paths.ensure_dir(str(path.parent))
        path.touch(paths.FILE_MODE)
        if for_s is None:
            path.write_bytes(b"")
            return
        until = time.time() + for_s
        path.write_text(f"until {clock.iso(int(until * 1000))}\n")
        os.utime(path, (until, until))
    except OSError as error:
        raise Refused(f"cannot write {path}", error.strerror or str(error)) from error


def _switch_on(path: Path) -> bool:
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Refused(f"cannot remove {path}", error.strerror or str(error)) from error
    if path.parent.name == ".learnloop" and {each.name for each in path.parent.iterdir()} == {".gitignore"}:
        (path.parent / ".gitignore").unlink()
        path.parent.rmdir()
    return True
