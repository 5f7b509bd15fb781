"""Short-lived processes that an agent starts: record and recall.

A deployed copy carries all its modules in one file, `bundle`, because finding and opening a file for each
costs a hook a tenth of its time. Without a bundle that fits the interpreter, the files are imported.
"""

import marshal
import posix
import sys

FOLDER = __file__.rpartition("/learnloop_hooks/")[0]
_HEAD = 16  # the interpreter's magic number, the length of the table, the length of the whole
_FIRST = 4096


class Bundle:
    """Imports modules from a file by a table of their names: package or not, place and length of the code."""

    def __init__(self, fd: int, start: int, table: dict[str, tuple[bool, int, int]]) -> None:
        self.fd = fd
        self.start = start
        self.table = table

    def find_spec(self, name: str, *_where: object) -> object:
        """The spec of a module that the bundle holds, or None."""
        found = self.table.get(name)
        # The type is `ModuleSpec`, without importing `importlib.machinery`.
        made = type(__spec__)
        return made(name, self, is_package=found[0]) if found else None  # type: ignore[arg-type]  # a loader by shape

    def create_module(self, spec: object) -> None:
        """Leave making the module to the interpreter."""

    def exec_module(self, module: object) -> None:
        """Run a module's code."""
        names = module.__dict__
        _, place, length = self.table[names["__name__"]]
        exec(marshal.loads(posix.pread(self.fd, length, self.start + place)), names)


def _load() -> None:
    fd = posix.open(FOLDER + "/bundle", posix.O_RDONLY | posix.O_CLOEXEC)
    first = posix.pread(fd, _FIRST, 0)
    magic = sys.modules["_frozen_importlib_external"].MAGIC_NUMBER
    end, size = _HEAD + int.from_bytes(first[4:8], "big"), int.from_bytes(first[8:_HEAD], "big")
    if first[:4] != magic or posix.fstat(fd).st_size != size:
        posix.close(fd)
        return
    if end > len(first):
        first = posix.pread(fd, end, 0)
    sys.meta_path.insert(0, Bundle(fd, end, marshal.loads(first[_HEAD:end])))  # type: ignore[arg-type]


try:
    _load()
except OSError:  # not deployed
    pass
