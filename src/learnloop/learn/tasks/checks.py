"""Which commands judge a task's work: tests and builds. Pure."""

import re
from functools import lru_cache

from learnloop.learn.lessons import acts
from learnloop.models.lesson_check import ANY_TEST, EXPANDED

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


@lru_cache(maxsize=4096)
def is_check(command: str) -> bool:
    """Whether a command runs tests or a build."""
    likely = [pattern for pattern, hint in _HINTS.items() if hint in command]
    return bool(likely) and acts.runs(acts.AgentCall(command=command), likely)
