"""Words a fact as its person did, as far as their words go; else as the model did. Pure."""

import re
from collections.abc import Iterator

from learnloop.learn.facts.support import content_words
from learnloop.learn.language import imperatives, standing_alone, trimming, wording
from learnloop.learn.language.phrases import lowered, pattern
from learnloop.learn.language.words import OwnWords
from learnloop.learn.lessons import similarity

_PRECISION, _RECALL = 0.6, 0.65
"""The least share in common of a passage's content words, and of the fact's."""
_JOINT = re.compile(
    r"\s*[,;]\s+(?:(?:and|but|so|then)\s+)?(?:also\s+)?|\s+[-–—]+\s+|\s+(?:and|but)\s+(?:also\s+)?"
)
"""Where a sentence may be cut in clauses."""
_MOST_JOINTS = 8
_MOMENT = pattern(
    r"""^i(?:'d|'m)?\s|\b«here there again yet too as_well actually ones this that's these those cause»\b
    |\bwe\s\w+ed\b|^(?:we\s)?need\sto\b|\s[.,;:](?:\s|$)|\b(?:it|them)$
    |^(?:have\sa\slook|make\s(?:particular\s)?note|feel\sfree)\b"""
)
"""Speaks of one moment, or of what is to be done once."""


def word(fact: str, own: OwnWords) -> str:
    """The passage of the first sentence that says what the fact says and little else, else the fact."""
    passages = [each for each in _passages(own) if _says(each, fact)]
    return wording.as_sentence(max(passages, key=lambda each: _share(each, fact), default=fact))


def _passages(own: OwnWords) -> Iterator[str]:
    """The statement of the first sentence, and each run of its clauses that stands alone."""
    whole = wording.word(own, 0).statement.rstrip(".")
    if not whole:
        return
    yield whole
    joints = [(0, 0), *(match.span() for match in _JOINT.finditer(whole)), (len(whole), len(whole))]
    for first, (_, start) in enumerate(joints[:_MOST_JOINTS]):
        for end, _ in joints[first + 1 : _MOST_JOINTS]:
            part = trimming.trimmed(whole[start:end])
            if part != whole and imperatives.is_order(part) and standing_alone.stands(part):
                yield part


def _says(passage: str, fact: str) -> bool:
    words, sought = content_words(passage), content_words(fact)
    shared = len(words & sought)
    is_close = shared >= _PRECISION * len(words) and shared >= _RECALL * len(sought)
    return (
        is_close
        and _MOMENT.search(lowered(passage)) is None
        and _form(passage) == _form(fact)
        and similarity.says_the_same(passage, fact)
    )


def _form(text: str) -> tuple[bool, bool]:
    """Whether it begins with the case in which it applies, and whether it is an order."""
    return imperatives.opens_with_condition(text), imperatives.is_order(text)


def _share(passage: str, fact: str) -> float:
    """How much of the content words of both is in common."""
    words, sought = content_words(passage), content_words(fact)
    return len(words & sought) / len(words | sought)
