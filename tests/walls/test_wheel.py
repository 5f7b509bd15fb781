"""The wheel: one distribution, three packages, typed, with everything that a running console needs."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("dist")
    build = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(REPOSITORY),
    ]
    done = subprocess.run(build, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = folder.glob("*.whl")
    return zipfile.ZipFile(made)


def test_it_holds_the_three_packages_typed(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist() if ".dist-info" not in name}
    assert tops == {"learnloop", "learnloop_hooks", "learnloop_tui"}
    assert {f"{top}/py.typed" for top in tops} <= set(wheel.namelist())


def test_every_module_and_data_file_of_the_sources_is_in_it(wheel: zipfile.ZipFile) -> None:
    roots = [REPOSITORY / "src", REPOSITORY / "hooks", REPOSITORY / "tui"]
    tracked = [
        path.relative_to(root).as_posix()
        for root in roots
        for path in root.glob("learnloop*/**/*")
        if path.suffix in (".py", ".tcss", ".typed")
    ]
    assert set(tracked) <= set(wheel.namelist())
    assert any(name.endswith(".tcss") for name in tracked)


def test_it_has_both_console_scripts(wheel: zipfile.ZipFile) -> None:
    (entry_points,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    text = wheel.read(entry_points).decode()
    assert "learn = learnloop.cli.main:main" in text
    assert "learn-tui = learnloop_tui.main:main" in text


def test_it_has_the_plugin_beside_the_hooks(wheel: zipfile.ZipFile) -> None:
    plugin = REPOSITORY / "hooks" / "plugin"
    files = {path.relative_to(plugin).as_posix() for path in plugin.rglob("*") if path.is_file()}
    assert ".claude-plugin/plugin.json" in files
    assert {f"learnloop_hooks/plugin/{name}" for name in files} <= set(wheel.namelist())
