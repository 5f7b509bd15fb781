"""What a prompt asks for: a title, and the prerequisites and criteria that it states. Pure."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from learnloop.learn.language import words
from learnloop.learn.tasks import continuations
from learnloop.wire import text

LONGEST_TITLE = 100
_READ = 16_000
_MOST, _LONGEST = 5, 200
_TELLING = 4
"""A title of fewer words takes what follows along."""
_LEAD_IN = r"^[\s!-/:-@[-`{-~–—•]*(?:(?:please|and|also|then|just|but|now|so|always|must)\W+)*"
"""Marks of lists and quotes may lead in; signs as programs print them do not."""
_PREREQUISITE = re.compile(
    rf"{_LEAD_IN}(?:prerequisites?\b|(?:this|it|that)\s+(?:requires|needs|depends\s+on)\b|given\s+that\b"
    r"|before\s+you\s+(?:start|begin)\b|assum(?:e|ing)\s+(?:that\s+)?(?!you\b|so\b|it\b))",
    re.I,
)
_CRITERION = re.compile(
    rf"{_LEAD_IN}(?:make\s+sure|be\s+sure|ensure)\b"
    r"|^(?!\W*you\s+(?!must|should|need|have)).*\b(?:acceptance|success)\s+criteri|\bdone\s+when\b"
    r"|\buntil\s+(?:all|every|the|it|they)\b.*\b(?:pass|works?|green|builds?|succeeds?)\b"
    r"|\b(?:tests?|builds?|suite|ci|checks)\s+(?:must|should|have\s+to|has\s+to)\s+(?:all\s+)?(?:still\s+)?"
    r"(?:pass|work|be\s+green|succeed)\b",
    re.I,
)
_COMMAND = re.compile(
    r"(?:\s*<command-message>[^<]*</command-message>)?\s*<command-name>([^<]{1,80})</command-name>"
    r"(?:\s*<command-message>[^<]*</command-message>)?(?:\s*<command-args>([^<]{0,200}))?"
)
"""What the client makes of a command that the person typed."""


class TaskRequest(NamedTuple):
    """What a prompt asks for."""

    title: str
    prerequisites: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()


def read(prompt: str) -> TaskRequest:
    """Read a prompt; its title is the first sentence of the person's own words that says something."""
    if command := _COMMAND.match(prompt):
        return TaskRequest(text.cut(_one_line(" ".join(filter(None, command.groups()))), LONGEST_TITLE))
    own = words.own_words(continuations.PICTURE.sub("", prompt[:_READ]))
    sentences = [
        _one_line(own.restore(sentence.text)) + "?" * sentence.asks for sentence in own.every or own.sentences
    ]
    sentences = [sentence for sentence in sentences if any(map(str.isalnum, sentence))]
    telling = (sentence for sentence in sentences if not continuations.is_small_talk(sentence))
    title = next(telling, "") or next(iter(sentences), "")
    return TaskRequest(
        _title(title, prompt[:_READ]), _stated(_PREREQUISITE, sentences), _stated(_CRITERION, sentences)
    )


def _title(sentence: str, prompt: str) -> str:
    """The sentence; where that says little (`And this one?`, `Consider this:`), what follows as well."""
    if sentence.endswith(":") or (len(sentence.split()) < _TELLING and not _is_dense(sentence)):
        whole = _one_line(continuations.PICTURE.sub("", prompt))
        sentence = whole[max(whole.find(sentence.rstrip("?")), 0) :] or sentence
    return text.cut(sentence or _one_line(prompt), LONGEST_TITLE)


def _is_dense(sentence: str) -> bool:
    """Whether few characters say much, as in scripts without spaces."""
    return not sentence.isascii() and len(sentence) > _TELLING and " " not in sentence


def _stated(form: re.Pattern[str], sentences: Iterable[str]) -> tuple[str, ...]:
    own = (sentence for sentence in sentences if not sentence.endswith("?"))
    stated = (text.cut(sentence, _LONGEST) for sentence in own if form.search(sentence))
    return tuple(dict.fromkeys(stated))[:_MOST]


def _one_line(words_: str) -> str:
    return " ".join(words_.split())
