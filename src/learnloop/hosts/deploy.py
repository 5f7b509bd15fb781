"""The deployed copy: standard-library-only hook code under the root, which outlives a virtual environment."""

import ast
import functools
import hashlib
import json
import marshal
import os
import shlex
import shutil
import sys
import tempfile
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from types import CodeType
from typing import Any

import learnloop
from learnloop.store import locks
from learnloop.wire import paths, regular

MARKER = "learnloop_hooks.entry"
"""A text in every command that was ever registered."""

_LAUNCH = "ingest.json"
_MANIFEST = "manifest.json"
_UNCHECKED_HASH = 0b01
"""The flags of PEP 552 for byte code that names a hash of its source, which nobody compares."""
_PYTHON = "-py"
"""Stands before the version of Python in the name of a copy."""
CURRENT = "current"
ALTERED = "altered"
"""A file beside the copies from when one was found other than it was deployed until the doctor mends."""
GROUPS = {
    "learnloop_hooks.entry": (
        "learnloop", "learnloop.wire", "learnloop.wire.env", "learnloop.wire.paths",
        "learnloop.wire.switches", "learnloop.wire.clock", "learnloop.wire.codec", "learnloop.wire.event",
        "learnloop.wire.regular", "learnloop.wire.journal", "learnloop.wire.text",
        "learnloop.wire.secret_tokens", "learnloop.wire.redact",
        "learnloop.wire.payload_fields", "learnloop.wire.payloads", "learnloop.wire.project",
        "learnloop.wire.index", "learnloop_hooks.record",
    ),
    "learnloop_hooks.recall": (
        "learnloop.wire.session_recalls", "learnloop.wire.globs", "learnloop.wire.relevance",
        "learnloop.wire.search", "learnloop.wire.render", "learnloop_hooks.messages",
        "learnloop_hooks.recall",
    ),
    "learnloop_hooks.priming": ("learnloop.wire.nearness", "learnloop_hooks.priming"),
}  # fmt: skip
"""The modules that a hook loads together, each after those it imports."""


INGEST = [sys.executable, "-I", "-m", "learnloop.ingest.background"]
"""Starts a background ingest; isolated, so that no module of the current folder is imported."""


def command(root: str, host: str, python: str = "") -> str:
    """The command line that agents run: one line for `sh -c`, the same when split by `shlex`.

    `python` is the interpreter, by default that of this program.
    """
    guard = (
        f'r={_literal(root)};h=r+"/hooks/";c="{CURRENT}";'
        'exec("try:\\n import sys,posix\\n sys.path.insert(0,h+posix.readlink(h+c))\\n'
        f" from {MARKER} import main\\n main(r)\\n"
        'except BaseException:\\n pass")'
    )
    return shlex.join([python or interpreter(), "-I", "-S", "-c", guard, host])


def interpreter() -> str:
    """The interpreter behind a virtual environment or shim; it outlives the environment."""
    base = str(getattr(sys, "_base_executable", "") or sys.executable)
    real = os.path.realpath(base)
    # Homebrew's real paths carry the patch version and go with the next upgrade; its own link stays.
    return base if "/Cellar/" in real else real


def ensure(root: str) -> Path:
    """The folder of the copy in use, written anew where it differs from the program; raises OSError, Busy."""
    files = _files()
    home = Path(paths.hooks(root))
    folder = home / _name(files)
    if _current(home) == folder.name and _is_whole(folder, files):
        return folder
    with locks.held(home / ".lock", wait_s=60.0, what="the hook code"):
        if not _is_whole(folder, files):
            if folder.exists():
                (home / ALTERED).touch(paths.FILE_MODE)
            _write(home, folder, files)
        previous = _current(home)
        _switch(home, folder.name)
        _clear(home, {folder.name, previous} if previous != folder.name else None)
    return folder


def python_of(root: str) -> str:
    """The version of Python that the copy in use was made for; empty where there is none that says it."""
    return _current(Path(paths.hooks(root))).partition(_PYTHON)[2]


def _literal(value: str) -> str:
    """A Python literal in ASCII and double quotes, whatever the locale of the hook."""
    escaped = value.encode("unicode_escape").decode("ascii").replace('"', '\\"')
    return f'"{escaped}"'


def _files() -> dict[str, bytes]:
    """The files of the copy by their path in it."""
    package = Path(learnloop.__file__).parent
    hooks = _hooks_package()
    modules = [package / "__init__.py", *sorted((package / "wire").rglob("*.py"))]
    files = {path.relative_to(package.parent).as_posix(): path.read_bytes() for path in modules}
    files |= {f"{hooks.name}/{path.name}": path.read_bytes() for path in sorted(hooks.glob("*.py"))}
    files[_LAUNCH] = json.dumps(INGEST).encode()
    return files


def _hooks_package() -> Path:
    """The folder of the hook package, looked up without importing it."""
    from importlib.util import find_spec

    spec = find_spec(MARKER.partition(".")[0])
    if spec is None or not spec.origin:
        raise FileNotFoundError("the hook code of this installation")
    return Path(spec.origin).parent


def plugin_folder() -> Path | None:
    """The folder of the plugin for Claude Code: inside the installed package, beside it in a checkout."""
    package = _hooks_package()
    folders = (package / "plugin", package.parent / "plugin")
    return next((folder for folder in folders if (folder / ".claude-plugin").is_dir()), None)


def _name(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256(MAGIC_NUMBER)
    for name, data in files.items():
        digest.update(f"\0{name}\0{len(data)}\0".encode() + data)
    return f"{learnloop.__version__}-{digest.hexdigest()[:12]}{_PYTHON}{sys.version.split()[0]}"


def _current(home: Path) -> str:
    try:
        return str((home / CURRENT).readlink())
    except OSError:
        return ""


def _is_whole(folder: Path, files: dict[str, bytes]) -> bool:
    """Whether every file of the copy is there, unchanged, and compiled."""
    try:
        compiled = json.loads(regular.content(str(folder / _MANIFEST)))
        return all(regular.content(str(folder / name)) == data for name, data in files.items()) and all(
            _digest(folder / name) == digest for name, digest in compiled.items()
        )
    except (OSError, ValueError, AttributeError, TypeError):
        return False


def _digest(path: Path) -> str:
    return hashlib.sha256(regular.content(str(path))).hexdigest()


def _write(home: Path, folder: Path, files: dict[str, bytes]) -> None:
    """Make the copy beside its place and move it there whole."""
    new = Path(tempfile.mkdtemp(prefix=".new-", dir=home))
    new.chmod(paths.DIRECTORY_MODE)
    for name, data in files.items():
        path = new / name
        paths.ensure_dir(str(path.parent))
        _put(path, data)
    compiled = [_compile(new, name, data) for name, data in files.items() if name.endswith(".py")]
    compiled.append(_bundle(new, files))
    manifest = {path.relative_to(new).as_posix(): _digest(path) for path in compiled}
    _put(new / _MANIFEST, json.dumps(manifest).encode())
    if folder.exists():
        folder.rename(new.with_name(new.name.replace(".new-", ".old-")))
    new.rename(folder)


def _compile(new: Path, name: str, source: bytes) -> Path:
    """Byte-compile a module so that a hook neither checks its source nor ever writes."""
    module = new / name
    # Beside the source, where an isolated interpreter looks, also if PYTHONPYCACHEPREFIX names another place.
    target = module.parent / "__pycache__" / f"{module.stem}.{sys.implementation.cache_tag}.pyc"
    paths.ensure_dir(str(target.parent))
    _put(target, _byte_code(name, source))
    return target


@functools.cache
def _byte_code(name: str, source: bytes) -> bytes:
    """The content of a file of byte code that the interpreter takes without looking at the source."""
    # The name in tracebacks is the module's own: a path would be that of the temporary folder.
    code = compile(source, name, "exec", dont_inherit=True)
    return MAGIC_NUMBER + _UNCHECKED_HASH.to_bytes(4, "little") + source_hash(source) + marshal.dumps(code)


def _bundle(new: Path, files: dict[str, bytes]) -> Path:
    """All modules in one file, alone and in groups, behind a table of places that `learnloop_hooks` reads."""
    body = bytearray()

    def put(code: CodeType | list[CodeType]) -> tuple[int, int]:
        place, data = len(body), marshal.dumps(code)
        body.extend(data)
        return place, len(data)

    codes = {_dotted(name): _code(name, source) for name, source in files.items() if name.endswith(".py")}
    packages = {_dotted(name) for name in files if name.endswith("/__init__.py")}
    table = {name: (name in packages, *put(code)) for name, code in codes.items()}
    groups = {name: (group, *put([codes[each] for each in group])) for name, group in GROUPS.items()}
    head = marshal.dumps((table, groups))
    size = len(MAGIC_NUMBER) + 4 + 8 + len(head) + len(body)
    start = MAGIC_NUMBER + len(head).to_bytes(4, "big") + size.to_bytes(8, "big")
    _put(new / "bundle", start + head + body)
    return new / "bundle"


def _dotted(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@functools.cache
def _code(name: str, source: bytes) -> CodeType:
    tree = _Untyped().visit(ast.parse(source, name))
    code: CodeType = compile(tree, name, "exec", dont_inherit=True, optimize=2)
    return code


class _Untyped(ast.NodeTransformer):
    """Takes out what only type checkers read; it costs a prompt hook three percent of a bare interpreter."""

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, ast.expr) else super().visit(node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        is_typing = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return None if is_typing and not node.orelse else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return node
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def _put(path: Path, data: bytes) -> None:
    with os.fdopen(regular.opened(str(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as file:
        file.write(data)


def _switch(home: Path, name: str) -> None:
    temporary = home / f".link-{os.getpid()}"
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(name)
    temporary.replace(home / CURRENT)


def _clear(home: Path, keep: set[str] | None) -> None:
    """Remove older copies but the previous one, in which a hook may be running."""
    for copy in home.iterdir():
        stale = copy.name.startswith((".old-", ".new-")) or (keep is not None and copy.name not in keep)
        if copy.is_dir() and not copy.is_symlink() and stale:
            shutil.rmtree(copy, ignore_errors=True)
