"""Only a few modules open, write or run anything by themselves: all others go through the helpers.

`wire.regular` opens files, Learnloop's own documents too, `store.foreign` writes into a folder that somebody
else may have made, `hosts.git_index` answers what git would be asked. A module that is added here needs a
reason: what it opens cannot be a FIFO, and no name in it comes from a project or an import.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripts.house import code

from learnloop.hosts import deploy

PROJECT = Path(__file__).parents[2]
PROGRAM = [path for folder in ("src", "hooks", "tui") for path in (PROJECT / folder).rglob("*.py")]

HELPERS = {"src/learnloop/wire/regular.py", "src/learnloop/store/foreign.py"}
OWN = {
    "hooks/learnloop_hooks/__init__.py": "the deployed copy, without waiting",
    "src/learnloop/cli/files.py": "a new file that the person names",
    "src/learnloop/cli/failures.py": "/dev/null",
    "src/learnloop/demo/demo_store.py": "a demo's journal",
    "src/learnloop/demo/stage.py": "a scene of the package",
    "src/learnloop/hosts/deploy.py": "the package, and files of a folder that it just made",
    "src/learnloop/learn/language/lexicon.py": "word lists of the package",
    "src/learnloop/learn/language/linear_model.py": "weights of the package",
    "src/learnloop/learn/lessons/call_patterns.py": "forms of the package",
    "src/learnloop/learn/facts/requests.py": "pages of the package",
    "src/learnloop/service/health/doctor.py": "a trial journal in a fresh folder",
    "src/learnloop/service/transfer/space.py": "the schema of the package",
    "src/learnloop/service/setup/install.py": "the register below the root, which it makes",
    "src/learnloop/store/files.py": "folders below the root, to sync them",
    "src/learnloop/wire/journal.py": "a folder below the root, to sync it",
}
"""Modules that open by themselves what no project, no import and nobody else can have put there."""

RUNNING = {
    "src/learnloop/cli/commands/edit.py": "the person's editor",
    "src/learnloop/cli/paging.py": "the person's pager",
    "src/learnloop/distill/bounded_call.py": "the client, or the person's command, that asks a model",
    "src/learnloop/ingest/start_reading.py": "the reading of prompts, and the exchange with a team",
    "src/learnloop/hosts/client.py": "the client",
    "src/learnloop/service/health/doctor.py": "a hook on trial",
    "src/learnloop/service/place.py": "ps, where there is no /proc",
    "tui/learnloop_tui/app/programs.py": "the person's pager",
    "tui/learnloop_tui/dialogs/outside.py": "the person's editor",
}
"""Modules that start programs, and which."""

_METHODS = {"read_text", "read_bytes", "write_text", "write_bytes", "touch"}
_MODULES = {"os", "posix", "io"}
_MODES = frozenset("rwabx+t")


Nodes = list[ast.AST]


def opens(nodes: Nodes) -> Iterator[int]:
    """The lines that open a file by themselves."""
    for call in (node for node in nodes if isinstance(node, ast.Call)):
        match call.func:
            case ast.Name(id="open"):
                yield call.lineno
            case ast.Attribute(value=ast.Name(id=module), attr="open") if module in _MODULES:
                yield call.lineno
            case ast.Attribute(attr=name) if name in _METHODS:
                yield call.lineno
            case ast.Attribute(attr="open") if _has_mode(call):
                yield call.lineno


def _has_mode(call: ast.Call) -> bool:
    """Whether an `open` method gets a mode or an encoding, as `Path.open` does."""
    mode = call.args[0] if call.args else None
    is_mode = isinstance(mode, ast.Constant) and isinstance(mode.value, str) and _MODES.issuperset(mode.value)
    return is_mode or any(keyword.arg in ("mode", "encoding") for keyword in call.keywords)


def runs(nodes: Nodes) -> bool:
    """Whether a module can start a program."""
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "subprocess"
        for node in nodes
    )


def listed(nodes: Nodes) -> Iterator[list[object]]:
    """The constants of each list, as command lines are written."""
    for node in nodes:
        if isinstance(node, ast.List):
            yield [item.value for item in node.elts if isinstance(item, ast.Constant)]


@pytest.fixture(scope="module")
def modules() -> dict[str, Nodes]:
    """The nodes of the modules of the program, by their paths."""
    return {path.relative_to(PROJECT).as_posix(): code.Source(path).nodes for path in PROGRAM}


def test_files_are_opened_by_the_helpers(modules: dict[str, Nodes]) -> None:
    opened = {name: lines for name, nodes in modules.items() if (lines := list(opens(nodes)))}
    others = {name: lines for name, lines in opened.items() if name not in HELPERS | OWN.keys()}
    assert others == {}, "open it with wire.regular, or write it with store.foreign"
    assert OWN.keys() <= opened.keys(), "a module that opens nothing any more is not listed"


def test_no_program_is_asked_about_a_folder(modules: dict[str, Nodes]) -> None:
    running = {name for name, nodes in modules.items() if runs(nodes)}
    assert running == RUNNING.keys()
    assert not any({"git", "hg"} & set(words[:1]) for name in running for words in listed(modules[name]))


def test_modules_are_started_isolated(modules: dict[str, Nodes]) -> None:
    """With `-m` alone the current folder comes first on the path: a project's own `learnloop` would run."""
    commands = [words for nodes in modules.values() for words in listed(nodes) if "-m" in words]
    assert commands
    assert all("-I" in words for words in commands)


def test_a_background_ingest_runs_no_module_of_the_folder(root: str, tmp_path: Path) -> None:
    package = tmp_path / "learnloop"
    package.mkdir()
    (package / "__init__.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    assert deploy.INGEST[0] == sys.executable
    subprocess.run([*deploy.INGEST, root], cwd=tmp_path, check=True, timeout=60)
    assert not (tmp_path / "ran").exists()
    assert Path(root, "ingest.stamp").exists()
