"""The kind of a task, and what agents are told of it: a correction, or what mended a failure. Pure."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from learnloop.learn.language import authorship, words
from learnloop.learn.lessons import acts, sanitize
from learnloop.learn.profile import areas
from learnloop.learn.tasks import continuations, patterns
from learnloop.models.lesson_check import ANY_TEST, EXPANDED
from learnloop.models.task import Task, TaskKind
from learnloop.wire import globs, nearness, text

_ASKED, _NAME, _MOST_FILES = 100, 60, 3
WRITING = frozenset(("Edit", "MultiEdit", "NotebookEdit", "Write", "apply_patch"))
"""Tools that write their target."""
_FEWEST_TERMS = 4
_HOW = continuations.words_of(
    "don't never always should shouldn't must instead rather not no use keep only need want supposed prefer"
    " avoid stop remember without doesn't dry"
)
_REPORTS = continuations.words_of(
    "error error: errors failing failed fails fail seeing getting hitting still stuck crash crashes broken"
    " happens error. errors. nothing appear appearing"
)


def told_line(task: Task) -> str:
    """The line of a task; empty where nobody corrected it in words of their own, and nothing was mended.

    Of several files nobody knows which was meant, so a correction is told where the task wrote one alone.
    Nothing of what agents or tools said is in it: no answers, no errors.
    """
    asked = asked_for(task)
    work = f" (“{asked}”)" if asked else ""
    corrected = [f"“{words}”" for words in map(_own, filter(_teaches, task.corrections)) if words]
    if corrected and len(task.files) == 1 and task.attended:
        where = _named(task.files, task.project)
        return f"{task.started[:10]} at {where}{work} the user corrected: {' and '.join(corrected[-2:])}"
    mended = _fixed(task)
    return f"{task.started[:10]} {mended}{work}" if mended else ""


def _teaches(correction: str) -> bool:
    """Whether a correction says how it has to be, and does not only report what fails."""
    words = {*correction.lower().replace("’", "'").split()}
    return bool(words & _HOW) and not words & _REPORTS


def asked_for(task: Task) -> str:
    """What the person asked for, in their words; empty where somebody else may have written it."""
    return _own(task.input) if task.attended and not task.continues else ""


def _own(prompt: str) -> str:
    """The sentence of a prompt that says what it is about, where its words are surely the person's."""
    whose = authorship.read(continuations.PICTURE.sub("", prompt), {})
    own = "" if whose.reason else words.own_words(whose.words).text
    asked = continuations.request_of(own).title if own else ""
    return sanitize.sanitize_line(text.cut(asked, _ASKED), lambda _word: True) if says_enough(asked) else ""


def says_enough(asked: str) -> bool:
    """Whether words say what they are about without their session, and do not only lead over to a text."""
    return len(nearness.asked(asked)) >= _FEWEST_TERMS and not asked.endswith(":")


def file_name(file: str, project: str) -> str:
    """A file as a session of its project names it: below the project's folder, else from the root."""
    return file.removeprefix(f"{project}/") if project else file


def command_names(commands: Iterable[str]) -> list[str]:
    """The commands that test, build or operate something, without their arguments; what follows is unread."""
    simple = (each for line in commands for each in globs.simple_commands(line.partition("\n")[0]))
    names = (patterns.command_name(each) for each in simple if is_check(each) or is_operation(each))
    return list(dict.fromkeys(filter(None, names)))


def proofs(task: Task) -> list[str]:
    """The tests and builds that passed after the last change."""
    writes = (at for at, step in enumerate(task.steps) if step.tool in WRITING)
    passed = [step for step in task.steps[max(writes, default=0) :] if step.result == "done"]
    return command_names(step.target for step in passed if step.tool == "Bash" and is_check(step.target))


def _fixed(task: Task) -> str:
    """What failed first, and what was changed before it passed."""
    for step in task.steps:
        if step.result == "failed" and step.tool == "Bash":
            changed = [each for each in patterns.fix(task.steps, step.error_class) if each in task.files]
            if changed and (names := command_names([step.target])):
                mended = _named(changed, task.project)
                return f"{_safe(names[0])} failed, and passed after changes to {mended}"
    return ""


def _named(files: Sequence[str], project: str) -> str:
    every = [_safe(file_name(file, project)) for file in files[:_MOST_FILES]]
    more = f" and {len(files) - _MOST_FILES} more" if len(files) > _MOST_FILES else ""
    return f"{', '.join(every)}{more}"


def _safe(name: str) -> str:
    return text.cut(sanitize.sanitize_line(name, lambda _word: True), _NAME)


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
