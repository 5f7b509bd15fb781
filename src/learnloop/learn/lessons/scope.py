"""Where a lesson holds: everywhere, in its project, or in one part of it. Pure.

A lesson holds in its project unless the words say otherwise; what is wrong in a wider scope is told to every
agent of the person, so that doubt keeps it narrow.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from learnloop.learn.lessons import named_files
from learnloop.models.lesson import Scope

_EVERYWHERE = re.compile(
    r"\b(?:(?:in|for|across|with) (?:all|any|every|each|other) (?:of )?(?:my |our |your )?"
    r"(?:projects?|repos?(?:itor(?:y|ies))?|sessions?|conversations?|chats?|codebases?)"
    r"|(?:no matter|whatever) (?:which|what|the) (?:project|repo\w*)|globally|in general|generally speaking"
    r"|wherever (?:i|you|we) work|(?:add|put|save|store) (?:it|this|that) (?:to|in|into) (?:my |your )?global"
    r"|everywhere(?! (?:else|as|in (?:this|the|our)|it)\b))\b",
    re.I,
)
_CHANGED_EVERYWHERE = re.compile(
    r"\b(?:updat|chang|renam|replac|fix)\w* (?:it|this|that|them) everywhere", re.I
)
"""A place in the code, not of the lesson."""
_HERE = re.compile(
    r"\b(?:in|for|of|with) (?:this|the|our|that) (?:\w+ )?"
    r"(?:repo\w*|projects?|codebase|code base|package|module|app|folder|service|file|branch)\b"
    r"|\b(?:this|our) (?:repo\w*|project|codebase|code base|team|app)\b|\b(?:here|we|our)\b",
    re.I,
)
_ABOUT_THE_PERSON = re.compile(
    r"\b[Ii](?:['’]m| am)? (?:always|never|usually|generally|prefer|hate|dislike|like (?:it|to)|expect you"
    r"|don['’]t (?:like|want you)|want you to (?:always|never)|read on|speak"
    r"|use (?:zsh|fish|vim|emacs|[Mm]ac\w*))\b"
    r"|\bfor me\b(?=.*\b(?:always|never)\b)|\b(?:always|never)\b.*\bfor me\b"
    r"|\bmy (?:preference|style|shell|editor)\b"
)
_TOWARDS_ME = re.compile(
    r"\b(?:ask|tell|show|explain|walk|give|warn|consult|check with|wait for|talk"
    r"|remind)(?:ing)? (?:it )?(?:to "
    r"|through )?me\b"
    r"|\bmy (?:approval|permission|confirmation)\b|\bwhen(?:ever)? i (?:ask|say|tell|want)\b|\bto me\b"
    r"|^\W*(?:always |never |please )*(?:answer|reply|respond|talk)\b|\byour (?:answers|replies)\b",
    re.I,
)
_STANDING = re.compile(
    r"\b(?:always|never|ever|every time|each time|when(?:ever)?|from now on|in (?:the )?future|going forward"
    r"|stop \w+ing|at the end of|each|any"
    r"|before (?:you|any|every|making|writing|starting|doing|touching|taking|answering|acting))\b",
    re.I,
)
_PATH = re.compile(r"(?<![\w./-])(?:\./)?[\w.@-]+/[\w./@-]*")
"""A path from the project's folder; the bare name of a folder is more often just a word."""
_POINTING = re.compile(r"\b(?:in|down|over) here\b|\bin this (?:module|package|folder|service)\b", re.I)
_LONGEST = 2000
_LEAST_HERE = 2
"""`Here` means a part only where so many files of the turn lie in it."""


class Reach(NamedTuple):
    """Where a lesson holds, as its fields say it."""

    scope: Scope
    project: str
    path: str


def guess(words: str, files: Sequence[str], project: str) -> Reach:
    """The scope by a person's words and by the files of the turn that they are about."""
    words = words[:_LONGEST]
    if not project or _is_everywhere(words):
        return Reach("global", "", "")
    part = _part(words, files, project)
    return Reach("module", project, part) if part else Reach("project", project, "")


def _is_everywhere(words: str) -> bool:
    if _EVERYWHERE.search(words) and not _CHANGED_EVERYWHERE.search(words):
        return True
    if _HERE.search(words) or named_files.named_patterns(words) or named_files.things(words, ()):
        return False
    is_conduct = _TOWARDS_ME.search(words) is not None and _STANDING.search(words) is not None
    return is_conduct or _ABOUT_THE_PERSON.search(words) is not None


def _part(words: str, files: Sequence[str], project: str) -> str:
    """The folder that holds all files and whose path the words name; empty if there is none."""
    own = [file[len(project) + 1 :] for file in files if file.startswith(f"{project}/")]
    if not own or len(own) < len(files):
        return ""
    folder = named_files.common_folder(own)
    segments = folder.split("/") if folder else []
    named = {path.removeprefix("./").rstrip("./") for path in _PATH.findall(words)}
    for at in range(len(segments), 0, -1):
        path = "/".join(segments[:at])
        if path in named:
            return path
    return folder if _POINTING.search(words) and len(set(own)) >= _LEAST_HERE else ""
