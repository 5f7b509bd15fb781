"""Guided fuzzing of one target with atheris: `python -m scripts.fuzz.guided TARGET RUNS SEED CORPUS`.

atheris ends the process, so a target has a process of its own; libFuzzer says on stderr what it did.
"""

import importlib.util
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.fuzz import corpus, mutation

_REPOSITORY = Path(__file__).parents[2]
_EXECUTED = re.compile(rb"stat::number_of_executed_units:\s+(\d+)")
_SLOWEST = re.compile(rb"stat::slowest_unit_time_sec:\s+(\d+)")


def is_there() -> bool:
    """Whether atheris is installed for this interpreter."""
    return importlib.util.find_spec("atheris") is not None


def run(name: str, runs: int, seed: int, most_s: int) -> tuple[int, str]:
    """Fuzz a target in a process of its own; how many executions it was, and what failed."""
    with tempfile.TemporaryDirectory(prefix="learnloop-fuzz-") as folder:
        for number, data in enumerate(corpus.seeds(name)):
            Path(folder, f"seed-{number:05d}").write_bytes(data[: mutation.LARGEST])
        command = [
            sys.executable,
            "-m",
            "scripts.fuzz.guided",
            name,
            str(runs),
            str(seed),
            folder,
            str(most_s),
        ]
        done = subprocess.run(command, cwd=_REPOSITORY, capture_output=True)
    executed = _EXECUTED.search(done.stderr)
    failed = "" if done.returncode == 0 else (done.stdout + done.stderr)[-3_000:].decode("utf-8", "replace")
    return int(executed[1]) if executed else 0, failed


def main(name: str, runs: str, seed: str, folder: str, most_s: str) -> None:
    """Fuzz until so many runs or so many seconds are over; never returns."""
    import atheris

    with atheris.instrument_imports(include=["learnloop"]):
        from scripts.fuzz.targets import TARGETS
    options = [f"-runs={runs}", f"-seed={seed}", f"-max_len={mutation.LARGEST}", f"-max_total_time={most_s}",
               "-print_final_stats=1", "-timeout=20", f"-artifact_prefix={folder}/failed-"]  # fmt: skip
    atheris.Setup([name, *options, folder], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
