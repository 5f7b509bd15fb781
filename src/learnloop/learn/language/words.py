"""What a prompt says in the person's own words: code, quotes, logs and pasted material are set aside."""

import re
from dataclasses import dataclass

LONGEST = 1200
"""Own words beyond this many characters are a specification, not a remark: only its ends are judged."""

LONGEST_SENTENCE = 500
"""Beyond this many characters a sentence is cut: nobody says a rule in more."""

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.S | re.M)
_OPENED = re.compile(r"<([a-z][\w-]*)(?:\s[^<>]{0,500})?>")
_MOST_NAMES = 20
"""Beyond so many elements that are never closed it is no text of a harness."""
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
    """One sentence of a person, with what was set aside in it (inline code, quotations) held as tokens."""

    text: str
    """Inline code and quotations are single tokens here."""
    asks: bool
    """Ends in a question mark."""


@dataclass(frozen=True)
class OwnWords:
    """A prompt's own words."""

    sentences: tuple[OwnSentence, ...]
    held: tuple[str, ...]
    pasted: bool
    """Something was set aside as pasted: a code block, a log, a quotation of lines."""
    chars: int

    @property
    def text(self) -> str:
        """The own words, a sentence a line."""
        return "\n".join(self.restore(sentence.text) for sentence in self.sentences)

    def quotes_others(self, sentence: str) -> bool:
        """Whether a sentence holds a quotation of several words: then they may be anyone's."""
        return any(len(self.held[int(number)].split()) >= 4 for number in _HELD.findall(sentence))

    def restore(self, text: str) -> str:
        """The text with inline code and quotations put back."""
        return _HELD.sub(lambda match: self.held[int(match[1])], text).replace(_STOP[0], "")


def own_words(prompt: str) -> OwnWords:
    """The sentences that a person typed, without what they pasted."""
    text = prompt.replace("’", "'").replace(_STOP[0], " ").replace(_STOP[1], " ")
    kept = _without_pasted(text)
    pasted = len("".join(kept.split())) < len("".join(text.split()))
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match[0])
        return f"{_STOP[0]}{len(held) - 1}{_STOP[1]}"

    kept = _apostrophes(_QUOTED.sub(hold, _INLINE.sub(hold, kept)))
    sentences = _ends_only(_sentences(kept))
    return OwnWords(tuple(sentences), tuple(_unnest(held)), pasted, len(kept))


_BARE_NT = re.compile(r"\b(do|does|did|is|are|was|were|has|have|should|would|could|ca|wo)nt\b(?!\.)", re.I)
_BARE_S = re.compile(r"\b(that|what)s\b|\b(it)s(?=\s(?:not|wrong|called|still|broken|spelled)\b)", re.I)


def _apostrophes(text: str) -> str:
    """The text with the apostrophes that people leave out: `dont`, `thats wrong`."""
    low = text.lower()
    if "nt" in low:
        text = _BARE_NT.sub(r"\1n't", text)
    return _BARE_S.sub(r"\1\2's", text) if "ts" in low else text


def _unnest(held: list[str]) -> list[str]:
    """Code inside a quotation was held first: put it back into the quotation."""
    return [_HELD.sub(lambda match: held[int(match[1])], text) for text in held]


def _without_pasted(text: str) -> str:
    text = _without_elements(text)
    for pattern in (_FENCE, _TRACE, _LISTING):
        text = pattern.sub("\n", text)
    return "\n".join(line for line in text.split("\n") if not _is_log(line))


def _without_elements(text: str) -> str:
    """The text without what stands between a tag and its end; a name that is not closed is sought once."""
    kept, at = [], 0
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
        kept += [text[at : opened.start()], "\n"]
        at = end + len(name) + 3
    return "".join((*kept, text[at:]))


_LONG_LINE = 2000
"""What a line is shows at its beginning."""


def _is_log(line: str) -> bool:
    return _LOG.match(line[:_LONG_LINE]) is not None


_LONGEST_ABBREVIATION = 20


def _sentences(text: str) -> list[OwnSentence]:
    found: list[OwnSentence] = []
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
            found.append(OwnSentence(trimmed[:LONGEST_SENTENCE], asks))
    return found


def _ends_only(sentences: list[OwnSentence]) -> list[OwnSentence]:
    """All sentences of a remark; of a long text the first two and the last three."""
    if sum(len(sentence.text) for sentence in sentences) <= LONGEST or len(sentences) <= 5:
        return sentences
    return sentences[:2] + sentences[-3:]
