"""Short-lived processes that an agent starts: record and recall.

A deployed copy carries all its modules in one file, `bundle`, because finding and opening a file for each
costs a hook a tenth of its time. Without a bundle that fits the interpreter, the files are imported.
"""

import marshal
import posix
import sys

FOLDER = __file__.rpartition("/learnloop_hooks/")[0]
_HEAD = 12  # the interpreter's magic number, then the length of what follows


class Bundle:
    """Imports modules from a mapping of their names to whether they are packages, and their code."""

    def __init__(self, modules: dict[str, tuple[bool, bytes]]) -> None:
        self.modules = modules

    def find_spec(self, name: str, *_where: object) -> object:
        """The spec of a module that the bundle holds, or None."""
        found = self.modules.get(name)
        # The type is `ModuleSpec`, without importing `importlib.machinery`.
        return type(__spec__)(name, self, origin="bundle", is_package=found[0]) if found else None  # type: ignore[arg-type]

    def create_module(self, spec: object) -> None:
        """Leave making the module to the interpreter."""

    def exec_module(self, module: object) -> None:
        """Run a module's code."""
        names = module.__dict__
        exec(marshal.loads(self.modules[names["__name__"]][1]), names)


def _load() -> None:
    fd = posix.open(FOLDER + "/bundle", posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        data = posix.read(fd, 1 << 24)
    finally:
        posix.close(fd)
    magic = sys.modules["_frozen_importlib_external"].MAGIC_NUMBER
    if data[:4] == magic and int.from_bytes(data[4:_HEAD], "big") == len(data) - _HEAD:
        sys.meta_path.insert(0, Bundle(marshal.loads(data[_HEAD:])))  # type: ignore[arg-type]


try:
    _load()
except OSError:  # not deployed
    pass
