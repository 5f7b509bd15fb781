"""Programs that stand in for each other, and the commands that an act is done by. Pure tables.

`always use pnpm` matters where npm or yarn is about to run; `never push on Fridays` beside `git push`.
"""

import re
from collections.abc import Sequence

from learnloop.learn.language import lexicon
from learnloop.wire import globs

RIVALS: tuple[tuple[str, ...], ...] = (
    ("npm", "pnpm", "yarn", "bun"), ("npx", "bunx"), ("pip", "uv", "poetry", "conda", "pipenv", "pdm"),
    ("grep", "rg", "ag", "ack"), ("find", "fd"), ("jest", "vitest", "mocha"),
    ("pytest", "unittest", "nose", "tox", "nox"), ("docker", "podman"), ("make", "just", "task"),
    ("black", "yapf", "autopep8", "ruff"), ("flake8", "pylint"), ("prettier", "biome"),
    ("curl", "wget", "httpie"), ("mypy", "pyright"), ("mvn", "gradle"), ("terraform", "tofu"),
    ("virtualenv", "venv"),
)  # fmt: skip
"""Programs of which people use one instead of another."""
ALSO_RUN_AS = {
    "pip": ("pip", "pip3", "python -m pip"), "unittest": ("python -m unittest", "python3 -m unittest"),
    "pytest": ("pytest", "python -m pytest"), "venv": ("python -m venv", "python3 -m venv"),
    "python": ("python", "python3"), "jest": ("jest", "npx jest"), "vitest": ("vitest", "npx vitest"),
    "prettier": ("prettier", "npx prettier"), "biome": ("biome", "npx biome"),
    "eslint": ("eslint", "npx eslint"),
}  # fmt: skip
"""The beginnings of the commands that run a program, where its name alone is not enough."""
PROGRAMS = lexicon.PROGRAMS.union(*RIVALS, lexicon.words("trigger_tools.programs"))
AMBIGUOUS = lexicon.words("trigger_tools.ambiguous")
"""Programs whose names are also words or languages: they count where the words speak of running something."""
FORMATS = ("json", "yaml", "yml", "xml", "csv", "html", "sql", "toml", "md")

_AFTER_PUSH = (
    "after|and|anything|any|before|branch|branches|changes|code|commits|directly|for|if|it|my|on|or|origin|our"
    "|straight|tags|that|the|them|this|to|unless|until|when|while|without|your"
)
_BRANCHES = (
    "branch(?:es)?|prs?|pull requests?|main|master|dev|develop|release|commits?|it|anything|without|before"
)
_ACTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"force[- ]?push\w*|push\w* (?:with )?--force", ("git push *--force*", "git push *-f")),
    (r"push\w* (?:\w+ ){0,2}tags?", ("git push *tags*", "git push * tag *")),
    (r"amend\w*", ("git commit *--amend*",)),
    (r"hard[- ]reset\w*|reset\w* hard", ("git reset *--hard*",)),
    (r"(?:skip|bypass|disabl|avoid)\w* (?:(?:the|any|all|our|my) )*(?:git|(?:pre-)?(?:commit|push)) hooks?",
     ("git commit *--no-verify*", "git push *--no-verify*")),
    (r"delet(?:e|es|ed|ing) (?:\w+ ){0,3}branch(?:es)?", ("git branch -d*", "git branch -D*")),
    (r"(?<!by )(?<!per )commit(?:s|ted|ting)?(?! (?:sha|hash|id|history|ref)\w*)", ("git commit",)),
    (rf"push(?:es|ed|ing)?(?= (?:{_AFTER_PUSH})\b|[\W_]*(?:\n|$)|[,.;])", ("git push",)),
    (r"rebas(?:e|es|ed|ing)", ("git rebase",)),
    (rf"(?:squash\w*|merg(?:e|es|ed|ing))(?= .*\b(?:{_BRANCHES})\b|[\W_]*(?:\n|$))"
     rf"|(?:{_BRANCHES}) (?:is|are) merged", ("git merge", "gh pr merge")),
    (r"cherry-?pick\w*", ("git cherry-pick",)),
    (r"stash\w*", ("git stash",)),
    (r"worktrees?", ("git worktree add",)),
    (r"(?:pull requests?|prs?)(?! (?:tests?|checks?|suites?|builds?)\b)",
     ("gh pr create", "gh pr edit", "gh pr merge")),
    (r"(?:new |name\w* |create\w* |call\w* |start\w* )(?:\w+ ){0,2}branch(?:es)?"
     r"|branch(?:es)? (?:\w+ ){0,2}(?:named?|called)"
     r"|branch names?|branches (?:start|begin|use|are)", ("git checkout -b", "git switch -c", "git branch")),
    (r"(?:add|install|introduce|pull in|adding|installing)\w* (?:\w+ ){0,3}(?:dependenc\w+|packages?"
     r"|librar\w+)"
     r"|(?:new|more|extra|third-party) (?:\w+ )?(?:dependenc\w+|packages?|librar\w+)",
     ("npm install", "pnpm add", "yarn add", "pip install", "uv add", "poetry add", "cargo add", "go get")),
    (r"delet(?:e|es|ed|ing) (?:\w+ ){0,3}files?|remov(?:e|es|ed|ing) (?:\w+ ){0,3}files?", ("rm", "git rm")),
    (r"kill(?:s|ed|ing)? (?:\w+ ){0,3}(?:process\w*|servers?|ports?)", ("kill", "pkill", "killall")),
    (r"deploy(?:s|ing|ments?)?(?! (?:folder|config|script"
     r"|docs)\w*)", ("make deploy", "npm run deploy", "*deploy.sh")),
    (r"releas(?:e|ing)", ("git tag", "gh release", "make release", "npm version")),
    (r"publish(?:ing)?", ("npm publish", "cargo publish", "twine upload", "uv publish")),
)  # fmt: skip
_ACT_PATTERNS = tuple((re.compile(rf"\b(?:{words})\b", re.I), commands) for words, commands in _ACTS)
_MESSAGES = re.compile(r"\bcommit (?:messages?|titles?|subjects?|bodies)\b|\bconventional commits\b", re.I)


def acts(when: str, whole: str, ran: Sequence[str] = ()) -> list[str]:
    """The commands of the acts that words name as a moment; a rule on commit messages names one anywhere.

    Where `ran`, the commands of the moment, has some of an act's commands, the others are left out.
    """
    named: list[str] = []
    for words, commands in _ACT_PATTERNS:
        if words.search(when):
            own = [command for command in commands if any(globs.runs(command, [call], call) for call in ran)]
            named += own or commands
    for part, act in (("git push *", "git push"), ("git commit *", "git commit")):
        if any(command.startswith(part) for command in named):
            named = [command for command in named if command != act]
    return [*named, *(["git commit"] if _MESSAGES.search(whole) else ())]


def rivals_of(program: str) -> tuple[str, ...]:
    """The programs that are used in place of one."""
    return next(
        (tuple(name for name in group if name != program) for group in RIVALS if program in group), ()
    )
