"""The acts and files of a turn as moments: those that a text is about, or all of them. Pure."""

from collections.abc import Mapping, Sequence

from learnloop.learn.language import lexicon
from learnloop.learn.lessons import file_patterns, meaning, trigger_tools
from learnloop.learn.lessons.trigger_choice import PossibleTrigger
from learnloop.models.lesson import Triggers
from learnloop.wire import globs

_LOOKS = frozenset((
    "ls", "cat", "head", "tail", "less", "cd", "pwd", "echo", "printf", "grep", "rg", "find", "wc", "which",
    "env", "true", "sleep", "diff", "tree", "file", "stat",
))  # fmt: skip
_GIT_LOOKS = frozenset(("git status", "git log", "git diff", "git show", "git branch", "git fetch"))
"""Programs and acts that change nothing: they are hardly what was corrected."""
_TRACED_NOUNS = frozenset(("git commit",))
"""A text with the word may speak of the thing; `trigger_tools.acts` knows those that mean the act."""


_SIGNS = str.maketrans("/*-._", "     ")


def traced(text: str, commands: Sequence[str], texts: Mapping[str, str]) -> list[PossibleTrigger]:
    """The acts and files of a turn that a text is about; `texts` are those written, by path."""
    spoken = meaning.read(text).signs.keys()
    flags, terms = {f"--{term}" for term in spoken}, spoken - lexicon.PLAIN_ACTS
    named = trigger_tools.acts(text, text, commands)
    acts = [
        act
        for call, act in _acts_of(commands).items()
        if _traced_terms(call) & terms
        or not flags.isdisjoint(call.split())
        or any(globs.runs(each, [call], call) for each in named)
    ]
    near = [path for path, wrote in texts.items() if _traced_terms(f"{path} {wrote}") & terms]
    return _done(acts, near)


def acts_of_turn(files: Sequence[str], commands: Sequence[str], project: str) -> list[Triggers]:
    """A turn's acts as moments, each by itself: first what was written last, then what was run last."""
    inside = [path for path in (below(path, project) for path in files) if path]
    written = dict.fromkeys(reversed(file_patterns.of_written(inside)))
    acts = dict.fromkeys(reversed(_acts_of(commands).values()))
    return [
        *(Triggers(file_patterns=(pattern,)) for pattern in written),
        *(Triggers(command_patterns=(act,)) for act in acts),
    ]


def alone(text: str, files: Sequence[str], commands: Sequence[str]) -> list[PossibleTrigger]:
    """The one thing that a turn did: its command, or its kind of file where the words may be about one."""
    done = _done(list(_acts_of(commands).values()), files if file_patterns.is_about_one(text) else ())
    return done if len({each.options for each in done}) == 1 else []


def _acts_of(commands: Sequence[str]) -> dict[str, str]:
    """The acts of commands by their call, without those that only look."""
    calls = (call for command in commands for call in globs.simple_commands(command))
    return {call: act for call in calls if (act := _traced_act(call))}


def _done(acts: Sequence[str], files: Sequence[str]) -> list[PossibleTrigger]:
    return [
        *(PossibleTrigger("command", (act,)) for act in dict.fromkeys(acts)),
        *(PossibleTrigger("file", (path,)) for path in file_patterns.of_written(files)),
    ]


def _traced_act(call: str) -> str:
    """A command as far as it names its act: the program, a subcommand, and a telling flag behind it."""
    words = call.split()
    program = words[0].rpartition("/")[2] if words else ""
    second = words[1] if len(words) > 1 and words[1].replace("-", "").isalnum() else ""
    act = f"{program} {second}".strip()
    if not program.isascii() or program in _LOOKS or act in _GIT_LOOKS | _TRACED_NOUNS:
        return ""
    flag = next((word for word in words[2:] if word.startswith("--")), "")
    return f"{act} *{flag}" if second and flag else act


def _traced_terms(words: str) -> set[str]:
    """The stems of words, commands or code."""
    return set(meaning.read(words.translate(_SIGNS)).signs)


def below(path: str, project: str) -> str:
    """A path below the project, by its last two parts where it lies elsewhere, empty for a scratch file."""
    if project and path.startswith(f"{project}/"):
        return path[len(project) + 1 :]
    if path.startswith("/"):
        return "" if project else "**/" + "/".join(path.split("/")[-2:])
    return path
