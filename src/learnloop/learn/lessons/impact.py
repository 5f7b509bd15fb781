"""The priority and the kind of a lesson, by what a mistake puts at risk. Pure.

The tables are those of the process-knowledge specification (ADR-004 and ADR-005), with two differences:
CRITICAL is only proposed, because only a person makes a lesson CRITICAL, and a kind is inferred only if its
content can be filled from the words.
"""

import re
from typing import Literal, NamedTuple

from learnloop.learn.language import lexicon
from learnloop.learn.lessons import named_files
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
from learnloop.models.lesson import Kind, Priority

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
    named = items if len(items) > 1 else named_files.files_named(words) if belong else []
    return list(dict.fromkeys(named))[:ITEMS_MAX]
