"""The parts of an instruction that triggers are read from: its moment, what is unwanted, what is wanted. Pure.

`Never use grep on JSON output, use jq` speaks against `use grep on JSON output` and for `use jq`; the moment of
`Run the linter before you push` is `you push`. Only moment, unwanted and plain parts say when it matters.
"""

import re
from typing import NamedTuple

_MOST = 1200
_CLAUSE = re.compile(
    r"[;,:!?]+(?=\s|$)|\.(?=\s|$)|\s[-–—]+\s|\n+|\b(?:but|because|since|so that|then|sondern|mais|sino)\b", re.I
)
_MOMENT = re.compile(
    r"\b(?:before|after|when(?:ever)?|while|if|once|every time|each time|as soon as|unless|until|prior to"
    r"|bevor|wenn|nachdem|avant|apr[eè]s|quand|cuando|antes de)\b"
    r"|\b(?:with|on|in|for|at|to) (?:every|each|any)\b|\b(?:every|each) (?=\w+ (?:needs?|gets?|has|must|should)\b)",
    re.I,
)
_AGAINST = re.compile(
    r"\b(?:never|not|nothing|stop|avoid|without|instead of|rather than|no longer|no more|quit|forbid\w*|neither"
    r"|nor|no|statt|anstatt|nicht|keine?n?|nie|niemals|ohne|jamais|pas|sans|au lieu d[e']?|nunca|sin"
    r"|en vez de|en lugar de)(?![\w/-])|\b(?:do|ca|is|are|should|must|wo)n['’]?t\b",
    re.I,
)
_STILL_FOR = re.compile(
    r"\b(?:never|not|don['’]?t|do not) (?:ever )?(?:forget|skip|omit|leave out|miss|hesitate)\b|\bnot (?:only|just)\b",
    re.I,
)
"""Denials that ask for something."""
_FOR = re.compile(
    r"\b(?:use|uses|using|is used|are used|prefer|preferred|switch(?:ed)? to|go with|stick (?:to|with)|adopt"
    r"|verwende[nt]?|benutze?|nutze?|nimm|utilise[rz]?|usar?|utiliza|instead)\b",
    re.I,
)
_OVER = re.compile(r"\b(?:prefer\w*\b.*?)(\bover|\bto)\b", re.I)
_OMITTED = re.compile(
    r"\b(?:forg[eo]t\w*|left out|missed|omitted|skip(?:ped)?|didn['’]?t (?:add|update|bump|change|regenerate)"
    r"|(?:goes?|belongs?|comes?) (?:together )?with (?:every|each|any)"
    r"|(?:also|always) (?:needs?|has|have)? ?(?:to )?(?:update|bump|regenerate|add))\b",
    re.I,
)


class Parts(NamedTuple):
    """An instruction's words by what they say; each part is a text."""

    moment: str
    """When it matters."""
    unwanted: str
    """What not to do."""
    wanted: str
    """What to do or use instead of it."""
    plain: str
    """The rest: an order or a fact without a contrast."""

    @property
    def when(self) -> str:
        """The words that may name the moment at which it matters."""
        return f"{self.moment}\n{self.unwanted}\n{self.plain}"


def parts(text: str) -> Parts:
    """The parts of an instruction, clause by clause."""
    lines: dict[str, list[str]] = {"moment": [], "unwanted": [], "wanted": [], "plain": []}
    for clause in filter(None, map(str.strip, _CLAUSE.split(text[:_MOST]))):
        act = clause
        if at := _MOMENT.search(clause):
            lines["moment"].append(clause[at.end() :])
            act = clause[: at.start()]
        for name, words in _sides(act):
            lines[name].append(words)
    return Parts(**{name: "\n".join(texts) for name, texts in lines.items()})


def is_omission(text: str) -> bool:
    """Whether a text says that something was left out which belongs to another change."""
    return _OMITTED.search(text) is not None


def _sides(clause: str) -> list[tuple[str, str]]:
    """The words of a clause for and against: `use pnpm instead of npm` has both."""
    if over := _OVER.search(clause):
        return [("wanted", clause[: over.start(1)]), ("unwanted", clause[over.end(1) :])]
    denied = None if _STILL_FOR.search(clause) else _AGAINST.search(clause)
    if denied is None:
        return [("wanted" if _FOR.search(clause) else "plain", clause)]
    before, after = clause[: denied.start()], clause[denied.end() :]
    again = _AGAINST.search(after)  # `never push without asking`
    if again:
        after = after[: again.start()]
    is_contrast = bool(re.fullmatch(r"(?:instead|rather|statt|anstatt|au lieu|en vez|en lugar|not).*", denied[0], re.I))
    side = "wanted" if _FOR.search(before) or is_contrast else "plain"
    if not is_contrast and re.search(r"\b(?:is|are|be|was)\s*$", before):  # `secrets are never committed`
        return [("unwanted", clause)]
    return [(side, before), ("unwanted", after)]


_CONDUCT = re.compile(
    r"\b(?:ask|tell|show|warn|consult|check with|wait for|talk to|confirm with|report to|explain to|give|answer|remind) me\b"
    r"|\bmy (?:permission|approval|ok|go|confirmation|opinion)\b|\b(?:answers?|repl(?:y|ies)|respon[ds]e?s?|apologi[sz]\w*|explain\w*"
    r"|verbose|concise|terse|brief(?:ly)?|summar(?:y|ies|i[sz]\w*)|permission|approval|proactive\w*|guess\w*|assum\w*"
    r"|opinions?|praise|flatter\w*|honest\w*|sycophan\w*|yes-man|speak|talk|think hard|plan first|excuses?|promis\w*"
    r"|antwort\w*|erkl[aä]r\w*|r[eé]pond\w*)\b"
    r"|\b(?:do|run|check|test|verify|fix|try|find) (?:it|that|this|things|everything) (?:yourself|on your own)\b"
    r"|\b(?:don['’]?t|do not|never|stop) (?:\w+ing|start\w*|write code|change anything|do anything)?\s*(?:until|before) (?:i|we)\b"
    r"|\bcode yet\b|\bone (?:question|step|thing) at a time\b",
    re.I,
)


def is_conduct(text: str) -> bool:
    """Whether an instruction is about how to behave towards the person, which no file or command tells."""
    return _CONDUCT.search(text) is not None
