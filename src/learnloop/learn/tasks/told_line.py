"""What agents are told of a task: what the person had corrected there, or what mended a failure. Pure."""

from collections.abc import Iterable, Sequence

from learnloop.learn.language import authorship, words
from learnloop.learn.lessons import sanitize
from learnloop.learn.tasks import continuations, patterns, task_kinds, task_requests
from learnloop.models.task import Task
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
    asked = task_requests.read(own).title if own else ""
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
    names = (
        patterns.command_name(each)
        for each in simple
        if task_kinds.is_check(each) or task_kinds.is_operation(each)
    )
    return list(dict.fromkeys(filter(None, names)))


def proofs(task: Task) -> list[str]:
    """The tests and builds that passed after the last change."""
    writes = (at for at, step in enumerate(task.steps) if step.tool in WRITING)
    passed = [step for step in task.steps[max(writes, default=0) :] if step.result == "done"]
    return command_names(
        step.target for step in passed if step.tool == "Bash" and task_kinds.is_check(step.target)
    )


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
