"""The summary of what documents say, by fixed rules: list items and sentences that instruct. Pure.

The strongest come first: what a person approved, then what stands below a heading about rules, then the rest.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, get_args

from learnloop.learn.language import bullets
from learnloop.learn.lessons import meaning, similarity
from learnloop.models.fact import MOST_LINES, Category, Summary

CATEGORIES: tuple[Category, ...] = get_args(Category)
_LONGEST = 200
_LEAST_WORDS = 2
_MOST_READ, _MOST_CHARS = 2000, 1000
_RULES = re.compile(
    r"\b(?:rules?|always|never|must|don'?ts?|do not|conventions?|preferences?|guidelines?|directives?"
    r"|standards?|style|principles?|requirements?|important|practices?|lessons?|learned)\b",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")
_BEGINNINGS: dict[Category, str] = {
    "Testing": "test specs coverage fixture mock assert pytest unittest",
    "Communication": (
        "communicat answer repl(?:y|ies) respon[ds] explain explanation summar concise brief ask question "
        "tell language german english tone emoji verbose"
    ),
    "Architecture": (
        "architect module layer package service database schema apis? event bus queue storage dependenc "
        "boundar interface component folder director"
    ),
}
"""The beginnings of words that tell what a rule is about."""
_CUES = {name: re.compile(rf"\b(?:{'|'.join(words.split())})", re.I) for name, words in _BEGINNINGS.items()}


_ABOUT_CODE = re.compile(r"\b(?:cod(?:e|ing)|style|convention|implementation)", re.I)


class _Candidate(NamedTuple):
    rank: int
    words: str
    heading: str


def by_rules(approved: Iterable[str], texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The lines that approved statements and texts give, each with its heading, the strongest first."""
    candidates = [_Candidate(0, bullets.plain(words), "") for words in approved]
    candidates += [candidate for text in texts for candidate in _of_text(text)]
    ranked = sorted(candidates, key=lambda candidate: candidate.rank)
    return ((candidate.words, candidate.heading) for candidate in ranked[:_MOST_READ])


def grouped(lines: Iterable[tuple[str, str]]) -> Summary:
    """At most `MOST_LINES` lines by category; the first of those that say the same stays."""
    index, chosen = similarity.MeaningIndex(), list[tuple[Category, str]]()
    for words, heading in lines:
        words = " ".join(words.split())[:_LONGEST].strip()
        read = meaning.read(words)
        if len(words.split()) < _LEAST_WORDS or any(words == other for _, other in chosen):
            continue
        if len(chosen) < MOST_LINES and not index.nearest(read):
            index.add(words, read)
            chosen.append((category_of(words, heading), words))
    by_category = {name: tuple(words for own, words in chosen if own == name) for name in CATEGORIES}
    return {name: lines for name, lines in by_category.items() if lines}


def category_of(words: str, heading: str = "") -> Category:
    """What a rule is about: its heading decides, else what most of its words are of; in doubt coding."""
    for text in (heading, words):
        counts = {name: len(cue.findall(text)) for name, cue in _CUES.items()}
        strongest = max(_CUES, key=counts.__getitem__)
        named = next((name for name in CATEGORIES if name in text), None)
        if named or counts[strongest]:
            return named or strongest
    return "Coding"


def names(heading: str, category: Category) -> bool:
    """Whether a heading names a category, or one of its matters."""
    cue = _CUES.get(category, _ABOUT_CODE)
    return category.lower() in heading.lower() or cue.search(heading) is not None


def _of_text(text: str) -> Iterator[_Candidate]:
    from learnloop.learn.hear import wording  # a verdict asks for categories alone

    for item in bullets.items(text):
        is_ruled = _RULES.search(item.heading) is not None
        pieces = [item.words] if item.is_bullet else _SENTENCE.split(item.words)
        for piece in pieces:
            words = bullets.plain(piece[:_MOST_CHARS])
            instructs = wording.stands_alone(words)
            if item.is_bullet or instructs:
                yield _Candidate(1 + (not is_ruled) + (not instructs), words, item.heading)
