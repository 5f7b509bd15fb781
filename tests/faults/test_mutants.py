"""Without its guard, the test that is named for it turns red."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.conftest import Figure
from tests.faults.fact_mutants import FACT_MUTANTS
from tests.faults.mutants import MUTANTS, Mutant
from tests.faults.team_mutants import TEAM_MUTANTS

REPOSITORY = Path(__file__).resolve().parents[2]
EVERY = (*MUTANTS, *FACT_MUTANTS, *TEAM_MUTANTS)
_MOST_CPU_S = 300
_RED = 1
"""What pytest ends with where tests ran and failed; anything else is no proof."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program, to be patched."""
    place = tmp_path_factory.mktemp("mutants")
    for folder in ("src", "hooks", "tui"):
        shutil.copytree(REPOSITORY / folder, place / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return place


@pytest.fixture
def mutated(program: Path, request: pytest.FixtureRequest) -> Iterator[Mutant]:
    mutant: Mutant = request.param
    path = _path(program, mutant)
    text = path.read_text("utf-8")
    path.write_text(text.replace(mutant.passage, mutant.replacement).replace(*mutant.also), "utf-8")
    yield mutant
    path.write_text(text, "utf-8")


def _path(program: Path, mutant: Mutant) -> Path:
    is_hook = mutant.file.startswith("hooks/")
    return program / mutant.file if is_hook else program / "src" / "learnloop" / mutant.file


def _run(program: Path, *tests: str) -> "subprocess.CompletedProcess[str]":
    """Run tests against the copy."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "LEARNLOOP"))
    }
    environment |= {
        "PYTHONPATH": os.pathsep.join(str(program / folder) for folder in ("src", "hooks", "tui")),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPYCACHEPREFIX": str(program / "byte-code"),
    }
    options = ["-q", "-x", "-n0", "-m", "", "-p", "no:cacheprovider", "--basetemp", str(program / "tmp")]
    command = [sys.executable, "-m", "pytest", *options, *(f"tests/{test}" for test in tests)]
    return subprocess.run(
        command, env=environment, cwd=REPOSITORY, capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (_MOST_CPU_S, _MOST_CPU_S)),
    )  # fmt: skip


def test_every_passage_stands_once() -> None:
    texts = {mutant.guard: _path(REPOSITORY, mutant).read_text("utf-8") for mutant in EVERY}
    assert {m.guard: texts[m.guard].count(m.passage) for m in EVERY} == dict.fromkeys(texts, 1)
    assert len(EVERY) >= 24


@pytest.mark.long
@pytest.mark.timeout(0)
def test_with_every_guard_the_named_tests_are_green(program: Path) -> None:
    done = _run(program, *dict.fromkeys(mutant.test for mutant in EVERY))
    assert done.returncode == 0, done.stdout


@pytest.mark.long
@pytest.mark.timeout(0)
@pytest.mark.parametrize("mutated", EVERY, ids=lambda mutant: mutant.guard, indirect=True)
def test_without_its_guard_the_named_test_is_red(program: Path, mutated: Mutant, figure: Figure) -> None:
    done = _run(program, mutated.test)
    assert done.returncode == _RED, done.stdout + done.stderr
    figure(f"without the guard: {mutated.guard}", f"{mutated.test} is red")
