"""A prompt's own words: the sentences a person typed, without code, quotes, logs and pasted text."""

import re
from collections.abc import Set
from dataclasses import dataclass

LONGEST = 1200
"""A text of more characters is a specification, not a remark: only its ends are judged."""
LONGEST_SENTENCE = 500
"""A sentence is cut after this many characters: no rule needs more."""

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.S | re.M)
_OPENED = re.compile(r"<([a-z][\w-]*)(?:\s[^<>]{0,500})?>")
_MOST_NAMES = 20
"""With more unclosed element names the text does not come from a harness."""
_INLINE = re.compile(r"`[^`\n]{1,200}`")
_QUOTED = re.compile(
    r"[\"“”]([^\"“”\n]{2,300})[\"“”]|(?<![\w'])'([^'\n]*[^\s'\w][^'\n]*|[^'\n]{2,200})'(?![\w'])|‘([^’\n]{2,200})’"
)
_TRACE = re.compile(r"^Traceback \(most recent call last\):.*?(?:\n[ \t]*\n|\Z)", re.S | re.M)
_LISTING = re.compile(
    r"^[^\n]*\b(?:here (?:is|are)|this is|see|output|below|contents? of"
    r"|says)\b[^\n]*:[ \t]*\n(?:[ \t]*(?:[-*•]|\d+[.)])[ \t].*(?:\n|\Z))+",
    re.I | re.M,
)
_LOG = re.compile(
    r"""^\s*(?:
      >.*                                              # a quotation
    | \[?\d{4}[-/]\d\d[-/]\d\d[T ].*                   # a time stamp
    | \[\d\d/\d\d/\d\d.*                               # a shell prompt with its date
    | \S*[\w~/-]+@[\w.-]+:\S*[$\#].*                   # a shell prompt
    | [$%❯➜]\s.*
    | File\s".*",\sline\s\d+.* | at\s\S+\s?\(.*        # stack frames
    | (?:[+-]{3}|@@|diff\s--git)\s.*                   # a diff
    | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|FAILED|PASSED)\b[\s:\[].*
    | \w*(?:Error|Exception|Warning):\s.*
    | [\w./-]+:\d+(?::\d+)?:\s.*                       # file:line: message
    | (?:npm|yarn|pnpm|cargo)\s(?:ERR!|WARN|error|warning)[\s:].*
    | (?:error|warning|fatal|hint|remote|stderr|stdout)(?:\[\w+\])?:\s.*
    | [|+][-=|+\s].*                                   # tables
    | [{}\[\]();,]+\s*
    | \S{120,}
    )$""",
    re.X,
)
_STOP = "\ue000", "\ue001"
_HELD = re.compile("\ue000(\\d+)\ue001")
_ENDS = re.compile(
    r"(?<=[^\s.][.!?])[\"')\]]*\s+|[。！？；]\s*|;\s+|\n+|\s+[-–—]{1,2}\s+|(?<=\w)\?(?=\s|$)\s*"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl)\.)$", re.I)
_NUMBER = re.compile(r"\bno\.\s+\d", re.I)
"""`no. 7` is a number, `no. Use it` are two sentences."""


@dataclass(frozen=True)
class OwnSentence:
    """One sentence that a person typed."""

    text: str
    """Inline code and quotations are replaced by tokens; `OwnWords.restore` puts them back."""
    asks: bool
    """Whether it ends in a question mark."""


@dataclass(frozen=True)
class OwnWords:
    """A prompt's own words, sentence by sentence."""

    sentences: tuple[OwnSentence, ...]
    held: tuple[str, ...]
    """Inline code and quotations, by the number in their token."""
    pasted: bool
    """Whether something pasted was removed: a code block, a log, a quotation of lines."""
    chars: int
    """Characters of all own words together."""

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


def own_words(prompt: str) -> OwnWords:
    """The sentences that a person typed, without what they pasted."""
    whole = prompt.replace("’", "'").replace(_STOP[0], " ").replace(_STOP[1], " ")
    text = _without_pasted(whole)
    pasted = len("".join(text.split())) < len("".join(whole.split()))
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match[0])
        return f"{_STOP[0]}{len(held) - 1}{_STOP[1]}"

    text = _apostrophes(_QUOTED.sub(hold, _INLINE.sub(hold, text)))
    sentences = _sentences(text)
    if sum(len(sentence.text) for sentence in sentences) > LONGEST and len(sentences) > 5:
        sentences = sentences[:2] + sentences[-3:]  # of a specification only the ends are judged
    # Code is replaced by tokens before quotations: it is put back into the quotation around it.
    whole_held = tuple(_HELD.sub(lambda match: held[int(match[1])], part) for part in held)
    return OwnWords(tuple(sentences), whole_held, pasted, len(text))


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


def _without_pasted(text: str) -> str:
    text = _without_elements(text)
    for pattern in (_FENCE, _TRACE, _LISTING):
        text = pattern.sub("\n", text)
    return "\n".join(line for line in text.split("\n") if not _LOG.match(line[:_LONG_LINE]))


def _without_elements(text: str) -> str:
    """The text without elements: from each tag to its end tag. An unclosed name is searched for once."""
    pieces, at = [], 0
    unclosed: set[str] = set()
    for opened in _OPENED.finditer(text):
        name = opened[1]
        if opened.start() < at or name in unclosed:
            continue
        end = text.find(f"</{name}>", opened.end())
        if end < 0:
            unclosed.add(name)
            if len(unclosed) > _MOST_NAMES:
                break
            continue
        pieces += [text[at : opened.start()], "\n"]
        at = end + len(name) + 3
    return "".join((*pieces, text[at:]))


_LONG_LINE = 2000
"""Characters of a line that are tested for a log's form; the rest costs time and adds nothing."""

_LONGEST_ABBREVIATION = 20


def _sentences(text: str) -> list[OwnSentence]:
    sentences: list[OwnSentence] = []
    start = 0
    for end in [*_ENDS.finditer(text), None]:
        piece = text[start : end.start() if end else len(text)]
        if end and (
            _ABBREVIATION.search(piece[-_LONGEST_ABBREVIATION:])
            or (piece[-3:].lower() == "no." and _NUMBER.match(text[end.start() - 3 : end.end() + 1]))
        ):
            continue
        start = end.end() if end else len(text)
        asks = piece.rstrip("\"')").endswith("?") or bool(end and "?" in end[0])
        trimmed = piece.lstrip(" \t\n*-•#>").rstrip(" \t\n*-•#").rstrip(".!?。！？ ")
        if any(character.isalnum() for character in trimmed):
            sentences.append(OwnSentence(trimmed[:LONGEST_SENTENCE], asks))
    return sentences
