"""What kind of work a task was, by the files it wrote and the commands it ran. Pure."""

import re
from collections.abc import Sequence

from learnloop.learn.profile import areas
from learnloop.learn.tasks import checks
from learnloop.models.task import TaskKind

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
    if any(map(checks.is_check, commands)):
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
