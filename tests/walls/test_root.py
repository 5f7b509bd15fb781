"""What the root of the repository holds."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = {".ci", "docs", "hooks", "screenshots", "scripts", "src", "tests", "tui"}
FILES = {
    ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md",
    "mkdocs.yml", "pyproject.toml", "requirements-docs.lock", "requirements-proofs.lock",
    "requirements-train.lock", "requirements.lock",
}  # fmt: skip


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the sources came without their repository")
@pytest.mark.skipif(not shutil.which("git"), reason="git, which knows what is committed, is not here")
def test_root_holds_what_is_meant_to_be_there() -> None:
    # A checkout may belong to somebody else than who tests it.
    command = ["git", "-c", "safe.directory=*", "-C", str(ROOT), "ls-files", "-z"]
    names = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")
    assert {name.partition("/")[0] for name in names if name} == FOLDERS | FILES
