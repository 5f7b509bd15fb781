"""The walls of the house: who may import whom, on paper and at run time."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.costly_modules import COSTLY_MODULES

PROJECT = Path(__file__).parents[2]
EXTRAS = {
    "learnloop.mcp.server": "mcp", "learnloop.vectors.opening": "onnxruntime",
    "learnloop.vectors.row_search": "numpy", "learnloop.service.transfer.space": "psycopg",
}  # fmt: skip
"""What a module needs that may not be installed."""
SOURCES = (PROJECT / "src", PROJECT / "hooks", PROJECT / "tui")


def modules(folder: Path) -> list[str]:
    found = folder.rglob("*.py")
    names = (path.relative_to(folder).with_suffix("").as_posix().replace("/", ".") for path in found)
    return sorted(name.removesuffix(".__init__") for name in names)


def hook_modules() -> list[str]:
    wire = [name for name in modules(PROJECT / "src") if name.startswith("learnloop.wire")]
    return wire + modules(PROJECT / "hooks")


def loaded_after(statement: str, *, bare: bool) -> set[str]:
    """The modules that a fresh interpreter holds after a statement."""
    code = (
        f"import sys; sys.path[:0] = {[str(path) for path in SOURCES]!r}\n{statement}\n"
        "sys.stdout.write('\\n'.join(sys.modules))"
    )
    flags = ["-I", "-S"] if bare else ["-I"]
    ran = subprocess.run([sys.executable, *flags, "-c", code], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def test_hook_modules_are_cheap() -> None:
    found = loaded_after(f"import {', '.join(hook_modules())}", bare=True)
    assert found.issuperset(hook_modules())
    assert found.isdisjoint(COSTLY_MODULES), f"a module loads {sorted(found.intersection(COSTLY_MODULES))}"


def test_learnloop_is_headless() -> None:
    installed = [name for name in modules(PROJECT / "src") if find_spec(EXTRAS.get(name, "sys"))]
    names = [name for name in installed if not name.endswith("__main__")]
    found = loaded_after(f"import {', '.join(names)}", bare=False)
    roots = {name.partition(".")[0] for name in found}
    assert roots.isdisjoint({"textual", "learnloop_tui", "learnloop_hooks"})


def test_only_store_loads_tinydb() -> None:
    names = [
        name for name in modules(PROJECT / "src") if name.startswith(("learnloop.models", "learnloop.learn"))
    ]
    assert "tinydb" not in loaded_after(f"import {', '.join(names)}", bare=False)


def test_only_a_team_loads_what_speaks_to_a_database() -> None:
    names = [name for name in modules(PROJECT / "src") if name.startswith("learnloop.ingest")]
    names += [
        "learnloop.service.transfer.share",
        "learnloop.service.health.doctor",
    ]
    assert {"psycopg", "ssl"}.isdisjoint(loaded_after(f"import {', '.join(names)}", bare=False))
