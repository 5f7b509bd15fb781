"""The deployed copy: made whole, renewed when it differs, found by the guard; and what a hook loads of it."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.hosts import deploy
from learnloop.service.setup import install
from learnloop.service.workspace import open_workspace
from learnloop.wire import paths
from tests.costly_modules import COSTLY_MODULES
from tests.hooks.agent import Agent


@pytest.fixture
def agent(root: str, tmp_path: Path) -> Agent:
    """With a copy of its own, as these tests change it."""
    project = tmp_path / "my project"
    project.mkdir()
    return Agent(root, project)


def current(root: str) -> Path:
    return Path(paths.hooks(root), "current").resolve()


def test_command_is_the_same_for_a_shell_and_split(agent: Agent) -> None:
    argv = shlex.split(agent.command)
    assert argv[0] == os.path.realpath(argv[0])
    assert argv[1:4] == ["-I", "-S", "-c"]
    assert argv[5:] == ["claude"]
    assert "\n" not in agent.command
    data = b'{"hook_event_name":"Stop","session_id":"s"}'
    run = subprocess.run(argv, env=agent.env, input=data, capture_output=True, check=True)
    assert (run.stdout, run.stderr) == (b"", b"")
    assert [kind for kind, _ in agent.payloads()] == ["turn_end"]


@pytest.mark.parametrize(
    "name", ["a b", "it's", 'say "x"', "back\\slash", "dollar$HOME", "ünïcode", "🎈", "a;b&c"]
)
def test_any_root(tmp_path: Path, root: str, name: str) -> None:
    odd = str(tmp_path / name)
    project = tmp_path / f"project {name}"
    project.mkdir()
    agent = Agent(odd, project)
    agent.fire("Stop")
    (event,) = agent.events()
    assert event["project"] == str(project)


@pytest.mark.parametrize("umask", [0, 0o777])
def test_private_whatever_the_umask(root: str, umask: int) -> None:
    before = os.umask(umask)
    try:
        folder = deploy.ensure(root)
    finally:
        os.umask(before)
    for path in [folder.parent, folder, *folder.rglob("*")]:
        mode = paths.DIRECTORY_MODE if path.is_dir() else paths.FILE_MODE
        assert path.stat().st_mode & 0o777 == mode, path


def test_ensure_twice_changes_nothing(root: str) -> None:
    folder = deploy.ensure(root)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert deploy.ensure(root) == folder
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_byte_code_lies_beside_its_source_whatever_the_environment_says(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook is isolated from the environment, so it looks for byte code nowhere else."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "elsewhere"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    folder = deploy.ensure(root)
    code = (
        f"import sys; sys.path.insert(0, {str(folder)!r})\n"
        "import learnloop.wire.codec as module\n"
        "print(module.__spec__.cached)\n"
    )
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert Path(ran.stdout.strip()).is_file()
    sources = list(folder.rglob("*.py"))
    assert len(list(folder.rglob("__pycache__/*.pyc"))) == len(sources) > 0
    assert not (tmp_path / "elsewhere").exists()


def damages(folder: Path) -> dict[str, Path]:
    return {
        "source": folder / "learnloop_hooks/entry.py",
        "bundle": folder / "bundle",
        "compiled": next((folder / "learnloop/wire/__pycache__").iterdir()),
        "manifest": folder / "manifest.json",
        "launch": folder / "ingest.json",
    }


@pytest.mark.parametrize("part", ["source", "bundle", "compiled", "manifest", "launch"])
@pytest.mark.parametrize("how", ["missing", "empty", "changed"])
def test_refresh_repairs(agent: Agent, part: str, how: str) -> None:
    folder = current(agent.root)
    whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    damaged = damages(folder)[part]
    if how == "missing":
        damaged.unlink()
    else:
        damaged.write_bytes(b"" if how == "empty" else b"x" + damaged.read_bytes()[1:])
    install.refresh(open_workspace(agent.root))
    assert {path: path.read_bytes() for path in current(agent.root).rglob("*") if path.is_file()} == whole
    agent.fire("Stop")
    assert [kind for kind, _ in agent.payloads()] == ["turn_end"]


def test_refresh_after_the_folder_was_deleted(agent: Agent) -> None:
    import shutil

    shutil.rmtree(paths.hooks(agent.root))
    install.refresh(open_workspace(agent.root))
    agent.fire("Stop")
    assert [kind for kind, _ in agent.payloads()] == ["turn_end"]


def test_refresh_does_not_install(root: str) -> None:
    install.refresh(open_workspace(root))
    assert not Path(root).exists()


def test_new_version_keeps_the_previous(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [current(agent.root).name]
    for version in ("9.0", "9.1"):
        monkeypatch.setattr("learnloop.__version__", version)
        install.refresh(open_workspace(agent.root))
        names.append(current(agent.root).name)
        agent.fire("Stop")
    kept = {
        path.name
        for path in Path(paths.hooks(agent.root)).iterdir()
        if path.is_dir() and not path.is_symlink()
    }
    assert kept == set(names[-2:])
    assert len(agent.events()) == 2


def test_files_alone_are_enough(agent: Agent) -> None:
    """A bundle for another interpreter is not used: the files beside it are."""
    bundle = current(agent.root) / "bundle"
    data = bundle.read_bytes()
    for bad in (b"\0\0\0\0" + data[4:], data[:-1], data[:8], b""):
        bundle.write_bytes(bad)
        agent.fire("Stop")
    bundle.unlink()
    agent.fire("Stop")
    assert [kind for kind, _ in agent.payloads()] == ["turn_end"] * 5


def test_groups_are_whole_and_in_order(agent: Agent) -> None:
    """No module of a group is imported on its own: each finds what it needs before it."""
    code = (
        f"import sys; sys.path.insert(0, {str(current(agent.root))!r})\n"
        "import learnloop_hooks\n"
        "bundle, asked = sys.meta_path[0], []\n"
        "find = bundle.find_spec\n"
        "bundle.find_spec = lambda name, *where: asked.append(name) or find(name, *where)\n"
        "import learnloop_hooks.entry, learnloop_hooks.recall, learnloop_hooks.priming\n"
        "print(*[name for name in asked if name.startswith('learnloop')])\n"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == set(deploy.GROUPS)


def test_the_bundle_leaves_out_what_only_type_checkers_read(agent: Agent) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(current(agent.root))!r})\n"
        "import learnloop_hooks\nfrom learnloop.wire import nearness\n"
        "print(nearness.asked.__annotations__, nearness.asked('the loader'))\n"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "{} ['loader']\n"


@pytest.mark.parametrize(
    "payload",
    [
        {"hook_event_name": "SessionStart", "source": "startup"},
        {"hook_event_name": "UserPromptSubmit", "prompt": "No, use pytest instead"},
        {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "/a.py"}},
        {"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": "/a.py"}},
        {"hook_event_name": "PostToolBatch", "tool_calls": [{"tool_name": "Bash", "tool_response": "x"}]},
        {"hook_event_name": "Stop", "last_assistant_message": "Done."},
        {"hook_event_name": "SessionEnd", "reason": "other"},
    ],
    ids=lambda payload: f"{payload['hook_event_name']} {payload.get('tool_name', '')}",
)
def test_a_hook_process_loads_nothing_dear(agent: Agent, payload: dict[str, object]) -> None:
    """The modules that a real hook process has loaded when it leaves."""
    folder = current(agent.root)
    code = (
        "import sys, posix\n"
        f"sys.path.insert(0, {str(folder)!r})\n"
        "leave = posix._exit\n"
        "def told(code):\n"
        "    posix.write(2, ' '.join(sys.modules).encode())\n"
        "    leave(code)\n"
        "posix._exit = told\n"
        "from learnloop_hooks.entry import main\n"
        f"main({agent.root!r})\n"
    )
    data = json.dumps({"session_id": "s", "cwd": "/", **payload}).encode()
    argv = [deploy.interpreter(), "-I", "-S", "-c", code, "claude"]
    run = subprocess.run(argv, env=agent.env, input=data, capture_output=True, check=False)
    assert run.returncode == 0
    loaded = set(run.stderr.decode().split())
    assert "learnloop_hooks.record" in loaded
    assert loaded.isdisjoint({"learnloop_hooks.priming", "learnloop.wire.nearness", "learnloop.wire.earlier"})
    assert loaded.isdisjoint(COSTLY_MODULES), loaded.intersection(COSTLY_MODULES)


def test_interpreter_is_not_of_an_environment() -> None:
    found = Path(deploy.interpreter())
    assert found.is_file()
    assert not (found.parent.parent / "pyvenv.cfg").exists()
    assert Path(sys.base_prefix) in found.parents or sys.prefix == sys.base_prefix
