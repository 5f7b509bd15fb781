"""`make` in folders of any name, with the syntax of GNU make 3.81, and what it says is missing."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ODD = 'my code ü\'s "🎈" $x'
_NEWER = r"!=|::+=|\$\(file |\$\(intcmp|\.ONESHELL|\.RECIPEPREFIX|\bundefine\b|\bprivate\b|\$\(guile"
"""What GNU make 3.81, which macOS has, does not know."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in an odd folder, without an environment; its `bin` is the whole search path."""
    folder = tmp_path / ODD / "learnloop"
    programs = folder / "bin"
    programs.mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "requirements.lock").write_text("")
    for name in ("sh", "make", "cat", "rm", "head", "df", "awk", "touch"):
        found = shutil.which(name)
        if not found:
            pytest.skip(f"{name} is not here")
        (programs / name).symlink_to(found)
    return folder


def python(checkout: Path, body: str) -> None:
    """Put a Python on the path: a script that gets the arguments of the real one."""
    program = checkout / "bin" / "python3"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)


def make(checkout: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    env = {"PATH": str(checkout / "bin"), "HOME": str(checkout), "LC_ALL": "POSIX", "PIP_NO_INDEX": "1"}
    return subprocess.run(
        ["make", *words], cwd=checkout, env=env, capture_output=True, text=True, timeout=100
    )


def only_line(done: "subprocess.CompletedProcess[str]") -> str:
    """The one line that was said on stderr before that of make itself."""
    assert done.returncode
    lines = [line for line in done.stderr.splitlines() if not line.startswith("make: ***")]
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_no_python(checkout: Path) -> None:
    assert only_line(make(checkout, "test")).startswith("Learnloop needs Python 3.11 or newer")
    python(checkout, "exit 1")
    assert only_line(make(checkout, "test")).startswith("Learnloop needs Python 3.11 or newer")
    assert only_line(make(checkout, "test", "PYTHON=/no/such")).startswith(
        "/no/such is no Python 3.11 or newer"
    )


def test_no_module_for_environments(checkout: Path) -> None:
    python(checkout, 'case "$2" in venv) echo "No module named venv"; exit 1;; esac')
    said = only_line(make(checkout, "test"))
    assert "python3-venv" in said
    assert said.endswith("No module named venv")


@pytest.mark.slow
def test_no_package_index(checkout: Path) -> None:
    """The environment is a real one without pip's packages; what pip said is kept."""
    python(checkout, f"exec '{os.path.realpath(sys.executable)}' \"$@\"")
    (checkout / "requirements.lock").write_text("nothing-of-this-name==1.0 --hash=sha256:" + "0" * 64)
    done = make(checkout, "test")
    assert "within reach? See .venv/pip.log" in only_line(done)
    assert "nothing-of-this-name" in (checkout / ".venv" / "pip.log").read_text()


def test_an_environment_whose_python_is_gone_or_that_was_moved_is_built_anew(checkout: Path) -> None:
    environment = checkout / ".venv"
    built = "Building the environment"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "python").symlink_to(shutil.which("true") or "/bin/true")
    (environment / ".ready").write_text(f"{checkout.resolve()}\n")
    assert built not in make(checkout, "-n", "test").stdout
    (environment / ".ready").write_text("/elsewhere\n")
    assert built in make(checkout, "-n", "test").stdout
    (environment / ".ready").write_text(f"{checkout.resolve()}\n")
    (environment / "bin" / "python").unlink()
    (environment / "bin" / "python").symlink_to("/gone/python3")
    assert built in make(checkout, "-n", "test").stdout


def test_each_python_that_is_named_has_an_environment_of_its_own(checkout: Path) -> None:
    planned = make(checkout, "-n", "test", f"PYTHON={os.path.realpath(sys.executable)}").stdout
    assert f".venv-{sys.version_info.major}.{sys.version_info.minor}/bin/python -m pytest" in planned


def test_rules_hold_in_any_folder_and_with_the_oldest_make() -> None:
    text = (ROOT / "Makefile").read_text("utf-8")
    assert re.findall(_NEWER, text) == []
    assert "CURDIR" not in text, "a rule with a path from the root breaks where that holds a space"
    scripts = re.findall(r"\(?(?:BIN|VENV|SITE|PROOFS|TRAIN)\)(?:/bin)?/(\w[\w-]*)", text)
    assert set(scripts) <= {"bin", "python", "lib", "pycache", "pip"}, (
        "a script's first line holds no path with a space"
    )
