"""A settings file of an agent: read, compared, replaced as a whole."""

import difflib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from learnloop.errors import Refused, Unreadable
from learnloop.store import files, foreign
from learnloop.wire import clock, paths

_BOM = "\ufeff"
_MOST = 16 << 20


@dataclass(frozen=True)
class ConfigFile:
    """A file as it was when it was read."""

    path: Path
    raw: bytes | None
    """None where it does not exist."""
    base: Path
    """The folder from which on no link is followed."""
    name: str
    """Its path from there."""

    @property
    def text(self) -> str:
        """Its text without a byte order mark; raises Unreadable where it is not UTF-8."""
        try:
            return (self.raw or b"").decode("utf-8").removeprefix(_BOM)
        except UnicodeDecodeError as error:
            raise Unreadable(f"{self.path} is not UTF-8", "put it right, then try again") from error

    @contextmanager
    def explained(self) -> Iterator[None]:
        """A block whose ValueError becomes an error that names the file; raises Unreadable."""
        try:
            yield
        except ValueError as error:
            raise Unreadable(f"{self.path}: {error}", "put it right, then try again") from error

    def encoded(self, text: str) -> bytes:
        """The bytes of a text, with a byte order mark if the file has one."""
        return ((_BOM if (self.raw or b"").startswith(_BOM.encode()) else "") + text).encode()

    def diff(self, data: bytes | None) -> str:
        """The unified diff to another content."""
        then = (data or b"").decode().removeprefix(_BOM)
        lines = difflib.unified_diff(
            self.text.splitlines(keepends=True), then.splitlines(keepends=True),
            f"{self.path} (now)", f"{self.path} (then)",
        )  # fmt: skip
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)

    def replace(self, data: bytes) -> None:
        """Replace the content in one step; a person's own link stays a link, permission bits stay.

        Raises Refused where that fails, or where the file changed since it was read.
        """
        real = self.base / self.name
        try:
            self.base.mkdir(parents=True, exist_ok=True)
            mode = paths.FILE_MODE if self.raw is None else real.lstat().st_mode & 0o7777
            foreign.replace(self.base, self.name, data, mode=mode, check=self._check_unchanged)
        except OSError as error:
            raise Refused(f"cannot write {self.path}", error.strerror or str(error)) from error

    def remove(self) -> None:
        """Remove the file; raises Refused where that fails."""
        try:
            foreign.remove(self.base, self.name)
        except OSError as error:
            raise Refused(f"cannot remove {self.path}", error.strerror or str(error)) from error

    def _check_unchanged(self) -> None:
        if foreign.read(self.base, self.name, _MOST) != self.raw:
            raise Refused(f"{self.path} was changed by another program meanwhile", "try again")

    def back_up(self, root: str) -> str:
        """Copy the file below the backups; returns its name there, empty where there is no file.

        Raises Refused where the copy cannot be written.
        """
        if self.raw is None:
            return ""
        name = f"settings/{clock.new_id(clock.now_ms())}-{self.path.name}"
        copy = Path(paths.backups(root), name)
        try:
            files.replace(copy, [self.raw])
        except OSError as error:
            raise Refused(f"cannot back up {self.path} below {root}", error.strerror or str(error)) from error
        return name


def read(path: Path, project: Path | None = None) -> ConfigFile:
    """The file at a path, which need not exist; below a project no link is followed.

    Raises Unreadable where it cannot be read, Refused where a link is in the way or it is far too large.
    """
    real = path if project else Path(os.path.realpath(path))
    base = project or real.parent
    name = str(real.relative_to(base))
    try:
        return ConfigFile(path, foreign.read(base, name, _MOST), base, name)
    except OSError as error:
        raise Unreadable(f"cannot read {path}", error.strerror or str(error)) from error
