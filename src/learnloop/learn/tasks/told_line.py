"""A task in a line for agents: the person's words, names of files and commands, our own words. Pure."""

from collections.abc import Iterable

from learnloop.learn.language import authorship, words
from learnloop.learn.lessons import sanitize
from learnloop.learn.tasks import checks, continuations, patterns, task_kinds, task_requests
from learnloop.models.task import Task
from learnloop.wire import globs, nearness, text

_ASKED, _NAME, _MOST_FILES, _MOST_COMMANDS, _MOST_FIXES = 100, 60, 4, 3, 2
_FEWEST_TERMS = 4
_EMPTY = frozenset((
    "fix", "good", "great", "make", "need", "okay", "see", "sure", "thank", "think", "want", "yeah", "yup",
))  # fmt: skip
"""Terms that are in every second prompt."""
_OUTCOMES = {
    ("success", "said"): "the person said that it was right",
    ("success", "inferred"): "it seems to have gone well",
    ("failed", "said"): "it failed",
    ("failed", "inferred"): "its last test or build failed",
    ("revised", "said"): "the person had it corrected",
}


def told_line(task: Task) -> str:
    """The line of a task; empty where nothing in it is surely a person's, or it came to nothing.

    Nothing of what agents or tools said is in it: no answers, no errors.
    """
    if task.outcome == "cancelled" or not (task.files or task.commands):
        return ""
    asked = asked_for(task)
    if not asked:
        return ""
    outcome = _OUTCOMES.get((task.outcome, task.known), "")
    pieces = [f"{task.started[:10]} “{asked}”", outcome, _wrote(task), _ran(task), _fixed(task)]
    return "; ".join(filter(None, pieces))


def asked_for(task: Task) -> str:
    """What the person asked for, in their words; empty where somebody else may have written it."""
    if not task.attended or task.continues:
        return ""
    whose = authorship.read(continuations.PICTURE.sub("", task.input), {})
    own = "" if whose.reason else words.own_words(whose.words).text
    asked = task_requests.read(own).title if own else ""
    return sanitize.sanitize_line(text.cut(asked, _ASKED), lambda _word: True) if says_enough(asked) else ""


def says_enough(asked: str, fewest: int = _FEWEST_TERMS) -> bool:
    """Whether words say what they are about without their session, and do not only lead over to a text."""
    telling = {term for term in nearness.terms(asked) if not term.isdigit()} - _EMPTY
    return len(telling) >= fewest and not asked.endswith(":")


def file_name(file: str, project: str) -> str:
    """A file as a session of its project names it: below the project's folder, else from the root."""
    return file.removeprefix(f"{project}/") if project else file


def command_names(commands: Iterable[str]) -> list[str]:
    """The commands that test, build or operate something, without their arguments; what follows is unread."""
    simple = (each for line in commands for each in globs.simple_commands(line.partition("\n")[0]))
    names = (
        patterns.command_name(each)
        for each in simple
        if checks.is_check(each) or task_kinds.is_operation(each)
    )
    return list(dict.fromkeys(filter(None, names)))


def _wrote(task: Task) -> str:
    names = [file_name(file, task.project) for file in task.files]
    return _named("wrote", names, _MOST_FILES)


def _ran(task: Task) -> str:
    return _named("ran", command_names(task.commands), _MOST_COMMANDS)


def _fixed(task: Task) -> str:
    """What failed first, and what was changed before it passed."""
    for step in task.steps:
        if step.result == "failed" and step.tool == "Bash":
            changed = [each for each in patterns.fix(task.steps, step.error_class) if each in task.files]
            if changed and (names := command_names([step.target])):
                files = [file_name(file, task.project) for file in changed]
                return _named(f"{_safe(names[0])} failed, and passed after changes to", files, _MOST_FIXES)
    return ""


def _named(verb: str, names: Iterable[str], most: int) -> str:
    every = [_safe(name) for name in names]
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return f"{verb} {', '.join(every[:most])}{more}" if every else ""


def _safe(name: str) -> str:
    return text.cut(sanitize.sanitize_line(name, lambda _word: True), _NAME)
