"""A prompt's own words: the sentences a person typed, without code, quotes, logs and pasted text."""

import re
from bisect import bisect_right
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache

from learnloop.learn.language.pasted import CodeBlock, without_pasted

LONGEST = 1200
"""A text of more characters is a specification, not a remark: only its ends are judged."""
LONGEST_SENTENCE = 500
"""A sentence is cut after this many characters: no rule needs more."""
MOST_SENTENCES = 60
MOST_CHARS = 12_000
"""Bounds of `OwnWords.every`: a longer text loses its middle."""
LONGEST_EXAMPLE = 2000

INLINE_CODE = re.compile(r"`([^`\n]{2,120})`")
_INLINE_OR_QUOTED = re.compile(
    r"`[^`\n]{1,200}`"
    r"|[\"“”]([^\"“”\n]{2,300})[\"“”]|(?<![\w'])'([^'\n]*[^\s'\w][^'\n]*|[^'\n]{2,200})'(?![\w'])"
    r"|‘([^’\n]{2,200})’"
)
_STOP = "\ue000", "\ue001"
_HELD = re.compile("\ue000(\\d+)\ue001")
_ENDS = re.compile(
    r"(?<=[^\s.][.!?])[\"')\]]*\s+|[。！？；]\s*|;\s+|\n+|(?<=\S)\s+[-–—]{1,2}\s+|(?<=\w)\?(?=\s|$)\s*"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl)\.)$", re.I)
_NUMBER = re.compile(r"\bno\.\s+\d", re.I)
"""`no. 7` is a number, `no. Use it` are two sentences."""
_MARKER = re.compile(r"^[ \t]*(?:[-*•+]|\(?\d{1,2}[.)]|[a-z]\))[ \t]+(?=\S)", re.M)
"""What stands before a list item."""


@dataclass(frozen=True, slots=True)
class OwnSentence:
    """One sentence that a person typed."""

    text: str
    """Inline code and quotations are replaced by tokens; `OwnWords.restore` puts them back."""
    asks: bool
    """Whether it ends in a question mark."""
    listed: bool = False
    """Whether it is a list item, or part of one."""
    start: int = 0
    end: int = 0
    """Its place in the prompt, with its full stop."""


@dataclass(frozen=True)
class OwnWords:
    """A prompt's own words, sentence by sentence."""

    sentences: tuple[OwnSentence, ...]
    """All of a remark, only the ends of a specification."""
    held: tuple[str, ...]
    """Inline code and quotations, by the number in their token."""
    pasted: bool
    """Whether something pasted was removed: a code block, a log, a quotation of lines."""
    chars: int
    """Characters of all own words together."""
    every: tuple[OwnSentence, ...] = ()
    """All sentences, within `MOST_SENTENCES` and `MOST_CHARS`."""
    prompt: str = ""
    blocks: tuple[CodeBlock, ...] = ()

    @property
    def text(self) -> str:
        """The own words, one sentence a line."""
        return "\n".join(self.restore(sentence.text) for sentence in self.sentences)

    def quotes_others(self, sentence: str) -> bool:
        """Whether a sentence contains a quotation of four words or more, which may be anyone's."""
        return any(len(self.held[int(number)].split()) >= 4 for number in _HELD.findall(sentence))

    def restore(self, text: str) -> str:
        """The text with inline code and quotations put back."""
        return _HELD.sub(lambda match: self.held[int(match[1])], text).replace(_STOP[0], "")

    def passage(self, at: int, sentences: int = 1) -> str:
        """The prompt's literal characters of `sentences` of `every`, beginning with the one at `at`."""
        return self.prompt[self.every[at].start : self.every[at + sentences - 1].end]

    def gap(self, at: int) -> str:
        """What stands between a sentence of `every` and the next one; empty after the last."""
        is_last = at + 1 >= len(self.every)
        return "" if is_last else self.prompt[self.every[at].end : self.every[at + 1].start]

    def example(self, at: int) -> str:
        """The code of the block that directly follows a sentence of `every`; empty where none does."""
        end = self.every[at].end
        block = next((block for block in self.blocks if block.start >= end), None)
        if block is None or self.prompt[end : block.start].strip(" \t\n:."):
            return ""
        return block.code.strip("\n")[:LONGEST_EXAMPLE]


@lru_cache(maxsize=4)  # detector, scorer and traits ask for the same prompt one after the other
def own_words(prompt: str) -> OwnWords:
    """The sentences that a person typed, without what they pasted."""
    whole = prompt.replace("’", "'").replace(_STOP[0], " ").replace(_STOP[1], " ")
    text, blocks = without_pasted(whole)
    pasted = len("".join(text.split())) < len("".join(whole.split()))
    held: list[str] = []
    places: list[tuple[int, int]] = []
    """Of each token: where it ends, and how many characters of the prompt the tokens so far stand for."""
    shift = 0

    def hold(match: re.Match[str]) -> str:
        nonlocal shift
        token = f"{_STOP[0]}{len(held)}{_STOP[1]}"
        held.append(match[0])
        end = match.start() - shift + len(token)
        shift += len(match[0]) - len(token)
        places.append((end, shift))
        return token

    markers = [match.end() for match in _MARKER.finditer(text)]
    text = _INLINE_OR_QUOTED.sub(hold, _MARKER.sub(lambda match: "\n" * len(match[0]), text))
    every = _sentences(text, places, markers, prompt)
    return OwnWords(
        _of_a_remark(every), tuple(held), pasted, len(_BLANK.sub("\n", text)), _bounded(every), prompt, blocks
    )


_BLANK = re.compile(r"\n\n+")


def _of_a_remark(sentences: list[OwnSentence]) -> tuple[OwnSentence, ...]:
    """All sentences, but of a specification only the ends."""
    is_long = len(sentences) > 5 and sum(len(sentence.text) for sentence in sentences) > LONGEST
    return tuple(sentences[:2] + sentences[-3:] if is_long else sentences)


def _bounded(sentences: list[OwnSentence]) -> tuple[OwnSentence, ...]:
    """The sentences without the middle of a text that has too many or too long ones."""
    if len(sentences) > MOST_SENTENCES:
        sentences = sentences[: MOST_SENTENCES * 2 // 3] + sentences[-MOST_SENTENCES // 3 :]
    chars = sum(len(sentence.text) for sentence in sentences)
    while chars > MOST_CHARS:
        chars -= len(sentences.pop(len(sentences) * 2 // 3).text)
    return tuple(sentences)


def jaccard(first: Set[object], second: Set[object]) -> float:
    """The Jaccard index of two sets, 0–1; 0 of two empty ones."""
    return len(first & second) / len(first | second) if first or second else 0.0


_BARE_NT = re.compile(r"\b(do|does|did|is|are|was|were|has|have|should|would|could|ca|wo)nt\b(?!\.)", re.I)
_BARE_S = re.compile(r"\b(that|what)s\b|\b(it)s(?=\s(?:not|wrong|called|still|broken|spelled)\b)", re.I)


def _apostrophes(text: str) -> str:
    """The text with missing apostrophes added: `dont`, `thats wrong`."""
    low = text.lower()
    if "nt" in low:
        text = _BARE_NT.sub(r"\1n't", text)
    return _BARE_S.sub(r"\1\2's", text) if "ts" in low else text


_LONGEST_ABBREVIATION = 20
_BEFORE = " \t\n*-•#>"
_AFTER = " \t\n*-•#"


_WRAPPED, _INDENT = 60, 9
_WRAP = re.compile(r"[ \t]*\n[ \t]*")


def _is_wrapped(piece: str, following: str) -> bool:
    """Whether a line break is one of a text that was wrapped: after a long line, before a small letter."""
    line = piece.rpartition("\n")[2]
    return following.islower() and len(line) >= _WRAPPED and line[-1:] not in ".!?:;,"


def _sentences(
    text: str, places: list[tuple[int, int]], markers: list[int], prompt: str
) -> list[OwnSentence]:
    sentences: list[OwnSentence] = []
    ends = [end for end, _ in places]
    start = 0

    def in_prompt(place: int) -> int:
        token = bisect_right(ends, place)
        return place + (places[token - 1][1] if token else 0)

    for end in [*_ENDS.finditer(text), None]:
        piece = text[start : end.start() if end else len(text)]
        if end and (
            (_ABBREVIATION.search(piece[-_LONGEST_ABBREVIATION:]) and "\n" not in end[0])
            or (piece[-3:].lower() == "no." and _NUMBER.match(text[end.start() - 3 : end.end() + 1]))
            or (end[0] == "\n" and _is_wrapped(piece, text[end.end() : end.end() + _INDENT].lstrip()[:1]))
        ):
            continue
        asks = piece.rstrip("\"')").endswith("?") or bool(end and "?" in end[0])
        left = piece.lstrip(_BEFORE)
        whole = left.rstrip(_AFTER)
        trimmed = whole.rstrip(".!?。！？ ")
        if any(character.isalnum() for character in trimmed):
            first = start + len(piece) - len(left)
            place, last = in_prompt(first), in_prompt(first + len(whole))
            last += len(end[0].rstrip(" \t\n;-–—")) if end and end[0][:1] in "?。！？\"')]" else 0
            marker = bisect_right(markers, place)
            listed = bool(marker) and "\n" not in prompt[markers[marker - 1] : place]
            cut = _apostrophes(_WRAP.sub(" ", trimmed[:LONGEST_SENTENCE]))
            sentences.append(OwnSentence(cut, asks, listed, place, last))
        start = end.end() if end else len(text)
    return sentences
