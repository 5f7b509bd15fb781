"""What kind of work a task was, by its files and commands, and which commands judge it. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache

from learnloop.learn.lessons import acts
from learnloop.learn.profile import areas
from learnloop.models.lesson_check import ANY_TEST, EXPANDED
from learnloop.models.task import TaskKind

_BUILDS = (
    "make", "make all", "make *build*", "npm run build*", "pnpm build*", "pnpm run build*", "yarn build*",
    "bun run build*", "tsc", "vite build", "next build", "cargo build", "cargo check", "go build",
    "gradle *build*", "gradlew *build*", "mvn *package*", "mvn *compile*", "mvn *install*", "dotnet build",
    "swift build", "cmake --build*", "ninja", "docker build", "bazel build", "mix compile", "hatch build",
    "python* -m build",
)  # fmt: skip
_COMMANDS = (*EXPANDED["runs"][ANY_TEST], *_BUILDS)
_HINTS = {pattern: max(re.findall("[a-z]+", pattern), key=len) for pattern in _COMMANDS}
"""By pattern a word that is in all of its commands: reading one as a shell does costs far more."""
_OPS = re.compile(
    r"\b(?:git\s+(?:commit|push|merge|rebase|tag|checkout|stash|pull)|gh\s|docker|podman|kubectl|helm|terraform"
    r"|ansible|systemctl|ssh|scp|rsync|aws|gcloud|az|crontab|(?:npm|pnpm|yarn|pip|uv|cargo|brew|apt(?:-get)?)\s+"
    r"(?:install|add|remove|publish|upgrade|update|ci))\b"
)
_OPS_FILE = re.compile(
    r"(?:^|/)(?:\.github/|\.gitlab-ci|Dockerfile|docker-compose|Jenkinsfile|Makefile|[^/]*\.tf$)"
)


def kind(files: Sequence[str], commands: Sequence[str], calls: int) -> TaskKind:
    """Return the kind: what most of the written files are, else what the commands do, else reading."""
    if files:
        kinds = [_of_file(file) for file in files]
        return max(("code", "test", "docs", "ops"), key=kinds.count)
    if any(map(is_operation, commands)):
        return "ops"
    if any(map(is_check, commands)):
        return "test"
    return "research" if calls else "other"


def _of_file(file: str) -> TaskKind:
    named = areas.file_areas(file)
    if "documentation" in named:
        return "docs"
    if "testing" in named:
        return "test"
    return "ops" if _OPS_FILE.search(file) else "code"


def is_operation(command: str) -> bool:
    """Whether a command does something to a repository, to packages or to a machine."""
    return _OPS.search(command) is not None


@lru_cache(maxsize=4096)
def is_check(command: str) -> bool:
    """Whether a command runs tests or a build."""
    likely = [pattern for pattern, hint in _HINTS.items() if hint in command]
    return bool(likely) and acts.runs(acts.AgentCall(command=command), likely)
