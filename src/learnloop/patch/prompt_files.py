"""Prompt files on disk: checked when read, backed up, logged, then replaced whole.

The order of a commit: backups, log, then a temporary copy and a rename per file. A process that dies in
between leaves the old or the new file, and a log that says which.
"""

import contextlib
import hashlib
import json
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from learnloop.errors import LearnloopError, NotFound, Refused
from learnloop.store import files, foreign, locks
from learnloop.wire import clock, paths, regular

LARGEST = 1 << 20
"""Bytes of a file that is still taken for a prompt."""
SUFFIXES = (".md", ".mdc", ".markdown")
NAMES = (".cursorrules", ".windsurfrules", ".clinerules", ".goosehints")
"""Beside Markdown files, those that only agents read."""
_NEVER = {".git", ".ssh", ".gnupg"}
_LOGS = "patching"
_NEW_MODE = 0o644


@dataclass(frozen=True)
class PromptFile:
    """A prompt file as it was read."""

    path: str
    """The path as the person named it."""
    real: str
    """The path behind all links, which is replaced."""
    data: bytes = field(repr=False)
    mode: int
    owner: int
    group: int

    @property
    def sha256(self) -> str:
        """The hash of its bytes."""
        return sha256(self.data)

    @property
    def text(self) -> str:
        """Its text; U+FEFF in front stays."""
        return self.data.decode("utf-8")


@dataclass(frozen=True)
class FileChange:
    """New content for a prompt file."""

    opened: PromptFile
    after: bytes | None = field(repr=False)
    """None where the file goes."""
    creates: bool = False
    """Whether there is no such file, and it is made."""

    @property
    def sha256_after(self) -> str:
        """The hash of the new content; "" where the file goes."""
        return "" if self.after is None else sha256(self.after)


@dataclass(frozen=True)
class FileOutcome:
    """The result of one change."""

    path: str
    done: bool
    backup: str = ""
    error: str = ""
    hint: str = ""


def sha256(data: bytes) -> str:
    """The SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def read(path: str, inside: Sequence[str] | None = None) -> PromptFile:
    """A prompt file that may be patched.

    Its real path must be in one of the folders `inside`; None if the person named the file. Raises NotFound
    if it is gone, and Refused, naming it, if it must not be written.
    """
    real = os.path.realpath(path)
    try:
        status = os.lstat(real)
        _check(path, real, status, inside)
        data = regular.read(real, LARGEST)
    except FileNotFoundError:
        hint = "name the file that took its place, or restore the backup"
        raise NotFound(f"{path} is not there", hint) from None
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror})", "check its permissions") from None
    if b"\0" in data:
        raise Refused(f"{path} is no text", "only text files are patched")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8", "save it as UTF-8") from None
    return PromptFile(path, real, data, stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid)


def _check(path: str, real: str, status: os.stat_result, inside: Sequence[str] | None) -> None:
    folders = None if inside is None else tuple(folder.rstrip("/") + "/" for folder in inside)
    is_outside = folders is not None and not real.startswith(folders)
    links = f"has {status.st_nlink} hard links, which replacing it would part"
    for is_refused, why, hint in (
        (is_outside, f"leads to {real}, outside of the folders of agents",
         f"name that file itself: --file {quote(real)}"),
        (not _is_instructions(Path(real)), "is no instruction file, whose comments its reader ignores",
         "only Markdown files and rules of agents are patched"),
        (not stat.S_ISREG(status.st_mode), "is no file", "name a prompt file"),
        (status.st_uid != os.geteuid(), "belongs to somebody else", "make it yours, or copy it"),
        (status.st_nlink > 1, links, "make a copy of its own"),
        (status.st_size > LARGEST, "is larger than 1 MiB", "a prompt file of that size is not patched"),
    ):  # fmt: skip
        if is_refused:
            raise Refused(f"{path} {why}", hint)


def _is_instructions(real: Path) -> bool:
    is_known = real.suffix.lower() in SUFFIXES or real.name in NAMES
    return is_known and _NEVER.isdisjoint(real.parts)


def absent(path: str) -> PromptFile:
    """A file that is to be made; raises Refused where its folder is none, or a link is on the way."""
    folder = os.path.dirname(path)  # noqa: PTH120
    if os.path.realpath(folder) != folder or not Path(folder).is_dir() or os.path.lexists(path):
        raise Refused(f"{path} cannot be made: its folder is gone or reached by a link", "look at it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Refused(f"{path} cannot be made", "check the permissions of its folder")
    return PromptFile(path, path, b"", _NEW_MODE, os.geteuid(), os.getegid())


def writable(real: str) -> bool:
    """Whether a file and its folder can be written."""
    return os.access(real, os.W_OK) and os.access(os.path.dirname(real) or "/", os.W_OK | os.X_OK)  # noqa: PTH120


def commit(
    root: str, changes: Sequence[FileChange], log: Mapping[str, object]
) -> tuple[list[FileOutcome], Path | None]:
    """Carry out changes, each by itself: a failure is reported and leaves its file as it was.

    `log` says what to do after a crash. Its path is returned; the caller removes it by `close` once the
    result is recorded. Raises OSError if not even the log can be written.
    """
    outcomes: dict[str, FileOutcome] = {}
    ready: list[tuple[FileChange, str]] = []
    for change in changes:
        try:
            ready.append((change, _back_up(root, change)))
        except OSError as error:
            outcomes[change.opened.path] = _failed(change, f"no backup could be written ({error.strerror})")
    if not ready:
        return list(outcomes.values()), None
    _note_backups(root, ready)
    opened = _open_log(root, ready, log)
    for change, backup in ready:
        try:
            _replace(change)
        except OSError as error:
            outcomes[change.opened.path] = _failed(change, f"it could not be written ({error.strerror})")
        except LearnloopError as error:
            outcomes[change.opened.path] = _failed(change, error.message)
        else:
            outcomes[change.opened.path] = FileOutcome(change.opened.path, True, backup)
    return [outcomes[change.opened.path] for change in changes], opened


def close(log: Path | None) -> None:
    """Remove the log of a commit whose result is recorded."""
    if log is not None:
        log.unlink(missing_ok=True)


def _failed(change: FileChange, why: str) -> FileOutcome:
    hint = "check free space and permissions, then try again"
    return FileOutcome(change.opened.path, False, error=f"{change.opened.path}: {why}", hint=hint)


def _replace(change: FileChange) -> None:
    """Replace a file if it is still what was read; raises OSError or Refused."""
    opened = change.opened
    real = Path(opened.real)
    if change.after is None:
        _check_unchanged(change)
        foreign.remove(real.parent, real.name)
        return
    foreign.replace(
        real.parent, real.name, change.after, mode=opened.mode,
        check=lambda: _check_unchanged(change), prepare=lambda fd: _copy_attributes(opened, fd),
    )  # fmt: skip


def _copy_attributes(opened: PromptFile, fd: int) -> None:
    """Group and extended attributes, as far as this person may set them."""
    with contextlib.suppress(OSError):
        if os.fstat(fd).st_gid != opened.group:
            os.fchown(fd, -1, opened.group)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(opened.real):
                with contextlib.suppress(OSError):
                    os.setxattr(fd, name, os.getxattr(opened.real, name))


def _check_unchanged(change: FileChange) -> None:
    opened = change.opened
    now = files.read(Path(opened.real))
    if change.creates:
        if now is not None:
            raise Refused("a file of that name is there again", "look at it first")
    elif now is None:
        raise Refused("it was removed meanwhile", "look for it, then try again")
    elif now != opened.data:
        raise Refused("it was changed meanwhile", "preview it again")


def backups(root: str) -> Path:
    """The folder of backups, each under the hash of its bytes."""
    return Path(paths.backups(root), "patches")


def backup(root: str, digest: str) -> bytes | None:
    """The bytes of a backup, None where it is gone or damaged."""
    data = files.read(backups(root) / digest) if digest else None
    return data if data is not None and sha256(data) == digest else None


def _back_up(root: str, change: FileChange) -> str:
    """Store the bytes of before and return their hash; "" if the file is gone."""
    digest = change.opened.sha256
    if not change.creates and backup(root, digest) is None:
        files.replace(backups(root) / digest, [change.opened.data], sync=False)
    return "" if change.creates else digest


def _note_backups(root: str, ready: Iterable[tuple[FileChange, str]]) -> None:
    """Append a line per backup: file, mode, time. Lines are for people and for gc."""
    at = clock.iso(clock.now_ms())
    lines = [
        json.dumps({"sha256": digest, "path": change.opened.real, "mode": change.opened.mode, "at": at})
        for change, digest in ready
        if digest
    ]
    if lines:
        fd = regular.opened(f"{backups(root)}/index.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            os.write(fd, ("\n".join(["", *lines]) + "\n").encode("utf-8", "surrogateescape"))
            os.fsync(fd)
        finally:
            os.close(fd)
        files.sync_folder(backups(root))


def backup_notes(root: str) -> list[dict[str, object]]:
    """The line of each backup: {sha256, path, mode, at}; torn lines are left out."""
    notes = []
    for line in (files.read(backups(root) / "index.jsonl") or b"").splitlines():
        with contextlib.suppress(ValueError):
            note = json.loads(line)
            if isinstance(note, dict) and isinstance(note.get("sha256"), str):
                notes.append(note)
    return notes


def remove_backups(root: str, digests: Iterable[str]) -> None:
    """Remove backups, and the lines about them."""
    gone = set(digests)
    if not gone:
        return
    notes = [note for note in backup_notes(root) if note["sha256"] not in gone]
    lines = [json.dumps(note).encode() + b"\n" for note in notes]
    files.replace(backups(root) / "index.jsonl", lines)
    for digest in gone:
        (backups(root) / digest).unlink(missing_ok=True)


def held(root: str, wait_s: float = 10.0) -> contextlib.AbstractContextManager[None]:
    """Lock the prompt files of this root; raises Busy."""
    return locks.held(Path(root, "patches.lock"), wait_s=wait_s, what="the prompt files")


def _open_log(root: str, ready: Sequence[tuple[FileChange, str]], log: Mapping[str, object]) -> Path:
    entries = [
        {
            "path": change.opened.path, "real": change.opened.real, "mode": change.opened.mode,
            "before": "" if change.creates else change.opened.sha256, "after": change.sha256_after,
            "backup": digest,
        }
        for change, digest in ready
    ]  # fmt: skip
    path = Path(root, _LOGS, f"{clock.new_id(clock.now_ms())}.json")
    files.replace(path, [json.dumps({**log, "files": entries}).encode("ascii")])
    return path


def open_logs(root: str) -> list[Path]:
    """The logs of interrupted commits, oldest first."""
    return files.listing(Path(root, _LOGS), ".json")


def read_log(path: Path) -> dict[str, Any] | None:
    """The content of a log; None if it cannot be read."""
    try:
        log = json.loads(files.read(path) or b"")
    except ValueError:
        return None
    return log if isinstance(log, dict) else None


def state_of(entry: dict[str, str]) -> str:
    """Whether a logged file is `new`, `old` or `other` now; its temporary copy is removed."""
    with contextlib.suppress(OSError):
        foreign.temporary(Path(entry["real"])).unlink()
    try:
        data = files.read(Path(entry["real"]))
    except OSError:
        return "other"
    now = "" if data is None else sha256(data)
    return "new" if now == entry["after"] else "old" if now == entry["before"] else "other"


def roll_back(root: str, log: Path) -> bool:
    """Put back the files that a commit wrote only in part; whether each is as it was."""
    entries = list((read_log(log) or {}).get("files", ()))
    try:
        for entry in entries:
            if state_of(entry) == "new":
                _put_back(root, entry)
    except (OSError, LearnloopError):
        return False
    return all(state_of(entry) == "old" for entry in entries)


def _put_back(root: str, entry: Mapping[str, Any]) -> None:
    real, data = Path(entry["real"]), backup(root, entry["backup"])
    if data is not None:
        foreign.replace(real.parent, real.name, data, mode=int(entry["mode"]))
    elif not entry["before"]:
        foreign.remove(real.parent, real.name)
