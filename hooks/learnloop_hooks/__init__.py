"""Short-lived processes that an agent starts: record and recall.

A deployed copy carries all its modules in one file, `bundle`: a file for each costs a hook a tenth of its
time. Without a bundle that fits the interpreter, the files are imported.
"""

import gc
import marshal
import posix
import sys

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

FOLDER = __file__.rpartition("/learnloop_hooks/")[0]
_HEAD = 16  # the interpreter's magic number, the length of the table, the length of the whole
_FIRST = 4096


class Bundle:
    """Imports modules from a file by a table of their names: package or not, place and length of the code.

    `groups` are modules, in an order in which none needs a later one, that the module a group is named
    after brings along, with place and length of all their code: read as one, what they share is read once.
    """

    def __init__(
        self, fd: int, start: int, table: dict[str, tuple[bool, int, int]],
        groups: dict[str, tuple[tuple[str, ...], int, int]],
    ) -> None:  # fmt: skip
        self.fd = fd
        self.start = start
        self.table = table
        self.groups = groups

    def find_spec(self, name: str, *_where: object) -> object:
        """The spec of a module that the bundle holds, or None."""
        entry = self.table.get(name)
        if entry is None:
            return None
        if name in self.groups:
            self._run(*self.groups[name])
        # The type is `ModuleSpec`, without importing `importlib.machinery`.
        return type(__spec__)(name, self, is_package=entry[0])  # type: ignore[arg-type]  # a loader by shape

    def create_module(self, spec: object) -> None:
        """Leave making the module to the interpreter."""

    def exec_module(self, module: object) -> None:
        """Run a module's code."""
        names = module.__dict__
        exec(self._code(*self.table[names["__name__"]][1:]), names)

    def bring(self, name: str) -> object:
        """A module that is not there yet, without the import system; raises AttributeError for no such name.

        `from package import name` asks the package for its attribute first: see `_make`.
        """
        entry = self.table.get(name)
        if entry is None:
            raise AttributeError(name)
        if name in self.groups:
            self._run(*self.groups[name])
        if name not in sys.modules:
            is_package, place, length = entry
            self._make(name, is_package, self._code(place, length))
        return sys.modules[name]

    def _run(self, names: tuple[str, ...], place: int, length: int) -> None:
        """Make the modules of a group that are not there yet."""
        for name, code in zip(names, self._code(place, length), strict=True):
            if name not in sys.modules:
                self._make(name, self.table[name][0], code)

    def _code(self, place: int, length: int) -> "Any":
        return marshal.loads(posix.pread(self.fd, length, self.start + place))

    def _make(self, name: str, is_package: bool, code: "CodeType") -> None:
        module = sys.modules[name] = type(sys)(name)
        parent, _, last = name.rpartition(".")
        names = module.__dict__
        names["__package__"] = name if is_package else parent
        if is_package:
            names["__path__"] = []
            names["__getattr__"] = lambda last: self.bring(f"{name}.{last}")
        exec(code, names)
        if parent:
            setattr(sys.modules[parent], last, module)


def _load() -> None:
    fd = posix.open(FOLDER + "/bundle", posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    first = posix.pread(fd, _FIRST, 0)
    magic = sys.modules["_frozen_importlib_external"].MAGIC_NUMBER
    end, size = _HEAD + int.from_bytes(first[4:8], "big"), int.from_bytes(first[8:_HEAD], "big")
    if first[:4] != magic or posix.fstat(fd).st_size != size:
        posix.close(fd)
        return
    if end > len(first):
        first = posix.pread(fd, end, 0)
    gc.disable()  # a hook leaves before its garbage is worth a look
    bundle = Bundle(fd, end, *marshal.loads(first[_HEAD:end]))
    sys.meta_path.insert(0, bundle)  # type: ignore[arg-type]
    globals()["__getattr__"] = lambda last: bundle.bring(f"learnloop_hooks.{last}")


try:
    _load()
except OSError:  # not deployed
    pass
