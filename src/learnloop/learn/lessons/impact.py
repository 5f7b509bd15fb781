"""The priority and the kind of a lesson, by what a mistake puts at risk, and where it holds. Pure.

The tables are those of the process-knowledge specification (ADR-004 and ADR-005), with two differences:
CRITICAL is only proposed, because only a person makes a lesson CRITICAL, and a kind is inferred only if its
content can be filled from the words.
A lesson holds in its project unless the words say otherwise: what is wrong in a wider scope is told to every
agent of the person.
"""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from learnloop.learn.language import lexicon
from learnloop.learn.lessons import file_patterns
from learnloop.models.kinds import (
    FIELD_MAX,
    ITEM_MAX,
    ITEMS_MAX,
    Checklist,
    Content,
    Pattern,
    Requirement,
    Warning_,
)
from learnloop.models.lesson import Kind, Priority, Scope

Level = Literal["production", "quality", "style", "info"]
Form = Literal["correction", "explicit", "suggestion", "other"]

_LEVELS: tuple[tuple[Level, re.Pattern[str]], ...] = tuple(
    (name, re.compile(words, re.I)) for name, words in lexicon.table("levels")
)
_PATH = re.compile(r"`[^`\n]{1,200}`|(?<!\S)[\w.@~-]*/\S+|\b[\w-]+\.(?:ya?ml|json|toml|py|ts|js|sh|md)\b")
"""Names of files and code: a folder that is called `deploy` puts nothing at risk."""
_MARKED = re.compile(
    r"(?<!not )(?<!less )\b(?:critical|crucial|very important|super important|important:)", re.I
)


_LONGEST = 4000
"""Characters of a text that are weighed."""


def level(words: str) -> Level:
    """What is at stake according to the words; `info` if they name nothing."""
    spoken = _PATH.sub(" ", words[:_LONGEST])
    return next((name for name, cues in _LEVELS if cues.search(spoken)), "info")


class Weight(NamedTuple):
    """A priority, and a higher one that is proposed to the person, if any."""

    priority: Priority
    proposed: Priority | None = None


AGAIN_AND_AGAIN = 3
"""A correction given so often (the specification's `repetition_count >= 2`) is a recurring mistake, proposed
as CRITICAL. The second time makes it HIGH (ADR-004, rules 4 and 5)."""

_TABLE: dict[Form, dict[Level, Priority]] = {
    "correction": {"production": "CRITICAL", "quality": "HIGH"},
    "explicit": {"production": "HIGH"},
}


def weight(form: Form, words: str, *, seen: int = 1, is_persons: bool = True) -> Weight:
    """The priority by form and impact. CRITICAL is proposed for high impact, a person's word, or repetition.

    `seen` counts how often it was said, this time included.
    """
    priority = _TABLE.get(form, {}).get(level(words), "LOW" if form == "other" else "MEDIUM")
    is_marked = is_persons and _MARKED.search(words) is not None
    if priority == "CRITICAL" or is_marked or seen >= AGAIN_AND_AGAIN:
        return Weight("HIGH", "CRITICAL")
    return Weight("HIGH" if seen > 1 else priority)


class Classification(NamedTuple):
    """A kind with its content."""

    kind: Kind
    content: Content | None = None


_WHEN = re.compile(
    r"^(?:and |but |so |also |please )*"
    r"(?P<situation>(?:when(?:ever)?|every time|each time|after|before|once"
    r"|if) [^,]{4,200}?), (?P<action>\S.*)", re.I,
)  # fmt: skip
_THEN = re.compile(
    r"^(?P<action>.+?),? (?P<situation>(?:when(?:ever)?|every time|each time|before|after|once)"
    r" (?:you|we|the agent|\w+ing) .+)$",
    re.I,
)
_RISK = re.compile(
    r"\b(?:risk\w*|dangerous\w*|danger|careful|beware|warning|watch out)\b"
    r"|\b(?:can|could|may|might|will|would) (?:\w+ )?(?:delete|drop|wipe|destroy|lose|overwrite|corrupt"
    r"|leak|break)\b",
    re.I,
)
_MUST = re.compile(
    r"\b(?:must(?! have)|required|requirement|constraint|cannot|should not|shouldn't|has to)\b", re.I
)
_TOGETHER = re.compile(r"\band\b|&|\bboth\b|\balso\b|\btoo\b|\bas well\b|,", re.I)
_CHOICE = re.compile(r"\b(?:instead|rather than|not|or|no longer|rename)\b", re.I)
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(\S.*)$", re.M)


def classify(words: str, statement: str) -> Classification:
    """The kind by the words: a checklist for steps, pattern for a situation, warning, requirement or fact."""
    words = words[:_LONGEST]
    steps = _steps(words)
    if len(steps) > 1:
        title = statement.rstrip(".") or "Together"
        return Classification("checklist", Checklist(title=title[:100], items=tuple(steps)))
    plain = " ".join(words.split()).rstrip(".!")
    if match := _WHEN.match(statement):
        return Classification("pattern", _pattern(match["situation"], match["action"]))
    if statement and (match := _WHEN.match(plain)):
        return Classification("pattern", _pattern(match["situation"], statement))
    if statement and _RISK.search(plain):
        return Classification("warning", Warning_(risk=statement[:FIELD_MAX]))
    if match := _THEN.match(statement.rstrip(".")):
        return Classification("pattern", _pattern(match["situation"], match["action"]))
    if statement and _MUST.search(plain):
        return Classification("requirement", Requirement(constraint=statement[:FIELD_MAX]))
    return Classification("fact")


def _pattern(situation: str, action: str) -> Pattern:
    situation, action = (text[0].upper() + text[1:] for text in (situation.strip(), action.strip()))
    return Pattern(situation=situation[:FIELD_MAX], action=f"{action.rstrip('.')}."[:FIELD_MAX])


def _steps(words: str) -> list[str]:
    """The items of a list, or files that are named together."""
    items = [item.strip()[:ITEM_MAX] for item in _ITEM.findall(words)]
    belong = _TOGETHER.search(words) and not _CHOICE.search(words)
    named = items if len(items) > 1 else file_patterns.files_named(words) if belong else []
    return list(dict.fromkeys(named))[:ITEMS_MAX]


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
_FOLDER = re.compile(r"(?<![\w./-])(?:\./)?[\w.@-]+/[\w./@-]*")
"""A path from the project's folder; the bare name of a folder is more often just a word."""
_POINTING = re.compile(r"\b(?:in|down|over) here\b|\bin this (?:module|package|folder|service)\b", re.I)
_LONGEST_WORDS = 2000
_LEAST_HERE = 2
"""`Here` means a part only where so many files of the turn lie in it."""


class Reach(NamedTuple):
    """Where a lesson holds, as its fields say it."""

    scope: Scope
    project: str
    path: str


def guess(words: str, files: Sequence[str], project: str) -> Reach:
    """The scope by a person's words and by the files of the turn that they are about."""
    words = words[:_LONGEST_WORDS]
    if not project or _is_everywhere(words):
        return Reach("global", "", "")
    part = _part(words, files, project)
    return Reach("module", project, part) if part else Reach("project", project, "")


def _is_everywhere(words: str) -> bool:
    if _EVERYWHERE.search(words) and not _CHANGED_EVERYWHERE.search(words):
        return True
    if _HERE.search(words) or file_patterns.named_patterns(words) or file_patterns.things(words, ()):
        return False
    is_conduct = _TOWARDS_ME.search(words) is not None and _STANDING.search(words) is not None
    return is_conduct or _ABOUT_THE_PERSON.search(words) is not None


def _part(words: str, files: Sequence[str], project: str) -> str:
    """The folder that holds all files and whose path the words name; empty if there is none."""
    own = [file[len(project) + 1 :] for file in files if file.startswith(f"{project}/")]
    if not own or len(own) < len(files):
        return ""
    folder = file_patterns.common_folder(own)
    segments = folder.split("/") if folder else []
    named = {path.removeprefix("./").rstrip("./") for path in _FOLDER.findall(words)}
    for at in range(len(segments), 0, -1):
        path = "/".join(segments[:at])
        if path in named:
            return path
    return folder if _POINTING.search(words) and len(set(own)) >= _LEAST_HERE else ""
